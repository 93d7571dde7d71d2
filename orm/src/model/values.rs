//! The built-in values.

use std::net::{IpAddr, Ipv4Addr};
use std::ops::Bound;
use std::time::{Duration, SystemTime};

use wreath_codecs::types::{
    Array, Bit, Cidr, Date, Geography, Geometry, HalfVec, Hstore, Inet, Interval, JsonPath, Ltree, MacAddr,
    MacAddr8, Money, Multirange, Numeric, PgLsn, Point, Range, RangeElement, Rect, SparseVec, Time, TimeTz,
    Timestamp, TimestampTz, TsQuery, TsVector, Uuid, Vector, Xid8,
};
use wreath_codecs::{Decode, Encode};

use crate::check::{Bytes, Decimal, Items, Num, Plain, Text, Vectors};
use crate::model::{Element, Value};

/// One row a type: the type, its argument, its checks, and its `n`-th sample.
macro_rules! values {
    ($($t:ty, $arg:ty, $check:ty, $n:ident => $sample:expr;)*) => {$(
        impl Value for $t {
            type Arg<'a> = $arg;
            type Check = $check;

            fn sample($n: u32) -> Self {
                $sample
            }
        }
    )*};
}

values! {
    bool, bool, Num<bool>, n => n.is_multiple_of(2);
    i16, i16, Num<i16>, n => i16::try_from(n % 0x7fff).unwrap_or_default();
    i32, i32, Num<i32>, n => i32::try_from(n).unwrap_or(i32::MAX);
    i64, i64, Num<i64>, n => i64::from(n);
    u32, u32, Num<u32>, n => n;
    f32, f32, Num<f32>, n => f32::from(u16::try_from(n).unwrap_or(u16::MAX));
    f64, f64, Num<f64>, n => f64::from(n);
    Numeric, &'a Numeric, Decimal, n => Numeric::from(i64::from(n));
    String, &'a str, Text, n => n.to_string();
    Vec<u8>, &'a [u8], Bytes, n => n.to_be_bytes().to_vec();
    Uuid, Uuid, Plain<Self>, n => Uuid::from_bytes(u128::from(n).to_be_bytes());
    Date, Date, Num<Date>, n => Date::from_days(i32::from(few(n))).expect(IN_RANGE);
    Time, Time, Num<Time>, n => Time::from_micros(i64::from(n)).expect(IN_RANGE);
    TimeTz, TimeTz, Num<TimeTz>, n => TimeTz::new(Time::sample(n), 0).expect(IN_RANGE);
    Timestamp, Timestamp, Num<Timestamp>, n => Timestamp::from_micros(i64::from(n)).expect(IN_RANGE);
    TimestampTz, TimestampTz, Num<TimestampTz>, n => TimestampTz::from_micros(i64::from(n)).expect(IN_RANGE);
    SystemTime, SystemTime, Num<SystemTime>, n => Self::UNIX_EPOCH + Duration::from_secs(u64::from(n));
    Interval, Interval, Plain<Self>, n => Self { micros: i64::from(n), ..Self::default() };
    Money, Money, Num<Money>, n => Self(i64::from(n));
    Inet, Inet, Plain<Self>, n => Self::new(IpAddr::V4(Ipv4Addr::from_bits(n)), 32).expect(IN_RANGE);
    Cidr, Cidr, Plain<Self>, n => Self::new(IpAddr::V4(Ipv4Addr::from_bits(n)), 32).expect(IN_RANGE);
    MacAddr, MacAddr, Plain<Self>, n => {
        let [a, b, c, d] = n.to_be_bytes();
        Self([0, 0, a, b, c, d])
    };
    MacAddr8, MacAddr8, Plain<Self>, n => Self(u64::from(n).to_be_bytes());
    Bit, &'a Bit, Plain<Self>, n => Self::from_bytes(n.to_be_bytes().to_vec(), 32).expect(IN_RANGE);
    Point, Point, Plain<Self>, n => Self { x: f64::from(n), y: 0.0 };
    Rect, Rect, Plain<Self>, n => Self::new(Point::sample(n), Point { x: 0.0, y: 0.0 });
    PgLsn, PgLsn, Plain<Self>, n => Self(u64::from(n));
    Xid8, Xid8, Plain<Self>, n => Self(u64::from(n));
    JsonPath, &'a JsonPath, Plain<Self>, n => Self(format!("$.a{n}"));
    TsVector, &'a TsVector, Plain<Self>, n => format!("a{n}").parse().expect("one lexeme");
    TsQuery, &'a TsQuery, Plain<Self>, n => format!("a{n}").parse().expect("one word");
    Hstore, &'a Hstore, Plain<Self>, n => format!("a=>{n}").parse().expect("one pair");
    Ltree, &'a Ltree, Plain<Self>, n => Self(format!("a{n}"));
    Vector, &'a Vector, Vectors<Self>, n => Self(vec![f32::from(few(n))]);
    HalfVec, &'a HalfVec, Vectors<Self>, n => Self(vec![f32::from(few(n % 2048))]);
    SparseVec, &'a SparseVec, Vectors<Self>, n => Self::new(1, [(1, f32::from(few(n).max(1)))]).expect(IN_RANGE);
    Geometry, &'a Geometry, Plain<Self>, n => Self::point(f64::from(n), 0.0);
    Geography, &'a Geography, Plain<Self>, n => Self(Geometry::point(f64::from(n % 180), 0.0).with_srid(4326));
}

