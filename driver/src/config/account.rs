//! The account that the process runs under, and other accounts of the system.
//!
//! The system's own answers would take foreign calls. An account that is not in `/etc/passwd` (it may come from a directory
//! service) usually has its name in `USER` or `LOGNAME`.

use std::path::PathBuf;

/// The account's name: that of the effective user in `/etc/passwd`, else what the environment says.
pub(super) fn name() -> Option<String> {
    let variables = if cfg!(windows) { &["USERNAME"][..] } else { &["USER", "LOGNAME"] };
    own(Field::Name).or_else(|| {
        variables.iter().find_map(|variable| std::env::var(variable).ok().filter(|name| !name.is_empty()))
    })
}

/// The name of the account with a number.
#[cfg(unix)]
pub(crate) fn name_of(number: u32) -> Option<String> {
    let passwd = std::fs::read_to_string("/etc/passwd").ok()?;
    entry(&passwd, &number.to_string(), Field::Name).map(str::to_owned)
}

/// The account's home folder, as `/etc/passwd` has it; the environment may know better.
pub(super) fn home() -> Option<PathBuf> {
    own(Field::Home).filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// A field of a line of `/etc/passwd`.
#[derive(Clone, Copy)]
enum Field {
    Name = 0,
    Home = 5,
}

#[cfg(not(target_os = "linux"))]
fn own(_: Field) -> Option<String> {
    None
}

#[cfg(target_os = "linux")]
fn own(field: Field) -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let passwd = std::fs::read_to_string("/etc/passwd").ok()?;
    entry(&passwd, effective_user(&status)?, field).map(str::to_owned)
}

/// The second number of the line `Uid:` (real, effective, saved, file system).
#[cfg(target_os = "linux")]
fn effective_user(status: &str) -> Option<&str> {
    status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_ascii_whitespace().nth(1)
}

/// A field of the line whose third field is the number.
#[cfg(unix)]
fn entry<'a>(passwd: &'a str, number: &str, field: Field) -> Option<&'a str> {
    let line = passwd.lines().find(|line| line.split(':').nth(2) == Some(number))?;
    line.split(':').nth(field as usize)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_name_belongs_to_the_effective_user() {
        let status = "Name:\tx\nUid:\t1000\t33\t1000\t1000\nGid:\t0\t0\t0\t0\n";
        let passwd = "root:x:0:0:root:/root:/bin/sh\n\nbroken\ndolly:x:33:33::/stable/dolly:/bin/false\n";
        let own = |field| effective_user(status).and_then(|number| entry(passwd, number, field));
        assert_eq!(own(Field::Name), Some("dolly"));
        assert_eq!(own(Field::Home), Some("/stable/dolly"));
        assert_eq!(entry(passwd, "34", Field::Name), None);
        assert_eq!(effective_user(""), None);
    }

    #[test]
    fn it_is_what_the_system_says() {
        let Ok(said) = std::process::Command::new("id").arg("-un").output() else { return };
        assert_eq!(name().as_deref(), Some(String::from_utf8_lossy(&said.stdout).trim()));
    }
}
