//! Every type against a real server: what it sends reads as the text that it prints, and what we send reads
//! as the same.

#![allow(clippy::unwrap_used, reason = "tests")]

mod client;

use client::Client;
use std::ops::Bound;

use wreath_codecs::types::{
    Array, Bit, Cidr, Date, Datum, Dimension, Field, Inet, Interval, MacAddr, MacAddr8, Money, Numeric,
    PgLsn, Range, TextForm, Tid, Time, TimeTz, Timestamp, TimestampTz, TypeData, Uuid, Value, Xid8, samples,
};
use wreath_codecs::{Encode, Encoder, Kind, Type, oid};
use wreath_tests::Cluster;

/// Types whose empty value the server sends and does not read.
const NOT_READ_WHEN_EMPTY: [u32; 3] = [oid::TSQUERY, oid::INT2VECTOR, oid::OIDVECTOR];

fn encoded(value: &Value) -> Option<Vec<u8>> {
    let mut out = Encoder::new();
    value.encode(&mut out).ok()?;
    Some(out.as_bytes().to_vec())
}

/// The built-in types that have samples of their own.
fn types() -> impl Iterator<Item = Type> {
    Type::builtins().filter(|ty| matches!(ty.kind(), Kind::Base) && !samples(ty).is_empty())
}

/// The types of those extensions that the server has.
fn extension_types(client: &mut Client) -> Vec<Type> {
    for extension in EXTENSIONS {
        // A server without it is a server without its types.
        let _ = client.ask(&format!("CREATE EXTENSION {extension}"), &[], &[]);
    }
    let sql = "SELECT t.oid, t.typname::text FROM pg_type t \
               JOIN pg_depend d ON d.objid = t.oid AND d.classid = 'pg_type'::regclass AND d.deptype = 'e' \
               WHERE t.typsend <> 0 AND t.typtype = 'b' AND t.typelem = 0";
    let rows = client.ask(sql, &[], &[]).expect("the catalog is there");
    let types = rows.into_iter().map(|row| {
        let mut columns = row.into_iter().flatten();
        let number = columns.next().expect("a number").try_into().expect("four bytes");
        let name = String::from_utf8(columns.next().expect("a name")).expect("UTF-8");
        let oid = u32::from_be_bytes(number);
        Type::looked_up(TypeData {
            oid,
            schema: "public".into(),
            name: name.into(),
            kind: Kind::Base,
            binary: true,
        })
    });
    types.filter(|ty| !samples(ty).is_empty()).collect()
}

/// Extensions whose types are known.
const EXTENSIONS: [&str; 6] = ["citext", "cube", "hstore", "ltree", "postgis", "vector"];

/// The name in SQL, which for `"char"` needs its quotes.
fn sql_name(ty: &Type) -> String {
    format!("{}.\"{}\"", ty.schema(), ty.name())
}

#[test]
fn samples_are_the_servers_own_texts() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let mut client = Client::connect(cluster.database());
    let extensions = extension_types(&mut client);
    for ty in types().chain(extensions) {
        check_texts(&mut client, &ty, samples(&ty));
    }
}

/// The server prints these texts as they are and sends what we read as them; what we send it reads as them.
fn check_texts<T: AsRef<str>>(client: &mut Client, ty: &Type, texts: &[T]) {
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    for ((text, bytes), sample) in client.cast(&sql_name(ty), &texts).into_iter().zip(&texts) {
        assert_eq!(&text, sample, "{ty}: the server's text of the sample");
        let decoded = Value::decode(ty, Some(&bytes)).unwrap_or_else(|e| panic!("{ty} {text}: {e}"));
        assert_eq!(decoded.to_string(), text, "{ty}: our text of the server's bytes");
        if sample.is_empty() && NOT_READ_WHEN_EMPTY.contains(&ty.oid()) {
            continue;
        }
        let parsed = Value::parse(ty, &text).unwrap_or_else(|e| panic!("{e}"));
        let ours = encoded(&parsed).expect("encodes");
        assert_eq!(client.echo(ty, &ours), Ok((text, bytes)), "{ty}: the server's reading of our bytes");
    }
}

