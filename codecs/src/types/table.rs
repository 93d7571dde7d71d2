//! One row a type: what [`Value`](super::Value) does with it, and values to try.

use crate::error::{DecodeError, ParseError};
use crate::oid;
use crate::types::ty::FIRST_OF_A_DATABASE;
use crate::types::{
    Bit, Cidr, Circle, Cube, Date, Datum, Decode, Ewkb, HalfVec, Hstore, Inet, Interval, JsonPath, Line,
    LineSegment, Lquery, Ltree, Ltxtquery, MacAddr, MacAddr8, Money, Numeric, Path, PgLsn, Point, Polygon,
    RawJson, Rect, Snapshot, SparseVec, TextForm, Tid, Time, TimeTz, Timestamp, TimestampTz, TsQuery,
    TsVector, Type, Uuid, Vector, Xid8,
};

/// What is known about a type that has a form of its own.
pub(crate) struct Row {
    /// Its number.
    pub(crate) oid: u32,
    /// Reads its binary form.
    pub(crate) decode: fn(&Type, &[u8]) -> Result<Datum, DecodeError>,
    /// Reads its text form.
    pub(crate) parse: fn(&str) -> Result<Datum, ParseError>,
    /// Texts of some of its values, as the server writes them.
    pub(crate) samples: &'static [&'static str],
}

const fn typed<T>(oid: u32, samples: &'static [&'static str]) -> Row
where
    T: for<'r> Decode<'r> + TextForm + Into<Datum>,
{
    Row {
        oid,
        decode: |ty, bytes| T::decode(ty, bytes).map(T::into),
        parse: |text| T::parse_text(text).map(T::into),
        samples,
    }
}

const fn json(oid: u32, samples: &'static [&'static str]) -> Row {
    Row {
        oid,
        decode: |ty, bytes| RawJson::decode(ty, bytes).map(Datum::from),
        parse: |text| Ok(RawJson::new(text).into()),
        samples,
    }
}

/// The row of a type; domains are to be resolved before.
pub(crate) fn row(ty: &Type) -> Option<&'static Row> {
    match TABLE.binary_search_by_key(&ty.oid(), |row| row.oid) {
        Ok(i) => Some(&TABLE[i]),
        Err(_) if ty.oid() < FIRST_OF_A_DATABASE => None,
        Err(_) => EXTENSIONS.iter().find(|(name, _)| *name == ty.name()).map(|(_, row)| row),
    }
}

/// Texts of some values of `ty`, its edges among them, as the server writes them: for tests of whatever carries
/// values. There are none for a type that is not known here, and for what is made of other types.
///
/// ```
/// use wreath_codecs::types::samples;
/// use wreath_codecs::{Type, oid};
///
/// let dates = Type::from_oid(oid::DATE).expect("is built in");
/// assert!(samples(&dates).contains(&"infinity"));
/// ```
pub fn samples(ty: &Type) -> &'static [&'static str] {
    row(ty.base()).map_or(&[], |row| row.samples)
}

/// What separates the elements of an array of `element` in its text (`pg_type.typdelim`).
pub(crate) fn delimiter(element: &Type) -> char {
    match element.oid() {
        oid::BOX => ';',
        ..FIRST_OF_A_DATABASE => ',',
        _ if matches!(element.name(), "geometry" | "geography") => ':',
        _ => ',',
    }
}

/// Whether `ty` is an array whose text is its elements, from 0 on, with spaces between them.
pub(crate) fn is_spaced(ty: &Type) -> bool {
    matches!(ty.oid(), oid::INT2VECTOR | oid::OIDVECTOR)
}

/// The types of extensions, by their names.
static EXTENSIONS: &[(&str, Row)] = &[
    ("citext", typed::<String>(0, TEXTS)),
    ("cube", typed::<Cube>(0, &["(1, 2),(3, 4)", "(1)", "()", "(1.5, 1e+30)"])),
    ("geography", typed::<Ewkb>(0, &["0101000020E6100000000000000000F03F0000000000000040"])),
    ("geometry", typed::<Ewkb>(0, SHAPES)),
    ("halfvec", typed::<HalfVec>(0, &["[1,2.5,-3]", "[65504,5.9604645e-08]"])),
    ("hstore", typed::<Hstore>(0, &["", "\"a\"=>\"1\", \"b\"=>NULL, \"c d\"=>\"e\\\"f\\\\\""])),
    ("lquery", typed::<Lquery>(0, &["a.*", "*{1,2}.b@*"])),
    ("ltree", typed::<Ltree>(0, &["", "a.b.c", "Top"])),
    ("ltxtquery", typed::<Ltxtquery>(0, &["a & b", "!a | b%"])),
    ("sparsevec", typed::<SparseVec>(0, &["{1:1.5,3:-2}/5", "{}/3"])),
    ("vector", typed::<Vector>(0, &["[1,2.5,-3]", "[0]"])),
];

