//! The parameters of a statement.

use wreath_codecs::{Encode, EncodeError, ParamBuf};

/// What can be given as a statement's parameters, `$1` first: a tuple of values of any types, a slice, an
/// array or a vector of values of one type, or a [`ParamBuf`] that has been filled before.
///
/// ```
/// use wreath_driver::Params;
/// use wreath_codecs::{Encode, ParamBuf};
///
/// fn count(params: impl Params) -> usize {
///     let mut buf = ParamBuf::new();
///     params.encode(&mut buf).expect("all of these can be sent");
///     buf.len()
/// }
///
/// assert_eq!(count(()), 0);
/// assert_eq!(count((7_i64, "Dolly", None::<f64>)), 3);
/// assert_eq!(count([1_i32, 2, 3, 4]), 4);
/// assert_eq!(count(&[&7_i64 as &(dyn Encode + Sync), &"Dolly"][..]), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be given as a statement's parameters",
    label = "expected `()`, a tuple, a slice or a vector of values",
    note = "one parameter is a tuple of one: `(x,)`"
)]
pub trait Params {
    /// Appends the parameters to `out`.
    ///
    /// # Errors
    /// When one of them has no form that PostgreSQL takes; the error names its place.
    fn encode(&self, out: &mut ParamBuf) -> Result<(), EncodeError>;
}

impl<T: Encode> Params for [T] {
    fn encode(&self, out: &mut ParamBuf) -> Result<(), EncodeError> {
        self.iter().try_for_each(|value| out.push(value))
    }
}

impl<T: Encode, const N: usize> Params for [T; N] {
    fn encode(&self, out: &mut ParamBuf) -> Result<(), EncodeError> {
        self.as_slice().encode(out)
    }
}

impl<T: Encode> Params for Vec<T> {
    fn encode(&self, out: &mut ParamBuf) -> Result<(), EncodeError> {
        self.as_slice().encode(out)
    }
}

impl Params for ParamBuf {
    fn encode(&self, out: &mut ParamBuf) -> Result<(), EncodeError> {
        out.append(self)
    }
}

impl<T: Params + ?Sized> Params for &T {
    fn encode(&self, out: &mut ParamBuf) -> Result<(), EncodeError> {
        (**self).encode(out)
    }
}

impl Params for () {
    fn encode(&self, _: &mut ParamBuf) -> Result<(), EncodeError> {
        Ok(())
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)*) => {$(
        impl<$($name: Encode),+> Params for ($($name,)+) {
            fn encode(&self, out: &mut ParamBuf) -> Result<(), EncodeError> {
                #[expect(non_snake_case, reason = "one name serves for the type and its value")]
                let ($($name,)+) = self;
                $(out.push($name)?;)+
                Ok(())
            }
        }
    )*};
}

tuples! {
    A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H; A B C D E F G H I;
    A B C D E F G H I J; A B C D E F G H I J K; A B C D E F G H I J K L; A B C D E F G H I J K L M;
    A B C D E F G H I J K L M N; A B C D E F G H I J K L M N O; A B C D E F G H I J K L M N O P;
}
