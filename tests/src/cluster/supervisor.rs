//! The shell that runs a server and outlives whoever started it by a moment.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
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
folder=$1 pid_file=$2 stop=$3 end=$4
shift 4
cd "$folder" || exit 1
up() {
    rm -f exited
    ("$@" </dev/null >>server.log 2>&1; : >exited) &
}
down() {
    until [ -e exited ]; do
        pid=$(head -n 1 "$pid_file" 2>/dev/null) && [ -n "$pid" ] && kill "-$1" "$pid" && break
        sleep 0.02
    done 2>/dev/null
    wait
}
: >exited
while read -r verb argument; do
    case $verb in
        start) up "$@" "$argument" ;;
        stop) down "$stop" ;;
        kill) down KILL ;;
    esac
    echo done
done
down "$end"
cd / && rm -rf "$folder"
"#;

/// A program that the shell runs, in a folder of its own.
pub(super) struct Program {
    /// The program and its arguments, but for the last, which each start brings.
    pub(super) command: Vec<PathBuf>,
    /// The file in the folder that begins with the line of its process.
    pub(super) pid_file: &'static str,
    /// The signal by which an administrator stops it.
    pub(super) stop: &'static str,
    /// The signal by which it ends in haste.
    pub(super) end: &'static str,
}

/// The shell's control: one verb at a time.
#[derive(Debug)]
pub(super) struct Supervisor {
    shell: Child,
    /// `None` once the shell was told to end.
    verbs: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

impl Supervisor {
    pub(super) fn spawn(account: Account, folder: &Path, program: &Program) -> Result<Self, ClusterError> {
        let mut command = account.command("/bin/sh", folder);
        command.args(["-c", SCRIPT, "wreath-test-server"]).arg(folder);
        command.args([program.pid_file, program.stop, program.end]).args(&program.command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut shell = command.spawn().map_err(ClusterError::io("/bin/sh"))?;
        let verbs = shell.stdin.take();
        let replies = BufReader::new(shell.stdout.take().expect("its output is piped"));
        Ok(Self { shell, verbs, replies })
    }

    /// Launches the server with its last argument; whether it came up shows when one connects.
    pub(super) fn start(&mut self, argument: &str) -> Result<(), ClusterError> {
        self.tell(&format!("start {argument}"))
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
