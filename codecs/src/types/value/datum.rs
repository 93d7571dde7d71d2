//! What a value of any type can be.

use std::fmt::{self, Display as _};

use super::Value;
use crate::error::{DecodeError, EncodeError};
use crate::oid;
use crate::types::array::write_array;
use crate::types::quote::Style;
use crate::types::{
    Array, AsText, Bit, Cidr, Circle, Cube, Date, Decode, Encode, Encoder, Ewkb, HalfVec, Hstore, Inet,
    Interval, JsonPath, Kind, Line, LineSegment, Lquery, Ltree, Ltxtquery, MacAddr, MacAddr8, Money,
    Multirange, Numeric, Oid, Path, PgLsn, Point, Polygon, Range, RawJson, RecordReader, Rect, Snapshot,
    SparseVec, TextForm, Tid, Time, TimeTz, Timestamp, TimestampTz, TsQuery, TsVector, Type, Uuid, Vector,
    Xid8, table,
};

/// Declares the enum, and for the types that have a codec of their own: the conversion into it, the codec and
/// the text form.
macro_rules! datums {
    ($($(#[$doc:meta])* $variant:ident($t:ty),)*) => {
        /// What a value is. Domains are what they stand for.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Datum {
            $($(#[$doc])* $variant($t),)*
            /// `json` and `jsonb`.
            Json(RawJson<'static>),
            /// An array.
            Array(Array<Self>),
            /// A range.
            Range(Box<Range<Self>>),
            /// A multirange.
            Multirange(Multirange<Self>),
            /// A composite: its fields in order.
            Record(Vec<Value>),
            /// The bytes of a type that is not known here.
            Opaque(Vec<u8>),
        }

        $(impl From<$t> for Datum {
            fn from(value: $t) -> Self {
                Self::$variant(value)
            }
        })*

        impl Datum {
            fn encode_plain(&self, out: &mut Encoder) -> Result<(), EncodeError> {
                match self {
                    $(Self::$variant(value) => value.encode(out),)*
                    _ => Ok(()),
                }
            }

            fn write_plain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$variant(value) => value.write_text(f),)*
                    _ => Ok(()),
                }
            }
        }
    };
}

datums! {
    /// `bool`.
    Bool(bool),
    /// `"char"`.
    Char(i8),
    /// `int2`.
    Int2(i16),
    /// `int4`.
    Int4(i32),
    /// `int8`.
    Int8(i64),
    /// `oid`, and what else is a number of that kind. That of a `regclass` or its kin prints as a number: which
    /// name it has, only the server's catalog knows.
    Oid(u32),
    /// `float4`.
    Float4(f32),
    /// `float8`.
    Float8(f64),
    /// `numeric`.
    Numeric(Numeric),
    /// Every type whose values are texts, and what came as text.
    Text(String),
    /// `bytea`.
    Bytes(Vec<u8>),
    /// `date`.
    Date(Date),
    /// `time`.
    Time(Time),
    /// `timetz`.
    TimeTz(TimeTz),
    /// `timestamp`.
    Timestamp(Timestamp),
    /// `timestamptz`.
    TimestampTz(TimestampTz),
    /// `interval`.
    Interval(Interval),
    /// `uuid`.
    Uuid(Uuid),
    /// `bit` and `varbit`.
    Bit(Bit),
    /// `inet`.
    Inet(Inet),
    /// `cidr`.
    Cidr(Cidr),
    /// `macaddr`.
    MacAddr(MacAddr),
    /// `macaddr8`.
    MacAddr8(MacAddr8),
    /// `money`.
    Money(Money),
    /// `pg_lsn`.
    PgLsn(PgLsn),
    /// `xid8`.
    Xid8(Xid8),
    /// `tid`.
    Tid(Tid),
    /// `pg_snapshot` and `txid_snapshot`.
    Snapshot(Snapshot),
    /// `tsvector`.
    TsVector(TsVector),
    /// `tsquery`.
    TsQuery(TsQuery),
    /// `jsonpath`.
    JsonPath(JsonPath),
    /// `hstore`.
    Hstore(Hstore),
    /// `ltree`.
    Ltree(Ltree),
    /// `lquery`.
    Lquery(Lquery),
    /// `ltxtquery`.
    Ltxtquery(Ltxtquery),
    /// `cube`.
    Cube(Cube),
    /// `vector`.
    Vector(Vector),
    /// `halfvec`.
    HalfVec(HalfVec),
    /// `sparsevec`.
    SparseVec(SparseVec),
    /// `geometry` and `geography`.
    Ewkb(Ewkb),
    /// `point`.
    Point(Point),
    /// `line`.
    Line(Line),
    /// `lseg`.
    LineSegment(LineSegment),
    /// `box`.
    Rect(Rect),
    /// `path`.
    Path(Path),
    /// `polygon`.
    Polygon(Polygon),
    /// `circle`.
    Circle(Circle),
}

impl From<RawJson<'_>> for Datum {
    fn from(json: RawJson<'_>) -> Self {
        Self::Json(json.into_owned())
    }
}

impl Datum {
    /// Reads a value of `ty`.
    pub(super) fn decode(ty: &Type, bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode_within(ty, bytes, 0)
    }

