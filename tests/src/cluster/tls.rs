//! A certificate authority for a day, and what it signs.

use std::fs;
use std::path::{Path, PathBuf};

use super::ClusterError;
use super::programs::{Account, run};

/// The TLS files of a server that the kit started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The authority that signed the server's certificate, for `localhost`, `127.0.0.1` and `::1`.
    pub ca: PathBuf,
    /// An authority that signed nothing here.
    pub other_ca: PathBuf,
    /// The certificate of [`Role::Cert`](crate::Role::Cert).
    pub client_cert: PathBuf,
    /// Its private key.
    pub client_key: PathBuf,
}

impl TlsFiles {
    /// The files below `folder`, the cluster's own.
    pub(super) fn below(folder: &Path) -> Self {
        let file = |name| folder.join("tls").join(name);
        Self {
            ca: file("ca.crt"),
            other_ca: file("other-ca.crt"),
            client_cert: file("client.crt"),
            client_key: file("client.key"),
        }
    }
}

const REQUEST: &str = "[req]
distinguished_name = dn
x509_extensions = ca
[dn]
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
";

const LEAF: &str = "basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
";

const SERVER: &str = "extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost,IP:127.0.0.1,IP:::1
";

const CLIENT: &str = "extendedKeyUsage = clientAuth
";

/// Makes `folder`/tls with P-256 keys and certificates.
pub(super) fn make(account: Account, folder: &Path) -> Result<(), ClusterError> {
    let folder = folder.join("tls");
    fs::create_dir(&folder).map_err(ClusterError::io(folder.display()))?;
    account.own(&folder)?;
    let maker = Maker { account, folder: &folder };
    maker.write("req.cnf", REQUEST)?;
    maker.authority("ca", "/CN=test ca")?;
    maker.authority("other-ca", "/CN=test other-ca")?;
    maker.sign("server", "/CN=localhost", SERVER)?;
    maker.sign("client", "/CN=t_cert", CLIENT)
}

struct Maker<'a> {
    account: Account,
    folder: &'a Path,
}

impl Maker<'_> {
    fn write(&self, name: &str, text: &str) -> Result<(), ClusterError> {
        fs::write(self.folder.join(name), text).map_err(ClusterError::io(name))
    }

    fn authority(&self, name: &str, subject: &str) -> Result<(), ClusterError> {
        self.request(name, subject, &["-x509", "-sha256", "-days", "3650"], "crt")
    }

    fn sign(&self, name: &str, subject: &str, extensions: &str) -> Result<(), ClusterError> {
        self.request(name, subject, &[], "csr")?;
        let extension_file = format!("{name}.cnf");
        self.write(&extension_file, &format!("{LEAF}{extensions}"))?;
        let mut command = self.account.command("openssl", self.folder);
        command.args(["x509", "-req", "-sha256", "-days", "3650", "-CA", "ca.crt", "-CAkey", "ca.key"]);
        command.args(["-CAcreateserial", "-in", &format!("{name}.csr"), "-out", &format!("{name}.crt")]);
        run(command.args(["-extfile", &extension_file])).map(drop)
    }

    /// A new key and, with `-x509`, a certificate that it signs itself; else a request for one.
    fn request(&self, name: &str, subject: &str, kind: &[&str], out: &str) -> Result<(), ClusterError> {
        let mut command = self.account.command("openssl", self.folder);
        command.args(["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]);
        command.args(["-config", "req.cnf", "-subj", subject]).args(kind);
        command.args(["-keyout", &format!("{name}.key"), "-out", &format!("{name}.{out}")]);
        run(&mut command).map(drop)
    }
}
