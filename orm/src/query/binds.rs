//! The parameters of a query's statements.

use wreath_codecs::wire::Reader;
use wreath_codecs::{Oid, ParamBuf};

use crate::error::{Error, Result};
use crate::expr::Tape;

/// The parameters of a statement, in the order in which its SQL numbers them, and those of the statements
/// that follow it.
#[derive(Debug, Default)]
pub struct Binds {
    pub(crate) params: ParamBuf,
    /// One for each to-many relation, in the order of the plan.
    pub(crate) follows: Vec<Binds>,
    /// The values that may come again, where some share a parameter.
    sharing: Option<Sharing>,
}

/// The server takes `age / $1` and `age / $2` for two expressions, whatever the values: a value of what rows are
/// grouped by is one parameter in all places.
#[derive(Debug, Default)]
struct Sharing {
    /// The number of each parameter, in the order in which the SQL has them.
    numbers: Vec<usize>,
    /// How many parameters have been numbered.
    params: usize,
    known: Vec<Known>,
}

/// A value that has a parameter already.
#[derive(Debug)]
struct Known {
    oid: Oid,
    value: Option<Box<[u8]>>,
    number: usize,
}

impl Binds {
    /// Parameters of which some are one.
    pub(crate) fn sharing() -> Self {
        Self { sharing: Some(Sharing::default()), ..Self::default() }
    }

    /// The number of each parameter, in the order in which the SQL has them; none where each is its own.
    pub(crate) fn into_numbers(self) -> Vec<usize> {
        self.sharing.map(|sharing| sharing.numbers).unwrap_or_default()
    }

    /// Appends the values on a tape.
    #[inline]
    pub(crate) fn tape(&mut self, tape: &Tape) -> Result<()> {
        if let Some(error) = &tape.error {
            return Err(Error::from(error.clone()));
        }
        self.params.append(&tape.binds)?;
        self.number();
        Ok(())
    }

    /// Appends the values on a tape of what is selected, grouped or ordered by, which may come again.
    pub(crate) fn repeatable(&mut self, tape: &Tape) -> Result<()> {
        let Self { params, sharing: Some(sharing), .. } = self else { return self.tape(tape) };
        if tape.error.is_some() || !tape.binds.is_resolved() {
            return self.tape(tape);
        }
        let mut values = Reader::new(tape.binds.values().as_bytes());
        for &oid in tape.binds.types() {
            let value = values.value().map_err(Error::mapping)?;
            let same = |known: &&Known| known.oid == oid && known.value.as_deref() == value;
            if let Some(&Known { number, .. }) = sharing.known.iter().find(same) {
                sharing.numbers.push(number);
                continue;
            }
            params.push_with(oid, |out| match value {
                None => {
                    out.put_i32(-1);
                    Ok(())
                }
                Some(bytes) => out.put_sized(|out| {
                    out.put(bytes);
                    Ok(())
                }),
            })?;
            sharing.params = params.len();
            sharing.numbers.push(sharing.params);
            sharing.known.push(Known { oid, value: value.map(Into::into), number: sharing.params });
        }
        Ok(())
    }

    /// Numbers the last parameters, each for itself.
    #[inline]
    fn number(&mut self) {
        if let Some(sharing) = &mut self.sharing {
            let first = sharing.params + 1;
            sharing.params = self.params.len();
            sharing.numbers.extend(first..=sharing.params);
        }
    }

    /// Appends a count of rows, where there is one.
    pub(crate) fn count(&mut self, rows: Option<u64>) -> Result<()> {
        match rows {
            Some(rows) => {
                self.params.push(&i64::try_from(rows).unwrap_or(i64::MAX))?;
                self.number();
                Ok(())
            }
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
