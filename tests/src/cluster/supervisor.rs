//! The shell that runs a server and outlives whoever started it by a moment.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::ClusterError;
use super::programs::Account;

/// A test that is killed runs no destructor, but the system closes its end of this pipe: the shell then reads
/// the end of its input, stops the server and deletes the cluster's folder.
///
/// The shell is the server's parent, so that a killed server leaves no zombie, and in a process group of its
/// own, so that a signal to the test's group passes it by. A subshell waits for the server and notes its end in
/// the file `exited`.
const SCRIPT: &str = r#"
cd "$2" || exit 1
up() {
    rm -f exited
    ("$1" -D "$PWD/data" -p "$2" </dev/null >>server.log 2>&1; : >exited) &
}
down() {
    until [ -e exited ]; do
        pid=$(head -n 1 data/postmaster.pid 2>/dev/null) && [ -n "$pid" ] && kill "-$1" "$pid" && break
        sleep 0.02
    done 2>/dev/null
    wait
}
: >exited
while read -r verb port; do
    case $verb in
        start) up "$1/postgres" "$port" ;;
        stop) down INT ;;
        kill) down KILL ;;
    esac
    echo done
done
down QUIT
cd / && rm -rf "$2"
"#;

/// The shell's control: one verb at a time.
#[derive(Debug)]
pub(super) struct Supervisor {
    shell: Child,
    /// `None` once the shell was told to end.
    verbs: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

impl Supervisor {
    pub(super) fn spawn(account: Account, bin: &Path, folder: &Path) -> Result<Self, ClusterError> {
        let mut command = account.command("/bin/sh", folder);
        command.args(["-c", SCRIPT, "wreath-test-server"]).arg(bin).arg(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut shell = command.spawn().map_err(ClusterError::io("/bin/sh"))?;
        let verbs = shell.stdin.take();
        let replies = BufReader::new(shell.stdout.take().expect("its output is piped"));
        Ok(Self { shell, verbs, replies })
    }

    /// Launches the server; whether it came up shows when one connects.
    pub(super) fn start(&mut self, port: u16) -> Result<(), ClusterError> {
        self.tell(&format!("start {port}"))
    }

    /// Stops the server as an administrator would, and waits for its end.
    pub(super) fn stop(&mut self) -> Result<(), ClusterError> {
        self.tell("stop")
    }

    /// Kills the server's first process, without any chance to say goodbye to its clients.
    pub(super) fn kill(&mut self) -> Result<(), ClusterError> {
        self.tell("kill")
    }

    fn tell(&mut self, verb: &str) -> Result<(), ClusterError> {
        let verbs = self.verbs.as_mut().ok_or_else(|| ClusterError::new("the server's shell has ended"))?;
        writeln!(verbs, "{verb}").map_err(ClusterError::io("the server's shell"))?;
        let mut reply = String::new();
        self.replies.read_line(&mut reply).map_err(ClusterError::io("the server's shell"))?;
        if reply == "done\n" { Ok(()) } else { Err(ClusterError::new("the server's shell has died")) }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        drop(self.verbs.take());
        // A shell that somebody killed has left its files behind; there is nobody to tell.
        let _ = self.shell.wait();
    }
}
