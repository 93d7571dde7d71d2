//! What has failed when TLS has.

use std::io;

use rustls::{AlertDescription, CertificateError};

use crate::error::{Error, ErrorKind};
use crate::net::Endpoint;

/// The handshake failed.
pub(super) fn of_handshake(endpoint: &Endpoint, e: io::Error) -> Error {
    let why = cause(&e).map_or_else(|| e.to_string(), explain);
    Error::caused(ErrorKind::Tls, format!("no TLS with {endpoint}: {why}"), e)
}

/// What an established session failed with, if it was TLS that did: under TLS 1.3 a server refuses a client's
/// certificate only when the client has finished.
pub(in crate::net) fn of_session(endpoint: &Endpoint, e: &io::Error) -> Option<Error> {
    let cause = cause(e)?;
    Some(Error::caused(ErrorKind::Tls, format!("no TLS with {endpoint}: {}", explain(cause)), cause.clone()))
}

fn cause(e: &io::Error) -> Option<&rustls::Error> {
    e.get_ref()?.downcast_ref()
}

fn explain(e: &rustls::Error) -> String {
    match e {
        rustls::Error::InvalidCertificate(e) => format!("the server's certificate {}", of_certificate(e)),
        rustls::Error::AlertReceived(alert) => format!("the server {}", of_alert(*alert)),
        rustls::Error::InvalidMessage(_) => format!("the server's answer is not TLS ({e})"),
        other => other.to_string(),
    }
}

fn of_certificate(e: &CertificateError) -> String {
    use CertificateError as C;

    match e {
        C::UnknownIssuer => "is signed by no authority that is trusted".to_owned(),
        C::Expired | C::ExpiredContext { .. } => format!("has expired ({e})"),
        C::NotValidYet | C::NotValidYetContext { .. } => format!("is not valid yet ({e})"),
        C::Revoked => "has been revoked".to_owned(),
        C::UnknownRevocationStatus => "is from an authority of which sslcrl has no list".to_owned(),
        C::UnsupportedSignatureAlgorithmContext { .. }
        | C::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
            "is signed in a way that is not taken: by SHA-1, which is broken, or by an \
             algorithm that the cryptography in use does not have"
                .to_owned()
        }
        C::ExpiredRevocationList | C::ExpiredRevocationListContext { .. } => {
            format!("cannot be looked up, because the list of sslcrl has expired ({e})")
        }
        // libpq looks at the common name where there is no alternative name; RFC 9525 forbids it.
        C::NotValidForName | C::NotValidForNameContext { .. } => {
            format!("is not the host's ({e}); names count that are among its subject alternative names")
        }
        other => of_webpki(&other.to_string()),
    }
}

/// Where rustls takes less than libpq does: its errors are behind an opaque type, and known by their names.
fn of_webpki(shown: &str) -> String {
    let why = match shown {
        _ if shown.contains("CaUsedAsEndEntity") => {
            "is an authority's own, which libpq takes for a server's and rustls does not: make one with \
             basicConstraints=CA:FALSE that the authority signs"
        }
        _ if shown.contains("UnsupportedCertVersion") => {
            "is of X.509 version 1, which libpq takes and rustls does not: make one of version 3"
        }
        other => return format!("cannot be taken ({other})"),
    };
    why.to_owned()
}

fn of_alert(alert: AlertDescription) -> String {
    use AlertDescription as A;

    match alert {
        A::CertificateRequired => "demands a client certificate (sslcert, sslkey)".to_owned(),
        A::UnknownCA
        | A::BadCertificate
        | A::CertificateExpired
        | A::CertificateRevoked
        | A::CertificateUnknown
        | A::UnsupportedCertificate => format!("does not take the client's certificate ({alert:?})"),
        A::ProtocolVersion => "speaks none of the versions of TLS that are allowed here".to_owned(),
        A::HandshakeFailure => "has no cipher in common with this client".to_owned(),
        A::NoApplicationProtocol => "does not offer PostgreSQL's protocol".to_owned(),
        other => format!("broke off ({other:?})"),
    }
}
