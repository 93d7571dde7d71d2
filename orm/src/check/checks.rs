//! Checks of single values.

use std::fmt;

use wreath_codecs::types::Numeric;

/// A condition on a value of type `V`. NULL is never checked.
pub trait Check<V: ?Sized>: fmt::Debug + Send + Sync + 'static {
    /// Whether the value may be.
    fn holds(&self, value: &V) -> bool;

    /// What kind of check it is, for programs: `ge`, `length`, `one_of`.
    fn kind(&self) -> &'static str;

    /// What it asks for, for people: "must be at least 0".
    fn message(&self) -> String;
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
}

impl<T: PartialOrd + fmt::Debug + Send + Sync + 'static> Check<T> for Num<T> {
    fn holds(&self, value: &T) -> bool {
        match self {
            Self::Ge(bound) => value >= bound,
            Self::Gt(bound) => value > bound,
            Self::Le(bound) => value <= bound,
            Self::Lt(bound) => value < bound,
            Self::OneOf(set) => set.contains(value),
            Self::Is(_, test) => test(value),
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
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Ge(bound) => format!("must be at least {bound:?}"),
            Self::Gt(bound) => format!("must be more than {bound:?}"),
            Self::Le(bound) => format!("must be at most {bound:?}"),
            Self::Lt(bound) => format!("must be less than {bound:?}"),
            Self::OneOf(set) => format!("must be one of {set:?}"),
            Self::Is(message, _) => (*message).to_owned(),
        }
    }
}

/// Checks of text.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Text {
    /// At least and at most so many characters (not bytes).
    Length(usize, usize),
    /// One of these.
    OneOf(&'static [&'static str]),
    /// What the function says, described by the message.
    Is(&'static str, fn(&str) -> bool),
}

impl<S: AsRef<str> + ?Sized> Check<S> for Text {
    fn holds(&self, value: &S) -> bool {
        let value = value.as_ref();
        match self {
            Self::Length(least, most) => (*least..=*most).contains(&value.chars().count()),
            Self::OneOf(set) => set.contains(&value),
            Self::Is(_, test) => test(value),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Length(..) => "length",
            Self::OneOf(_) => "one_of",
            Self::Is(..) => "predicate",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Length(least, most) => format!("must have {least} to {most} characters"),
            Self::OneOf(set) => format!("must be one of {set:?}"),
            Self::Is(message, _) => (*message).to_owned(),
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
}

impl Check<Numeric> for Decimal {
    fn holds(&self, value: &Numeric) -> bool {
        match *self {
            Self::Ge(bound) => *value >= Numeric::from(bound),
            Self::Gt(bound) => *value > Numeric::from(bound),
            Self::Le(bound) => *value <= Numeric::from(bound),
            Self::Lt(bound) => *value < Numeric::from(bound),
            Self::Scale(most) => value.scale() <= most,
            Self::Is(_, test) => test(value),
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
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Ge(bound) => format!("must be at least {bound}"),
            Self::Gt(bound) => format!("must be more than {bound}"),
            Self::Le(bound) => format!("must be at most {bound}"),
            Self::Lt(bound) => format!("must be less than {bound}"),
            Self::Scale(most) => format!("must have at most {most} digits behind the point"),
            Self::Is(message, _) => (*message).to_owned(),
        }
    }
}

/// Checks of byte strings.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Bytes {
    /// At least and at most so many bytes.
    Length(usize, usize),
    /// What the function says, described by the message.
    Is(&'static str, fn(&[u8]) -> bool),
}

impl<B: AsRef<[u8]> + ?Sized> Check<B> for Bytes {
    fn holds(&self, value: &B) -> bool {
        match self {
            Self::Length(least, most) => (*least..=*most).contains(&value.as_ref().len()),
            Self::Is(_, test) => test(value.as_ref()),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Length(..) => "length",
            Self::Is(..) => "predicate",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Length(least, most) => format!("must have {least} to {most} bytes"),
            Self::Is(message, _) => (*message).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_counts_characters() {
        let check = Text::Length(1, 3);
        assert!(Check::<str>::holds(&check, "äöü"));
        assert!(!Check::<str>::holds(&check, ""));
        assert!(!Check::<str>::holds(&check, "four"));
    }

    #[test]
    fn comparisons_hold_at_their_bounds() {
        assert!(Num::Ge(3).holds(&3) && !Num::Ge(3).holds(&2));
        assert!(Num::Gt(3).holds(&4) && !Num::Gt(3).holds(&3));
        assert!(Num::Le(3).holds(&3) && !Num::Le(3).holds(&4));
        assert!(Num::Lt(3).holds(&2) && !Num::Lt(3).holds(&3));
        assert!(Num::OneOf(&[1, 2]).holds(&2) && !Num::OneOf(&[1, 2]).holds(&3));
        assert!(!Num::Ge(0.0).holds(&f64::NAN), "an unordered value meets no bound");
    }
}
