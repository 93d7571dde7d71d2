//! What the types of other crates have in common, said once.

/// Implements the binary form of a foreign type through one of ours, given both conversions.
#[allow(unused_macros, reason = "used by each feature")]
macro_rules! through {
    ($($foreign:ty => $own:ty;)*) => {$(
        impl $crate::types::builtin::Builtin<'_> for $foreign {
            fn put(&self, out: &mut $crate::types::Encoder) -> Result<(), $crate::error::EncodeError> {
                <$own>::try_from(self).map_err($crate::error::RangeError::from)?.put(out)
            }

            fn get(r: &mut $crate::wire::Reader<'_>) -> Result<Self, $crate::error::DecodeError> {
                let own = <$own as $crate::types::builtin::Builtin<'_>>::get(r)?;
                Ok(Self::try_from(own).map_err($crate::error::RangeError::from)?)
            }
        }
    )*};
}

#[allow(unused_imports, reason = "used by each feature")]
pub(crate) use through;

/// The samples of a type that `T` refuses. All others come back as they were.
#[cfg(test)]
#[allow(dead_code, reason = "used by each feature")]
pub(super) fn refused<T>(oid: u32) -> Vec<&'static str>
where
    T: for<'r> crate::Decode<'r> + crate::Encode,
{
    use crate::types::{Value, samples};

    let ty = crate::Type::from_oid(oid).expect("is built in");
    assert!(T::accepts(&ty));
    let mut refused = Vec::new();
    for &sample in samples(&ty) {
        let Ok(held) = Value::parse(&ty, sample).expect("a sample").to::<T>() else {
            refused.push(sample);
            continue;
        };
        let mut out = crate::Encoder::new();
        held.encode(&mut out).expect("it was sent");
        let back = Value::decode(&ty, Some(out.as_bytes())).expect("decodes");
        assert_eq!(back.to_string(), sample);
    }
    refused
}
