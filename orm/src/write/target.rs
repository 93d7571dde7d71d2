//! Where a write runs.

use std::sync::Arc;

use wreath_codecs::ParamBuf;
use wreath_driver::{Rows, Workload};

use crate::db::{Db, Handle, Runner};
use crate::error::Result;
use crate::model::Model;
use crate::plan::{Key, Plan};
use crate::session::Session;

/// Where a write runs: on any connection of a database, or in a session and so in its transaction.
pub(crate) enum Target<'t> {
    Db(&'t Db),
    Session(&'t mut Session),
}

/// A statement of a write, together with what its plan is found by.
pub(crate) struct Statement<C> {
    pub(crate) key: Key,
    pub(crate) params: Vec<ParamBuf>,
    pub(crate) compile: C,
}

impl Target<'_> {
    /// Runs a statement of a write of `M`, once for each set of parameters: all or nothing.
    ///
    /// With `stale`, the objects that a session holds are no longer what the database has. Unless the write has
    /// failed for certain, the session lets go of them, also where the future is dropped on the way.
    pub(crate) async fn run<M: Model>(
        &mut self,
        stale: bool,
        statement: Statement<impl Fn() -> Result<Plan>>,
    ) -> Result<(Arc<Plan>, Vec<Rows>)> {
        let answer = self.done::<M>(stale, statement).await?;
        match self {
            Self::Db(db) => db.announce::<M>(),
            Self::Session(session) => session.wrote((M::TABLE.schema_name(), M::TABLE.name())),
        }
        Ok(answer)
    }

    async fn done<M: Model>(
        &mut self,
        stale: bool,
        statement: Statement<impl Fn() -> Result<Plan>>,
    ) -> Result<(Arc<Plan>, Vec<Rows>)> {
        match self {
            Self::Db(db) => {
                let handle: Handle = db.acquire(Workload::Write).await?;
                all_or_nothing(db.run(&handle), statement).await
            }
            Self::Session(session) if stale => {
                session.settled::<M>()?;
                session.connect().await?;
                let mut letting_go = LetGo::<M> { session, done: true, model: std::marker::PhantomData };
                let answer = all_or_nothing(letting_go.session.run()?, statement).await;
                let lost =
                    |e: &crate::Error| e.database().is_some_and(wreath_driver::Error::is_connection_lost);
                letting_go.done = answer.as_ref().map_or_else(lost, |_| true);
                answer
            }
            Self::Session(session) => {
                session.certain()?;
                session.connect().await?;
                all_or_nothing(session.run()?, statement).await
            }
        }
    }
}

/// Lets a session go of its objects of a model, unless told that nothing has happened to them.
struct LetGo<'s, M: Model> {
    session: &'s mut Session,
    done: bool,
    model: std::marker::PhantomData<fn(M)>,
}

impl<M: Model> Drop for LetGo<'_, M> {
    fn drop(&mut self) {
        if self.done {
            self.session.let_go::<M>();
        }
    }
}

/// One statement needs no transaction of its own; several are in one.
async fn all_or_nothing(
    run: Runner<'_>,
    mut statement: Statement<impl Fn() -> Result<Plan>>,
) -> Result<(Arc<Plan>, Vec<Rows>)> {
    let plan = run.plan(&statement.key, &statement.compile)?;
    if statement.params.len() == 1
        && let Some(params) = statement.params.pop()
    {
        let rows = run.send(&plan.sql, params).await?;
        plan.level.check(rows.columns())?;
        return Ok((plan, vec![rows]));
    }
    let transaction = run.client.begin().await?;
    let mut answers = Vec::with_capacity(statement.params.len());
    {
        let inside = Runner { client: &transaction, ..run };
        let mut params = statement.params.into_iter().peekable();
        while params.peek().is_some() {
            let flight = params.by_ref().take(crate::db::FLIGHT);
            answers.extend(crate::db::all(flight.map(|p| inside.send(&plan.sql, p)).collect()).await?);
        }
    }
    for rows in &answers {
        plan.level.check(rows.columns())?;
    }
    transaction.commit().await?;
    Ok((plan, answers))
}
