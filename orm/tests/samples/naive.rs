//! What operators mean, written down without regard to speed.

use serde_json::Value;

/// `LIKE`, with `\` as the escape.
pub fn like(text: &str, pattern: &str) -> bool {
    fn rest(text: &[char], pattern: &[char]) -> bool {
        match pattern {
            [] => text.is_empty(),
            ['%', pattern @ ..] => (0..=text.len()).any(|skip| rest(&text[skip..], pattern)),
            ['_', pattern @ ..] => !text.is_empty() && rest(&text[1..], pattern),
            ['\\', c, pattern @ ..] | [c, pattern @ ..] => {
                text.first() == Some(c) && rest(&text[1..], pattern)
            }
        }
    }
    rest(&text.chars().collect::<Vec<_>>(), &pattern.chars().collect::<Vec<_>>())
}

/// `@>` of jsonb (PostgreSQL manual, "jsonb Containment and Existence").
pub fn contains(whole: &Value, part: &Value) -> bool {
    within(whole, part)
        || matches!(whole, Value::Array(items) if !part.is_array() && !part.is_object() && items.contains(part))
}

fn within(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(key, part)| whole.get(key).is_some_and(|whole| within(whole, part)))
        }
        (Value::Array(whole), Value::Array(part)) => {
            part.iter().all(|part| whole.iter().any(|whole| within(whole, part)))
        }
        _ => whole == part,
    }
}

/// `?` of jsonb.
pub fn has_key(doc: &Value, key: &str) -> bool {
    match doc {
        Value::Object(map) => map.contains_key(key),
        Value::Array(items) => items.iter().any(|item| item == key),
        Value::String(text) => text == key,
        _ => false,
    }
}

/// `#>` of jsonb, of keys and of places from 0.
pub fn path<'a>(doc: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(doc, |doc, step| match doc {
        Value::Object(map) => map.get(*step),
        Value::Array(items) => step.parse().ok().and_then(|place: usize| items.get(place)),
        _ => None,
    })
}

/// What `->>` and `#>>` make of a value.
pub fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        // The server puts a space behind each comma and colon.
        other => Some(other.to_string().replace(',', ", ").replace(':', ": ")),
    }
}

/// The distance of two places on a sphere, in metres.
pub fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    let vector = |(lat, lon): (f64, f64)| {
        let (lat, lon) = (lat.to_radians(), lon.to_radians());
        [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
    };
    let (a, b) = (vector(a), vector(b));
    let chord = a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    2.0 * 6_371_008.8 * (chord / 2.0).min(1.0).asin()
}
