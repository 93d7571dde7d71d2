//! Rust enums as columns.

use std::fmt;
use std::ops::Deref;

use wreath_codecs::types::Name;
use wreath_codecs::{Decode, DecodeError, Encode, EncodeError, Encoder, Kind, Oid, PgType, Type, oid};

use crate::check::Plain;
use crate::expr::kind::{SqlEq, SqlOrd};
use crate::model::Value;

/// An enum whose values have labels, which a column holds as a [`Label`] of it: as an enum of the server's where
/// [`TYPE`](Self::TYPE) names one, and as text otherwise.
///
/// ```
/// use wreath_orm::{Column, Label, Labels, Table};
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// pub enum Mood { Calm, Cross }
///
/// impl Labels for Mood {
///     const TYPE: Option<&'static str> = Some("mood"); // `create_tables` makes it
///     const LABELS: &'static [(Self, &'static str)] = &[(Self::Calm, "calm"), (Self::Cross, "cross")];
/// }
///
/// pub struct Llama { pub mood: Label<Mood> }
/// const TABLE: Table<Llama> = Table::new("llamas");
/// const MOOD: Column<Llama, Label<Mood>> = TABLE.col("mood", |l| &l.mood);
///
/// let dolly = Llama { mood: Mood::Calm.into() };
/// assert!(dolly.mood == Mood::Calm);
/// assert_eq!(dolly.mood.label(), "calm");
/// let calm = MOOD.eq(Mood::Calm.into());
/// ```
pub trait Labels: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The enum type in the database; with `None`, columns are text.
    const TYPE: Option<&'static str> = None;

    /// The type's schema, where it is not found through the `search_path`.
    const SCHEMA: Option<&'static str> = None;

    /// The label of each value. The order is that of the enum in the database.
    const LABELS: &'static [(Self, &'static str)];
}

/// A value of an enum, in a column. It lends the enum and compares with it.
///
/// # Panics
/// A value without a label, which is a fault of the program, is an error where it is sent; nothing panics.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Label<E>(pub E);

impl<E: Labels> Label<E> {
    /// The label; empty for a value that [`LABELS`](Labels::LABELS) leaves out, which cannot be sent.
    pub fn label(&self) -> &'static str {
        E::LABELS.iter().find(|(value, _)| *value == self.0).map_or("", |(_, label)| label)
    }

    /// The value with this label.
    pub fn of_label(label: &str) -> Option<Self> {
        E::LABELS.iter().find(|(_, l)| *l == label).map(|(value, _)| Self(*value))
    }

    const NAME: Option<Name> = match E::TYPE {
        Some(name) => Some(Name { schema: E::SCHEMA, name }),
        None => None,
    };
}

impl<E: Labels> PgType for Label<E> {
    const OID: Oid = match Self::NAME {
        Some(name) => Oid::Named(name),
        None => Oid::Fixed(oid::TEXT),
    };
    const ARRAY: Oid = match Self::NAME {
        Some(name) => Oid::ArrayOf(name),
        None => Oid::Fixed(oid::TEXT_ARRAY),
    };
}

impl<E: Labels> Encode for Label<E> {
    fn oid(&self) -> Oid {
        Self::OID
    }

    fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        if !E::LABELS.iter().any(|(value, _)| *value == self.0) {
            return Err(EncodeError::new(format!("{:?} has no label", self.0)));
        }
        self.label().encode(out)
    }
}

impl<'r, E: Labels> Decode<'r> for Label<E> {
    fn accepts(ty: &Type) -> bool {
        match E::TYPE {
            Some(_) => matches!(ty.base().kind(), Kind::Enum(_)),
            None => <&str>::accepts(ty),
        }
    }

    fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
        let label = <&str>::decode(ty, bytes)?;
        Self::of_label(label).ok_or_else(|| {
            let known: Vec<_> = E::LABELS.iter().map(|(_, label)| *label).collect();
            DecodeError::out_of_range(format!("{label:?} is none of {known:?}"))
        })
    }
}

impl<E: Labels> SqlEq for Label<E> {}
impl<E: Labels> SqlOrd for Label<E> {}

impl<E: Labels> Value for Label<E> {
    type Arg<'a> = Self;
    type Check = Plain<Self>;

    fn sample(n: u32) -> Self {
        let place = usize::try_from(n).unwrap_or_default() % E::LABELS.len().max(1);
        Self(E::LABELS.get(place).expect("an enum has values").0)
    }

    fn labels() -> Option<Vec<&'static str>> {
        Some(E::LABELS.iter().map(|(_, label)| *label).collect())
    }
}

impl<E> From<E> for Label<E> {
    fn from(value: E) -> Self {
        Self(value)
    }
}

impl<E> Deref for Label<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.0
    }
}

impl<E: PartialEq> PartialEq<E> for Label<E> {
    fn eq(&self, other: &E) -> bool {
        self.0 == *other
    }
}

impl<E: fmt::Debug> fmt::Debug for Label<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
