//! Servers that follow another one.

use std::fs;
use std::path::Path;

use super::ground::Ground;
use super::programs::{Account, run};
use super::setup::{self, DATA};
use super::{Cluster, ClusterError};

impl Cluster {
    /// A hot standby of this server: it has all that this one has, follows it, and can be read, until it is
    /// [promoted](Self::promote).
    ///
    /// # Errors
    ///
    /// If the kit did not start the server, or the standby does not come up.
    pub fn standby(&self) -> Result<Self, ClusterError> {
        let (Some(primary), Some(sockets)) = (self.folder(), self.socket_folder()) else {
            return Err(ClusterError::new("only a server of the kit's can have a standby"));
        };
        let ground = Ground::new(self.programs()?)?;
        let mut backup = ground.account.command(ground.bin.join("pg_basebackup"), &ground.folder);
        backup.arg("-D").arg(ground.folder.join(DATA)).arg("-h").arg(sockets);
        backup.args(["-p", &self.port().to_string(), "-U", "postgres"]);
        run(backup.args(["-R", "-c", "fast", "-X", "stream", "--no-sync"]))?;
        setup::move_sockets(ground.account, &ground.folder)?;
        let with_tls = self.tls().is_some();
        if with_tls {
            copy_tls(ground.account, primary, &ground.folder)?;
        }
        Self::launch(ground, with_tls)
    }

    /// Makes a standby a server that can write, and waits until it is one.
    ///
    /// # Panics
    ///
    /// If it is no standby, or cannot be reached.
    pub fn promote(&self) {
        let promoted = self.admin().query("SELECT pg_promote(true, 60)");
        assert_eq!(promoted.expect("a standby can be promoted"), [[Some("t".to_owned())]]);
    }
}

/// The standby has the same certificates, for its clients too.
fn copy_tls(account: Account, from: &Path, to: &Path) -> Result<(), ClusterError> {
    let (from, to) = (from.join("tls"), to.join("tls"));
    fs::create_dir(&to).map_err(ClusterError::io(to.display()))?;
    account.own(&to)?;
    for entry in fs::read_dir(&from).map_err(ClusterError::io(from.display()))? {
        let entry = entry.map_err(ClusterError::io(from.display()))?;
        let copy = to.join(entry.file_name());
        fs::copy(entry.path(), &copy).map_err(ClusterError::io(copy.display()))?;
        account.own(&copy)?;
    }
    Ok(())
}
