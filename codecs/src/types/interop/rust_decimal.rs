//! Decimal numbers of `rust_decimal`: 96 bits and up to 28 decimals.

use rust_decimal::Decimal;

use super::through::through;
use crate::error::RangeError;
use crate::types::Numeric;
use crate::types::builtin::builtin;
use crate::types::range::elements;

builtin! { Decimal, 1700, 1231; }

through! { Decimal => Numeric; }

elements! { Decimal: NUMRANGE, NUMRANGE_ARRAY, NUMMULTIRANGE, NUMMULTIRANGE_ARRAY; }

impl From<&Decimal> for Numeric {
    fn from(n: &Decimal) -> Self {
        let scale = u16::try_from(n.scale()).expect("at most 28");
        Self::new(n.mantissa(), scale)
    }
}

/// The scale is kept where it fits; else zeros at the end are dropped. Fails for what has too many digits, NaN and
/// the infinities.
impl TryFrom<Numeric> for Decimal {
    type Error = RangeError;

    fn try_from(n: Numeric) -> Result<Self, RangeError> {
        let fit =
            |(unscaled, scale): (i128, u16)| Self::try_from_i128_with_scale(unscaled, scale.into()).ok();
        let kept = n.unscaled().and_then(fit);
        kept.or_else(|| n.stripped().unscaled().and_then(fit))
            .ok_or_else(|| RangeError::new(n, "rust_decimal::Decimal"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oid;
    use crate::types::interop::through::refused;

    #[test]
    fn what_is_held_comes_back_and_the_rest_is_refused() {
        let tiny = "0.0000000000000000000000000000000000000000000000000000000000000001";
        assert_eq!(refused::<Decimal>(oid::NUMERIC), ["NaN", "Infinity", "-Infinity", tiny]);
        for n in [Decimal::MAX, Decimal::MIN, Decimal::new(-1, 28), Decimal::ZERO] {
            assert_eq!(Decimal::try_from(Numeric::from(&n)), Ok(n));
        }
    }

    #[test]
    fn zeros_at_the_end_are_dropped_when_they_do_not_fit() {
        let n: Numeric = "12345678901234.5000000000000000000000000000000".parse().expect("parses");
        assert_eq!(Decimal::try_from(n).expect("fits").to_string(), "12345678901234.5");
        let n: Numeric = "79228162514264337593543950336".parse().expect("parses");
        assert!(Decimal::try_from(n).is_err());
    }
}
