//! What a queue answers when it does not take an item in.

use std::fmt;

/// An item that a queue did not take in, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PutError<T> {
    /// The queue, or the item's lane, is full.
    Full(T),
    /// The queue is closed.
    Closed(T),
    /// Its priority is not a number.
    NotANumber(T),
    /// Its lane is new, and there are as many lanes as there may be.
    TooManyLanes(T),
}

impl<T> PutError<T> {
    /// The item.
    pub fn into_inner(self) -> T {
        match self {
            Self::Full(item) | Self::Closed(item) | Self::NotANumber(item) | Self::TooManyLanes(item) => item,
        }
    }
}

impl<T> fmt::Display for PutError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full(_) => "the queue is full",
            Self::Closed(_) => "the queue is closed",
            Self::NotANumber(_) => "the priority is not a number",
            Self::TooManyLanes(_) => "the queue has as many lanes as it may have",
        })
    }
}

impl<T: fmt::Debug> std::error::Error for PutError<T> {}