#[test]
fn arrays_and_ranges_of_everything_are_the_servers_own_texts() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let mut client = Client::connect(cluster.database());
    let mut checked = 0;
    for ty in Type::builtins() {
        let texts = match ty.kind() {
            Kind::Array(_) if [oid::INT2VECTOR, oid::OIDVECTOR].contains(&ty.oid()) => {
                vec![String::new(), "1 2 3".to_owned()]
            }
            Kind::Array(element) if [oid::BOX, oid::TSQUERY].contains(&element.oid()) => {
                vec!["{}".to_owned()]
            }
            Kind::Array(element) => arrays(element),
            Kind::Range(element) => ranges(element),
            Kind::Multirange(element) => {
                let ranges = ranges(element).into_iter().filter(|range| range != "empty");
                ranges.map(|range| format!("{{{range}}}")).chain(["{}".to_owned()]).collect()
            }
            _ => continue,
        };
        checked += texts.len();
        check_texts(&mut client, &ty, &texts);
    }
    println!("{checked} arrays, ranges and multiranges");
    assert!(checked > 300);
}

/// An array of all samples and a NULL, one of them with bounds of its own, and one of two dimensions.
fn arrays(element: &Type) -> Vec<String> {
    let mut items: Vec<_> = samples(element).iter().map(|&text| Some(text.to_owned())).collect();
    let Some(first) = items.first().cloned() else { return Vec::new() };
    items.push(None);
    let all = Array::from(items.clone()).to_string();
    let bounds = format!("[-1:{}]={all}", items.len() - 2);
    let row = Dimension { length: 2, lower: 1 };
    let matrix = Array::new(&[row, row], vec![first.clone(), None, None, first]).expect("four");
    vec!["{}".to_owned(), all, bounds, matrix.to_string()]
}

fn ranges(element: &Type) -> Vec<String> {
    let from = |text: &&str| Range::Span(Bound::Included((*text).to_owned()), Bound::Unbounded).to_string();
    ["empty", "(,)"].map(str::to_owned).into_iter().chain(samples(element).iter().map(from)).collect()
}

/// A schema with every kind of type that can be made.
const OWN_TYPES: [&str; 5] = [
    "CREATE TYPE mood AS ENUM ('calm', 'very cross')",
    "CREATE DOMAIN age AS int CHECK (VALUE >= 0)",
    "CREATE TYPE place AS (x int, note text, mood mood, ages age[])",
    "CREATE TYPE span AS RANGE (SUBTYPE = float8)",
    "CREATE TYPE nested AS (place place, places place[])",
];

#[test]
fn types_of_a_schema_are_the_servers_own_texts() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let mut client = Client::connect(cluster.database());
    for sql in OWN_TYPES {
        client.ask(sql, &[], &[]).unwrap_or_else(|e| panic!("{sql}: {e}"));
    }
    let builtin = |oid| Type::from_oid(oid).expect("is built in");
    let field = |name: &str, ty: &Type| Field { name: name.to_owned(), ty: ty.clone() };
    let mood = own(&mut client, "mood", Kind::Enum(vec!["calm".to_owned(), "very cross".to_owned()]));
    let age = own(&mut client, "age", Kind::Domain(builtin(oid::INT4)));
    let ages = own(&mut client, "_age", Kind::Array(age.clone()));
    let fields =
        [("x", &builtin(oid::INT4)), ("note", &builtin(oid::TEXT)), ("mood", &mood), ("ages", &ages)];
    let place = Kind::Composite(fields.into_iter().map(|(name, ty)| field(name, ty)).collect());
    let place = own(&mut client, "place", place);
    let places = own(&mut client, "_place", Kind::Array(place.clone()));
    let span = own(&mut client, "span", Kind::Range(builtin(oid::FLOAT8)));
    let nested = Kind::Composite(vec![field("place", &place), field("places", &places)]);
    let nested = own(&mut client, "nested", nested);
    check_texts(&mut client, &mood, &["calm", "very cross"]);
    check_texts(&mut client, &age, &["0", "7"]);
    check_texts(&mut client, &ages, &["{0,NULL,7}"]);
    let texts = [
        r#"(1,"a ""quoted"" \\ note","very cross","{1,2}")"#,
        "(,,,)",
        r#"(0,"",calm,{})"#,
        "(0,\",\",calm,)",
    ];
    check_texts(&mut client, &place, &texts);
    let list = Array::from(texts.map(|text| Some(text.to_owned())).to_vec()).to_string();
    check_texts(&mut client, &places, &[&list]);
    check_texts(&mut client, &span, &["[1.5,1e+30)", "(,NaN]", "empty"]);
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\"\""));
    check_texts(&mut client, &nested, &[format!("({},{})", quoted(texts[0]), quoted(&list))]);
}

