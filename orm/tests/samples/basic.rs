//! Comparisons, NULL, truth values, numbers.

use wreath_orm::expr::{case as when, lit, value};

use super::{Case, Sample, case};

/// A comparison of a value that may be NULL.
fn of<T>(value: Option<T>, holds: impl FnOnce(T) -> bool) -> Option<bool> {
    value.map(holds)
}

/// `AND` and `OR` where something may be unknown.
fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    if a == Some(false) || b == Some(false) { Some(false) } else { a.zip(b).map(|_| true) }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    and(a.map(|a| !a), b.map(|b| !b)).map(|both| !both)
}

pub fn cases() -> Vec<(&'static str, Vec<Case>)> {
    vec![
        ("Comparisons", comparisons()),
        ("Lists", lists()),
        ("NULL", nulls()),
        ("And, or, not", truth()),
        ("Arithmetic", arithmetic()),
        ("Functions of numbers", numbers()),
        ("Bits", bits()),
        ("CASE", branches()),
        ("Casts and constants", casts()),
    ]
}

fn comparisons() -> Vec<Case> {
    vec![
        case("equal", Sample::N.eq(2), |s| s.n == 2),
        case("not equal, of what may be NULL", Sample::M.ne(2), |s| of(s.m, |m| m != 2)),
        case("less", Sample::N.lt(2), |s| s.n < 2),
        case("at most", Sample::M.le(2), |s| of(s.m, |m| m <= 2)),
        case("more", Sample::X.gt(0.25), |s| s.x > 0.25),
        case("at least", Sample::BIG.ge(0), |s| s.big >= 0),
        case("text in the order of its bytes", Sample::WORD.eq("Abc"), |s| s.word == "Abc"),
        case("between", Sample::N.between(-1, 3), |s| (-1..=3).contains(&s.n)),
        case("between, the wrong way round", Sample::N.between(3, -1), |_| false),
        case("between columns", Sample::N.between_to(Sample::M, Sample::N), |s| of(s.m, |m| m <= s.n)),
        case("two columns", Sample::N.eq_to(Sample::M), |s| of(s.m, |m| s.n == m)),
        case("a column and an expression", Sample::N.lt_to(Sample::M + 1), |s| of(s.m, |m| s.n < m + 1)),
        case("a value on the right as an operand", Sample::N.ge_to(1), |s| s.n >= 1),
        case("the same, where both may be NULL", Sample::M.is_same_as(Sample::N.nullif(0)), |s| {
            s.m == Some(s.n).filter(|n| *n != 0)
        }),
        case("distinct from another column", Sample::M.is_distinct_from(Sample::N), |s| s.m != Some(s.n)),
        case("a truth value is compared like any other", Sample::YES.lt(true), |s| !s.yes),
        case("a day", Sample::DAY.gt("2025-06-01".parse().expect("a day")), |s| {
            s.day.to_string().as_str() > "2025-06-01"
        }),
    ]
}

