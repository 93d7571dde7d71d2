//! Values of other crates, each behind a feature of the crate's name: what `wreath-codecs` reads and writes with the
//! feature of that name can be a column.

/// One row a type: the type, its argument, its checks, and the type of ours whose samples it takes.
#[allow(unused_macros, reason = "used by each feature")]
macro_rules! values {
    ($($t:ty, $arg:ty, $check:ty, $own:ty;)*) => {
        $(impl $crate::model::Value for $t {
            type Arg<'a> = $arg;
            type Check = $check;

            #[allow(clippy::unnecessary_fallible_conversions, reason = "some types hold all that ours does")]
            fn sample(n: u32) -> Self {
                Self::try_from(<$own as $crate::model::Value>::sample(n)).expect("a small count is in range")
            }
        })*

        #[cfg(test)]
        #[test]
        fn samples_differ() {
            $(super::differ::<$t>();)*
        }
    };
}

#[cfg(feature = "bigdecimal")]
mod bigdecimal {
    use bigdecimal::BigDecimal;
    use wreath_codecs::types::Numeric;

    use crate::check::Num;

    values! { BigDecimal, &'a Self, Num<Self>, Numeric; }
}

#[cfg(feature = "chrono")]
mod chrono {
    use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};
    use wreath_codecs::types::{Date, Time, Timestamp, TimestampTz};

    use crate::check::Num;

    values! {
        NaiveDate, Self, Num<Self>, Date;
        NaiveTime, Self, Num<Self>, Time;
        NaiveDateTime, Self, Num<Self>, Timestamp;
        DateTime<Utc>, Self, Num<Self>, TimestampTz;
        DateTime<FixedOffset>, Self, Num<Self>, TimestampTz;
    }
}

#[cfg(feature = "ipnet")]
mod ipnet {
    use ipnet::IpNet;
    use wreath_codecs::types::Cidr;

    use crate::check::Plain;

    values! { IpNet, Self, Plain<Self>, Cidr; }
}

#[cfg(feature = "jiff")]
mod jiff {
    use jiff::civil;
    use wreath_codecs::types::{Date, Time, Timestamp, TimestampTz};

    use crate::check::Num;

    values! {
        civil::Date, Self, Num<Self>, Date;
        civil::Time, Self, Num<Self>, Time;
        civil::DateTime, Self, Num<Self>, Timestamp;
        jiff::Timestamp, Self, Num<Self>, TimestampTz;
    }
}

#[cfg(feature = "rust_decimal")]
mod rust_decimal {
    use rust_decimal::Decimal;
    use wreath_codecs::types::Numeric;

    use crate::check::Num;

    values! { Decimal, Self, Num<Self>, Numeric; }
}

#[cfg(feature = "time")]
mod time {
    use time::{OffsetDateTime, PrimitiveDateTime, UtcDateTime};
    use wreath_codecs::types::{Date, Time, Timestamp, TimestampTz};

    use crate::check::Num;

    values! {
        time::Date, Self, Num<Self>, Date;
        time::Time, Self, Num<Self>, Time;
        PrimitiveDateTime, Self, Num<Self>, Timestamp;
        OffsetDateTime, Self, Num<Self>, TimestampTz;
        UtcDateTime, Self, Num<Self>, TimestampTz;
    }
}

/// Two samples have two encodings, by which a swap of fields is found.
#[cfg(test)]
#[allow(dead_code, reason = "used by each feature")]
fn differ<V: super::Value>() {
    let [one, two] = [1, 2].map(|n| {
        let mut out = wreath_codecs::Encoder::new();
        V::sample(n).encode(&mut out).expect("a sample can be sent");
        out.as_bytes().to_vec()
    });
    assert_ne!(one, two);
}
