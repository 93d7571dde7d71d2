//! Which tenant.

use crate::error::{Error, Result};

/// How a [`Db`](crate::Db) maps tables without a schema to those of the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaMode {
    /// There is one of each: they are found through the connection's own `search_path`.
    #[default]
    Single,
    /// Each tenant has its own, in a schema of its own. Sessions name their [tenant](crate::Session::with_tenant).
    Isolated,
    /// The same, and each tenant has a role of its own too, which keeps others' tables out of its reach.
    IsolatedByRole,
}

/// A tenant: its schema, and its role where the server is to keep tenants apart.
///
/// Take the names from a directory of the application's own, never from a request: they decide whose data is seen.
///
/// ```
/// use wreath_orm::Tenant;
///
/// let tenant = Tenant::new("farm_7")?.role("farm_7_service")?;
/// assert_eq!((tenant.schema(), tenant.role_name()), ("farm_7", Some("farm_7_service")));
/// assert!(Tenant::new("farm; DROP TABLE llamas").is_err());
/// # Ok::<(), wreath_orm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tenant {
    schema: String,
    role: Option<String>,
}

impl Tenant {
    /// The tenant with this schema.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), unless it is an identifier that needs no quotes (lower-case
    /// letters, digits and `_`, not more than 63, and no digit first) and is none of the server's own (`pg_...`).
    pub fn new(schema: impl Into<String>) -> Result<Self> {
        Ok(Self { schema: identifier(schema.into(), "schema")?, role: None })
    }

    /// The same, with the role that its transactions take on.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn role(self, role: impl Into<String>) -> Result<Self> {
        Ok(Self { role: Some(identifier(role.into(), "role")?), ..self })
    }

    /// The schema.
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// The role, where it has one.
    pub fn role_name(&self) -> Option<&str> {
        self.role.as_deref()
    }
}

/// The longest identifier that the server keeps whole (`NAMEDATALEN` - 1).
const LONGEST: usize = 63;

fn identifier(name: String, what: &str) -> Result<String> {
    let starts = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    let goes_on = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if starts && goes_on && name.len() <= LONGEST && !name.starts_with("pg_") {
        return Ok(name);
    }
    Err(Error::declaration(format!("{name:?} cannot be the {what} of a tenant: it is no plain identifier")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_identifiers_are_names() {
        for good in ["a", "_7", "farm_7", &"x".repeat(63)] {
            assert!(Tenant::new(good).is_ok(), "{good}");
        }
        for bad in ["", "7a", "A", "a b", "a\"", "a,b", "a.b", "pg_catalog", "ä", "a\0", &"x".repeat(64)] {
            assert!(
                Tenant::new(bad).is_err() && Tenant::new("a").and_then(|t| t.role(bad)).is_err(),
                "{bad}"
            );
        }
    }
}