const IN_RANGE: &str = "a small count is in range";

fn few(n: u32) -> i16 {
    i16::try_from(n % 0x7fff).unwrap_or_default()
}

/// An array of one dimension. Its elements may not be NULL; for that, see `Vec<Option<T>>`.
impl<T: Value> Value for Vec<T> {
    type Arg<'a> = &'a [T];
    type Check = Items<T>;

    fn sample(n: u32) -> Self {
        vec![T::sample(n)]
    }
}

/// An array of one dimension whose elements may be NULL.
impl<T: Value> Value for Vec<Option<T>> {
    type Arg<'a> = &'a [Option<T>];
    type Check = Items<Option<T>>;

    fn sample(n: u32) -> Self {
        vec![Some(T::sample(n)), None]
    }
}

/// An array of any dimension, with its lower bounds. Its elements may be NULL.
impl<T: Value> Value for Array<T> {
    type Arg<'a> = &'a Self;
    type Check = Plain<Self>;

    fn sample(n: u32) -> Self {
        vec![Some(T::sample(n))].into()
    }
}

impl<T: Value + RangeElement> Value for Range<T>
where
    Self: Encode + for<'r> Decode<'r>,
{
    type Arg<'a> = &'a Self;
    type Check = Plain<Self>;

    fn sample(n: u32) -> Self {
        Self::Span(Bound::Included(T::sample(n)), Bound::Unbounded)
    }
}

impl<T: Value + RangeElement> Value for Multirange<T>
where
    Self: Encode + for<'r> Decode<'r>,
{
    type Arg<'a> = &'a Self;
    type Check = Plain<Self>;

    fn sample(n: u32) -> Self {
        Self(vec![Range::sample(n)])
    }
}

impl Element<Vec<u8>> for &[u8] {}

#[cfg(feature = "uuid")]
impl Value for uuid::Uuid {
    type Arg<'a> = Self;
    type Check = Plain<Self>;

    fn sample(n: u32) -> Self {
        Self::from_u128(u128::from(n))
    }
}

#[cfg(feature = "serde_json")]
mod json {
    use wreath_codecs::types::Json;
    use wreath_codecs::{Decode, Encode};

    use super::{Plain, Value};

    impl Value for serde_json::Value {
        type Arg<'a> = &'a Self;
        type Check = Plain<Self>;

        fn sample(n: u32) -> Self {
            Self::from(n)
        }
    }

    /// Its samples are all the default value, so two columns of one `T` are not told apart when a mapping is
    /// tested.
    impl<T> Value for Json<T>
    where
        T: Default + Send + Sync + 'static,
        Self: Encode + for<'r> Decode<'r>,
    {
        type Arg<'a> = &'a Self;
        type Check = Plain<Self>;

        fn sample(_: u32) -> Self {
            Self::default()
        }
    }
}
