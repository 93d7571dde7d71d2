//! The parameters of a query's statements.

use wreath_codecs::ParamBuf;

use crate::error::{Error, Result};
use crate::expr::Tape;

/// The parameters of a statement, in the order in which its SQL numbers them, and those of the statements
/// that follow it.
#[derive(Debug, Default)]
pub struct Binds {
    pub(crate) params: ParamBuf,
    /// One for each to-many relation, in the order of the plan.
    pub(crate) follows: Vec<Binds>,
}

impl Binds {
    /// Appends the values on a tape.
    #[inline]
    pub(crate) fn tape(&mut self, tape: &Tape) -> Result<()> {
        if let Some(error) = &tape.error {
            return Err(Error::from(error.clone()));
        }
        Ok(self.params.append(&tape.binds)?)
    }

    /// Appends a count of rows, where there is one.
    pub(crate) fn count(&mut self, rows: Option<u64>) -> Result<()> {
        match rows {
            Some(rows) => Ok(self.params.push(&i64::try_from(rows).unwrap_or(i64::MAX))?),
            None => Ok(()),
        }
    }

    /// Appends what `bind` does as the parameters of a statement that follows.
    pub(crate) fn follow(&mut self, bind: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let mut inner = Self::default();
        bind(&mut inner)?;
        self.follows.push(inner);
        Ok(())
    }
}
