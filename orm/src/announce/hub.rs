//! Where announcements go through.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A table, by its schema and name.
pub(crate) type TableId = (Option<&'static str>, &'static str);

/// Who listens, and to what.
#[derive(Default)]
pub(crate) struct Hub(Mutex<Vec<Arc<Listener>>>);

pub(crate) struct Listener {
    pub(crate) tables: Vec<TableId>,
    pub(crate) call: Box<dyn Fn() + Send + Sync>,
    /// How many calls have panicked.
    pub(crate) errors: AtomicU64,
}

impl Hub {
    pub(crate) fn add(&self, listener: Arc<Listener>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    pub(crate) fn remove(&self, listener: &Arc<Listener>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| !Arc::ptr_eq(known, listener));
    }

    /// Tells whoever listens to one of these tables, once each. A listener that panics does not fail the writer.
    pub(crate) fn announce(&self, tables: &[TableId]) {
        if tables.is_empty() {
            return;
        }
        // Called outside the lock: a listener may stop itself or begin another.
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for listener in all.iter().filter(|l| l.tables.iter().any(|table| tables.contains(table))) {
            if catch_unwind(AssertUnwindSafe(|| (listener.call)())).is_err() {
                listener.errors.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listeners = self.0.lock().unwrap_or_else(PoisonError::into_inner).len();
        f.debug_struct("Hub").field("listeners", &listeners).finish()
    }
}
