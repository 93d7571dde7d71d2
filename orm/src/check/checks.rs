//! Checks of single values.

use std::fmt;

use wreath_codecs::types::Numeric;
use wreath_codecs::{Encode, PgType};

use crate::check::literal::{literal, literals};

/// A condition on a value of type `V`. NULL is never checked.
///
/// The checks of this crate cover the built-in types; a type of one's own can have one of its own, as its
/// [`Value::Check`](crate::Value::Check).
///
/// ```
/// use wreath_orm::Check;
///
/// /// Fleeces come in multiples of so many grams.
/// #[derive(Debug)]
/// struct Step(i32);
///
/// impl Check<i32> for Step {
///     fn holds(&self, value: &i32) -> bool { value % self.0 == 0 }
///     fn kind(&self) -> &'static str { "step" }
///     fn message(&self) -> String { format!("must be a multiple of {}", self.0) }
///     fn to_sql(&self, column: &str) -> Option<String> { Some(format!("{column} % {} = 0", self.0)) }
/// }
/// assert!(Step(5).holds(&20) && !Step(5).holds(&21));
/// ```
pub trait Check<V: ?Sized>: fmt::Debug + Send + Sync + 'static {
    /// Whether the value may be.
    fn holds(&self, value: &V) -> bool;

    /// What kind of check it is, for programs: `ge`, `length`, `one_of`.
    fn kind(&self) -> &'static str;

    /// What it asks for, for people: "must be at least 0".
    fn message(&self) -> String;

    /// Whether it is declared rightly. What it says otherwise is the error with which the model's declaration
    /// fails.
    ///
    /// # Errors
    /// When no value could pass, or a pattern is none.
    fn declared(&self) -> Result<(), String> {
        Ok(())
    }

    /// The same condition in SQL, of a column whose quoted name is given; `None` where SQL does not say the
    /// same. For tables that [hold their checks](crate::Item::Checks) too.
    fn to_sql(&self, column: &str) -> Option<String> {
        let _ = column;
        None
    }

    /// The modifier that it gives the column's type in `create_tables`, such as the `3` of `vector(3)`; `None` for
    /// none. A column with an [`sql_type`](crate::Column::sql_type) has that one's.
    fn modifier(&self) -> Option<String> {
        None
    }
}

/// No check: the [`Value::Check`](crate::Value::Check) of a type that has none. It has no values.
#[derive(Clone, Copy, Debug)]
pub enum NoCheck {}

impl<V: ?Sized> Check<V> for NoCheck {
    fn holds(&self, _: &V) -> bool {
        match *self {}
    }

    fn kind(&self) -> &'static str {
        match *self {}
    }

    fn message(&self) -> String {
        match *self {}
    }
}

/// Checks of numbers, dates and everything else that has an order.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Num<T: 'static> {
    /// At least this.
    Ge(T),
    /// More than this.
    Gt(T),
    /// At most this.
    Le(T),
    /// Less than this.
    Lt(T),
    /// One of these.
    OneOf(&'static [T]),
    /// What the function says, described by the message.
    Is(&'static str, fn(&T) -> bool),
    /// The same, with a kind of its own for programs.
    Named(&'static str, &'static str, fn(&T) -> bool),
}

impl<T: PartialOrd + PgType + Encode + fmt::Debug + Send + Sync + 'static> Check<T> for Num<T> {
    fn holds(&self, value: &T) -> bool {
        match self {
            Self::Ge(bound) => value >= bound,
            Self::Gt(bound) => value > bound,
            Self::Le(bound) => value <= bound,
            Self::Lt(bound) => value < bound,
            Self::OneOf(set) => set.contains(value),
            Self::Is(_, test) | Self::Named(_, _, test) => test(value),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Ge(_) => "ge",
            Self::Gt(_) => "gt",
            Self::Le(_) => "le",
            Self::Lt(_) => "lt",
            Self::OneOf(_) => "one_of",
            Self::Is(..) => "predicate",
            Self::Named(kind, ..) => kind,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Ge(bound) => format!("must be at least {bound:?}"),
            Self::Gt(bound) => format!("must be more than {bound:?}"),
            Self::Le(bound) => format!("must be at most {bound:?}"),
            Self::Lt(bound) => format!("must be less than {bound:?}"),
            Self::OneOf(set) => format!("must be one of {set:?}"),
            Self::Is(message, _) | Self::Named(_, message, _) => (*message).to_owned(),
        }
    }

    fn declared(&self) -> Result<(), String> {
        match self {
            Self::Ge(bound) | Self::Gt(bound) | Self::Le(bound) | Self::Lt(bound)
                if bound.partial_cmp(bound).is_none() =>
            {
                Err(format!("nothing compares with the bound {bound:?}"))
            }
            Self::OneOf([]) => Err("no value is one of none".to_owned()),
            _ => Ok(()),
        }
    }

    fn to_sql(&self, column: &str) -> Option<String> {
        let compared = |operator, bound| Some(format!("{column} {operator} {}", literal(bound)?));
        match self {
            Self::Ge(bound) => compared(">=", bound),
            Self::Gt(bound) => compared(">", bound),
            Self::Le(bound) => compared("<=", bound),
            Self::Lt(bound) => compared("<", bound),
            Self::OneOf(set) => Some(format!("{column} IN ({})", literals(set)?)),
            Self::Is(..) | Self::Named(..) => None,
        }
    }
}

