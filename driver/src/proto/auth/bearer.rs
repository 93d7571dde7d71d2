//! OAUTHBEARER: a token instead of a password (RFC 7628).

use std::fmt;

use super::AuthError;
use super::error::shown;

/// The mechanism.
pub(super) const BEARER: &str = "OAUTHBEARER";

/// What the client says when its token was refused, so that the server can say that it is over.
pub(super) const ACKNOWLEDGED: &[u8] = b"\x01";

/// The client's first message. Without a token it asks who issues tokens.
pub(super) fn first(token: Option<&str>) -> Result<String, AuthError> {
    match token {
        None => Ok("n,,\x01auth=\x01\x01".to_owned()),
        Some(token) if is_token(token) => Ok(format!("n,,\x01auth=Bearer {token}\x01\x01")),
        Some(_) => Err(AuthError::Token),
    }
}

/// RFC 6750, `b64token`.
fn is_token(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let fits = |b: u8| b.is_ascii_alphanumeric() || b"-._~+/".contains(&b);
    !body.is_empty() && body.bytes().all(fits)
}

/// Why a server refuses a token, and where another can be had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: Option<String>,
    /// Where the issuer describes itself: `openid-configuration`.
    pub(crate) discovery_url: Option<String>,
    pub(crate) scope: Option<String>,
}

impl Refusal {
    /// Reads a JSON object; what is not in it, or cannot be read, is left out.
    pub(super) fn parse(message: &[u8]) -> Self {
        let mut refusal = Self::default();
        let members = std::str::from_utf8(message).ok().and_then(members);
        for (name, value) in members.unwrap_or_default() {
            match name.as_str() {
                "status" => refusal.status = Some(value),
                "openid-configuration" => refusal.discovery_url = Some(value),
                "scope" => refusal.scope = Some(value),
                _ => {}
            }
        }
        refusal
    }
}

/// As text of a peer that is not trusted yet.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said =
            [("status", &self.status), ("scope", &self.scope), ("openid-configuration", &self.discovery_url)];
        let said =
            said.into_iter().filter_map(|(name, text)| Some(format!("{name} {}", shown(text.as_ref()?))));
        write!(f, "the server does not take the token ({})", said.collect::<Vec<_>>().join(", "))
    }
}

/// The members of a JSON object whose values are strings.
fn members(json: &str) -> Option<Vec<(String, String)>> {
    let mut rest = Json(json);
    let mut found = Vec::new();
    rest.take('{')?;
    if rest.take('}').is_some() {
        return Some(found);
    }
    loop {
        let name = rest.string()?;
        rest.take(':')?;
        match rest.string() {
            Some(value) => found.push((name, value)),
            None => rest.skip_value()?,
        }
        if rest.take(',').is_none() {
            rest.take('}')?;
            return rest.0.trim().is_empty().then_some(found);
        }
    }
}

/// The rest of a JSON text.
struct Json<'a>(&'a str);

impl Json<'_> {
    fn take(&mut self, c: char) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(c)?;
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        let mut chars = self.0.trim_start().strip_prefix('"')?.chars();
        let mut text = String::new();
        loop {
            match chars.next()? {
                '"' => break,
                '\\' => text.push(match chars.next()? {
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'u' => {
                        let digits: String = chars.by_ref().take(4).collect();
                        // Half of a pair is nothing that belongs here.
                        char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                    }
                    other => other,
                }),
                c => text.push(c),
            }
        }
        self.0 = chars.as_str();
        Some(text)
    }

    /// Goes to the comma or brace behind a value that is no string.
    fn skip_value(&mut self) -> Option<()> {
        let mut depth = 0_u32;
        loop {
            self.0 = self.0.trim_start();
            match self.0.chars().next()? {
                ',' | '}' | ']' if depth == 0 => return Some(()),
                '"' => {
                    self.string()?;
                    continue;
                }
                '{' | '[' => depth += 1,
                '}' | ']' => depth -= 1,
                _ => {}
            }
            let mut chars = self.0.chars();
            chars.next();
            self.0 = chars.as_str();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_messages() {
        assert_eq!(first(None).as_deref(), Ok("n,,\x01auth=\x01\x01"));
        assert_eq!(
            first(Some("a.b-c_d~e+f/g==")).as_deref(),
            Ok("n,,\x01auth=Bearer a.b-c_d~e+f/g==\x01\x01")
        );
        for token in ["", "=", "a b", "a\x01auth=x", "a=b", "é", "a\n"] {
            assert_eq!(first(Some(token)), Err(AuthError::Token), "{token:?}");
        }
    }

    #[test]
    fn refusals() {
        let whole = r#" { "status" : "invalid_token", "more": [1, {"scope": "no"}, "]"], "n": null,
            "openid-configuration":"https://issuer.example/.well-known\/x", "scope":"a \u0062\t" } "#;
        let refusal = Refusal::parse(whole.as_bytes());
        assert_eq!(refusal.status.as_deref(), Some("invalid_token"));
        assert_eq!(refusal.discovery_url.as_deref(), Some("https://issuer.example/.well-known/x"));
        assert_eq!(refusal.scope.as_deref(), Some("a b\t"));
        for end in 0..whole.trim_end().len() {
            assert_eq!(Refusal::parse(&whole.as_bytes()[..end]), Refusal::default(), "{end}");
        }
        for other in ["{}", "[]", "", "{\"status\"}", "{\"status\":\"\\ud800\"}", "{\"a\":1}}", "{\"a\":]"] {
            assert_eq!(Refusal::parse(other.as_bytes()), Refusal::default(), "{other}");
        }
    }
}
