//! What can be wrong with a message.

use std::fmt;

/// A message that cannot be read, or that cannot be sent.
///
/// It is small and owns nothing: a peer that sends nonsense costs no allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameError {
    message: &'static str,
    fault: Fault,
}

/// The kinds of [`FrameError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The length that the message states is below what it needs itself.
    Length(i32),
    /// The message is longer than allowed; both in bytes.
    TooLong {
        /// Its length.
        len: usize,
        /// The most that is allowed.
        max: usize,
    },
    /// The bytes end before the message does.
    Truncated,
    /// This many bytes are left over after the message.
    Trailing(usize),
    /// A value's length is negative, and not the -1 that NULL has.
    NegativeLength(i32),
    /// No message has this tag.
    Tag(u8),
    /// A number or letter in the message has no meaning.
    Code(u32),
    /// A count that does not fit what it counts.
    Count(usize),
    /// Text with a zero byte in it, which would end it early.
    Nul,
    /// An empty name, which would end its list early.
    EmptyName,
}

impl FrameError {
    #[cold]
    pub(super) const fn new(message: &'static str, fault: Fault) -> Self {
        Self { message, fault }
    }

    /// The message, by its name in the manual; `"header"` where only the header was read.
    pub const fn message(&self) -> &'static str {
        self.message
    }

    /// What is wrong with it.
    pub const fn fault(&self) -> Fault {
        self.fault
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.message, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Length(n) => write!(f, "a length of {n} is below the message's own minimum"),
            Self::TooLong { len, max } => write!(f, "{len} bytes are more than the {max} allowed"),
            Self::Truncated => f.write_str("the bytes end before the message does"),
            Self::Trailing(n) => write!(f, "{n} bytes are left over after the message"),
            Self::NegativeLength(n) => write!(f, "a value has the negative length {n}"),
            Self::Tag(tag) => write!(f, "no message has the tag {:?} ({tag:#04x})", char::from(tag)),
            Self::Code(code) => write!(f, "the code {code} has no meaning here"),
            Self::Count(n) => write!(f, "a count of {n} does not fit"),
            Self::Nul => f.write_str("text with a zero byte in it"),
            Self::EmptyName => f.write_str("an empty name in a list that an empty name ends"),
        }
    }
}

impl std::error::Error for FrameError {}
