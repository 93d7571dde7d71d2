//! The driver's engine and pool, under everything that a caller, a network or a server can do to them.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is how a test fails, in its fixtures too")]

mod databases;
mod drops;
mod echo;
mod faults;
mod fixture;
mod leases;
mod locks;
mod mixture;
mod outages;
mod plans;
mod poolers;
mod pools;
mod storm;
mod wakeups;
