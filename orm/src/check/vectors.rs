//! Checks of vectors.

use std::fmt;

use wreath_codecs::types::{HalfVec, SparseVec, Vector};

use crate::check::Check;

pub(crate) mod sealed {
    /// What has dimensions.
    pub trait Dimensioned {
        /// How many.
        fn dimensions(&self) -> usize;
    }
}

use sealed::Dimensioned;

impl Dimensioned for Vector {
    fn dimensions(&self) -> usize {
        self.0.len()
    }
}

impl Dimensioned for HalfVec {
    fn dimensions(&self) -> usize {
        self.0.len()
    }
}

impl Dimensioned for SparseVec {
    fn dimensions(&self) -> usize {
        usize::try_from(self.dimensions()).unwrap_or(usize::MAX)
    }
}

/// Checks of vectors (pgvector).
///
/// ```
/// use wreath_orm::{Column, Table, Vectors, codecs::types::Vector};
///
/// struct Page { meaning: Vector }
/// const TABLE: Table<Page> = Table::new("pages");
/// // A `vector(384)` for `create_tables`; a vector of other dimensions is refused before it is sent.
/// const MEANING: Column<Page, Vector> = TABLE.col("meaning", |p| &p.meaning).checks(&[Vectors::Dimensions(384)]);
/// ```
#[non_exhaustive]
pub enum Vectors<T: 'static> {
    /// Exactly so many dimensions.
    Dimensions(usize),
    /// What the function says, described by the message.
    Is(&'static str, fn(&T) -> bool),
    /// The same, with a kind of its own for programs.
    Named(&'static str, &'static str, fn(&T) -> bool),
}

impl<T> fmt::Debug for Vectors<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dimensions(dimensions) => write!(f, "Vectors::Dimensions({dimensions})"),
            Self::Is(message, _) | Self::Named(_, message, _) => write!(f, "Vectors({message:?})"),
        }
    }
}

impl<T: Dimensioned + 'static> Check<T> for Vectors<T> {
    fn holds(&self, value: &T) -> bool {
        match self {
            Self::Dimensions(dimensions) => value.dimensions() == *dimensions,
            Self::Is(_, test) | Self::Named(_, _, test) => test(value),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Dimensions(_) => "dimensions",
            Self::Is(..) => "predicate",
            Self::Named(kind, ..) => kind,
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Dimensions(dimensions) => format!("must have {dimensions} dimensions"),
            Self::Is(message, _) | Self::Named(_, message, _) => (*message).to_owned(),
        }
    }

    fn declared(&self) -> Result<(), String> {
        match self {
            Self::Dimensions(0) => Err("no vector has no dimensions".to_owned()),
            _ => Ok(()),
        }
    }

    fn modifier(&self) -> Option<String> {
        match self {
            Self::Dimensions(dimensions) => Some(dimensions.to_string()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_are_counted() {
        let three = Vectors::Dimensions(3);
        assert!(three.holds(&Vector(vec![0.0; 3])) && !three.holds(&Vector(vec![0.0; 2])));
        let sparse = SparseVec::new(3, [(1, 1.0)]).expect("is in range");
        assert!(Vectors::Dimensions(3).holds(&sparse) && !Vectors::Dimensions(1).holds(&sparse));
        assert!(Vectors::<HalfVec>::Dimensions(0).declared().is_err());
        assert_eq!(three.modifier().as_deref(), Some("3"));
    }
}
