//! A small scanner for the server's text forms.

/// What is left of a text that is being parsed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan<'a>(&'a str);

impl<'a> Scan<'a> {
    /// A scanner at the start of `text`.
    pub(crate) fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// Takes `prefix`, where it comes next.
    pub(crate) fn eat(&mut self, prefix: char) -> bool {
        match self.0.strip_prefix(prefix) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// Takes `prefix`, where it comes next.
    pub(crate) fn eat_str(&mut self, prefix: &str) -> bool {
        match self.0.strip_prefix(prefix) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// Takes the decimal digits that come next: at least `min` and at most `max` of them.
    pub(crate) fn digits(&mut self, min: usize, max: usize) -> Option<&'a str> {
        let n = self.0.bytes().take_while(u8::is_ascii_digit).count();
        if n < min || n > max {
            return None;
        }
        let (digits, rest) = self.0.split_at(n);
        self.0 = rest;
        Some(digits)
    }

    /// Takes a number without a sign, of `min` to `max` digits.
    pub(crate) fn number<T: std::str::FromStr>(&mut self, min: usize, max: usize) -> Option<T> {
        self.digits(min, max)?.parse().ok()
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a str {
        self.0
    }

    /// Whether nothing is left.
    pub(crate) fn is_done(&self) -> bool {
        self.0.is_empty()
    }
}