/// A type that the database has numbered.
fn own(client: &mut Client, name: &str, kind: Kind) -> Type {
    let rows = client.ask(&format!("SELECT '{name}'::regtype::oid"), &[], &[]).expect("it was made");
    let number = rows[0][0].clone().expect("a number").try_into().expect("four bytes");
    let (oid, name) = (u32::from_be_bytes(number), name.to_owned().into());
    Type::looked_up(TypeData { oid, schema: "public".into(), name, kind, binary: true })
}

#[test]
fn order_is_the_servers() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let mut client = Client::connect(cluster.database());
    check_order::<bool>(&mut client, oid::BOOL);
    check_order::<i64>(&mut client, oid::INT8);
    check_order::<Numeric>(&mut client, oid::NUMERIC);
    check_order::<Date>(&mut client, oid::DATE);
    check_order::<Time>(&mut client, oid::TIME);
    check_order::<TimeTz>(&mut client, oid::TIMETZ);
    check_order::<Timestamp>(&mut client, oid::TIMESTAMP);
    check_order::<TimestampTz>(&mut client, oid::TIMESTAMPTZ);
    check_order::<Interval>(&mut client, oid::INTERVAL);
    check_order::<Bit>(&mut client, oid::VARBIT);
    check_order::<Inet>(&mut client, oid::INET);
    check_order::<Cidr>(&mut client, oid::CIDR);
    check_order::<MacAddr>(&mut client, oid::MACADDR);
    check_order::<MacAddr8>(&mut client, oid::MACADDR8);
    check_order::<Money>(&mut client, oid::MONEY);
    check_order::<PgLsn>(&mut client, oid::PG_LSN);
    check_order::<Xid8>(&mut client, oid::XID8);
    check_order::<Tid>(&mut client, oid::TID);
    check_order::<Uuid>(&mut client, oid::UUID);
}

