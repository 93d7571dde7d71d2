//! Keys and certificates of every kind, made by openssl.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use wreath_tests::Cluster;

/// A folder with the authority of a cluster, which signs what is made here.
pub(crate) struct Maker(PathBuf);

impl Maker {
    pub(crate) fn new(cluster: &Cluster) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("wreath-tls-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).unwrap();
        for file in ["ca.crt", "ca.key", "client.crt", "client.key"] {
            fs::copy(cluster.folder().unwrap().join("tls").join(file), folder.join(file)).unwrap();
        }
        Self(folder)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).unwrap();
    }

    /// Runs openssl in the folder, with arguments that have no spaces in them.
    pub(crate) fn openssl(&self, arguments: &str) {
        let run = Command::new("openssl").current_dir(&self.0).args(arguments.split_whitespace()).output();
        let run = run.unwrap();
        assert!(run.status.success(), "{arguments}: {}", String::from_utf8_lossy(&run.stderr));
    }

    /// A key and a certificate for `name` with these extensions, signed by the authority with `how`.
    pub(crate) fn sign(&self, file: &str, name: &str, key: &str, extensions: &str, how: &str) {
        self.write("extensions", extensions);
        self.openssl(&format!("req -new -nodes {key} -subj /CN={name} -keyout {file}.key -out {file}.csr"));
        self.openssl(&format!(
            "x509 -req -in {file}.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out {file}.crt \
             -extfile extensions {how}"
        ));
    }

    /// Starts the server again with another certificate.
    pub(crate) fn install(&self, cluster: &Cluster, file: &str) {
        let data = cluster.folder().unwrap().join("data");
        for end in ["crt", "key"] {
            let place = data.join(format!("server.{end}"));
            let owner = place.metadata().unwrap();
            fs::write(&place, fs::read(self.file(&format!("{file}.{end}"))).unwrap()).unwrap();
            chown(&place, Some(owner.uid()), Some(owner.gid())).unwrap();
        }
        cluster.stop();
        cluster.restart();
    }
}

impl Drop for Maker {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Keys of the kinds that certificates have.
pub(crate) const P256: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1";
pub(crate) const P384: &str = "-newkey ec -pkeyopt ec_paramgen_curve:secp384r1";
pub(crate) const RSA: &str = "-newkey rsa:2048";

/// Says that others may read a file, or may not.
pub(crate) fn set_mode(file: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
}
