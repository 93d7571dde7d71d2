//! Certificates, keys and lists of revoked certificates, out of PEM files.

use std::path::Path;

use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};

use super::TlsFile;
use crate::error::{Error, ErrorKind, Result};

/// An option's file is of no use. Nothing has been sent then.
fn unusable(option: &str, path: &Path, problem: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Config, format!("option \"{option}\": {}: {problem}", path.display()))
}

/// The objects of one kind that a file has; there is at least one.
fn read<T: PemObject>(option: &str, path: &Path, what: &str) -> Result<Vec<T>> {
    let bytes = std::fs::read(path).map_err(|e| unusable(option, path, e))?;
    let objects: std::result::Result<Vec<T>, _> = T::pem_slice_iter(&bytes).collect();
    let objects = objects.map_err(|e| unusable(option, path, format_args!("not well-formed PEM: {e}")))?;
    if objects.is_empty() {
        return Err(unusable(option, path, format_args!("there is no {what} in it")));
    }
    Ok(objects)
}

/// The authorities of a root certificate file.
pub(super) fn roots(path: &Path) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    for certificate in read::<CertificateDer<'static>>("sslrootcert", path, "certificate")? {
        roots.add(certificate).map_err(|e| unusable("sslrootcert", path, e))?;
    }
    Ok(roots)
}

/// The authorities that the system trusts.
pub(super) fn system_roots() -> Result<RootCertStore> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let why = found.errors.first().map_or_else(String::new, |e| format!(": {e}"));
        let message = format!("option \"sslrootcert\": the system trusts no authority{why}");
        return Err(Error::new(ErrorKind::Config, message));
    }
    Ok(roots)
}

/// The lists of a file, none if there is none where none was named.
pub(super) fn revoked(file: Option<&TlsFile>) -> Result<Vec<CertificateRevocationListDer<'static>>> {
    match file {
        Some(TlsFile::Named(path)) => read("sslcrl", path, "list of revoked certificates"),
        Some(TlsFile::Found(path)) if path.exists() => read("sslcrl", path, "list of revoked certificates"),
        _ => Ok(Vec::new()),
    }
}

/// The client's certificate, those between it and its authority, and its key; `None` where there is no certificate and
/// none was named.
pub(super) fn identity(
    cert: Option<&TlsFile>,
    key: Option<&TlsFile>,
) -> Result<Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>> {
    let path = match cert {
        Some(TlsFile::Named(path)) => path,
        Some(TlsFile::Found(path)) if path.exists() => path,
        _ => return Ok(None),
    };
    let chain = read("sslcert", path, "certificate")?;
    let Some(key) = key else {
        return Err(unusable("sslcert", path, "there is no sslkey that belongs to it"));
    };
    Ok(Some((chain, private_key(key.path())?)))
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>> {
    let wrong = |problem: &str| unusable("sslkey", path, problem);
    let pem = std::fs::read(path).map_err(|e| unusable("sslkey", path, e))?;
    if is_readable_by_others(path) {
        return Err(wrong("others may read it or change it: chmod u=rw,go= makes it private"));
    }
    if is_encrypted(&pem) {
        return Err(wrong(
            "the key is encrypted, which is not supported, with sslpassword or without: openssl pkey -in FILE decrypts it",
        ));
    }
    PrivateKeyDer::from_pem_slice(&pem)
        .map_err(|e| unusable("sslkey", path, format_args!("no private key in PEM: {e}")))
}

/// The mark of PKCS#8, and that of the older forms.
fn is_encrypted(pem: &[u8]) -> bool {
    [&b"-----BEGIN ENCRYPTED PRIVATE KEY-----"[..], b"Proc-Type: 4,ENCRYPTED"]
        .iter()
        .any(|mark| pem.windows(mark.len()).any(|window| window == *mark))
}

/// As in libpq: the group may read a key that belongs to root.
#[cfg(unix)]
fn is_readable_by_others(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    path.metadata().is_ok_and(|file| file.mode() & if file.uid() == 0 { 0o037 } else { 0o077 } != 0)
}

#[cfg(not(unix))]
fn is_readable_by_others(_: &Path) -> bool {
    false
}
