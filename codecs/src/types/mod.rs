//! What Rust values are to PostgreSQL.
//!
//! Three small traits carry everything, and user types implement them in a dozen lines:
//!
//! * [`PgType`]: which PostgreSQL type a Rust type stands for, known at compile time.
//! * [`Encode`]: appends the binary form of a value.
//! * [`Decode`]: reads a value from the binary form, borrowing from it where it can.
//!
//! A newtype over a type that is already known passes everything on:
//!
//! ```
//! use wreath_codecs::{Decode, DecodeError, Encode, EncodeError, Encoder, Oid, PgType, Type};
//!
//! struct LlamaId(i64);
//!
//! impl PgType for LlamaId {
//!     const OID: Oid = i64::OID;
//!     const ARRAY: Oid = i64::ARRAY;
//! }
//! impl Encode for LlamaId {
//!     fn oid(&self) -> Oid { self.0.oid() }
//!     fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> { self.0.encode(out) }
//! }
//! impl<'r> Decode<'r> for LlamaId {
//!     fn accepts(ty: &Type) -> bool { i64::accepts(ty) }
//!     fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> { i64::decode(ty, bytes).map(LlamaId) }
//! }
//! ```
//!
//! An enum goes by its labels, which are its binary form as well. A composite is read and written field by field,
//! see [`RecordReader`].
//!
//! ```
//! use wreath_codecs::types::Name;
//! use wreath_codecs::{Decode, DecodeError, Encode, EncodeError, Encoder, Kind, Oid, PgType, Type};
//!
//! /// `CREATE TYPE mood AS ENUM ('calm', 'cross')`
//! #[derive(Clone, Copy)]
//! enum Mood { Calm, Cross }
//!
//! const LABELS: [(&str, Mood); 2] = [("calm", Mood::Calm), ("cross", Mood::Cross)];
//!
//! impl PgType for Mood {
//!     const OID: Oid = Oid::named("mood");
//!     const ARRAY: Oid = Oid::ArrayOf(Name { schema: None, name: "mood" });
//! }
//! impl Encode for Mood {
//!     fn oid(&self) -> Oid { Self::OID }
//!     fn encode(&self, out: &mut Encoder) -> Result<(), EncodeError> { LABELS[*self as usize].0.encode(out) }
//! }
//! impl<'r> Decode<'r> for Mood {
//!     fn accepts(ty: &Type) -> bool { matches!(ty.base().kind(), Kind::Enum(_)) }
//!     fn decode(ty: &Type, bytes: &'r [u8]) -> Result<Self, DecodeError> {
//!         let label = <&str>::decode(ty, bytes)?;
//!         let known = LABELS.iter().find(|(name, _)| *name == label);
//!         known.map(|(_, mood)| *mood).ok_or_else(|| DecodeError::out_of_range(format!("no mood is {label}")))
//!     }
//! }
//! ```

mod array;
mod bit;
mod builtin;
mod bytea;
mod calendar;
mod date;
mod encoder;
mod extension;
mod float;
mod fulltext;
mod geometric;
mod interop;
mod interval;
mod json;
mod money;
mod net;
mod number;
mod numeric;
mod oid;
mod quote;
mod range;
mod record;
mod scan;
mod system;
mod table;
mod text;
mod text_form;
mod time;
mod timestamp;
mod traits;
mod ty;
mod uuid;
mod value;
mod versioned;

pub use array::{Array, ArrayIter, Dimension};
pub use bit::Bit;
pub use date::Date;
pub use encoder::{Encoder, ParamBuf};
pub use extension::{
    Coordinate, Cube, Dimensions, Ewkb, Geography, Geometry, HalfVec, Hstore, Shape, SparseVec, Vector,
};
pub use fulltext::{TsLexeme, TsPosition, TsQuery, TsVector, TsWeight};
pub use geometric::{Circle, Line, LineSegment, Path, Point, Polygon, Rect};
pub use interval::Interval;
#[cfg(feature = "serde_json")]
pub use json::Json;
pub use json::RawJson;
pub use money::Money;
pub use net::{Cidr, Inet, MacAddr, MacAddr8};
pub use numeric::Numeric;
pub use oid::{Name, Oid};
pub use range::{Multirange, Range, RangeElement};
pub use record::{RecordReader, RecordWriter};
pub use system::{PgLsn, Snapshot, Tid, Xid8};
pub use table::samples;
pub use text_form::{AsText, TextForm};
pub use time::{Time, TimeTz};
pub use timestamp::{Timestamp, TimestampTz};
pub use traits::{Decode, Encode, PgType};
pub use ty::{Field, Kind, Type, TypeData};
pub use uuid::Uuid;
pub use value::{CopyText, Datum, Value};
pub use versioned::{JsonPath, Lquery, Ltree, Ltxtquery};
