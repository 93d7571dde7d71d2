//! What the statements of one script have answered.

use crate::proto::statement::RawColumn;
use crate::row::Arrived;
use crate::tag::CommandTag;

/// The results of a script so far.
#[derive(Debug, Default)]
pub(crate) struct Results {
    /// Those of the statements that have ended, in order.
    done: Vec<(Vec<RawColumn>, Arrived)>,
    /// The columns of the statement that is running, if it returns rows.
    columns: Option<Vec<RawColumn>>,
}

impl Results {
    /// The statement that is running returns rows of these columns.
    pub(crate) fn described(&mut self, columns: Vec<RawColumn>) {
        self.columns = Some(columns);
    }

    /// Whether rows can come.
    pub(crate) fn takes_rows(&self) -> bool {
        self.columns.is_some()
    }

    /// A statement has ended: `reply` holds its rows.
    pub(crate) fn completed(&mut self, mut reply: Arrived, tag: CommandTag) {
        reply.tag = tag;
        self.done.push((self.columns.take().unwrap_or_default(), reply));
    }

    /// The columns and what arrived, for each statement.
    pub(crate) fn into_done(self) -> Vec<(Vec<RawColumn>, Arrived)> {
        self.done
    }
}
