//! Pages.

use crate::db::{Count, Db};
use crate::error::Result;
use crate::model::Model;
use crate::query::{Output, Select};

/// A page of rows, and how many there are in all; made by [`Db::fetch_page`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page<R> {
    /// The page's rows.
    pub rows: Vec<R>,
    /// How many rows all pages have together.
    pub total: u64,
    /// The page's number, from 1.
    pub page: u64,
    /// How many rows a full page has.
    pub size: u64,
}

impl<R> Page<R> {
    /// How many pages there are.
    pub fn pages(&self) -> u64 {
        self.total.div_ceil(self.size)
    }

    /// Whether a page follows.
    pub fn has_next(&self) -> bool {
        self.page < self.pages()
    }
}

impl Db {
    /// One page of a query's rows and the number of all of them, in one flight; see [`Select::page`]. The query
    /// should have an order that no two rows share a place in.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), when the page or its size is 0, or there cannot be so
    /// many rows; and as [`fetch`](Self::fetch).
    pub async fn fetch_page<M: Model, O: Output<M> + Clone>(
        &self,
        query: &Select<M, O>,
        page: u64,
        size: u64,
    ) -> Result<Page<O::Row>> {
        let (rows, total) = self.together((&query.clone().page(page, size), Count(query))).await?;
        Ok(Page { rows, total, page, size })
    }
}
