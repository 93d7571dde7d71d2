//! Portals: results of a transaction that the server keeps, and gives piece by piece.

use std::sync::Arc;

use wreath_codecs::frame::frontend;
use wreath_codecs::frame::frontend::Target;

use super::{Pipeline, not_sent};
use crate::error::Result;
use crate::proto::op::{Delivery, Op, OpKey, Work};
use crate::proto::scope::Scope;
use crate::proto::statement::Statement;

impl Pipeline {
    /// Asks for more rows of an open portal. Nobody can cancel that: it would cost the transaction.
    pub(crate) fn fetch_portal(
        &mut self,
        portal: &str,
        statement: &Arc<Statement>,
        rows: i32,
        scope: Scope,
    ) -> Result<OpKey> {
        self.admit(scope, 1)?;
        let work = Work::Run { statement: Arc::clone(statement), parses: false, delivery: Delivery::Portal };
        let op = Op::new(work, self.leaves());
        let emitted = self.emit(op, |out| {
            frontend::execute(out, portal, rows)?;
            frontend::sync(out);
            Ok(())
        });
        emitted.map_err(|(_, e)| not_sent(e))
    }

    /// Closes a portal whose transaction or savepoint goes on; `None` where it has ended, and the portal with it.
    pub(crate) fn close_portal(&mut self, portal: &str, scope: Scope) -> Option<OpKey> {
        if self.broken.is_some() || !self.scopes.is_open(scope) {
            return None;
        }
        let op = Op::new(Work::Close, self.leaves());
        let emitted = self.emit(op, |out| {
            frontend::close(out, Target::portal(portal))?;
            frontend::sync(out);
            Ok(())
        });
        emitted.ok()
    }
}
