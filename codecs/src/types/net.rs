//! Network addresses.

use std::cmp::Ordering;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use crate::error::{DecodeError, EncodeError, ParseError, RangeError};
use crate::types::Encoder;
use crate::types::builtin::{Builtin, builtin};
use crate::types::text_form::text_form;
use crate::wire::Reader;

/// An `inet`: a host's address, and how many of its bits are the network's.
///
/// A plain [`IpAddr`] is an `inet` too: one without a network, as most are.
///
/// ```
/// use wreath_codecs::types::Inet;
///
/// let host: Inet = "192.168.1.7/24".parse()?;
/// assert_eq!((host.address().to_string(), host.prefix()), ("192.168.1.7".to_owned(), 24));
/// # Ok::<(), wreath_codecs::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inet {
    address: IpAddr,
    prefix: u8,
}

/// A `cidr`: a network's address. No bit behind the network's is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cidr(Inet);

/// A `macaddr`, of six bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MacAddr(pub [u8; 6]);

/// A `macaddr8`, of eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MacAddr8(pub [u8; 8]);

builtin! {
    Inet, 869, 1041;
    IpAddr, 869, 1041;
    Cidr, 650, 651;
    MacAddr, 829, 1040;
    MacAddr8, 774, 775;
}
text_form! { Inet, Cidr, MacAddr, MacAddr8 }

/// How the two families are called in binary form, and how many bits their addresses have.
const V4: (u8, u8) = (2, 32);
const V6: (u8, u8) = (3, 128);

const fn family(address: IpAddr) -> (u8, u8) {
    match address {
        IpAddr::V4(_) => V4,
        IpAddr::V6(_) => V6,
    }
}

/// The address as a number, its first bit at the top.
fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => u128::from(v4.to_bits()) << 96,
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

/// The first `prefix` bits of such a number.
fn network(number: u128, prefix: u8) -> u128 {
    number & !u128::MAX.checked_shr(u32::from(prefix)).unwrap_or(0)
}

impl Inet {
    /// An address whose first `prefix` bits are the network's.
    ///
    /// # Errors
    /// When the address does not have as many bits.
    #[inline]
    pub fn new(address: IpAddr, prefix: u8) -> Result<Self, RangeError> {
        if prefix <= family(address).1 {
            Ok(Self { address, prefix })
        } else {
            Err(RangeError::new(format_args!("{address}/{prefix}"), "inet"))
        }
    }

    /// The address.
    pub const fn address(self) -> IpAddr {
        self.address
    }

    /// How many bits are the network's.
    pub const fn prefix(self) -> u8 {
        self.prefix
    }

    fn put_as(self, is_cidr: bool, out: &mut Encoder) {
        let (family, bits) = family(self.address);
        out.put(&[family, self.prefix, u8::from(is_cidr), bits / 8]);
        match self.address {
            IpAddr::V4(v4) => out.put(&v4.octets()),
            IpAddr::V6(v6) => out.put(&v6.octets()),
        }
    }

    #[inline]
    fn get_as(is_cidr: bool, r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let kind = u8::from(is_cidr);
        let header = r.array()?;
        match header {
            [2, prefix @ 0..=32, of, 4] if of == kind => {
                Ok(Self { address: IpAddr::V4(Ipv4Addr::from(r.array::<4>()?)), prefix })
            }
            [3, prefix @ 0..=128, of, 16] if of == kind => {
                Ok(Self { address: IpAddr::V6(Ipv6Addr::from(r.array::<16>()?)), prefix })
            }
            _ => Err(no_inet(header, kind)),
        }
    }
}

#[cold]
fn no_inet([family, prefix, of, length]: [u8; 4], kind: u8) -> DecodeError {
    DecodeError::invalid(match (family, length) {
        (2, 4) | (3, 16) if of != kind => "an inet for a cidr, or the other way round".to_owned(),
        (2, 4) | (3, 16) => format!("an address of {length} bytes with {prefix} bits of network"),
        _ => format!("an address of family {family} and {length} bytes"),
    })
}

impl Cidr {
    /// The network whose address has `prefix` bits.
    ///
    /// # Errors
    /// When the address does not have as many bits, or has one set behind them.
    #[inline]
    pub fn new(address: IpAddr, prefix: u8) -> Result<Self, RangeError> {
        // The bits behind the network's, which a shift by all of them would leave as they are.
        let behind = u32::from(prefix);
        let fits = match address {
            IpAddr::V4(v4) => prefix <= 32 && v4.to_bits() & u32::MAX.checked_shr(behind).unwrap_or(0) == 0,
            IpAddr::V6(v6) => prefix <= 128 && v6.to_bits() & u128::MAX.checked_shr(behind).unwrap_or(0) == 0,
        };
        if fits {
            Ok(Self(Inet { address, prefix }))
        } else {
            Err(RangeError::new(format_args!("{address}/{prefix}"), "cidr"))
        }
    }

    /// The address.
    pub const fn address(self) -> IpAddr {
        self.0.address
    }

    /// How many bits the network has.
    pub const fn prefix(self) -> u8 {
        self.0.prefix
    }
}

impl From<IpAddr> for Inet {
    fn from(address: IpAddr) -> Self {
        Self { address, prefix: family(address).1 }
    }
}

/// As the server orders them: version 4 first, then by the bits that both networks have, the length of the
/// network, and all bits.
impl Ord for Inet {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (number(self.address), number(other.address));
        let common = self.prefix.min(other.prefix);
        family(self.address)
            .cmp(&family(other.address))
            .then_with(|| network(a, common).cmp(&network(b, common)))
            .then_with(|| self.prefix.cmp(&other.prefix))
            .then_with(|| a.cmp(&b))
    }
}

