//! Reading request bodies.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;
use wreath_codecs::Encoder;

use crate::body::Patch;
use crate::body::fill::{Filling, Held};
use crate::body::json::{self, Unfit};
use crate::body::patch::Entry;
use crate::check::Violation;
use crate::error::{Error, Result};
use crate::model::{Declared, Load, Model, columns_of, describe};
use crate::session::snapshot;

/// Reads an `L` from a body that brings all of its columns that have no default.
pub(crate) fn read_whole<M: Model, L: Load<M>>(body: &[u8]) -> Result<L> {
    let (mut filling, places) = read::<M, L>(body)?;
    filling.complete(|place| places.contains(&place))?;
    let (_, whole) = filling.judge()?;
    filling.verdict()?;
    let mut own = Encoder::new();
    for &place in &places {
        snapshot::put(&mut own, snapshot::value_at(&whole, place)?)?;
    }
    snapshot::restore_part::<M, L>(own.as_bytes(), &snapshot::types(columns_of::<M, L>()?))
}

impl<M: Model> Patch<M> {
    /// Reads a patch from a JSON object that brings any of the columns of `L`: the model itself, or a struct that
    /// names the columns which may be changed.
    ///
    /// ```
    /// # use wreath_orm::{Column, Columns, Load, Model, Num, Patch, Result, Source, Table};
    /// # pub struct Llama { pub id: i64, pub name: String, pub age: i32 }
    /// # impl Llama {
    /// #     pub const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
    /// #     pub const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
    /// #     pub const AGE: Column<Self, i32> = Self::TABLE.col("age", |l| &l.age).checks(&[Num::Ge(0)]);
    /// # }
    /// # impl Load<Self> for Llama {
    /// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)?, age: s.get(Self::AGE)? })
    /// #     }
    /// # }
    /// # impl Model for Llama {
    /// #     const TABLE: Table<Self> = Table::new("llamas");
    /// #     type Key = i64;
    /// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
    /// # }
    /// /// What of a llama may be changed.
    /// pub struct Card { pub name: String, pub age: i32 }
    /// # impl Load<Llama> for Card {
    /// #     fn load<S: Source<Llama>>(s: &mut S) -> Result<Self> {
    /// #         Ok(Self { name: s.get(Llama::NAME)?, age: s.get(Llama::AGE)? })
    /// #     }
    /// # }
    /// let patch = Patch::<Llama>::from_json::<Card>(br#"{"age": 5}"#)?;
    /// assert_eq!(patch.columns().collect::<Vec<_>>(), ["age"]);
    ///
    /// let error = Patch::<Llama>::from_json::<Card>(br#"{"age": -5, "id": 9, "name": 7}"#).expect_err("is refused");
    /// let found: Vec<_> = error.violations().iter().map(|v| (v.kind(), v.path())).collect();
    /// assert_eq!(found, [("unknown", "id".into()), ("type", "name".into()), ("ge", "age".into())]);
    /// # Ok::<(), wreath_orm::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Model::from_json_as`], but nothing is missing. Rules are asked where the body brings all of their columns;
    /// [`Session::patch`](crate::Session::patch) asks them of the whole object.
    pub fn from_json<L: Load<M>>(body: &[u8]) -> Result<Self> {
        let (mut filling, _) = read::<M, L>(body)?;
        filling.judge()?;
        let of = filling.of;
        let mut patch = Self::new();
        for (held, column) in filling.verdict()?.into_iter().zip(&of.columns) {
            if let Held::Given(value) = held {
                patch.push(Entry { column: column.name, id: column.id, value });
            }
        }
        Ok(patch)
    }
}

/// Reads what a body brings for the columns of `L`. Answers the places of those columns among the model's.
fn read<M: Model, L: Load<M>>(body: &[u8]) -> Result<(Filling<M>, Vec<usize>)> {
    let of = describe::<M>()?;
    let columns = columns_of::<M, L>()?;
    let place = |column: &Declared| {
        of.columns.iter().position(|c| c.id == column.id).ok_or_else(|| {
            let detail = "the column is not one that the model's `load` takes";
            Error::declaration(detail).of(std::any::type_name::<L>()).at(column.name)
        })
    };
    let places: Vec<usize> = columns.iter().map(place).collect::<Result<_>>()?;
    let whole = std::ptr::eq(columns, of.columns.as_slice());
    let mut filling = Filling::new(of);
    let mut from = serde_json::Deserializer::from_slice(body);
    let done = from.deserialize_map(Body { filling: &mut filling, places: &places, whole });
    if let Err(error) = done.and_then(|()| from.end()) {
        let (kind, message) = match error.classify() {
            Category::Data => ("type", "must be a JSON object".to_owned()),
            _ => ("syntax", error.to_string()),
        };
        return Err(Error::invalid(vec![Violation::new(kind, None, message)]).of(of.model));
    }
    Ok((filling, places))
}

/// Takes a body field by field.
struct Body<'a, M: 'static> {
    filling: &'a mut Filling<M>,
    /// The places of the columns that may come.
    places: &'a [usize],
    /// Whether they are the model's own, of which those that are not the body's to say are refused.
    whole: bool,
}

impl<'de, M: Model> Visitor<'de> for Body<'_, M> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> std::result::Result<(), A::Error> {
        let mut seen: Vec<usize> = Vec::new();
        while let Some(Name(name)) = map.next_key::<Name<'de>>()? {
            let raw: &RawValue = map.next_value()?;
            let columns = &self.filling.of.columns;
            let Some(&place) = self.places.iter().find(|&&place| columns[place].name == name) else {
                self.refuse("unknown", Cow::Owned(name.into_owned()), "there is no such field");
                continue;
            };
            let column = columns[place].name;
            if seen.contains(&place) {
                self.refuse("duplicate", column.into(), "comes twice");
                continue;
            }
            seen.push(place);
            self.take(place, raw);
        }
        Ok(())
    }
}

impl<M: Model> Body<'_, M> {
    fn refuse(&mut self, kind: &'static str, column: Cow<'static, str>, message: &'static str) {
        self.filling.found.push(Violation::new(kind, Some(column), message));
    }

    fn take(&mut self, place: usize, raw: &RawValue) {
        let column = &self.filling.of.columns[place];
        let is_ours = column.is_server_made() || column.stamped;
        if column.generated.is_some() || (self.whole && is_ours) {
            return self.refuse("read_only", column.name.into(), "is not for a body to say");
        }
        match json::read(&json::type_of(column), column.nullable, raw) {
            Ok(value) => self.filling.give(place, value),
            Err(Unfit { items, message }) => {
                let violation = Violation::new("type", Some(column.name.into()), message);
                self.filling.found.push(Violation { items, ..violation });
                self.filling.held[place] = Held::Refused;
            }
        }
    }
}

/// A field's name, borrowed where it holds no escape.
struct Name<'de>(Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Name<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> std::result::Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> std::result::Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(name.to_owned())))
            }
        }
        from.deserialize_str(Text)
    }
}
