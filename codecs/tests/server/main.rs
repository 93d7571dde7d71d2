//! Every type against a real server: what it sends reads as the text that it prints, and what we send reads
//! as the same.

#![allow(clippy::unwrap_used, reason = "tests")]

mod client;

use client::Client;
use wreath_codecs::types::{Value, samples};
use wreath_codecs::{Encode, Encoder, Kind, Type, oid};
use wreath_tests::Cluster;

/// A value that the server sends and does not read.
const NOT_TAKEN_BACK: (u32, &&str) = (oid::TSQUERY, &"");

fn encoded(value: &Value) -> Option<Vec<u8>> {
    let mut out = Encoder::new();
    value.encode(&mut out).ok()?;
    Some(out.as_bytes().to_vec())
}

/// The built-in types that have samples of their own.
fn types() -> impl Iterator<Item = Type> {
    Type::builtins().filter(|ty| matches!(ty.kind(), Kind::Base) && !samples(ty).is_empty())
}

/// The name in SQL, which for `"char"` needs its quotes.
fn sql_name(ty: &Type) -> String {
    format!("pg_catalog.\"{}\"", ty.name())
}

#[test]
fn samples_are_the_servers_own_texts() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let mut client = Client::connect(cluster.database());
    for ty in types() {
        let texts = samples(&ty);
        for ((text, bytes), sample) in client.cast(&sql_name(&ty), texts).into_iter().zip(texts) {
            assert_eq!(&text, sample, "{ty}: the server's text of the sample");
            let decoded = Value::decode(&ty, Some(&bytes)).unwrap_or_else(|e| panic!("{ty} {text}: {e}"));
            assert_eq!(decoded.to_string(), text, "{ty}: our text of the server's bytes");
            if (ty.oid(), sample) == NOT_TAKEN_BACK {
                continue;
            }
            let parsed = Value::parse(&ty, &text).unwrap_or_else(|e| panic!("{e}"));
            let ours = encoded(&parsed).expect("encodes");
            assert_eq!(client.echo(&ty, &ours), Ok((text, bytes)), "{ty}: the server's reading of our bytes");
        }
    }
}

/// Types whose values the server brings into a form of its own when it reads them.
const REWRITTEN: [u32; 4] = [oid::JSONB, oid::BOX, oid::TSVECTOR, oid::JSONPATH];
/// How many values of each type are to be read alike; a few types do not have as many.
const ENOUGH: usize = 200;
/// How often that is tried.
const TRIES: usize = 3_000;
const SEED: u64 = 0x2545_f491_4f6c_dd1d;

/// Bits of valid values are flipped. Where the server then has a value, what it sends back reads as its text;
/// where we have one too, it is the same.
#[test]
fn flipped_bits_mean_to_us_what_they_mean_to_the_server() {
    let Some(cluster) = Cluster::shared_ours() else { return };
    let mut client = Client::connect(cluster.database());
    for ty in types() {
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
                if !bytes.is_empty() {
                    let bit = random.below(bytes.len() * 8);
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
                Ok(ours) if !REWRITTEN.contains(&ty.oid()) => {
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
