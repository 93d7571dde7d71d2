//! The name of the account that the process runs under.

/// The account's name: that of the effective user in `/etc/passwd`, else what the environment says.
///
/// The system's own answer would take a foreign call. An account that is not in that file (it may come from a
/// directory service) usually has its name in `USER` or `LOGNAME`.
pub(super) fn name() -> Option<String> {
    #[cfg(target_os = "linux")]
    if let Some(name) = from_passwd() {
        return Some(name);
    }
    let variables = if cfg!(windows) { &["USERNAME"][..] } else { &["USER", "LOGNAME"] };
    variables.iter().find_map(|variable| std::env::var(variable).ok().filter(|name| !name.is_empty()))
}

#[cfg(target_os = "linux")]
fn from_passwd() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let passwd = std::fs::read_to_string("/etc/passwd").ok()?;
    owner(&passwd, effective_user(&status)?).map(str::to_owned)
}

/// The second number of the line `Uid:` (real, effective, saved, file system).
#[cfg(target_os = "linux")]
fn effective_user(status: &str) -> Option<&str> {
    status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_ascii_whitespace().nth(1)
}

/// The first field of the line whose third field is the number.
#[cfg(target_os = "linux")]
fn owner<'a>(passwd: &'a str, number: &str) -> Option<&'a str> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == number).then_some(name)
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_name_belongs_to_the_effective_user() {
        let status = "Name:\tx\nUid:\t1000\t33\t1000\t1000\nGid:\t0\t0\t0\t0\n";
        let passwd = "root:x:0:0:root:/root:/bin/sh\n\nbroken\ndolly:x:33:33::/:/bin/false\n";
        assert_eq!(effective_user(status).and_then(|number| owner(passwd, number)), Some("dolly"));
        assert_eq!(owner(passwd, "34"), None);
        assert_eq!(effective_user(""), None);
    }

    #[test]
    fn it_is_what_the_system_says() {
        let Ok(said) = std::process::Command::new("id").arg("-un").output() else { return };
        assert_eq!(name().as_deref(), Some(String::from_utf8_lossy(&said.stdout).trim()));
    }
}
