//! The verb.

use super::Batch;
use crate::connection::Client;
use crate::error::Result;
use crate::params::Params;

impl Client {
    /// Runs a statement and answers its rows column by column: for results that are counted, sorted or drawn, rather
    /// than read row by row.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let batch = client.fetch_batch("SELECT age FROM llamas WHERE age IS NOT NULL", ()).await?;
    /// let ages: &[i32] = batch.column("age")?.values().expect("the column is an integer");
    /// println!("the oldest is {:?}", ages.iter().max());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`execute`](Self::execute), and `Decode` when a value is not what its column says.
    pub async fn fetch_batch(&self, sql: &str, params: impl Params) -> Result<Batch> {
        Batch::from_rows(self.fetch(sql, params).await?)
    }
}