/// Checks of exact decimal numbers, against whole numbers.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Decimal {
    /// At least this.
    Ge(i64),
    /// More than this.
    Gt(i64),
    /// At most this.
    Le(i64),
    /// Less than this.
    Lt(i64),
    /// At most so many digits behind the point.
    Scale(u16),
    /// What the function says, described by the message.
    Is(&'static str, fn(&Numeric) -> bool),
    /// The same, with a kind of its own for programs.
    Named(&'static str, &'static str, fn(&Numeric) -> bool),
}

impl Check<Numeric> for Decimal {
    fn holds(&self, value: &Numeric) -> bool {
        match *self {
            Self::Ge(bound) => *value >= Numeric::from(bound),
            Self::Gt(bound) => *value > Numeric::from(bound),
            Self::Le(bound) => *value <= Numeric::from(bound),
            Self::Lt(bound) => *value < Numeric::from(bound),
            Self::Scale(most) => value.scale() <= most,
            Self::Is(_, test) | Self::Named(_, _, test) => test(value),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Ge(_) => "ge",
            Self::Gt(_) => "gt",
            Self::Le(_) => "le",
            Self::Lt(_) => "lt",
            Self::Scale(_) => "scale",
            Self::Is(..) => "predicate",
            Self::Named(kind, ..) => kind,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Ge(bound) => format!("must be at least {bound}"),
            Self::Gt(bound) => format!("must be more than {bound}"),
            Self::Le(bound) => format!("must be at most {bound}"),
            Self::Lt(bound) => format!("must be less than {bound}"),
            Self::Scale(most) => format!("must have at most {most} digits behind the point"),
            Self::Is(message, _) | Self::Named(_, message, _) => (*message).to_owned(),
        }
    }

    fn to_sql(&self, column: &str) -> Option<String> {
        match self {
            Self::Ge(bound) => Some(format!("{column} >= {bound}")),
            Self::Gt(bound) => Some(format!("{column} > {bound}")),
            Self::Le(bound) => Some(format!("{column} <= {bound}")),
            Self::Lt(bound) => Some(format!("{column} < {bound}")),
            Self::Scale(most) => Some(format!("scale({column}) <= {most}")),
            Self::Is(..) | Self::Named(..) => None,
        }
    }
}

/// Checks of values that have no order of which a bound would mean anything: uuids, networks, documents.
#[non_exhaustive]
pub enum Plain<T: 'static> {
    /// What the function says, described by the message.
    Is(&'static str, fn(&T) -> bool),
    /// The same, with a kind of its own for programs.
    Named(&'static str, &'static str, fn(&T) -> bool),
}

impl<T> fmt::Debug for Plain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Is(message, _) | Self::Named(_, message, _)) = self;
        write!(f, "Plain({message:?})")
    }
}

impl<T: 'static> Check<T> for Plain<T> {
    fn holds(&self, value: &T) -> bool {
        let (Self::Is(_, test) | Self::Named(_, _, test)) = self;
        test(value)
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Is(..) => "predicate",
            Self::Named(kind, ..) => kind,
        }
    }

    fn message(&self) -> String {
        let (Self::Is(message, _) | Self::Named(_, message, _)) = self;
        (*message).to_owned()
    }
}