fn lists() -> Vec<Case> {
    vec![
        case("one of these", Sample::N.any([1, 2, 5]), |s| [1, 2, 5].contains(&s.n)),
        case("one of none", Sample::N.any([0_i32; 0]), |_| false),
        case("one of these, of what may be NULL", Sample::M.any([1, 2]), |s| of(s.m, |m| m == 1 || m == 2)),
        case("none of these", Sample::N.not_any([1, 2, 5]), |s| ![1, 2, 5].contains(&s.n)),
        case("none of none", Sample::M.not_any([0_i32; 0]), |_| true),
        case("one of these texts", Sample::WORD.any(["it's", r#"{"q"}"#, r"back\slash", "NULL"]), |s| {
            ["it's", r#"{"q"}"#, r"back\slash", "NULL"].contains(&s.word.as_str())
        }),
        case("an expression among values", (Sample::N + 1).any([0, 1]), |s| s.n == -1 || s.n == 0),
    ]
}

fn nulls() -> Vec<Case> {
    vec![
        case("NULL", Sample::M.is_null(), |s| s.m.is_none()),
        case("not NULL", Sample::NOTE.is_not_null(), |s| s.note.is_some()),
        case("a value in its place", Sample::M.coalesce(7).gt(4), |s| s.m.unwrap_or(7) > 4),
        case("a column in its place", Sample::M.coalesce_to(Sample::N).gt(1), |s| s.m.unwrap_or(s.n) > 1),
        case("NULL where equal", Sample::N.nullif(0).is_null(), |s| s.n == 0),
        case("the greater passes over NULL", Sample::M.greatest(0).le(1), |s| s.m.unwrap_or(0).max(0) <= 1),
        case("the lesser of two columns", Sample::M.least_to(Sample::N).lt(-2), |s| {
            s.m.unwrap_or(s.n).min(s.n) < -2
        }),
        case("arithmetic with NULL is NULL", (Sample::M + Sample::N).is_null(), |s| s.m.is_none()),
    ]
}

fn truth() -> Vec<Case> {
    let (a, b) = (|| Sample::M.gt(0), || Sample::N.gt(0));
    vec![
        case("and, with what may be unknown", a().and(b()), |s| and(of(s.m, |m| m > 0), Some(s.n > 0))),
        case("or, with what may be unknown", a().or(b()), |s| or(of(s.m, |m| m > 0), Some(s.n > 0))),
        case("not of the unknown is unknown", !a(), |s| of(s.m, |m| m <= 0)),
        case("unknown", a().is_unknown(), |s| s.m.is_none()),
        case("not of or", a().or(b()).not(), |s| or(of(s.m, |m| m > 0), Some(s.n > 0)).map(|holds| !holds)),
        case("or within and", a().or(b()).and(Sample::YES.holds()), |s| {
            and(or(of(s.m, |m| m > 0), Some(s.n > 0)), Some(s.yes))
        }),
        case("true", Sample::MAYBE.is_true(), |s| s.maybe == Some(true)),
        case("false", Sample::MAYBE.is_false(), |s| s.maybe == Some(false)),
        case("a column that is a condition", Sample::MAYBE.holds(), |s| s.maybe),
        case("a condition as a value", Sample::MAYBE.eq_to(Sample::N.gt(0)), |s| {
            of(s.maybe, |m| m == (s.n > 0))
        }),
        case("two conditions that are as true", a().expr().is_same_as(b()), |s| {
            of(s.m, |m| m > 0) == Some(s.n > 0)
        }),
    ]
}

fn arithmetic() -> Vec<Case> {
    vec![
        case("times before plus", (Sample::N * 2 + 1).gt(4), |s| s.n * 2 + 1 > 4),
        case("a sum within a product", ((Sample::N + 1) * 2).gt(4), |s| (s.n + 1) * 2 > 4),
        case("differences go from the left", (Sample::N - Sample::M - 1).gt(0), |s| {
            of(s.m, |m| s.n - m - 1 > 0)
        }),
        case("a difference of a difference", (Sample::N - (Sample::N - 1)).eq(1), |_| true),
        case("division drops the rest", (Sample::N / 2).eq(-2), |s| s.n / 2 == -2),
        case("the rest of a division has the sign of what is divided", (Sample::N % 3).eq(-2), |s| {
            s.n % 3 == -2
        }),
        case("negative", (-Sample::N).gt(2), |s| -s.n > 2),
        case("the negative of a negative", (-(-Sample::N)).eq_to(Sample::N), |_| true),
        case("doubles", (Sample::X * 2.0 - 0.5).le(1.0), |s| s.x * 2.0 - 0.5 <= 1.0),
        case("large numbers", (Sample::BIG * 3).gt(5), |s| s.big * 3 > 5),
    ]
}

fn numbers() -> Vec<Case> {
    vec![
        case("without its sign", Sample::N.abs().gt(3), |s| s.n.abs() > 3),
        case("its sign", Sample::N.sign().eq(-1.0), |s| s.n < 0),
        case("floor", Sample::X.floor().eq(-1.0), |s| s.x.floor() == -1.0),
        case("ceil", Sample::X.ceil().eq(1.0), |s| s.x.ceil() == 1.0),
        case("round, half to even", Sample::X.round().eq(0.0), |s| s.x.round_ties_even() == 0.0),
        case("a square root", Sample::N.abs().sqrt().gt(1.5), |s| f64::from(s.n.abs()).sqrt() > 1.5),
        case("a power", Sample::X.power(2.0).gt(1.0), |s| s.x.powi(2) > 1.0),
    ]
}

fn bits() -> Vec<Case> {
    vec![
        case("bits of both", Sample::N.bit_and(1).eq(1), |s| s.n & 1 == 1),
        case("bits of either", Sample::N.bit_or(1).eq_to(Sample::N), |s| s.n | 1 == s.n),
        case("bits of one", Sample::N.bit_xor(3).gt(1), |s| s.n ^ 3 > 1),
        case("other bits", Sample::N.bit_not().ge(0), |s| !s.n >= 0),
        case("shifted", Sample::N.shift_left(2).gt(8), |s| s.n << 2 > 8),
        case("shifted back", Sample::N.shift_right(1).eq(-1), |s| s.n >> 1 == -1),
        case("arithmetic within bits", (Sample::N + 1).bit_and(Sample::N).eq(0), |s| (s.n + 1) & s.n == 0),
    ]
}

fn branches() -> Vec<Case> {
    let size = || when(Sample::N.lt(0), "less").when(Sample::N.eq(0), "none");
    vec![
        case("the first branch that holds", size().otherwise("more").eq("none"), |s| s.n == 0),
        case("or else", size().otherwise("more").eq("more"), |s| s.n > 0),
        case("without an else it is NULL", size().end().is_null(), |s| s.n > 0),
        case("columns in branches", when(Sample::YES.holds(), Sample::M).otherwise(Sample::N).gt(0), |s| {
            if s.yes { of(s.m, |m| m > 0) } else { Some(s.n > 0) }
        }),
    ]
}

fn casts() -> Vec<Case> {
    vec![
        case("a wider number", Sample::N.cast::<i64>().lt_to(Sample::BIG), |s| i64::from(s.n) < s.big),
        case("a number as text", Sample::N.text().eq("-3"), |s| s.n == -3),
        case("what cannot be NULL as what can", Sample::N.nullable().is_not_null(), |_| true),
        case("a value as an expression", value(2_i32).lt_to(Sample::N), |s| 2 < s.n),
        case("a constant in the statement", Sample::N.eq_to(lit(-3)), |s| s.n == -3),
        case("a text constant", Sample::WORD.eq_to(lit(r"back\slash")), |s| s.word == r"back\slash"),
        case("a text constant with a quote", Sample::WORD.eq_to(lit("it's")), |s| s.word == "it's"),
        case("a constant that is true", lit(true).eq_to(Sample::MAYBE), |s| s.maybe),
    ]
}