/// A point, one in space with a reference system, none, a polygon, and lines.
const SHAPES: &[&str] = &[
    "0101000000000000000000F03F0000000000000040",
    "01010000A0E6100000000000000000F03F00000000000000400000000000000840",
    "0101000000000000000000F87F000000000000F87F",
    "0103000000010000000400000000000000000000000000000000000000000000000000F03F0000000000000000000000000000F03F\
     000000000000F03F00000000000000000000000000000000",
    "01020000000200000000000000000000000000000000000000000000000000F03F000000000000F03F",
];

/// The types, in the order of their numbers.
static TABLE: &[Row] = &[
    typed::<bool>(oid::BOOL, &["t", "f"]),
    typed::<Vec<u8>>(oid::BYTEA, &["\\x", "\\x00", "\\xdeadbeef5c5c22"]),
    typed::<i8>(oid::CHAR, &["", "a", "\\", " "]),
    typed::<String>(oid::NAME, &["", "pg_class", "Ümläut", "with \"quotes\""]),
    typed::<i64>(oid::INT8, &["0", "-1", "9223372036854775807", "-9223372036854775808"]),
    typed::<i16>(oid::INT2, &["0", "-1", "32767", "-32768"]),
    typed::<i32>(oid::INT4, &["0", "-1", "2147483647", "-2147483648"]),
    typed::<u32>(oid::REGPROC, &[]),
    typed::<String>(oid::TEXT, TEXTS),
    typed::<u32>(oid::OID, &["0", "1", "4294967295"]),
    typed::<Tid>(oid::TID, &["(0,0)", "(4294967295,65535)", "(7,1)"]),
    typed::<u32>(oid::XID, &["0", "3", "4294967295"]),
    typed::<u32>(oid::CID, &["0", "4294967295"]),
    json(oid::JSON, &["null", "{\"a\": [1, 2.50, \"\\u0000 is fine here\"]}", " [ ] "]),
    typed::<String>(oid::XML, &["<a>1</a>", "text", ""]),
    typed::<String>(oid::PG_NODE_TREE, &[]),
    typed::<Point>(oid::POINT, &["(0,0)", "(1.5,-2e-10)", "(Infinity,NaN)"]),
    typed::<LineSegment>(oid::LSEG, &["[(0,0),(1,1)]", "[(-1.5,1e+20),(0.1,3)]"]),
    typed::<Path>(oid::PATH, &["((0,0),(1,0),(1,1))", "[(0,0),(1,0)]", "((0.5,-0))"]),
    typed::<Rect>(oid::BOX, &["(1,1),(0,0)", "(0.5,2),(-1,1e-10)"]),
    typed::<Polygon>(oid::POLYGON, &["((0,0),(1,0),(1,1))", "((1.5,2))"]),
    typed::<Line>(oid::LINE, &["{1,-1,0}", "{0,2.5,-3}"]),
    typed::<Cidr>(
        oid::CIDR,
        &["10.0.0.0/8", "192.168.1.0/24", "1.2.3.4/32", "0.0.0.0/0", "2001:db8::/32", "::/0"],
    ),
    typed::<f32>(
        oid::FLOAT4,
        &[
            "0",
            "-0",
            "1.5",
            "3.4028235e+38",
            "1e-45",
            "1e+06",
            "999999",
            "0.0001",
            "1e-05",
            "NaN",
            "Infinity",
            "-Infinity",
        ],
    ),
    typed::<f64>(
        oid::FLOAT8,
        &[
            "0",
            "-0",
            "0.1",
            "1.7976931348623157e+308",
            "5e-324",
            "1e+15",
            "999999999999999",
            "9.999999999999999e+22",
            "0.0001",
            "1e-05",
            "NaN",
            "Infinity",
            "-Infinity",
        ],
    ),
    typed::<String>(oid::UNKNOWN, &["", "whatever"]),
    typed::<Circle>(oid::CIRCLE, &["<(0,0),1>", "<(1.5,-2),0>"]),
    typed::<MacAddr8>(oid::MACADDR8, &["08:00:2b:01:02:03:04:05", "00:00:00:00:00:00:00:00"]),
    typed::<Money>(oid::MONEY, &["$0.00", "-$1,234.56", "$92,233,720,368,547,758.07", "$0.01", "$999.99"]),
    typed::<MacAddr>(oid::MACADDR, &["08:00:2b:01:02:03", "ff:ff:ff:ff:ff:ff"]),
    typed::<Inet>(
        oid::INET,
        &[
            "127.0.0.1",
            "10.1.2.3/8",
            "0.0.0.0/0",
            "::1",
            "2001:db8::1/64",
            "::ffff:1.2.3.4",
            "::1.2.3.4",
            "1:0:0:2::/60",
            "1::2:0:0:3",
        ],
    ),
    typed::<String>(oid::BPCHAR, TEXTS),
    typed::<String>(oid::VARCHAR, TEXTS),
    typed::<Date>(
        oid::DATE,
        &[
            "2000-01-01",
            "1970-01-01",
            "2024-02-29",
            "4714-11-24 BC",
            "0001-12-31 BC",
            "0001-01-01",
            "5874897-12-31",
            "infinity",
            "-infinity",
        ],
    ),
    typed::<Time>(oid::TIME, &["00:00:00", "24:00:00", "23:59:59.999999", "12:34:56.7", "00:00:00.000001"]),
    typed::<Timestamp>(
        oid::TIMESTAMP,
        &[
            "2000-01-01 00:00:00",
            "1999-12-31 23:59:59.999999",
            "4714-11-24 00:00:00 BC",
            "0044-03-15 12:00:00.5 BC",
            "294276-12-31 23:59:59.999999",
            "infinity",
            "-infinity",
        ],
    ),
    typed::<TimestampTz>(
        oid::TIMESTAMPTZ,
        &[
            "2000-01-01 00:00:00+00",
            "1999-12-31 23:59:59.999999+00",
            "4714-11-24 00:00:00+00 BC",
            "0044-03-15 12:00:00.5+00 BC",
            "294276-12-31 23:59:59.999999+00",
            "infinity",
            "-infinity",
        ],
    ),
    typed::<Interval>(
        oid::INTERVAL,
        &[
            "00:00:00",
            "1 year 2 mons 3 days 04:05:06.789",
            "-1 years -2 mons +3 days -04:05:06",
            "1 mon -1 days",
            "-178000000 years -2147483648 days +2562047788:00:54.775807",
            "1 day",
            "-00:00:00.000001",
            "100 years",
        ],
    ),
    typed::<TimeTz>(
        oid::TIMETZ,
        &["00:00:00+00", "24:00:00-15:59:59", "12:34:56.789-03:30", "01:02:03+15:59"],
    ),
    typed::<Bit>(oid::BIT, &["0", "1", "10110", "1111111100000000"]),
    typed::<Bit>(oid::VARBIT, &["", "0", "10110", "1111111100000000", "101010101"]),
    typed::<Numeric>(
        oid::NUMERIC,
        &[
            "0",
            "0.00",
            "-1.50",
            "12345678.000900",
            "100000000000000000000",
            "0.00001",
            "10000",
            "-99999999.9999",
            "NaN",
            "Infinity",
            "-Infinity",
            "0.0000000000000000000000000000000000000000000000000000000000000001",
        ],
    ),
    typed::<String>(oid::REFCURSOR, &["", "<unnamed portal 1>"]),
    typed::<u32>(oid::REGPROCEDURE, &[]),
    typed::<u32>(oid::REGOPER, &[]),
    typed::<u32>(oid::REGOPERATOR, &[]),
    typed::<u32>(oid::REGCLASS, &[]),
    typed::<u32>(oid::REGTYPE, &[]),
    typed::<String>(oid::CSTRING, &[]),
    typed::<String>(oid::VOID, &[]),
    typed::<Uuid>(
        oid::UUID,
        &["00000000-0000-0000-0000-000000000000", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    ),
    typed::<Snapshot>(oid::TXID_SNAPSHOT, &["10:20:10,14,15", "1:1:"]),
    typed::<PgLsn>(oid::PG_LSN, &["0/0", "16/B374D848", "FFFFFFFF/FFFFFFFF"]),
    typed::<TsVector>(oid::TSVECTOR, &["", "'a':1A,2 'b' 'c':3B,16383C", "'it''s' 'x\\\\y'"]),
    typed::<TsQuery>(
        oid::TSQUERY,
        &[
            "",
            "'a' & 'b' | !'c'",
            "'a' <-> ( 'b' <2> 'c':*AB ) & !( 'd' | 'e':CD )",
            "!!'it''s'",
            "( 'a' | 'b' ) & ( 'c' | 'd' )",
        ],
    ),
    typed::<u32>(oid::REGCONFIG, &[]),
    typed::<u32>(oid::REGDICTIONARY, &[]),
    json(oid::JSONB, &["null", "{\"a\": [1, 2.50, \"\\\\u0000\"]}", "[]", "\"text\"", "-1.5"]),
    typed::<JsonPath>(oid::JSONPATH, &["$", "$.\"a\"[*]?(@ > 1)", "strict $.\"größe\""]),
    typed::<u32>(oid::REGNAMESPACE, &[]),
    typed::<u32>(oid::REGROLE, &[]),
    typed::<u32>(oid::REGCOLLATION, &[]),
    typed::<Snapshot>(oid::PG_SNAPSHOT, &["10:20:10,14,15", "1:1:"]),
    typed::<Xid8>(oid::XID8, &["0", "1", "18446744073709551615"]),
];

/// What every type of text takes.
const TEXTS: &[&str] = &[
    "",
    "Dolly",
    "a\tb\nc\\d",
    "NULL",
    "{\"a\",b}",
    "(1,2)",
    " spaces ",
    "größer als 漢字 🦙",
    "\u{b}\u{8}\u{c}\r",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Array, Encode, Encoder, Kind, Multirange, Oid, PgType, Range, Value};

    fn encoded(value: &Value) -> Vec<u8> {
        let mut out = Encoder::new();
        value.encode(&mut out).expect("encodes");
        out.as_bytes().to_vec()
    }

    /// The samples of every type, and arrays, ranges and multiranges of them.
    fn values() -> Vec<Value> {
        let mut values = Vec::new();
        for ty in Type::builtins() {
            let texts: Vec<String> = match ty.kind() {
                Kind::Base | Kind::Pseudo => samples(&ty).iter().map(|&text| text.to_owned()).collect(),
                Kind::Array(element) if is_spaced(&ty) => vec![String::new(), samples(element).join(" ")],
                Kind::Array(element) => arrays(element),
                Kind::Range(element) => ranges(element),
                Kind::Multirange(element) => ranges(element)
                    .iter()
                    .map(|range| format!("{{{range}}}").replace("{empty}", "{}"))
                    .collect(),
                _ => Vec::new(),
            };
            for text in texts {
                let value = Value::parse(&ty, &text).unwrap_or_else(|e| panic!("{ty}: {e}"));
                assert_eq!(value.to_string(), text, "{ty}");
                values.push(value);
            }
        }
        values
    }

    fn arrays(element: &Type) -> Vec<String> {
        let mut items: Vec<Option<String>> =
            samples(element).iter().map(|&text| Some(text.to_owned())).collect();
        if items.is_empty() {
            return Vec::new();
        }
        items.push(None);
        let array = Array::from(items);
        if delimiter(element) == ',' {
            vec!["{}".to_owned(), array.to_string()]
        } else {
            vec!["{}".to_owned()]
        }
    }

    fn ranges(element: &Type) -> Vec<String> {
        let mut texts = vec!["empty".to_owned(), "(,)".to_owned()];
        for &text in samples(element) {
            let lower = Range::Span(std::ops::Bound::Included(text.to_owned()), std::ops::Bound::Unbounded);
            texts.push(lower.to_string());
        }
        texts
    }

    #[test]
    fn rows_are_in_order_and_named_as_the_server_names_them() {
        assert!(TABLE.is_sorted_by(|a, b| a.oid < b.oid));
        for row in TABLE {
            let ty = Type::from_oid(row.oid).expect("is built in");
            assert!(ty.is_binary() && matches!(ty.kind(), Kind::Base | Kind::Pseudo), "{ty}");
        }
    }

    /// Whether the number of a type's array is that of an array over it.
    fn is_array_over<T: PgType + ?Sized>() -> bool {
        let number = |oid: Oid| oid.fixed().expect("is built in");
        let array = Type::from_oid(number(T::ARRAY)).expect("is built in");
        matches!(array.kind(), Kind::Array(element) if element.oid() == number(T::OID))
    }

    #[test]
    fn numbers_of_types_and_of_their_arrays_belong_together() {
        assert!(
            is_array_over::<bool>()
                && is_array_over::<i8>()
                && is_array_over::<i16>()
                && is_array_over::<i32>()
        );
        assert!(
            is_array_over::<i64>()
                && is_array_over::<u32>()
                && is_array_over::<f32>()
                && is_array_over::<f64>()
        );
        assert!(
            is_array_over::<str>()
                && is_array_over::<[u8]>()
                && is_array_over::<Uuid>()
                && is_array_over::<Date>()
        );
        assert!(is_array_over::<Time>() && is_array_over::<TimeTz>() && is_array_over::<Timestamp>());
        assert!(is_array_over::<TimestampTz>() && is_array_over::<Interval>() && is_array_over::<Numeric>());
        assert!(is_array_over::<RawJson<'static>>() && is_array_over::<JsonPath>() && is_array_over::<Bit>());
        assert!(is_array_over::<Inet>() && is_array_over::<Cidr>() && is_array_over::<MacAddr>());
        assert!(is_array_over::<MacAddr8>() && is_array_over::<Money>() && is_array_over::<PgLsn>());
        assert!(is_array_over::<Xid8>() && is_array_over::<Tid>() && is_array_over::<Snapshot>());
        assert!(is_array_over::<Point>() && is_array_over::<Line>() && is_array_over::<LineSegment>());
        assert!(is_array_over::<Rect>() && is_array_over::<Path>() && is_array_over::<Polygon>());
        assert!(is_array_over::<Circle>() && is_array_over::<TsVector>() && is_array_over::<TsQuery>());
        assert!(
            is_array_over::<Range<i32>>() && is_array_over::<Range<i64>>() && is_array_over::<Range<Date>>()
        );
        assert!(is_array_over::<Range<Numeric>>() && is_array_over::<Range<Timestamp>>());
        assert!(is_array_over::<Range<TimestampTz>>() && is_array_over::<Multirange<i32>>());
        assert!(is_array_over::<Multirange<i64>>() && is_array_over::<Multirange<Date>>());
        assert!(is_array_over::<Multirange<Numeric>>() && is_array_over::<Multirange<Timestamp>>());
        assert!(is_array_over::<Multirange<TimestampTz>>());
    }

    #[test]
    fn values_survive_the_round_trip() {
        let values = values();
        assert!(values.len() > 200, "{}", values.len());
        for value in values {
            let bytes = encoded(&value);
            let back = Value::decode(value.ty(), Some(&bytes)).unwrap_or_else(|e| panic!("{value:?}: {e}"));
            assert_eq!(back.to_string(), value.to_string());
            assert_eq!(encoded(&back), bytes, "{value:?}");
        }
    }

    #[test]
    fn what_is_cut_or_longer_is_refused_or_is_another_value() {
        for value in values() {
            let bytes = encoded(&value);
            let longer = [&bytes[..], b"0"].concat();
            for wrong in (0..bytes.len()).map(|n| &bytes[..n]).chain([&longer[..]]) {
                if let Ok(other) = Value::decode(value.ty(), Some(wrong)) {
                    assert_eq!(encoded(&other), wrong, "{value:?}");
                }
            }
        }
    }

    #[test]
    fn flipped_bits_never_panic_and_stay_what_they_decode_to() {
        for value in values() {
            let mut bytes = encoded(&value);
            for bit in 0..bytes.len() * 8 {
                bytes[bit / 8] ^= 1 << (bit % 8);
                if let Ok(other) = Value::decode(value.ty(), Some(&bytes))
                    && other.to_string().len() < 1_000
                {
                    let mut out = Encoder::new();
                    // A NUL in a text decodes, as it is valid UTF-8, and is refused when it is sent.
                    if other.encode(&mut out).is_ok() {
                        let again = Value::decode(value.ty(), Some(out.as_bytes())).expect("decodes");
                        assert_eq!(again.to_string(), other.to_string(), "{value:?}");
                    }
                }
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
}
