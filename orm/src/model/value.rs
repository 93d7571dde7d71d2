//! The Rust types that a column can have.

use wreath_codecs::{Decode, Encode, PgType};

use crate::check::Check;

/// A Rust type that a column can have.
///
/// There is one family of traits. [`PgType`], [`Encode`] and [`Decode`] of `wreath-codecs` say which
/// PostgreSQL type it is and how its bytes are written and read; `Value` adds only what a model needs to
/// know: the type of an argument in a filter, the checks that make sense, and values to test a mapping
/// with. [`ColumnType`] follows from it, for the type and for `Option` of it.
///
/// A type of one's own takes about a dozen lines; [`codecs::types`](wreath_codecs::types) shows how an enum
/// and a composite say which type they are. A newtype:
///
/// ```
/// use wreath_codecs::{Decode, DecodeError, Encode, EncodeError, Encoder, Oid, PgType, Type};
/// use wreath_orm::expr::kind::{SqlEq, SqlOrd};
/// use wreath_orm::{Num, Value};
///
/// #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
/// struct Fleece(i32); // grams
///
/// impl PgType for Fleece {
///     const OID: Oid = i32::OID;
///     const ARRAY: Oid = i32::ARRAY;
/// }
/// impl Encode for Fleece {
///     fn oid(&self) -> Oid { self.0.oid() }
///     fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> { self.0.encode(out) }
/// }
/// impl<'r> Decode<'r> for Fleece {
///     fn accepts(ty: &Type) -> bool { i32::accepts(ty) }
///     fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
///         i32::decode(ty, bytes).map(Fleece)
///     }
/// }
/// impl Value for Fleece {
///     type Arg<'a> = Fleece;
///     type Check = Num<Fleece>;
///     fn sample(n: u32) -> Self { Fleece(n as i32) }
/// }
/// // Columns of it can be compared and sorted; `expr::kind` has what else a type can do.
/// impl SqlEq for Fleece {}
/// impl SqlOrd for Fleece {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value that a column can have",
    note = "types of other crates are values when their feature of wreath-orm is on, such as `chrono`",
    note = "for a type of your own, implement `PgType`, `Encode` and `Decode` of wreath-codecs and `Value` of wreath-orm",
    note = "a nullable column is an `Option` of a value"
)]
pub trait Value: PgType + Encode + for<'r> Decode<'r> + Send + Sync + 'static {
    /// What a filter compares the column with: the type itself, or what it lends (`&str` for `String`).
    type Arg<'a>: Encode;

    /// The checks that mean something for the type; [`NoCheck`](crate::NoCheck) for none.
    type Check: Check<Self>;

    /// The `n`-th made-up value. Values for different `n` should differ; a small type may repeat itself, as long
    /// as 1 and 2 differ. That for 0 stands for a value that the server is still to make, where an object is
    /// made of a request body.
    fn sample(n: u32) -> Self;

    /// The labels of an enum, for `create_tables`; `None` for everything else. See [`Labels`](crate::Labels).
    fn labels() -> Option<Vec<&'static str>> {
        None
    }
}

/// The Rust type of a column: a [`Value`], or an `Option` of one where the column may be NULL.
///
/// It is implemented for every `Value` and every `Option<Value>`, and not by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of a column",
    label = "neither a `Value` nor an `Option` of one",
    note = "implement `Value` for the type, which then can be a column, and `Option` of it a nullable one"
)]
pub trait ColumnType: PgType + Encode + for<'r> Decode<'r> + Send + Sync + 'static {
    /// The type without its `Option`.
    type Base: Value;

    /// Whether the column may be NULL.
    const NULLABLE: bool;

    /// `U`, or NULL where this is: what an operator makes of it.
    type Of<U: ColumnType>: ColumnType<Base = U::Base>;

    /// It, or a `U` where it is NULL.
    type Or<U: ColumnType<Base = Self::Base>>: ColumnType<Base = Self::Base>;

    /// The `n`-th made-up value, never NULL.
    fn sample(n: u32) -> Self;

    /// The value, where it is not NULL.
    fn value(&self) -> Option<&Self::Base>;
}

impl<V: Value> ColumnType for V {
    type Base = V;
    type Of<U: ColumnType> = U;
    type Or<U: ColumnType<Base = V>> = V;

    const NULLABLE: bool = false;

    fn sample(n: u32) -> Self {
        V::sample(n)
    }

    #[inline]
    fn value(&self) -> Option<&V> {
        Some(self)
    }
}

impl<V: Value> ColumnType for Option<V> {
    type Base = V;
    type Of<U: ColumnType> = Option<U::Base>;
    type Or<U: ColumnType<Base = V>> = U;

    const NULLABLE: bool = true;

    fn sample(n: u32) -> Self {
        Some(V::sample(n))
    }

    #[inline]
    fn value(&self) -> Option<&V> {
        self.as_ref()
    }
}

/// Something that can stand in a list of values of type `V`: a value, a reference to one, or for text a
/// `&str`.
///
/// So `any` takes `[1, 2, 3]`, `&vec_of_i64` and `&vec_of_string` alike.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with a column of `{V}`",
    label = "expected values of `{V}`, or references to them"
)]
pub trait Element<V>: Encode {}

impl<V: Value> Element<V> for V {}
impl<V: Value> Element<V> for &V {}
impl Element<String> for &str {}
impl Element<String> for &&str {}
