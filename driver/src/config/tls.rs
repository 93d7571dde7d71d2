//! What a configuration says about TLS, put together.

use std::path::{Path, PathBuf};

use super::settings::Surroundings;
use super::{Config, ConfigError, SslCertMode, SslMode};
use crate::net::{SslNegotiation, TlsFile, TlsWanted};

/// How much encryption there is to be, and of what kind.
pub(super) fn wanted(said: &Config, around: &Surroundings<'_>) -> Result<(SslMode, TlsWanted), ConfigError> {
    let system = said.ssl_root_cert.as_deref() == Some(Path::new("system"));
    let default = if system { SslMode::VerifyFull } else { SslMode::default() };
    let mode = said.ssl_mode.unwrap_or(default);
    // Who trusts every authority of the world trusts anybody, unless the name is right.
    if system && mode != SslMode::VerifyFull {
        return Err(weak(mode, "sslrootcert=system", "verify-full"));
    }
    let negotiation = said.ssl_negotiation.unwrap_or_default();
    if negotiation == SslNegotiation::Direct && !mode.demands_tls() {
        return Err(weak(mode, "sslnegotiation=direct", "require"));
    }
    let (min, max) = (said.ssl_min_protocol_version, said.ssl_max_protocol_version);
    if min.zip(max).is_some_and(|(min, max)| min > max) {
        return Err(ConfigError::option("ssl_min_protocol_version", "it is above ssl_max_protocol_version"));
    }
    let folder = around.folder();
    let file = |named: &Option<PathBuf>, default: &str| match named {
        Some(path) if !path.as_os_str().is_empty() => Some(TlsFile::Named(path.clone())),
        _ => Some(TlsFile::Found(folder.as_ref()?.join(default))),
    };
    let cert_mode = said.ssl_cert_mode.unwrap_or_default();
    let wanted = TlsWanted {
        must_show_cert: cert_mode == SslCertMode::Require,
        verify_ca: matches!(mode, SslMode::VerifyCa | SslMode::VerifyFull),
        verify_host: mode == SslMode::VerifyFull,
        root_cert: file(&said.ssl_root_cert, "root.crt"),
        system_roots: system,
        cert: file(&said.ssl_cert, "postgresql.crt").filter(|_| cert_mode != SslCertMode::Disable),
        key: file(&said.ssl_key, "postgresql.key"),
        crl: file(&said.ssl_crl, "root.crl"),
        sni: said.ssl_sni.unwrap_or(true),
        min,
        max,
        negotiation,
    };
    Ok((mode, wanted))
}

fn weak(mode: SslMode, other: &str, least: &str) -> ConfigError {
    ConfigError::option("sslmode", format!("{} is too weak for {other}: say {least}", mode.name()))
}
