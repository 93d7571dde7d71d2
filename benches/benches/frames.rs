//! Frames: what a warm statement writes, and what its reply costs to walk.

use bytes::BytesMut;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use wreath_codecs::ParamBuf;
use wreath_codecs::frame::{backend, frontend, header};

const ROWS: u64 = 1_000;

fn encode(c: &mut Criterion) {
    let mut params = ParamBuf::new();
    params.push(&7_i64).expect("can be sent");
    params.push("Dolly").expect("can be sent");
    let mut out = BytesMut::with_capacity(4096);
    c.bench_function("frames/encode/bind_execute_sync", |b| {
        b.iter(|| {
            out.clear();
            let values = params.values().as_bytes();
            frontend::bind(&mut out, "", "w00000001_1", [1_i16, 0], params.len(), values, [1_i16])
                .expect("fits");
            frontend::execute(&mut out, "", 0).expect("fits");
            frontend::sync(&mut out);
            black_box(out.len())
        });
    });
    c.bench_function("frames/encode/params", |b| {
        b.iter(|| {
            params.clear();
            params.push(black_box(&7_i64)).expect("can be sent");
            params.push(black_box("Dolly")).expect("can be sent");
            black_box(params.len())
        });
    });
}

fn decode(c: &mut Criterion) {
    let mut reply = BytesMut::new();
    backend::bind_complete(&mut reply);
    for i in 0..ROWS {
        let id = i.to_be_bytes();
        backend::data_row(&mut reply, [Some(&id[..]), Some(b"a name of some length"), None]).expect("fits");
    }
    backend::command_complete(&mut reply, "SELECT 1000").expect("fits");
    backend::ready_for_query(&mut reply, backend::TransactionStatus::Idle);

    let mut group = c.benchmark_group("frames/decode");
    group.throughput(Throughput::Elements(ROWS));
    group.bench_function("headers", |b| {
        b.iter(|| {
            let (mut at, mut frames) = (0, 0);
            while let Some(head) = header(&reply[at..], 1 << 30).expect("sound") {
                at += head.len;
                frames += 1;
            }
            black_box(frames)
        });
    });
    group.bench_function("messages", |b| {
        b.iter(|| {
            let (mut at, mut values) = (0, 0);
            while let Some(head) = header(&reply[at..], 1 << 30).expect("sound") {
                let body = &reply[at + 5..at + head.len];
                if let backend::Message::DataRow(row) =
                    backend::Message::decode(head.tag, body).expect("sound")
                {
                    values += row.iter().flatten().map(<[u8]>::len).sum::<usize>();
                }
                at += head.len;
            }
            black_box(values)
        });
    });
    group.finish();
}

criterion_group!(benches, encode, decode);
criterion_main!(benches);
