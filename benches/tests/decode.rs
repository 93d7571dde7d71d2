//! What decoding allocates: nothing but what its results own, and never more than the bytes that came justify.

mod counting;

use std::borrow::Cow;
use std::fmt::Debug;
use std::hint::black_box;
use std::net::IpAddr;

use counting::{count, peak};
use wreath_benches::Wide;
use wreath_codecs::types::{
    Array, ArrayIter, Bit, Date, Field, Interval, Multirange, Numeric, Range, RawJson, Time, Timestamp,
    TimestampTz, TypeData, Uuid, Value, samples,
};
use wreath_codecs::wire::Reader;
use wreath_codecs::{Decode, Encode, Encoder, Kind, PgType, Type, oid};

fn builtin(oid: u32) -> Type {
    Type::from_oid(oid).expect("is built in")
}

fn encoded(value: &dyn Encode) -> Vec<u8> {
    let mut out = Encoder::new();
    value.encode(&mut out).expect("can be sent");
    out.as_bytes().to_vec()
}

/// Ten columns, as in the benches.
const COLUMNS: [u32; 10] = [
    oid::INT8,
    oid::INT4,
    oid::TEXT,
    oid::VARCHAR,
    oid::BOOL,
    oid::FLOAT8,
    oid::TIMESTAMPTZ,
    oid::UUID,
    oid::NUMERIC,
    oid::JSONB,
];

fn wide_rows() -> Vec<Vec<u8>> {
    let row = |i| {
        let (row, mut out) = (Wide::new(i), Encoder::new());
        let json = RawJson::new(row.attrs);
        let columns: [&dyn Encode; 10] = [
            &row.id,
            &row.qty,
            &row.title,
            &row.code,
            &row.active,
            &row.score,
            &row.created_at,
            &row.token,
            &row.price,
            &json,
        ];
        columns.iter().for_each(|value| out.put_value(*value).expect("can be sent"));
        out.as_bytes().to_vec()
    };
    (0..10_000).map(row).collect()
}

