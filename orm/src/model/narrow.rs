//! Stricter models over the same table.

use crate::check::Violation;
use crate::error::{Error, Result};
use crate::model::{Declared, Model, describe};

/// The model that a stricter one narrows, and how the stricter one lends it.
///
/// Checks and rules only ever accumulate: whatever the wider model refuses, the stricter one refuses too, so every
/// object of it is an object of the wider one by construction. The two share a table and its columns.
///
/// ```
/// use wreath_orm::{Column, Columns, Load, Model, Narrow, Narrows, Num, Result, Source, Table};
///
/// pub struct Employee { pub id: i64, pub salary: i64 }
/// impl Employee {
///     pub const ID: Column<Self, i64> = Self::TABLE.col("id", |e| &e.id).identity();
///     pub const SALARY: Column<Self, i64> = Self::TABLE.col("salary", |e| &e.salary).checks(&[Num::Ge(0)]);
/// }
/// # impl Load<Self> for Employee {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, salary: s.get(Self::SALARY)? })
/// #     }
/// # }
/// # impl Model for Employee {
/// #     const TABLE: Table<Self> = Table::new("employees");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
///
/// pub struct Intern(pub Employee);
/// impl Intern {
///     pub const ID: Column<Self, i64> = Employee::ID.narrow(|i| &i.0.id, &[]);
///     pub const SALARY: Column<Self, i64> = Employee::SALARY.narrow(|i| &i.0.salary, &[Num::Le(50_000)]);
/// }
/// impl Load<Self> for Intern {
///     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
///         Ok(Self(Employee { id: s.get(Self::ID)?, salary: s.get(Self::SALARY)? }))
///     }
/// }
/// impl Model for Intern {
///     const TABLE: Table<Self> = Employee::TABLE.narrow();
///     const NARROWS: Option<&'static dyn Narrows<Self>> = Some(&Narrow(|i: &Self| &i.0));
///     type Key = i64;
///     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// }
///
/// let kinds = |salary| {
///     let broken = Intern(Employee { id: 1, salary }).validate().err();
///     broken.map(|e| e.violations().iter().map(|v| v.kind()).collect::<Vec<_>>())
/// };
/// assert_eq!(kinds(40_000), None);
/// assert_eq!(kinds(60_000), Some(vec!["le"])); // its own
/// assert_eq!(kinds(-1), Some(vec!["ge"])); // what it narrows
/// ```
#[derive(Debug)]
pub struct Narrow<M, B>(pub fn(&M) -> &B);

/// Something that a model narrows: a [`Narrow`].
pub trait Narrows<M>: sealed::Sealed + Send + Sync {
    /// Asks the checks and rules of the wider model.
    #[doc(hidden)]
    fn violations(
        &self,
        object: &M,
        present: &dyn Fn(&str) -> bool,
        found: &mut Vec<Violation>,
    ) -> Result<()>;

    /// Whether a rule of the wider model names the column.
    #[doc(hidden)]
    fn is_ruled(&self, column: &str, known: &dyn Fn(&str) -> bool) -> bool;

    /// Whether both are of one table and its columns, and the wider model's name.
    #[doc(hidden)]
    fn verify(&self, table: &str, columns: &[Declared]) -> Result<&'static str>;
}

mod sealed {
    /// Keeps [`Narrows`](super::Narrows) to this crate.
    pub trait Sealed {}
}

impl<M, B> sealed::Sealed for Narrow<M, B> {}

impl<M: 'static, B: Model> Narrows<M> for Narrow<M, B> {
    fn violations(
        &self,
        object: &M,
        present: &dyn Fn(&str) -> bool,
        found: &mut Vec<Violation>,
    ) -> Result<()> {
        describe::<B>()?.violations((self.0)(object), present, found)
    }

    fn is_ruled(&self, column: &str, known: &dyn Fn(&str) -> bool) -> bool {
        describe::<B>().is_ok_and(|of| of.is_ruled(column, known))
    }

    fn verify(&self, table: &str, columns: &[Declared]) -> Result<&'static str> {
        let wider = describe::<B>()?;
        if wider.table.to_string() != table {
            return Err(Error::declaration(format!("it narrows {}, which is of another table", wider.model)));
        }
        let missing = wider.columns.iter().find(|of| !columns.iter().any(|c| c.id == of.id));
        let added = columns.iter().find(|c| !wider.columns.iter().any(|of| of.id == c.id));
        match missing.or(added) {
            None => Ok(wider.model),
            Some(column) => {
                let detail = format!("it narrows {}, and one of the two lacks the column", wider.model);
                Err(Error::declaration(detail).at(column.name))
            }
        }
    }
}
