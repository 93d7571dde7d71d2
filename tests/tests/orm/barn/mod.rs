//! Models with every kind of relation: barns with stalls (a key of two columns), goats in them, herds that goats
//! belong to through two kinds of tables between, and a bell for a goat. Their names are hostile.

mod data;
mod models;

pub(crate) use data::Barn;
pub(crate) use models::{Bell, Goat, Herd, Stall, Visit};
