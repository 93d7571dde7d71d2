//! What a client brings to a TLS handshake.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustls::client::{ResolvesClientCert, WebPkiServerVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::ServerName;
use rustls::sign::CertifiedKey;
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, SignatureScheme, SupportedProtocolVersion};

use super::verify::Verifier;
use super::{SslNegotiation, TlsFile, TlsVersion, TlsWanted, files};
use crate::error::{Error, ErrorKind, Result};
use crate::net::Server;

/// Everything that a handshake with one server takes.
#[derive(Clone, Debug)]
pub(crate) struct Tls {
    pub(super) config: Arc<ClientConfig>,
    /// What the certificate has to be for; `None` where that does not matter and there is no such name.
    pub(super) name: Option<ServerName<'static>>,
    pub(super) negotiation: SslNegotiation,
    /// Whether the client's certificate has been shown.
    shown: Arc<AtomicBool>,
}

/// The protocol that is spoken inside, as it is registered for ALPN.
pub(super) const ALPN: &[u8] = b"postgresql";

impl Tls {
    /// Reads the files that `wanted` names.
    pub(crate) fn new(wanted: &TlsWanted, server: &Server) -> Result<Self> {
        let provider = provider().ok_or_else(|| {
            let message = "TLS is asked for, and neither of the features ring and aws-lc-rs is on, nor has \
                           the program installed a provider of cryptography in rustls";
            Error::new(ErrorKind::Tls, message)
        })?;
        let versions = versions(wanted.min, wanted.max);
        let unfit =
            |e: rustls::Error| Error::caused(ErrorKind::Config, format!("TLS cannot be set up: {e}"), e);
        let verifier = Verifier::new(&provider, chain(wanted, &provider)?, wanted.verify_host);
        let builder = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&versions)
            .map_err(unfit)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let mut config = match files::identity(wanted.cert.as_ref(), wanted.key.as_ref())? {
            None => builder.with_no_client_auth(),
            Some((chain, key)) => builder.with_client_auth_cert(chain, key).map_err(|e| {
                Error::caused(ErrorKind::Config, format!("sslcert and sslkey cannot be used: {e}"), e)
            })?,
        };
        let shown = Arc::new(AtomicBool::new(false));
        let inner = Arc::clone(&config.client_auth_cert_resolver);
        config.client_auth_cert_resolver = Arc::new(Noting { inner, shown: Arc::clone(&shown) });
        config.enable_sni = wanted.sni;
        config.alpn_protocols = vec![ALPN.to_vec()];
        // The server gives no tickets.
        config.resumption = rustls::client::Resumption::disabled();
        let name = server.name.as_deref().and_then(server_name);
        if wanted.verify_host && name.is_none() {
            let message = "sslmode=verify-full needs a host whose certificate is expected, which a hostaddr alone \
                           is not";
            return Err(Error::new(ErrorKind::Config, message));
        }
        Ok(Self { config: Arc::new(config), name, negotiation: wanted.negotiation, shown })
    }

    /// Whether a server has asked for the client's certificate, and got it.
    pub(crate) fn has_shown_certificate(&self) -> bool {
        self.shown.load(Ordering::Relaxed)
    }
}

/// Gives the client's certificate, and notes that it was given.
#[derive(Debug)]
struct Noting {
    inner: Arc<dyn ResolvesClientCert>,
    shown: Arc<AtomicBool>,
}

impl ResolvesClientCert for Noting {
    fn resolve(&self, hints: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let found = self.inner.resolve(hints, schemes);
        self.shown.fetch_or(found.is_some(), Ordering::Relaxed);
        found
    }

    fn has_certs(&self) -> bool {
        self.inner.has_certs()
    }
}

/// Who does the cryptography: whom the program has chosen for all of rustls, else whom a feature brings.
pub(crate) fn provider() -> Option<Arc<CryptoProvider>> {
    if let Some(chosen) = CryptoProvider::get_default() {
        return Some(Arc::clone(chosen));
    }
    #[cfg(feature = "aws-lc-rs")]
    return Some(Arc::new(rustls::crypto::aws_lc_rs::default_provider()));
    #[cfg(all(feature = "ring", not(feature = "aws-lc-rs")))]
    return Some(Arc::new(rustls::crypto::ring::default_provider()));
    #[cfg(not(any(feature = "ring", feature = "aws-lc-rs")))]
    None
}

fn versions(min: Option<TlsVersion>, max: Option<TlsVersion>) -> Vec<&'static SupportedProtocolVersion> {
    [(TlsVersion::V1_2, &TLS12), (TlsVersion::V1_3, &TLS13)]
        .into_iter()
        .filter(|(version, _)| min.is_none_or(|min| *version >= min) && max.is_none_or(|max| *version <= max))
        .map(|(_, supported)| supported)
        .collect()
}

/// What verifies a certificate up to an authority. As libpq does, this asks for a file of authorities in every mode, and
/// verifies nothing where there is none and the mode does not demand it.
fn chain(wanted: &TlsWanted, provider: &Arc<CryptoProvider>) -> Result<Option<Arc<WebPkiServerVerifier>>> {
    let roots = match &wanted.root_cert {
        _ if wanted.system_roots => files::system_roots()?,
        Some(TlsFile::Named(path) | TlsFile::Found(path)) if path.exists() => files::roots(path)?,
        _ if !wanted.verify_ca => return Ok(None),
        Some(file) => return Err(no_roots(&format!("{} does not exist", file.path().display()))),
        None => {
            return Err(no_roots("no sslrootcert was given, and no home folder to look for one is known"));
        }
    };
    let crls = files::revoked(wanted.crl.as_ref())?;
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .with_crls(crls)
        .enforce_revocation_expiration()
        .build()
        .map(Some)
        .map_err(|e| Error::caused(ErrorKind::Config, format!("option \"sslcrl\": {e}"), e))
}

fn no_roots(why: &str) -> Error {
    let message = format!(
        "the server's certificate is to be verified, but {why}: name a file of authorities, or use \
         sslrootcert=system for those that the system trusts"
    );
    Error::new(ErrorKind::Config, message)
}

/// A host as a certificate names it: without the zone of an IPv6 address.
fn server_name(host: &str) -> Option<ServerName<'static>> {
    if let Some((address, _)) = host.split_once('%')
        && let Ok(address) = address.parse::<IpAddr>()
    {
        return Some(ServerName::IpAddress(address.into()));
    }
    ServerName::try_from(host.to_owned()).ok()
}