/// Checks of arrays, as a `Vec` of their items.
#[non_exhaustive]
pub enum Items<T: 'static> {
    /// At least and at most so many items.
    Length(usize, usize),
    /// What the function says, described by the message.
    Is(&'static str, fn(&[T]) -> bool),
    /// The same, with a kind of its own for programs.
    Named(&'static str, &'static str, fn(&[T]) -> bool),
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(least, most) => write!(f, "Items::Length({least}, {most})"),
            Self::Is(message, _) | Self::Named(_, message, _) => write!(f, "Items({message:?})"),
        }
    }
}

impl<T: 'static> Check<Vec<T>> for Items<T> {
    fn holds(&self, value: &Vec<T>) -> bool {
        match self {
            Self::Length(least, most) => (*least..=*most).contains(&value.len()),
            Self::Is(_, test) | Self::Named(_, _, test) => test(value),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Length(..) => "length",
            Self::Is(..) => "predicate",
            Self::Named(kind, ..) => kind,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Length(least, most) => length_message(*least, *most, "items"),
            Self::Is(message, _) | Self::Named(_, message, _) => (*message).to_owned(),
        }
    }

    fn declared(&self) -> Result<(), String> {
        match self {
            Self::Length(least, most) => length_declared(*least, *most),
            _ => Ok(()),
        }
    }

    fn to_sql(&self, column: &str) -> Option<String> {
        match self {
            Self::Length(least, most) => Some(length_sql(&format!("cardinality({column})"), *least, *most)),
            _ => None,
        }
    }
}

pub(super) fn length_message(least: usize, most: usize, what: &str) -> String {
    match (least, most) {
        (_, usize::MAX) => format!("must have at least {least} {what}"),
        (0, _) => format!("must have at most {most} {what}"),
        _ => format!("must have {least} to {most} {what}"),
    }
}

pub(super) fn length_declared(least: usize, most: usize) -> Result<(), String> {
    if least <= most { Ok(()) } else { Err(format!("no length is at least {least} and at most {most}")) }
}

pub(super) fn length_sql(length: &str, least: usize, most: usize) -> String {
    match (least, most) {
        (_, usize::MAX) => format!("{length} >= {least}"),
        (0, _) => format!("{length} <= {most}"),
        _ => format!("{length} BETWEEN {least} AND {most}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_hold_at_their_bounds() {
        assert!(Num::Ge(3).holds(&3) && !Num::Ge(3).holds(&2));
        assert!(Num::Gt(3).holds(&4) && !Num::Gt(3).holds(&3));
        assert!(Num::Le(3).holds(&3) && !Num::Le(3).holds(&4));
        assert!(Num::Lt(3).holds(&2) && !Num::Lt(3).holds(&3));
        assert!(Num::OneOf(&[1, 2]).holds(&2) && !Num::OneOf(&[1, 2]).holds(&3));
        assert!(!Num::Ge(0.0).holds(&f64::NAN), "an unordered value meets no bound");
    }

    #[test]
    fn what_no_value_can_pass_is_declared_wrongly() {
        assert!(Num::Ge(f64::NAN).declared().is_err() && Num::Ge(0.5).declared().is_ok());
        assert!(Num::<i32>::OneOf(&[]).declared().is_err());
        assert!(
            Items::<i32>::Length(2, 1).declared().is_err() && Items::<i32>::Length(1, 1).declared().is_ok()
        );
    }

    #[test]
    fn sql_says_the_same() {
        let sql = |check: &dyn Check<i32>| check.to_sql("\"n\"");
        assert_eq!(sql(&Num::Ge(-3)).as_deref(), Some("\"n\" >= '-3'"));
        assert_eq!(sql(&Num::OneOf(&[1, 2])).as_deref(), Some("\"n\" IN ('1', '2')"));
        assert_eq!(sql(&Num::Is("must be odd", |n| n % 2 == 1)), None);
        assert_eq!(Decimal::Scale(2).to_sql("n").as_deref(), Some("scale(n) <= 2"));
        assert_eq!(Items::<i32>::Length(1, usize::MAX).to_sql("n").as_deref(), Some("cardinality(n) >= 1"));
    }

    #[test]
    fn kinds_can_be_ones_own() {
        let even = Num::Named("even", "must be even", |n: &i32| n % 2 == 0);
        assert_eq!((even.kind(), even.holds(&3), even.message().as_str()), ("even", false, "must be even"));
    }
}
