//! Random conditions and orders beside what they mean. One die decides what the code would have written, another the
//! values that it is given.

use std::cmp::Ordering;

use wreath_orm::expr::case as when;
use wreath_orm::{Expr, Order, Pred};

use super::{Dice, Sample, WORDS};

type Number = (Expr<Sample, Option<i32>>, Box<dyn Fn(&Sample) -> Option<i64> + Send + Sync>);
type Condition = (Pred<Sample>, Box<dyn Fn(&Sample) -> Option<bool> + Send + Sync>);

/// A condition, at most so deep.
pub fn condition(shape: &mut Dice, values: &mut Dice, depth: usize) -> Condition {
    if depth == 0 {
        return leaf(shape, values);
    }
    match shape.roll(6) {
        0 | 1 => {
            let ((a, is_a), (b, is_b)) =
                (condition(shape, values, depth - 1), condition(shape, values, depth - 1));
            (a.and(b), Box::new(move |s| both(is_a(s), is_b(s))))
        }
        2 | 3 => {
            let ((a, is_a), (b, is_b)) =
                (condition(shape, values, depth - 1), condition(shape, values, depth - 1));
            (
                a.or(b),
                Box::new(move |s| both(is_a(s).map(|a| !a), is_b(s).map(|b| !b)).map(|neither| !neither)),
            )
        }
        4 => {
            let (a, is_a) = condition(shape, values, depth - 1);
            (a.not(), Box::new(move |s| is_a(s).map(|a| !a)))
        }
        _ => {
            let ((a, is_a), (b, is_b)) = (number(shape, values, depth), number(shape, values, depth));
            compared(shape, (a, is_a), (b, is_b))
        }
    }
}

fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    if a == Some(false) || b == Some(false) { Some(false) } else { a.zip(b).map(|_| true) }
}

fn leaf(shape: &mut Dice, values: &mut Dice) -> Condition {
    let (n, word) = (values.number(-5, 5), *values.pick(&WORDS));
    match shape.roll(10) {
        0 => (Sample::N.ge(n), Box::new(move |s| Some(s.n >= n))),
        1 => (Sample::M.eq(n), Box::new(move |s| s.m.map(|m| m == n))),
        2 => (Sample::M.is_null(), Box::new(|s| Some(s.m.is_none()))),
        3 => (Sample::WORD.eq(word), Box::new(move |s| Some(s.word == word))),
        4 => {
            (Sample::NOTE.starts_with(word), Box::new(move |s| s.note.as_ref().map(|n| n.starts_with(word))))
        }
        5 => {
            let list: Vec<i32> = (0..values.roll(4)).map(|_| values.number(-5, 5)).collect();
            (Sample::N.any(&list), Box::new(move |s| Some(list.contains(&s.n))))
        }
        6 => {
            let list: Vec<&str> = (0..values.roll(4)).map(|_| *values.pick(&WORDS)).collect();
            let none = list.is_empty();
            let not_any = Sample::NOTE.not_any(&list);
            let list: Vec<String> = list.into_iter().map(str::to_owned).collect();
            (
                not_any,
                Box::new(move |s| if none { Some(true) } else { s.note.as_ref().map(|n| !list.contains(n)) }),
            )
        }
        7 => (Sample::MAYBE.holds(), Box::new(|s| s.maybe)),
        8 => (Sample::TAGS.has_element(word), Box::new(move |s| Some(s.tags.iter().any(|t| t == word)))),
        _ => {
            (Sample::SPAN.contains(n), Box::new(move |s| Some(super::advanced::within(&s.span).contains(&n))))
        }
    }
}

fn compared(shape: &mut Dice, (a, is_a): Number, (b, is_b): Number) -> Condition {
    match shape.roll(5) {
        0 => (a.eq_to(b), Box::new(move |s| is_a(s).zip(is_b(s)).map(|(a, b)| a == b))),
        1 => (a.lt_to(b), Box::new(move |s| is_a(s).zip(is_b(s)).map(|(a, b)| a < b))),
        2 => (a.ge_to(b), Box::new(move |s| is_a(s).zip(is_b(s)).map(|(a, b)| a >= b))),
        3 => (a.is_same_as(b), Box::new(move |s| Some(is_a(s) == is_b(s)))),
        _ => (a.is_distinct_from(b), Box::new(move |s| Some(is_a(s) != is_b(s)))),
    }
}