/// Reads ten columns whose texts are of type `T`.
fn read<'r, T: Decode<'r>>(types: &[Type], row: &'r [u8]) {
    let (mut values, mut types) = (Reader::new(row), types.iter());
    macro_rules! next {
        ($($t:ty),*) => {
            black_box(($(
                <$t>::decode_value(types.next().expect("a type"), values.value().expect("a value"))
                    .expect("sound"),
            )*))
        };
    }
    next!(i64, i32, T, T, bool, f64, TimestampTz, Uuid, Numeric, RawJson<'r>);
}

#[test]
fn a_row_allocates_what_it_owns() {
    let (rows, types) = (wide_rows(), COLUMNS.map(builtin));
    let ((), borrowed) = count(|| rows.iter().for_each(|row| read::<&str>(&types, row)));
    assert_eq!(borrowed, 0);
    let ((), owned) = count(|| rows.iter().for_each(|row| read::<String>(&types, row)));
    assert_eq!(owned, 20_000, "one for each text");
}

/// How often a `T` allocates that is read from the bytes of this value.
fn reads<T: for<'r> Decode<'r>>(oid: u32, value: &dyn Encode) -> u64 {
    let (ty, bytes) = (builtin(oid), encoded(value));
    assert!(T::accepts(&ty));
    count(|| black_box(T::decode(&ty, &bytes).expect("sound"))).1
}

fn reads_parsed<T>(text: &str) -> u64
where
    T: PgType + Encode + Debug + std::str::FromStr<Err: Debug> + for<'r> Decode<'r>,
{
    reads::<T>(T::OID.fixed().expect("is built in"), &text.parse::<T>().expect("a value"))
}

#[test]
fn each_type_allocates_what_it_owns() {
    assert_eq!(reads::<bool>(oid::BOOL, &true), 0);
    assert_eq!(reads::<i16>(oid::INT2, &7_i16), 0);
    assert_eq!(reads::<i32>(oid::INT4, &7_i32), 0);
    assert_eq!(reads::<i64>(oid::INT8, &7_i64), 0);
    assert_eq!(reads::<f32>(oid::FLOAT4, &0.5_f32), 0);
    assert_eq!(reads::<f64>(oid::FLOAT8, &0.5_f64), 0);
    assert_eq!(reads::<Option<i32>>(oid::INT4, &7_i32), 0);
    assert_eq!(reads_parsed::<Date>("2024-02-29"), 0);
    assert_eq!(reads_parsed::<Time>("12:30:00"), 0);
    assert_eq!(reads_parsed::<Timestamp>("2024-02-29 12:30:00"), 0);
    assert_eq!(reads_parsed::<TimestampTz>("2024-02-29 12:30:00+00"), 0);
    assert_eq!(reads_parsed::<Interval>("1 year 2 mons"), 0);
    assert_eq!(reads_parsed::<Uuid>("00112233-4455-6677-8899-aabbccddeeff"), 0);
    assert_eq!(reads_parsed::<Range<i32>>("[1,5)"), 0);
    assert_eq!(reads::<IpAddr>(oid::INET, &IpAddr::from([127, 0, 0, 1])), 0);
    assert_eq!(reads::<[i32; 3]>(oid::INT4_ARRAY, &[1, 2, 3]), 0);
    assert_eq!(reads_parsed::<Numeric>("-123456.78"), 0);

    assert_eq!(reads::<String>(oid::TEXT, &"wool"), 1);
    assert_eq!(reads::<Vec<u8>>(oid::BYTEA, &vec![1_u8, 2]), 1);
    assert_eq!(reads::<Vec<i32>>(oid::INT4_ARRAY, &[1, 2, 3]), 1);
    assert_eq!(reads::<Vec<String>>(oid::TEXT_ARRAY, &["a", "b"]), 3);
    assert_eq!(reads_parsed::<Array<i32>>("{1,NULL,3}"), 1);
    assert_eq!(reads_parsed::<Bit>("101"), 1);
}

#[test]
fn what_is_borrowed_allocates_nothing() {
    let (text, bytes, json) =
        (encoded(&"wool"), encoded(&vec![1_u8, 2]), encoded(&RawJson::new(r#"{"a": 1}"#)));
    let names = encoded(&["Dolly", "Tina"]);
    let (ty, names_ty) = ([oid::TEXT, oid::BYTEA, oid::JSONB].map(builtin), builtin(oid::TEXT_ARRAY));
    let ((), allocations) = count(|| {
        black_box(<&str>::decode(&ty[0], &text).expect("sound"));
        black_box(<&[u8]>::decode(&ty[1], &bytes).expect("sound"));
        black_box(RawJson::decode(&ty[2], &json).expect("sound"));
        let items = ArrayIter::<&str>::decode(&names_ty, &names).expect("sound");
        items.for_each(|item| {
            black_box(item.expect("sound"));
        });
    });
    assert_eq!(allocations, 0);
}

/// What serde takes for a small object, beside the one value that ours hands over.
#[test]
fn json_through_serde_allocates_what_serde_does() {
    let text = r#"{"kind": "k1", "n": 7, "on": true}"#;
    let (_, serde) = count(|| black_box(serde_json::from_str::<serde_json::Value>(text).expect("JSON")));
    assert_eq!(reads::<serde_json::Value>(oid::JSONB, &RawJson::new(text)), serde);
}

/// The types of extensions, with a composite and arrays of some.
fn other_types() -> Vec<Type> {
    let own = |oid, name: &'static str, kind| {
        let (schema, name) = (Cow::Borrowed("public"), Cow::Borrowed(name));
        Type::looked_up(TypeData { oid, schema, name, kind, binary: true })
    };
    let names = [
        "citext",
        "cube",
        "geography",
        "geometry",
        "halfvec",
        "hstore",
        "lquery",
        "ltree",
        "ltxtquery",
        "sparsevec",
        "vector",
    ];
    let mut types: Vec<Type> =
        names.into_iter().zip(20_000..).map(|(name, oid)| own(oid, name, Kind::Base)).collect();
    let field = |name: &str, ty: &Type| Field { name: name.to_owned(), ty: ty.clone() };
    let fields = vec![field("id", &builtin(oid::INT4)), field("notes", &builtin(oid::TEXT_ARRAY))];
    types.push(own(30_000, "place", Kind::Composite(fields)));
    let arrays = (40_000..).zip(types.clone()).map(|(oid, ty)| own(oid, "_array", Kind::Array(ty)));
    types.extend(arrays.collect::<Vec<_>>());
    types
}

/// The binary forms of some values of the type.
fn values(ty: &Type) -> Vec<Vec<u8>> {
    let texts: Vec<String> = match ty.kind() {
        Kind::Array(element) => samples(element).iter().map(|text| array(text)).collect(),
        Kind::Range(element) => samples(element).iter().map(|text| format!("[\"{text}\",)")).collect(),
        Kind::Multirange(element) => {
            samples(element).iter().map(|text| format!("{{[\"{text}\",)}}")).collect()
        }
        Kind::Composite(_) => vec!["(1,\"{a,b}\")".to_owned()],
        _ => samples(ty).iter().map(|&text| text.to_owned()).collect(),
    };
    let parsed = texts.iter().filter_map(|text| Value::parse(ty, text).ok());
    parsed.map(|value| encoded(&value)).chain([vec![0; 16]]).collect()
}

fn array(text: &str) -> String {
    Array::from(vec![Some(text.to_owned()), None]).to_string()
}

/// Numbers that a count should not be.
const ABSURD: [[u8; 4]; 5] =
    [[0x7f, 0xff, 0xff, 0xff], [0xff; 4], [0x80, 0, 0, 0], [0, 0xff, 0xff, 0xff], [0xff, 0xff, 0, 0]];
/// The most bytes that are held for each byte that came: an element that is NULL travels as 4 bytes, and is kept as
/// a value of any type.
const HELD_A_BYTE: usize = 40;
/// What an error takes, and the least that a list reserves.
const HELD: usize = 2_048;

#[test]
fn absurd_counts_reserve_no_more_than_the_bytes_justify() {
    let (mut decoded, mut most) = (0, 0.0_f64);
    for ty in Type::builtins().chain(other_types()) {
        for value in values(&ty) {
            for at in 0..value.len().min(40) {
                for (absurd, tail) in ABSURD.iter().flat_map(|absurd| [(absurd, 0), (absurd, 255)]) {
                    let mut bytes = value.clone();
                    bytes.resize(bytes.len() + 1_000, tail);
                    bytes[at..at + 4].copy_from_slice(absurd);
                    for bytes in [&bytes[..], &bytes[..value.len().max(at + 4)]] {
                        let (_, held) = peak(|| black_box(Value::decode(&ty, Some(bytes)).is_ok()));
                        let bound = HELD + HELD_A_BYTE * bytes.len();
                        assert!(held <= bound, "{ty}: {held} bytes for {} in {bytes:?}", bytes.len());
                        #[expect(clippy::cast_precision_loss, reason = "small numbers, printed")]
                        let share = held.saturating_sub(HELD) as f64 / bytes.len() as f64;
                        most = most.max(share);
                        decoded += 1;
                    }
                }
            }
        }
    }
    println!("{decoded} values, at most {most:.1} bytes held for each that came");
    assert!(decoded > 100_000, "{decoded}");
}

#[test]
fn absurd_counts_of_typed_lists_reserve_no_more_than_the_bytes_justify() {
    fn check<T: PgType + for<'r> Decode<'r>>(head: &[i32]) {
        let ty = builtin(T::OID.fixed().expect("is built in"));
        let mut bytes: Vec<u8> = head.iter().flat_map(|word| word.to_be_bytes()).collect();
        for tail in [0, 100, 1_000] {
            bytes.resize(bytes.len() + tail, 0xff);
            let (is_ok, held) = peak(|| black_box(T::decode(&ty, &bytes).is_ok()));
            assert!(!is_ok && held <= HELD + HELD_A_BYTE * bytes.len(), "{ty}: {held}");
        }
    }
    for count in [i32::MAX, i32::MAX / 4, 1_000_000, -1] {
        check::<Vec<Option<i32>>>(&[1, 1, 23, count, 1]);
        check::<Vec<String>>(&[1, 0, 25, count, 1]);
        check::<Array<Numeric>>(&[6, 1, 1700, count, 1, count, 1, count, 1, count, 1, count, 1, count, 1]);
        check::<Multirange<i64>>(&[count]);
    }
}