/// Sorts samples and flipped values on the server, and expects each to be no greater than the next here.
fn check_order<T: TextForm + Ord>(client: &mut Client, number: u32) {
    let ty = Type::from_oid(number).expect("is built in");
    let (samples, mut random) = (samples(&ty), Random(SEED));
    let mut texts: Vec<String> = samples.iter().map(|&text| text.to_owned()).collect();
    while texts.len() < ENOUGH + samples.len() {
        let sample = Value::parse(&ty, samples[random.below(samples.len())]).expect("a sample");
        let mut bytes = encoded(&sample).expect("encodes");
        if !bytes.is_empty() {
            let bit = random.below(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        let flipped = Value::decode(&ty, Some(&bytes)).ok().map(|value| value.to_string());
        // The server does not read every interval that it writes, and a long number only takes long.
        texts.push(
            flipped
                .filter(|text| text.len() < 100 && client.reads(&ty, text))
                .unwrap_or_else(|| sample.to_string()),
        );
    }
    let sorted = client.sort(&sql_name(&ty), &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let values: Vec<T> =
        sorted.iter().map(|text| T::parse_text(text).unwrap_or_else(|e| panic!("{e}"))).collect();
    for (pair, texts) in values.windows(2).zip(sorted.windows(2)) {
        let is_unsettled = number == oid::INTERVAL;
        assert!(
            pair[0] <= pair[1] || is_unsettled && client.equal(&ty, &texts[0], &texts[1]),
            "{ty}: {texts:?}"
        );
    }
}

/// Types that the server can send and that are not read here, with the reason.
const NOT_KNOWN: [(&str, &str); 6] = [
    ("pg_ndistinct", "statistics of the planner, in a form that no manual describes"),
    ("pg_dependencies", "statistics of the planner, in a form that no manual describes"),
    ("pg_mcv_list", "statistics of the planner, in a form that no manual describes"),
    ("pg_brin_bloom_summary", "the inside of an index, in a form that no manual describes"),
    ("pg_brin_minmax_multi_summary", "the inside of an index, in a form that no manual describes"),
    ("pg_ddl_command", "a pointer of the server's own, which is never sent"),
];

#[test]
fn every_type_that_the_server_sends_is_known_or_listed() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let mut client = Client::connect(cluster.database());
    let sql = "SELECT oid, typname::text FROM pg_type WHERE typsend <> 0 AND oid < 16384 \
               AND typtype IN ('b', 'p') AND typcategory <> 'A' ORDER BY oid";
    let mut known = 0;
    for row in client.ask(sql, &[], &[]).expect("the catalog is there") {
        let mut columns = row.into_iter().flatten();
        let number = columns.next().expect("a number").try_into().expect("four bytes");
        let name = String::from_utf8(columns.next().expect("a name")).expect("UTF-8");
        let ty = Type::from_oid(u32::from_be_bytes(number))
            .unwrap_or_else(|| panic!("{name} is not in the table"));
        let opaque =
            Value::decode(&ty, Some(&[])).is_ok_and(|value| matches!(value.datum(), Some(Datum::Opaque(_))));
        let listed = NOT_KNOWN.iter().any(|(listed, _)| *listed == name) || name.starts_with("any");
        assert_ne!(opaque, !listed, "{name}: known, or listed, and not both");
        known += usize::from(!opaque);
    }
    println!("{known} types are known");
}

/// Types whose values the server brings into a form of its own when it reads them.
const REWRITTEN: [&str; 7] =
    ["jsonb", "tsvector", "jsonpath", "lquery", "ltxtquery", "geometry", "geography"];
/// How many values of each type are to be read alike; a few types do not have as many.
const ENOUGH: usize = 200;
/// How often that is tried.
const TRIES: usize = 3_000;
/// Types that begin with a count. The server reserves memory for what it says before it looks, which takes
/// seconds for an absurd one, so the upper half is left alone.
const COUNTED: [u32; 3] = [oid::POLYGON, oid::TSVECTOR, oid::TSQUERY];
const SEED: u64 = 0x2545_f491_4f6c_dd1d;

/// Bits of valid values are flipped. Where the server then has a value, what it sends back reads as its text;
/// where we have one too, it is the same.
#[test]
fn flipped_bits_mean_to_us_what_they_mean_to_the_server() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let mut client = Client::connect(cluster.database());
    let extensions = extension_types(&mut client);
    for ty in types().chain(extensions) {
        let mut random = Random(SEED);
        let (mut alike, mut strict, mut lenient) = (0, 0, 0);
        let samples = samples(&ty);
        for _ in 0..TRIES {
            if alike >= ENOUGH {
                break;
            }
            let sample = samples[random.below(samples.len())];
            let mut bytes = encoded(&Value::parse(&ty, sample).expect("a sample")).expect("encodes");
            for _ in 0..random.below(4) {
                let spared = if COUNTED.contains(&ty.oid()) { 16 } else { 0 };
                if !bytes.is_empty() {
                    let bit = spared + random.below(bytes.len() * 8 - spared);
                    bytes[bit / 8] ^= 1 << (bit % 8);
                }
            }
            let ours = Value::decode(&ty, Some(&bytes));
            let Ok((text, sent)) = client.echo(&ty, &bytes) else {
                lenient += usize::from(ours.is_ok());
                continue;
            };
            let back =
                Value::decode(&ty, Some(&sent)).unwrap_or_else(|e| panic!("{ty} {text} {sent:?}: {e}"));
            assert_eq!(back.to_string(), text, "{ty} {sent:?}, seed {SEED:#x}");
            match ours {
                Ok(ours) if !REWRITTEN.contains(&ty.name()) => {
                    assert_eq!(ours.to_string(), text, "{ty} {bytes:?}, seed {SEED:#x}");
                }
                Ok(_) => {}
                Err(_) => strict += 1,
            }
            alike += 1;
        }
        println!(
            "{ty}: {alike} values alike, {strict} of them from bytes that we refuse; {lenient} only we take"
        );
        assert!(alike >= ENOUGH, "{ty}: only {alike} values were read alike");
    }
}

/// A xorshift generator: good enough to pick bits with.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(n).expect("small")).expect("small")
    }
}
