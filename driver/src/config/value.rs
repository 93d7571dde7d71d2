//! Reading the values of options.
//!
//! What is wrong with a value is told without showing it: it may be a part of a password that was not quoted.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::{
    ChannelBindingMode, LoadBalanceHosts, ProtocolVersion, SslCertMode, SslMode, TargetSessionAttrs,
};
use crate::net::{SslNegotiation, TlsVersion};
use crate::proto::auth::{AuthMethod, AuthMethods};

pub(super) type Read<T> = Result<T, &'static str>;

#[expect(clippy::unnecessary_wraps, reason = "a row of the table takes readers that can fail")]
pub(super) fn text(value: &str) -> Read<String> {
    Ok(value.to_owned())
}

/// What is taken, and kept nowhere.
#[expect(clippy::unnecessary_wraps, reason = "a row of the table takes readers that can fail")]
pub(super) fn nothing(_: &str) -> Read<()> {
    Ok(())
}

pub(super) fn hosts(value: &str) -> Read<Vec<String>> {
    let read = |host: &str| match host.find('@') {
        None | Some(0) => Ok(host.to_owned()),
        Some(_) => Err("a host has an @ in it; in a user or a password it is written %40"),
    };
    value.split(',').map(read).collect()
}

pub(super) fn hostaddrs(value: &str) -> Read<Vec<String>> {
    let read = |address: &str| {
        // An IPv6 address may have a zone behind it, which the resolver understands.
        let number = address.split_once('%').map_or(address, |(number, _)| number);
        if address.is_empty() || number.parse::<IpAddr>().is_ok() {
            return Ok(address.to_owned());
        }
        Err("it is no IP address")
    };
    value.split(',').map(read).collect()
}

pub(super) fn ports(value: &str) -> Read<Vec<Option<u16>>> {
    let read = |port: &str| match port.trim_ascii() {
        "" => Ok(None),
        port => match port.parse() {
            Ok(port) if port > 0 => Ok(Some(port)),
            _ => Err("a port is a number from 1 to 65535 (in a password, : is written %3A, / %2F and @ %40)"),
        },
    };
    value.split(',').map(read).collect()
}

/// As in libpq, zero and less stand for nothing said: for ever, or the system's default.
fn positive(value: &str) -> Option<Option<u32>> {
    let number: i32 = value.trim_ascii().parse().ok()?;
    Some(u32::try_from(number).ok().filter(|&n| n > 0))
}

pub(super) fn seconds(value: &str) -> Read<Option<Duration>> {
    let seconds = positive(value).ok_or("it is a whole number of seconds")?;
    Ok(seconds.map(|n| Duration::from_secs(n.into())))
}

pub(super) fn milliseconds(value: &str) -> Read<Option<Duration>> {
    let milliseconds = positive(value).ok_or("it is a whole number of milliseconds")?;
    Ok(milliseconds.map(|n| Duration::from_millis(n.into())))
}

pub(super) fn count(value: &str) -> Read<Option<u32>> {
    positive(value).ok_or("it is a whole number")
}

/// A switch that is off at 0 and on at any other number.
pub(super) fn number_switch(value: &str) -> Read<bool> {
    value.trim_ascii().parse::<i32>().map(|n| n != 0).map_err(|_| "it is 1 or 0")
}

pub(super) fn target_session_attrs(value: &str) -> Read<TargetSessionAttrs> {
    TargetSessionAttrs::from_name(value)
        .ok_or("it is one of any, read-write, read-only, primary, standby and prefer-standby")
}

pub(super) fn load_balance_hosts(value: &str) -> Read<LoadBalanceHosts> {
    LoadBalanceHosts::from_name(value).ok_or("it is one of disable and random")
}

/// Methods, or methods with an exclamation mark each, which are those that will not do.
pub(super) fn methods(value: &str) -> Read<AuthMethods> {
    const WRONG: &str = "it is a list of password, md5, gss, sspi, scram-sha-256, oauth and none, each once, and \
                         with a ! before every one or before none of them";
    let mut methods = Vec::new();
    let negated = value.trim_start().starts_with('!');
    for name in value.split(',').map(str::trim_ascii) {
        let bare = name.strip_prefix('!');
        let method = AuthMethod::from_name(bare.unwrap_or(name)).ok_or(WRONG)?;
        if bare.is_some() != negated || methods.contains(&method) {
            return Err(WRONG);
        }
        methods.push(method);
    }
    Ok(if negated { AuthMethods::except(methods) } else { AuthMethods::only(methods) })
}

pub(super) fn protocol(value: &str) -> Read<ProtocolVersion> {
    match value {
        "3.0" => Ok(ProtocolVersion::V3_0),
        "3.2" | "latest" => Ok(ProtocolVersion::V3_2),
        _ => Err("it is one of 3.0, 3.2 and latest"),
    }
}

pub(super) fn ssl_cert_mode(value: &str) -> Read<SslCertMode> {
    SslCertMode::from_name(value).ok_or("it is one of disable, allow and require")
}

pub(super) fn ssl_mode(value: &str) -> Read<SslMode> {
    SslMode::from_name(value).ok_or("it is one of disable, allow, prefer, require, verify-ca and verify-full")
}

#[expect(clippy::unnecessary_wraps, reason = "a row of the table takes readers that can fail")]
pub(super) fn path(value: &str) -> Read<PathBuf> {
    Ok(value.into())
}

/// No version before 1.2 is spoken, so that 1.2 is the lowest in any case.
pub(super) fn min_version(value: &str) -> Read<TlsVersion> {
    match value.to_ascii_lowercase().as_str() {
        "" | "tlsv1" | "tlsv1.1" | "tlsv1.2" => Ok(TlsVersion::V1_2),
        "tlsv1.3" => Ok(TlsVersion::V1_3),
        _ => Err("it is one of TLSv1, TLSv1.1, TLSv1.2 and TLSv1.3"),
    }
}

pub(super) fn max_version(value: &str) -> Read<TlsVersion> {
    match value.to_ascii_lowercase().as_str() {
        "tlsv1.2" => Ok(TlsVersion::V1_2),
        "" | "tlsv1.3" => Ok(TlsVersion::V1_3),
        _ => Err("it is TLSv1.2 or TLSv1.3: older versions are not spoken"),
    }
}

pub(super) fn negotiation(value: &str) -> Read<SslNegotiation> {
    [SslNegotiation::Postgres, SslNegotiation::Direct]
        .into_iter()
        .find(|negotiation| negotiation.name() == value)
        .ok_or("it is one of postgres and direct")
}

pub(super) fn channel_binding(value: &str) -> Read<ChannelBindingMode> {
    ChannelBindingMode::from_name(value).ok_or("it is one of disable, prefer and require")
}

pub(super) fn number(value: &str) -> Read<usize> {
    value.trim_ascii().parse().map_err(|_| "it is a number, 0 or more")
}

pub(super) fn switch(value: &str) -> Read<bool> {
    match value.trim_ascii() {
        "on" | "true" | "1" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        _ => Err("it is on or off"),
    }
}

/// Whether the encoding is asked for, which can only be UTF-8 by one of the server's names; an empty one leaves it to the
/// server.
pub(super) fn encoding(value: &str) -> Read<bool> {
    let letters: String = value.chars().filter(char::is_ascii_alphanumeric).collect();
    if value.is_empty() || ["utf8", "unicode"].iter().any(|name| letters.eq_ignore_ascii_case(name)) {
        return Ok(!value.is_empty());
    }
    Err("text is UTF-8 here, so it can only be UTF8")
}
