//! The server's programs, and the account that may run them.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::ClusterError;

const CURE: &str = "install PostgreSQL (Debian: apt-get install postgresql), put its programs into PATH, \
                    name their folder in PG_BIN, or point DATABASE_URL at a server";

/// The folder with `initdb` and `postgres`.
pub(super) fn find_programs(named: Option<&Path>) -> Result<PathBuf, ClusterError> {
    let named = named.map(Path::to_path_buf).or_else(|| std::env::var_os("PG_BIN").map(PathBuf::from));
    if let Some(folder) = named {
        let missing = || ClusterError::new(format!("no initdb and postgres in {}: {CURE}", folder.display()));
        return has_programs(&folder).then(|| folder.clone()).ok_or_else(missing);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    // A link into PATH, such as Debian's for psql, leads to the folder that holds the others.
    let linked = std::env::split_paths(&path)
        .filter_map(|folder| folder.join("initdb").canonicalize().ok()?.parent().map(Path::to_path_buf))
        .find(|folder| has_programs(folder));
    let found = linked.or_else(|| newest_of(Path::new("/usr/lib/postgresql")));
    found.ok_or_else(|| ClusterError::new(format!("there is no PostgreSQL server on this machine: {CURE}")))
}

/// The `bin` folder of the newest version below `root`, whose folders are named for major versions.
fn newest_of(root: &Path) -> Option<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = std::fs::read_dir(root)
        .ok()?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let major = entry.file_name().to_str()?.parse().ok()?;
            Some((major, entry.path().join("bin")))
        })
        .filter(|(_, bin)| has_programs(bin))
        .collect();
    versions.sort();
    versions.pop().map(|(_, bin)| bin)
}

/// The version of the server in a folder, as a number: 18.6 is 180006. `None` if there is none.
pub fn version_of(bin: &Path) -> Option<u32> {
    let output = Command::new(bin.join("postgres")).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let number = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    // A beta has no point.
    let (major, minor) = number.split_once('.').unwrap_or((number, "0"));
    let digits =
        |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>().ok();
    Some(digits(major)? * 10_000 + digits(minor).unwrap_or(0))
}

fn has_programs(folder: &Path) -> bool {
    ["initdb", "postgres"].iter().all(|program| {
        let file = folder.join(program).metadata();
        file.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    })
}

/// Who owns the server's files and runs its programs.
///
/// PostgreSQL refuses to run as root; root hands its programs to another account. Everything else of a cluster
/// runs as that account too, so that it can also delete what it made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account {
    /// The user and group to change to, when that is needed.
    other: Option<(u32, u32)>,
}

impl Account {
    pub(super) fn pick() -> Result<Self, ClusterError> {
        if id(&["-u"]) != Some(0) {
            return Ok(Self { other: None });
        }
        let named = std::env::var("PG_ACCOUNT").ok();
        let names = named.as_deref().map_or_else(|| vec!["postgres", "nobody"], |name| vec![name]);
        let found = names.iter().find_map(|name| Some((id(&["-u", name])?, id(&["-g", name])?)));
        match found {
            Some(other) => Ok(Self { other: Some(other) }),
            None => Err(ClusterError::new(format!(
                "running as root, and no account to run the server as: {}; name one in PG_ACCOUNT",
                names.join(" or "),
            ))),
        }
    }

    /// A command that runs as this account, in `folder`, apart from the terminal's signals and input.
    pub(super) fn command(self, program: impl AsRef<Path>, folder: &Path) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(folder).stdin(Stdio::null()).process_group(0);
        if let Some((user, group)) = self.other {
            command.uid(user).gid(group);
        }
        command
    }

    /// Makes `path` this account's own.
    pub(super) fn own(self, path: &Path) -> Result<(), ClusterError> {
        let Some((user, group)) = self.other else { return Ok(()) };
        std::os::unix::fs::chown(path, Some(user), Some(group))
            .map_err(ClusterError::io(format_args!("chown {}", path.display())))
    }

    /// Whether this account can run `program`.
    pub(super) fn can_run(self, program: &Path) -> bool {
        self.holds("test -x \"$1\"", program)
    }

    /// Whether this account can make files in `folder`, and delete them again.
    pub(super) fn can_fill(self, folder: &Path) -> bool {
        self.holds("test -w \"$1\" && test -x \"$1\"", folder)
    }

    fn holds(self, test: &str, path: &Path) -> bool {
        let mut command = self.command("/bin/sh", Path::new("/"));
        command.args(["-c", test, "sh"]).arg(path);
        command.status().is_ok_and(|status| status.success())
    }
}

/// Runs `command` to its end and gives its output; a failure carries what it printed.
pub(super) fn run(command: &mut Command) -> Result<Output, ClusterError> {
    let name = Path::new(command.get_program()).display().to_string();
    let output = command.output().map_err(ClusterError::io(&name))?;
    if output.status.success() {
        return Ok(output);
    }
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    Err(ClusterError::new(format!("{name} failed: {}\n{}", output.status, String::from_utf8_lossy(&text))))
}

/// What is free below `folder`, in KiB.
pub(super) fn free_space(folder: &Path) -> Option<u64> {
    let output = Command::new("df").arg("-Pk").arg(folder).stderr(Stdio::null()).output().ok()?;
    String::from_utf8(output.stdout).ok()?.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

fn id(arguments: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(arguments).stderr(Stdio::null()).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{find_programs, free_space, newest_of};

    #[test]
    fn a_folder_without_a_server_is_refused_with_the_cure() {
        let error = find_programs(Some(Path::new("/nowhere"))).unwrap_err().to_string();
        assert!(error.contains("/nowhere") && error.contains("apt-get install postgresql"), "{error}");
        assert_eq!(newest_of(Path::new("/nowhere")), None);
    }

    #[test]
    fn free_space_is_found_where_there_is_a_folder() {
        assert!(free_space(Path::new("/")).is_some());
        assert_eq!(free_space(Path::new("/nowhere")), None);
    }
}