/// A number, at most so deep: small enough for the arithmetic of the server.
fn number(shape: &mut Dice, values: &mut Dice, depth: usize) -> Number {
    let n = values.number(-5, 5);
    if depth == 0 {
        return match shape.roll(3) {
            0 => (Sample::N.nullable(), Box::new(|s| Some(i64::from(s.n)))),
            1 => (Sample::M.expr(), Box::new(|s| s.m.map(i64::from))),
            _ => (wreath_orm::expr::value(n).nullable(), Box::new(move |_| Some(i64::from(n)))),
        };
    }
    let (a, is_a) = number(shape, values, depth - 1);
    match shape.roll(7) {
        0 => (a.coalesce(n).nullable(), Box::new(move |s| is_a(s).or(Some(i64::from(n))))),
        1 => (a.abs(), Box::new(move |s| is_a(s).map(i64::abs))),
        2 => (-a, Box::new(move |s| is_a(s).map(|a| -a))),
        3 => {
            let (if_so, is_so) = condition(shape, values, depth - 1);
            (when(if_so, a).end(), Box::new(move |s| if is_so(s) == Some(true) { is_a(s) } else { None }))
        }
        op => {
            let (b, is_b) = number(shape, values, depth - 1);
            let calculate: fn(i64, i64) -> i64 = match op {
                4 => |a, b| a + b,
                5 => |a, b| a - b,
                _ => |a, b| a * b,
            };
            let expr = match op {
                4 => a + b,
                5 => a - b,
                _ => a * b,
            };
            (expr, Box::new(move |s| is_a(s).zip(is_b(s)).map(|(a, b)| calculate(a, b))))
        }
    }
}

type Sorted = (Expr<Sample, Option<i32>>, fn(&Sample) -> Option<i32>);
type Compare = Box<dyn Fn(&Sample, &Sample) -> Ordering + Send + Sync>;

/// Orders, the last of them by the key, beside what they mean.
pub fn orders(dice: &mut Dice) -> (Vec<Order<Sample>>, Compare) {
    let (mut orders, mut compare): (Vec<Order<Sample>>, Vec<Compare>) = (Vec::new(), Vec::new());
    for _ in 0..dice.roll(4) {
        let (of, value): Sorted = match dice.roll(4) {
            0 => (Sample::N.nullable(), |s| Some(s.n)),
            1 => (Sample::M.expr(), |s| s.m),
            2 => (Sample::M + Sample::N, |s| s.m.map(|m| m + s.n)),
            _ => (Sample::NUMS.element(1), |s| s.nums.as_ref().and_then(|nums| nums.first().copied())),
        };
        let descending = dice.roll(2) == 0;
        let order = if descending { of.desc() } else { of.asc() };
        // Unless told otherwise, NULL is the largest.
        let (order, nulls_last) = match dice.roll(3) {
            0 => (order, !descending),
            1 => (order.nulls_first(), false),
            _ => (order.nulls_last(), true),
        };
        orders.push(order);
        compare.push(Box::new(move |a, b| {
            let (a, b) = (value(a), value(b));
            let nulls = a.is_none().cmp(&b.is_none());
            let nulls = if nulls_last { nulls } else { nulls.reverse() };
            let values = a.zip(b).map_or(Ordering::Equal, |(a, b)| a.cmp(&b));
            nulls.then(if descending { values.reverse() } else { values })
        }));
    }
    orders.push(Sample::ID.asc());
    compare.push(Box::new(|a, b| a.id.cmp(&b.id)));
    (
        orders,
        Box::new(move |a, b| {
            compare.iter().fold(Ordering::Equal, |so_far, by| so_far.then_with(|| by(a, b)))
        }),
    )
}
