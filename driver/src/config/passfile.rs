//! The password file: a password for each host, port, database and user (PostgreSQL manual, "The Password File").

use std::io;
use std::path::Path;

/// A login that a password is looked for.
pub(super) struct Entry<'a> {
    pub(super) host: &'a str,
    pub(super) port: u16,
    pub(super) database: &'a str,
    pub(super) user: &'a str,
}

/// The password that the file has for a login.
///
/// # Errors
/// Why the file is passed over, or has none.
pub(super) fn look_up(path: &Path, entry: &Entry<'_>) -> Result<String, String> {
    let bytes = read(path).map_err(|problem| format!("{} {problem}", path.display()))?;
    let mut lines = bytes.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    let found = lines.find_map(|line| password(line, entry)).filter(|password| !password.is_empty());
    found.ok_or_else(|| format!("{} has none for this host, port, database and user", path.display()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let file = path.metadata().map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => "does not exist".to_owned(),
        _ => format!("cannot be read: {e}"),
    })?;
    if !file.is_file() {
        return Err("is no plain file".to_owned());
    }
    if is_open_to_others(&file) {
        return Err("is passed over, because others may read it: chmod u=rw,go= makes it private".to_owned());
    }
    std::fs::read(path).map_err(|e| format!("cannot be read: {e}"))
}

#[cfg(unix)]
fn is_open_to_others(file: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    file.mode() & 0o077 != 0
}

#[cfg(not(unix))]
fn is_open_to_others(_: &std::fs::Metadata) -> bool {
    false
}

/// The password of a line, `host:port:database:user:password`, if the line fits.
fn password(line: &str, entry: &Entry<'_>) -> Option<String> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.starts_with('#') {
        return None;
    }
    let mut rest = line;
    for wanted in [entry.host, &entry.port.to_string(), entry.database, entry.user] {
        rest = behind(rest, wanted)?;
    }
    let mut password = String::new();
    let mut chars = rest.chars();
    while let Some(c) = chars.next().filter(|&c| c != ':') {
        // A lone backslash at the end stands for itself.
        password.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    Some(password)
}

/// What is behind a field and its colon, if the field is `wanted` or `*`. A backslash takes the next character as it is.
fn behind<'a>(line: &'a str, wanted: &str) -> Option<&'a str> {
    if let Some(rest) = line.strip_prefix("*:") {
        return Some(rest);
    }
    let (mut field, mut wanted) = (line.chars(), wanted.chars());
    loop {
        let c = match field.next()? {
            ':' if wanted.as_str().is_empty() => return Some(field.as_str()),
            '\\' => field.next()?,
            c => c,
        };
        if wanted.next()? != c {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGIN: Entry<'_> = Entry { host: "farm", port: 5432, database: "wool", user: "dolly" };

    #[test]
    fn each_host_has_its_own() {
        let line = "farm:5432:wool:dolly:sesame";
        assert_eq!(password(line, &LOGIN).as_deref(), Some("sesame"));
        for other in [
            Entry { host: "barn", ..LOGIN },
            Entry { port: 5433, ..LOGIN },
            Entry { database: "meat", ..LOGIN },
            Entry { user: "polly", ..LOGIN },
            Entry { host: "far", ..LOGIN },
            Entry { host: "farms", ..LOGIN },
        ] {
            assert_eq!(password(line, &other), None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_is_passed_over() {
        use std::os::unix::fs::PermissionsExt;

        let path = std::env::temp_dir().join(format!("wreath-pgpass-{}", std::process::id()));
        std::fs::write(&path, b"\xff\xfe\nfarm:*:*:*:sesame\n").expect("is written");
        for (mode, found) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o620, false)] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("is changed");
            match look_up(&path, &LOGIN) {
                Ok(password) => assert!(found && password == "sesame", "{mode:o}"),
                Err(why) => assert!(!found && why.contains("chmod"), "{mode:o}: {why}"),
            }
        }
        std::fs::remove_file(&path).expect("is removed");
        let missing = look_up(&path, &LOGIN).expect_err("there is none");
        assert!(missing.ends_with("does not exist"), "{missing}");
        let folder = look_up(&std::env::temp_dir(), &LOGIN).expect_err("no file");
        assert!(folder.ends_with("is no plain file"), "{folder}");
    }
}
