//! Decimal numbers of `bigdecimal`, of any length.

use bigdecimal::BigDecimal;

use super::through::through;
use crate::error::RangeError;
use crate::types::Numeric;
use crate::types::builtin::builtin;
use crate::types::range::elements;

builtin! { BigDecimal, 1700, 1231; }

through! { BigDecimal => Numeric; }

elements! { BigDecimal: NUMRANGE, NUMRANGE_ARRAY, NUMMULTIRANGE, NUMMULTIRANGE_ARRAY; }

/// Fails for what has more digits than the server holds.
impl TryFrom<&BigDecimal> for Numeric {
    type Error = RangeError;

    fn try_from(n: &BigDecimal) -> Result<Self, RangeError> {
        let (digits, scale) = n.as_bigint_and_exponent();
        let exponent = i128::from(scale);
        let text = format!("{digits}e{}", -exponent);
        text.parse().map_err(|_| RangeError::new(n, "numeric"))
    }
}

/// Fails for NaN and the infinities.
impl TryFrom<Numeric> for BigDecimal {
    type Error = RangeError;

    fn try_from(n: Numeric) -> Result<Self, RangeError> {
        n.to_string().parse().map_err(|_| RangeError::new(n, "bigdecimal::BigDecimal"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oid;
    use crate::types::interop::through::refused;

    #[test]
    fn what_is_held_comes_back_and_the_rest_is_refused() {
        assert_eq!(refused::<BigDecimal>(oid::NUMERIC), ["NaN", "Infinity", "-Infinity"]);
        let thousands: BigDecimal = "12e3".parse().expect("parses");
        assert_eq!(Numeric::try_from(&thousands).expect("fits").to_string(), "12000");
        let huge: BigDecimal = "1e999999".parse().expect("parses");
        assert!(Numeric::try_from(&huge).is_err());
    }
}
