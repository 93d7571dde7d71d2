//! Shapes: what it costs to build a query, to find its plan's key, and, once a shape, to render its SQL.

#[path = "../../orm/tests/farm/mod.rs"]
mod farm;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use farm::{Llama, Paddock};
use wreath_orm::{Model, Select};

fn by_key(id: i64) -> Select<Llama> {
    Llama::select().filter(Llama::ID.eq(id))
}

fn three_conditions(age: i32, name: &str, ids: &[i64]) -> Select<Llama> {
    let some = Llama::AGE.gt(age).and(Llama::NAME.ne(name)).or(Llama::PADDOCK_ID.any(ids));
    Llama::select().filter(some).order_by(Llama::NAME.asc()).limit(20)
}

fn build(c: &mut Criterion) {
    c.bench_function("shape/build/by_key", |b| b.iter(|| black_box(by_key(black_box(7)))));
    c.bench_function("shape/build/three_conditions", |b| {
        b.iter(|| black_box(three_conditions(black_box(3), "Dolly", &[1, 2, 3])));
    });
    c.bench_function("shape/build/lifted", |b| {
        b.iter(|| {
            let on_hilltop = Llama::PADDOCK.has(Paddock::NAME.eq(black_box("Hilltop")));
            black_box(Llama::select().filter(on_hilltop).include(Llama::SHEARINGS.selectin()))
        });
    });
}

fn key(c: &mut Criterion) {
    let (one, three) = (by_key(7), three_conditions(3, "Dolly", &[1, 2, 3]));
    c.bench_function("shape/key/by_key", |b| b.iter(|| black_box(&one).shape_hash()));
    c.bench_function("shape/key/three_conditions", |b| b.iter(|| black_box(&three).shape_hash()));
}

fn render(c: &mut Criterion) {
    let (one, three) = (by_key(7), three_conditions(3, "Dolly", &[1, 2, 3]));
    c.bench_function("shape/render/by_key", |b| b.iter(|| black_box(&one).to_sql().expect("compiles")));
    c.bench_function("shape/render/three_conditions", |b| {
        b.iter(|| black_box(&three).to_sql().expect("compiles"));
    });
}

criterion_group!(benches, build, key, render);
criterion_main!(benches);
