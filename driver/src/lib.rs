//! A pipelined PostgreSQL driver that speaks the wire protocol itself.

#![forbid(unsafe_code)]

mod proto;
