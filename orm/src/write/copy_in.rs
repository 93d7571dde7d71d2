//! COPY of many rows.

use std::fmt;

use wreath_codecs::{Oid, ParamBuf, oid};
use wreath_driver::{CopyRows, Workload};

use crate::compile;
use crate::db::{Db, Handle};
use crate::error::{Error, Result};
use crate::model::{Declared, Description, Fill, Hook, Model, describe};
use crate::session::Session;
use crate::write::Sent;

/// Rows that are being copied to the server; made by [`Db::copy_in`] and [`Session::copy_in`]. For more rows than
/// one statement should take, or than should be in memory at once.
///
/// Dropped without [`finish`](Self::finish), the copy fails, and nothing of it stays.
///
/// ```no_run
/// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table};
/// # pub struct Llama { id: i64, name: String }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id).identity();
/// #     const NAME: Column<Self, String> = Self::TABLE.col("name", |l| &l.name);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, name: s.get(Self::NAME)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// # async fn f(db: Db) -> Result<()> {
/// let mut copy = db.copy_in::<Llama>().await?;
/// for n in 0..1_000_000 {
///     copy.send(&Llama { id: 0, name: format!("llama {n}") }).await?;
/// }
/// assert_eq!(copy.finish().await?, 1_000_000);
/// # Ok(())
/// # }
/// ```
#[must_use = "a copy that is dropped fails"]
pub struct CopyIn<'t, M: Model> {
    rows: CopyRows,
    of: &'static Description<M>,
    sent: Sent,
    row: ParamBuf,
    /// Who announces what has been written; in an open transaction, its commit does.
    announces: Option<Db>,
    on: On<'t>,
}

/// What the connection is borrowed from.
enum On<'t> {
    Db(Handle),
    Session(std::marker::PhantomData<&'t mut Session>),
}

impl Db {
    /// Begins to copy rows to the table of `M`. Columns that the server numbers or computes are not sent.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), when a column is a `String` and of no text type in the
    /// database: a copy converts nothing. [`Database`](crate::ErrorKind::Database), for what the server refuses.
    pub async fn copy_in<M: Model>(&self) -> Result<CopyIn<'_, M>> {
        let handle = self.acquire(Workload::Write).await?;
        let (of, sent) = prepare::<M>()?;
        let rows = begin(self.run(&handle), of, &sent).await?;
        Ok(CopyIn { rows, of, sent, row: ParamBuf::new(), announces: Some(self.clone()), on: On::Db(handle) })
    }
}

impl Session {
    /// Begins to copy rows to the table of `M` on the session's connection, and so in its transaction.
    ///
    /// # Errors
    /// As [`Db::copy_in`].
    pub async fn copy_in<M: Model>(&mut self) -> Result<CopyIn<'_, M>> {
        self.certain()?;
        self.connect().await?;
        let (of, sent) = prepare::<M>()?;
        let rows = begin(self.run()?, of, &sent).await?;
        let announces = self.announces::<M>();
        let on = On::Session(std::marker::PhantomData);
        Ok(CopyIn { rows, of, sent, row: ParamBuf::new(), announces, on })
    }
}

fn prepare<M: Model>() -> Result<(&'static Description<M>, Sent)> {
    let of = describe::<M>()?;
    of.unhooked(|hook| matches!(hook, Hook::AfterInsert(_)))?;
    let sent = Sent::new(of, |_| false);
    if sent.places.is_empty() {
        return Err(Error::declaration("the server makes all columns: there is nothing to copy").of(of.model));
    }
    match sent.places.iter().map(|&place| &of.columns[place]).find(|column| !is_as_sent(column)) {
        None => Ok((of, sent)),
        Some(column) => {
            let detail = "a string is sent for a column of another type, which a copy does not convert";
            Err(Error::declaration(detail).of(of.model).at(column.name))
        }
    }
}

async fn begin<M: Model>(run: crate::db::Runner<'_>, of: &Description<M>, sent: &Sent) -> Result<CopyRows> {
    // The numbers of named types have to be known before the connection is busy.
    let mut types = ParamBuf::new();
    for column in sent.places.iter().map(|&place| &of.columns[place]) {
        let element = match column.oid {
            Oid::ArrayOf(name) => Some(Oid::Named(name)),
            _ => None,
        };
        for oid in element.into_iter().chain([column.oid]).filter(|oid| oid.fixed().is_none()) {
            types.push_with(oid, |out| {
                out.put_i32(-1);
                Ok(())
            })?;
        }
    }
    if !types.is_resolved() {
        run.client.resolve(&mut types).await?;
    }
    run.copy_rows(&compile::copy(of, &sent.places)).await
}

/// Whether what is sent for a column has the type of the column: a string is text, whatever takes it elsewhere.
fn is_as_sent(column: &Declared) -> bool {
    let Some(sql_type) = column.sql_type.filter(|_| column.oid == Oid::Fixed(oid::TEXT)) else { return true };
    let name = sql_type.split('(').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(
        name.as_str(),
        "text" | "varchar" | "character varying" | "char" | "character" | "bpchar" | "name" | "citext"
    )
}

impl<M: Model> CopyIn<'_, M> {
    /// Sends a row. It waits while about 1 MiB waits to be written.
    ///
    /// # Errors
    /// [`Invalid`](crate::ErrorKind::Invalid) and [`Encode`](crate::ErrorKind::Encode): the row is left out, and the
    /// copy goes on. [`Database`](crate::ErrorKind::Database), when the server has refused the copy.
    pub async fn send(&mut self, object: &M) -> Result<()> {
        let stamped = self.of.prepared(object, Fill::Insert)?;
        let object = stamped.as_ref().unwrap_or(object);
        self.of.check(object)?;
        self.row.clear();
        for &place in &self.sent.places {
            let named = |e| Error::from(e).of(self.of.model).at(self.of.columns[place].name);
            self.of.fields[place].bind(object, &mut self.row).map_err(named)?;
        }
        Ok(self.rows.send(&self.row).await?)
    }

    /// Ends the copy; answers how many rows there are more.
    ///
    /// # Errors
    /// [`Database`](crate::ErrorKind::Database), when the server refuses the copy, as for a violated constraint:
    /// nothing of it stays.
    pub async fn finish(self) -> Result<u64> {
        let rows = self.rows.finish().await?;
        if let Some(db) = self.announces {
            db.announce::<M>();
        }
        Ok(rows)
    }
}

impl<M: Model> fmt::Debug for CopyIn<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = match &self.on {
            On::Db(handle) => format!("{handle:?}"),
            On::Session(_) => "a session".to_owned(),
        };
        f.debug_struct("CopyIn").field("model", &self.of.model).field("on", &on).finish_non_exhaustive()
    }
}