impl PartialOrd for Inet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Builtin<'_> for Inet {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.put_as(false, out);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Self::get_as(false, r)
    }
}

impl Builtin<'_> for IpAddr {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        Inet::from(*self).put(out)
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let whole = *r;
        match r.array()? {
            [2, 32, 0, 4] => Ok(Self::V4(Ipv4Addr::from(r.array::<4>()?))),
            [3, 128, 0, 16] => Ok(Self::V6(Ipv6Addr::from(r.array::<16>()?))),
            _ => Err(no_host(whole)),
        }
    }
}

#[cold]
fn no_host(mut r: Reader<'_>) -> DecodeError {
    Inet::get(&mut r).map_or_else(|e| e, |inet| RangeError::new(inet, "IpAddr").into())
}

impl Builtin<'_> for Cidr {
    fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
        self.0.put_as(true, out);
        Ok(())
    }

    #[inline]
    fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let Inet { address, prefix } = Inet::get_as(true, r)?;
        Ok(Self::new(address, prefix)?)
    }
}

/// As `IpAddr` displays it, but for two forms: the last 32 bits of an address that has only those are written as
/// an address of version 4.
fn write_address(f: &mut fmt::Formatter<'_>, address: IpAddr) -> fmt::Result {
    match address {
        IpAddr::V6(v6) if v6.segments()[..6] == [0; 6] && v6.segments()[6] != 0 => {
            let [.., a, b, c, d] = v6.octets();
            write!(f, "::{}", Ipv4Addr::new(a, b, c, d))
        }
        _ => write!(f, "{address}"),
    }
}

impl fmt::Display for Inet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_address(f, self.address)?;
        if self.prefix < family(self.address).1 { write!(f, "/{}", self.prefix) } else { Ok(()) }
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_address(f, self.0.address)?;
        write!(f, "/{}", self.0.prefix)
    }
}

/// Reads an address, and a prefix behind a slash where there is one.
fn scan(text: &str) -> Option<(IpAddr, Option<u8>)> {
    match text.split_once('/') {
        Some((address, prefix)) => Some((address.parse().ok()?, Some(prefix.parse().ok()?))),
        None => Some((text.parse().ok()?, None)),
    }
}

impl FromStr for Inet {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let parts = scan(text);
        parts
            .and_then(|(address, prefix)| Self::new(address, prefix.unwrap_or(family(address).1)).ok())
            .ok_or_else(|| ParseError::new("inet", text, "not an address, with a prefix or without"))
    }
}

impl FromStr for Cidr {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let parts = scan(text);
        parts
            .and_then(|(address, prefix)| Self::new(address, prefix.unwrap_or(family(address).1)).ok())
            .ok_or_else(|| ParseError::new("cidr", text, "not a network's address"))
    }
}

macro_rules! mac {
    ($($t:ident, $name:literal, $n:literal;)*) => {$(
        impl Builtin<'_> for $t {
            #[inline]
            fn put(&self, out: &mut Encoder) -> Result<(), EncodeError> {
                out.put(&self.0);
                Ok(())
            }

            #[inline]
            fn get(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
                r.array().map(Self)
            }
        }

        impl fmt::Display for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for (i, byte) in self.0.iter().enumerate() {
                    write!(f, "{}{byte:02x}", if i > 0 { ":" } else { "" })?;
                }
                Ok(())
            }
        }

        /// Reads pairs of hexadecimal digits between colons or hyphens.
        impl FromStr for $t {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                let separator = if text.contains('-') { '-' } else { ':' };
                let byte = |pair: &str| match pair.as_bytes() {
                    [a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => u8::from_str_radix(pair, 16).ok(),
                    _ => None,
                };
                let bytes: Option<Vec<u8>> = text.split(separator).map(byte).collect();
                bytes
                    .and_then(|bytes| bytes.try_into().ok())
                    .map(Self)
                    .ok_or_else(|| ParseError::new($name, text, concat!("not ", $n, " pairs of digits")))
            }
        }
    )*};
}

mac! {
    MacAddr, "macaddr", 6;
    MacAddr8, "macaddr8", 8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_the_servers() {
        let ascending = [
            "0.0.0.0/0",
            "10.0.0.0/8",
            "10.0.0.1/8",
            "10.1.0.0/16",
            "10.1.2.3",
            "192.168.0.1",
            "::/0",
            "::1",
        ];
        let inets = ascending.map(|text| text.parse::<Inet>().expect("parses"));
        assert!(inets.is_sorted(), "{inets:?}");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "1.2.3", "1.2.3.4/33", "::1/129", "1.2.3.4/", "1.2.3.4/-1", "host"] {
            assert!(text.parse::<Inet>().is_err(), "{text}");
        }
        assert!("10.0.0.1/8".parse::<Cidr>().is_err());
        for bytes in [&[2, 33, 0, 4, 1, 2, 3, 4][..], &[2, 8, 0, 16, 1, 2, 3, 4], &[4, 8, 0, 4, 1, 2, 3, 4]] {
            assert!(Inet::get(&mut Reader::new(bytes)).is_err());
        }
        assert!(Cidr::get(&mut Reader::new(&[2, 8, 1, 4, 10, 0, 0, 1])).is_err());
        assert!(IpAddr::get(&mut Reader::new(&[2, 8, 0, 4, 10, 0, 0, 1])).is_err());
        assert!("08:00:2b:01:02".parse::<MacAddr>().is_err());
        assert!("08:00:2b:01:02:+3".parse::<MacAddr>().is_err());
    }
}