    /// Reads a value of `ty` that is inside so many records.
    fn decode_within(ty: &Type, bytes: &[u8], records: u8) -> Result<Self, DecodeError> {
        let ty = ty.base();
        if !ty.is_binary() {
            return <&str>::decode(ty, bytes).map(|text| Self::Text(text.to_owned()));
        }
        let read = |ty: &Type, bytes: &[u8]| Self::decode_within(ty, bytes, records);
        match ty.kind() {
            Kind::Array(element) => Array::decode_with(element, bytes, read).map(Self::Array),
            Kind::Range(element) => {
                let range = Range::decode_with(bytes, |bytes| read(element, bytes));
                range.map(Box::new).map(Self::Range)
            }
            Kind::Multirange(element) => {
                Multirange::decode_with(bytes, |bytes| read(element, bytes)).map(Self::Multirange)
            }
            Kind::Composite(_) => decode_record(ty, bytes, records),
            _ if ty.oid() == oid::RECORD => decode_record(ty, bytes, records),
            Kind::Enum(_) => String::decode(ty, bytes).map(Self::Text),
            _ => match table::row(ty) {
                Some(row) => (row.decode)(ty, bytes),
                None => Ok(Self::Opaque(bytes.to_vec())),
            },
        }
    }

    /// Appends the binary form of a value of `ty`, or its text where there is no binary form.
    pub(super) fn encode(&self, ty: &Type, out: &mut Encoder) -> Result<(), EncodeError> {
        let ty = ty.base();
        let of = |inner: &Type| Oid::Fixed(inner.oid());
        match (self, ty.kind()) {
            (Self::Array(array), Kind::Array(element)) => {
                array.encode_with(of(element), out, |item, out| item.encode(element, out))
            }
            (Self::Range(range), Kind::Range(element)) => {
                range.encode_with(out, |value, out| value.encode(element, out))
            }
            (Self::Multirange(ranges), Kind::Multirange(element)) => {
                ranges.encode_with(out, |value, out| value.encode(element, out))
            }
            (Self::Record(fields), _) => {
                let count = i32::try_from(fields.len());
                out.put_i32(count.map_err(|_| EncodeError::new("a record of too many fields"))?);
                fields.iter().try_for_each(|field| {
                    out.put_oid(of(field.ty()));
                    out.put_value(field)
                })
            }
            (Self::Json(json), _) if ty.oid() == oid::JSON => json.as_str().encode(out),
            (Self::Json(json), _) => json.encode(out),
            (Self::Opaque(bytes), _) => {
                out.put(bytes);
                Ok(())
            }
            (Self::Array(_) | Self::Range(_) | Self::Multirange(_), _) => {
                Err(EncodeError::new(format!("a container as a value of type {ty}")))
            }
            (plain, _) => plain.encode_plain(out),
        }
    }

    /// Writes the server's text form of a value of `ty`.
    pub(super) fn write(&self, ty: &Type, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ty = ty.base();
        match (self, ty.kind()) {
            (Self::Array(array), _) if table::is_spaced(ty) => write_spaced(f, array),
            (Self::Array(array), Kind::Array(element)) => {
                let items = array.items().iter().map(|item| item.as_ref().map(|item| Shown(element, item)));
                write_array(f, array.dimensions(), table::delimiter(element), items)
            }
            (Self::Range(range), Kind::Range(element)) => range.write_with(f, |value| Shown(element, value)),
            (Self::Multirange(ranges), Kind::Multirange(element)) => {
                ranges.write_with(f, |value| Shown(element, value))
            }
            (Self::Record(fields), _) => write_record(f, fields),
            (Self::Json(json), _) => f.write_str(json.as_str()),
            (Self::Opaque(bytes), _) => AsText(bytes).fmt(f),
            (plain, _) => plain.write_plain(f),
        }
    }
}

/// A datum that displays as a value of its type.
struct Shown<'a>(&'a Type, &'a Datum);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.write(self.0, f)
    }
}

/// Writes the elements of an `int2vector` or `oidvector`.
fn write_spaced(f: &mut fmt::Formatter<'_>, array: &Array<Datum>) -> fmt::Result {
    for (i, item) in array.items().iter().flatten().enumerate() {
        f.write_str(if i > 0 { " " } else { "" })?;
        item.write_plain(f)?;
    }
    Ok(())
}

/// How many records may be inside each other. Anonymous ones nest as deep as their bytes say, each level takes
/// stack, and doubles the quotes of its text.
const MAX_NESTED_RECORDS: u8 = 12;

fn decode_record(ty: &Type, bytes: &[u8], records: u8) -> Result<Datum, DecodeError> {
    if records == MAX_NESTED_RECORDS {
        return Err(DecodeError::out_of_range(format!(
            "more than {MAX_NESTED_RECORDS} records inside each other"
        )));
    }
    let record = RecordReader::new(ty, bytes)?;
    let field = |(ty, value): (Type, Option<&[u8]>)| match value {
        Some(bytes) => Datum::decode_within(&ty, bytes, records + 1).map(|datum| Value::of(ty, datum)),
        None => Ok(Value::null(ty)),
    };
    record.iter().map(field).collect::<Result<_, _>>().map(Datum::Record)
}

fn write_record(f: &mut fmt::Formatter<'_>, fields: &[Value]) -> fmt::Result {
    let mut scratch = String::new();
    f.write_str("(")?;
    for (i, field) in fields.iter().enumerate() {
        f.write_str(if i > 0 { "," } else { "" })?;
        if field.datum().is_some() {
            Style::Record.write_value(f, &mut scratch, field)?;
        }
    }
    f.write_str(")")
}
