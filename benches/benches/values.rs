//! Values: each common type by itself, and rows of ten mixed columns.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use wreath_benches::Wide;
use wreath_codecs::types::{Date, Numeric, RawJson, TimestampTz, Uuid};
use wreath_codecs::wire::Reader;
use wreath_codecs::{Decode, DecodeError, Encode, Encoder, PgType, Type};

const ROWS: i32 = 10_000;

fn type_of<T: PgType>() -> Type {
    T::OID.fixed().and_then(Type::from_oid).expect("built in")
}

fn both<T: Encode + PgType + for<'r> Decode<'r>>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    value: T,
) {
    let mut out = Encoder::new();
    group.bench_function(format!("encode/{name}"), |b| {
        b.iter(|| {
            out.clear();
            out.put_value(black_box(&value)).expect("can be sent");
            black_box(out.len())
        });
    });
    out.clear();
    value.encode(&mut out).expect("can be sent");
    let (ty, bytes) = (type_of::<T>(), out.as_bytes());
    group.bench_function(format!("decode/{name}"), |b| {
        b.iter(|| T::decode(black_box(&ty), black_box(bytes)).expect("sound"));
    });
}

fn singles(c: &mut Criterion) {
    let mut group = c.benchmark_group("values");
    both(&mut group, "bool", true);
    both(&mut group, "int4", 7_i32);
    both(&mut group, "int8", 7_i64);
    both(&mut group, "float8", 0.5_f64);
    both(&mut group, "text", "a name of some length".to_owned());
    both(&mut group, "bytea", vec![7_u8; 64]);
    both(&mut group, "date", "2024-02-29".parse::<Date>().expect("a date"));
    both(&mut group, "timestamptz", "2024-02-29 12:00:00+00".parse::<TimestampTz>().expect("a timestamp"));
    both(&mut group, "uuid", Uuid::from_bytes([7; 16]));
    both(&mut group, "numeric", "123456.78".parse::<Numeric>().expect("a number"));
    both(&mut group, "int4[]", (0..16).collect::<Vec<i32>>());
    group.finish();
}

fn encode_row(row: &Wide, out: &mut Encoder) {
    let mut put = |value: &dyn Encode| out.put_value(value).expect("can be sent");
    put(&row.id);
    put(&row.qty);
    put(&row.title);
    put(&row.code);
    put(&row.active);
    put(&row.score);
    put(&row.created_at);
    put(&row.token);
    put(&row.price);
    out.put_sized(|out| {
        out.put_u8(1);
        out.put(row.attrs.as_bytes());
        Ok(())
    })
    .expect("can be sent");
}

struct Types([Type; 10]);

impl Types {
    fn new() -> Self {
        let jsonb = Type::from_oid(3802).expect("built in");
        Self([
            type_of::<i64>(),
            type_of::<i32>(),
            type_of::<String>(),
            type_of::<String>(),
            type_of::<bool>(),
            type_of::<f64>(),
            type_of::<TimestampTz>(),
            type_of::<Uuid>(),
            type_of::<Numeric>(),
            jsonb,
        ])
    }

    fn read<'r, T: Decode<'r>>(&self, i: usize, r: &mut Reader<'r>) -> Result<T, DecodeError> {
        T::decode_value(&self.0[i], r.value()?)
    }

    fn row(&self, bytes: &[u8]) -> Result<Wide, DecodeError> {
        let r = &mut Reader::new(bytes);
        Ok(Wide {
            id: self.read(0, r)?,
            qty: self.read(1, r)?,
            title: self.read(2, r)?,
            code: self.read(3, r)?,
            active: self.read(4, r)?,
            score: self.read(5, r)?,
            created_at: self.read(6, r)?,
            token: self.read(7, r)?,
            price: self.read(8, r)?,
            attrs: self.read::<RawJson<'_>>(9, r)?.as_str().to_owned(),
        })
    }
}

fn rows(c: &mut Criterion) {
    let rows: Vec<Wide> = (0..ROWS).map(Wide::new).collect();
    let encoded: Vec<Vec<u8>> = rows
        .iter()
        .map(|row| {
            let mut out = Encoder::new();
            encode_row(row, &mut out);
            out.as_bytes().to_vec()
        })
        .collect();
    let types = Types::new();
    let mut group = c.benchmark_group("values/10k_rows_of_10");
    group.throughput(Throughput::Elements(10_000));
    group.bench_function("encode", |b| {
        let mut out = Encoder::new();
        b.iter(|| {
            out.clear();
            rows.iter().for_each(|row| encode_row(row, &mut out));
            black_box(out.len())
        });
    });
    group.bench_function("decode", |b| {
        b.iter(|| encoded.iter().map(|bytes| types.row(bytes).expect("sound").id).sum::<i64>());
    });
    group.finish();
}

criterion_group!(benches, singles, rows);
criterion_main!(benches);
