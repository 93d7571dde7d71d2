//! orm
