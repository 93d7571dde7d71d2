//! Scripts: several statements through the simple protocol (PostgreSQL manual, "Message Flow", Simple Query).

use crate::connection::client::Client;
use crate::connection::reply::Pending;
use crate::error::Result;
use crate::proto::pipeline::Keep;
use crate::row::Rows;
use crate::tag::CommandTag;

impl Client {
    /// Runs a script of several statements, without parameters, through the simple protocol: all of it is one
    /// transaction, unless it says otherwise. Answers the tag of each statement; rows are dropped.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// client.batch("CREATE TABLE a (x int); CREATE TABLE b (y int)").await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`execute`](Self::execute), for the first statement that fails; and `Unsupported` when the script waits for
    /// the data of a COPY.
    pub async fn batch(&self, script: &str) -> Result<Vec<CommandTag>> {
        let engine = &self.handle.0;
        let key = engine.submit(|p| p.submit_script(script, Keep::Tags, self.scope), |&key| key)?;
        let pending = Pending::new(engine, key).observed(|| script.into());
        let outcome = self.wait(async { Ok(pending.await) }).await?;
        outcome.error.map_or(Ok(outcome.tags), |e| Err(e.in_statement(&script.into())))
    }

    /// Runs a script as [`batch`](Self::batch) does, and answers the result of each statement: its rows, if it returns
    /// any, and its tag.
    ///
    /// The simple protocol has values in text form only. So they are read as `&str` or `String`, or an `Option` of
    /// them, whatever the column's [`ty`](crate::Column::ty) is.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let results = client.script("UPDATE llamas SET age = age + 1; SELECT name, age FROM llamas").await?;
    /// println!("{} have had their birthday", results[0].tag().rows());
    /// for row in &results[1] {
    ///     println!("{} is {}", row.get::<&str>("name")?, row.get::<&str>("age")?);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`batch`](Self::batch); and `Unsupported` when the script copies data out, although the rest of it has run
    /// then.
    pub async fn script(&self, script: &str) -> Result<Vec<Rows>> {
        let engine = &self.handle.0;
        let key = engine.submit(|p| p.submit_script(script, Keep::Rows, self.scope), |&key| key)?;
        let pending = Pending::new(engine, key).observed(|| script.into());
        let outcome = self.wait(async { Ok(pending.await) }).await?;
        if let Some(e) = outcome.error {
            return Err(e.in_statement(&script.into()));
        }
        let rows = |(columns, reply): (Vec<_>, _)| Rows::new(self.catalog().text_columns(&columns), reply);
        Ok(outcome.results.into_iter().map(rows).collect())
    }
}
