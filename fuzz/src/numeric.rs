//! Texts as decimal numbers.

use std::cmp::Ordering;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use wreath_codecs::types::Numeric;
use wreath_codecs::{Decode, Encode, Encoder, Type, oid};

/// Longer texts only take longer.
const MAX_TEXT: usize = 2_000;

/// Reads `data` as one number, or as two with a blank between them.
///
/// # Panics
/// When a number is not written as it was read, is not what its digits say in another form, or when two compare
/// otherwise than their digits do.
pub fn numeric(data: &[u8]) {
    let Some(text) = std::str::from_utf8(data).ok().filter(|text| text.len() <= MAX_TEXT) else { return };
    let (first, second) = text.split_once(' ').unwrap_or((text, "0"));
    let (Ok(a), Ok(b)) = (first.parse::<Numeric>(), second.parse::<Numeric>()) else { return };
    alone(&a);
    let order = a.cmp(&b);
    assert_eq!(b.cmp(&a), order.reverse(), "{a} {b}");
    assert_eq!(a == b, order == Ordering::Equal, "{a} {b}");
    if a.is_finite() && b.is_finite() {
        assert_eq!(order, by_digits(&a.to_string(), &b.to_string()), "{a} {b}");
    }
    if a == b {
        assert_eq!(hash(&a), hash(&b), "{a} {b} are equal and do not hash alike");
    }
}

fn alone(n: &Numeric) {
    static TYPE: OnceLock<Type> = OnceLock::new();
    let ty = TYPE.get_or_init(|| Type::from_oid(oid::NUMERIC).expect("is built in"));
    let text = n.to_string();
    assert_eq!(text.parse::<Numeric>().expect("what was written can be read").to_string(), text);
    let mut out = Encoder::new();
    n.encode(&mut out).expect("every number can be sent");
    assert_eq!(Numeric::decode(ty, out.as_bytes()).expect("what was written can be read").to_string(), text);
    let stripped = n.stripped();
    assert_eq!(&stripped, n);
    assert!(!stripped.to_string().contains('.') || !stripped.to_string().ends_with('0'), "{stripped}");
    if let Some((unscaled, scale)) = n.unscaled() {
        assert_eq!(Numeric::new(unscaled, scale).to_string(), text);
    }
    let integer = i128::try_from(n);
    assert_eq!(integer.ok(), stripped.to_string().parse().ok(), "{n}");
    if n.is_finite() {
        assert_eq!(n.to_f64().to_bits() << 1, text.parse::<f64>().expect("a number").to_bits() << 1, "{n}");
    }
}

/// How two numbers compare, from their digits as text.
fn by_digits(a: &str, b: &str) -> Ordering {
    let is_negative = |text: &str| text.starts_with('-') && text.bytes().any(|b| (b'1'..=b'9').contains(&b));
    match (is_negative(a), is_negative(b)) {
        (false, false) => magnitudes(a, b),
        (true, true) => magnitudes(b, a),
        (a, b) => b.cmp(&a),
    }
}

fn magnitudes(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| {
        let digits = text.trim_start_matches('-').to_owned();
        let (whole, decimals) = digits.split_once('.').unwrap_or((&digits, ""));
        (whole.trim_start_matches('0').to_owned(), decimals.trim_end_matches('0').to_owned())
    };
    let ((a_whole, a_decimals), (b_whole, b_decimals)) = (parts(a), parts(b));
    let whole = a_whole.len().cmp(&b_whole.len()).then_with(|| a_whole.cmp(&b_whole));
    whole.then_with(|| a_decimals.cmp(&b_decimals))
}

fn hash(n: &Numeric) -> u64 {
    static STATE: OnceLock<RandomState> = OnceLock::new();
    STATE.get_or_init(RandomState::new).hash_one(n)
}
