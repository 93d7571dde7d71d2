//! What the server would refuse is refused before anything is sent, with an error that names the value and which
//! parameter it is.

use wreath_codecs::types::{Bit, HalfVec, RawJson, SparseVec, Vector};
use wreath_codecs::{Encode, ParamBuf};

/// Pushes a sound parameter and this one, and expects the error to name the second and `what`.
fn refuses(value: &dyn Encode, what: &str) {
    let mut params = ParamBuf::new();
    params.push(&7_i32).expect("a sound parameter");
    let error = params.push(value).expect_err(what);
    assert_eq!(error.position(), Some(2), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("cannot send parameter $2: ") && text.contains(what), "{text}");
    params.push(&8_i32).expect("what was refused left nothing behind");
    assert_eq!(params.len(), 2);
}

#[test]
fn texts_with_a_nul() {
    refuses(&"wool\0", "text with a NUL, at byte 4");
    refuses(&vec!["wool", "a\0"], "text with a NUL, at byte 1");
    refuses(&RawJson::new("{\"a\": \"\0\"}"), "jsonb with a NUL, at byte 7");
    refuses(&RawJson::new(r#"["\u0000"]"#), "jsonb with the escape of a NUL, at byte 2");
}

#[test]
#[cfg(feature = "serde_json")]
fn json_with_a_nul() {
    refuses(&serde_json::json!({ "a": "\0" }), "jsonb with the escape of a NUL");
    refuses(&wreath_codecs::types::Json("a\0"), "jsonb with the escape of a NUL");
}

#[test]
fn vectors_of_numbers_that_are_none_or_of_wrong_dimensions() {
    refuses(&Vector(vec![1.0, f32::NAN]), "NaN in dimension 2 of a vector");
    refuses(&Vector(vec![f32::NEG_INFINITY]), "-inf in dimension 1 of a vector");
    refuses(&Vector(vec![]), "a vector of 0 dimensions");
    refuses(&Vector(vec![0.0; 16_001]), "a vector of 16001 dimensions");
    refuses(&HalfVec(vec![f32::NAN]), "NaN in dimension 1 of a halfvec");
    refuses(&HalfVec(vec![65_520.0]), "65520 in dimension 1 of a halfvec");
    refuses(&HalfVec(vec![0.0; 16_001]), "a halfvec of 16001 dimensions");
}

/// These cannot be made at all: the error comes even earlier.
#[test]
fn sparse_vectors_and_bits_that_cannot_be() {
    let sparse = |dimensions, elements: &[(u32, f32)]| {
        SparseVec::new(dimensions, elements.iter().copied()).expect_err("no such vector").to_string()
    };
    assert_eq!(sparse(3, &[(4, 1.5)]), "sparsevec cannot hold 1.5 in dimension 4 of 3");
    assert_eq!(sparse(3, &[(0, 1.5)]), "sparsevec cannot hold 1.5 in dimension 0 of 3");
    assert_eq!(sparse(3, &[(2, f32::NAN)]), "sparsevec cannot hold NaN in dimension 2 of 3");
    assert_eq!(sparse(0, &[]), "sparsevec cannot hold 0 dimensions");
    let dense = SparseVec::from_dense(&[1.0; 16_001]).expect_err("too many").to_string();
    assert_eq!(dense, "sparsevec cannot hold 16001 numbers that are not zero");
    let kept = SparseVec::from_dense(&[0.0, 2.5, -0.0]).expect("three dimensions");
    assert_eq!(kept.to_map().into_iter().collect::<Vec<_>>(), [(2, 2.5)]);

    let bits = Bit::from_bytes(vec![0xff], 7).expect_err("a bit too many").to_string();
    assert_eq!(bits, "bit cannot hold 7 bits of [ff]");
    assert!(Bit::from_bytes(vec![0xfe], 7).is_ok());
}
