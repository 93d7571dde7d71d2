//! The service file: options in groups that have names (PostgreSQL manual, "The Connection Service File").
//!
//! A file that is named has to be there. Otherwise the user's own file is looked into first, and the system's when the
//! user's does not have the group.

use std::io;
use std::path::{Path, PathBuf};

use super::settings::Surroundings;
use super::{Config, ConfigError, option};

/// Where the system's file lies when nobody says so: Debian's folder, Red Hat's, and PostgreSQL's own.
const SYSTEM_FOLDERS: [&str; 3] = ["/etc/postgresql-common", "/etc/sysconfig/pgsql", "/usr/local/pgsql/etc"];

/// What a service says beside its name and its file, which it cannot say.
const NESTED: [&str; 2] = ["service", "servicefile"];

/// Fills in what `said` leaves open and the service says that it names.
pub(super) fn fill(said: &mut Config, around: &Surroundings<'_>) -> Result<(), ConfigError> {
    let Some(service) = said.service.clone() else { return Ok(()) };
    if let Some(path) = said.service_file.clone() {
        let text = read(&path)?.ok_or_else(|| {
            ConfigError::option("servicefile", format!("{} does not exist", path.display()))
        })?;
        return if fill_from(said, &path, &text, &service)? { Ok(()) } else { Err(unknown(&service)) };
    }
    for path in places(around) {
        if let Some(text) = read(&path)?
            && fill_from(said, &path, &text, &service)?
        {
            return Ok(());
        }
    }
    Err(unknown(&service))
}

/// The files that are looked into where none is named.
fn places(around: &Surroundings<'_>) -> Vec<PathBuf> {
    let own = around.home().map(|home| home.join(".pg_service.conf"));
    let named = (around.variable)("PGSYSCONFDIR").map(PathBuf::from);
    let system: Vec<PathBuf> = match named {
        Some(folder) => vec![folder],
        None => SYSTEM_FOLDERS.map(PathBuf::from).into(),
    };
    own.into_iter().chain(system.into_iter().map(|folder| folder.join("pg_service.conf"))).collect()
}

fn unknown(service: &str) -> ConfigError {
    ConfigError::option("service", format!("no service file has a group [{}]", service.escape_debug()))
}

/// A file's text, if the file exists.
fn read(path: &Path) -> Result<Option<String>, ConfigError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(ConfigError::option("servicefile", format!("{}: {e}", path.display()))),
    }
}

/// Fills in from the group of the service; false when there is none.
///
/// Only the first group of the name counts, and in it the first line of an option. Groups that are not asked for may
/// hold anything.
fn fill_from(said: &mut Config, path: &Path, text: &str, service: &str) -> Result<bool, ConfigError> {
    let mut inside = false;
    for (line, number) in text.lines().map(|line| line.trim_matches(is_space)).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(head) = line.strip_prefix('[') {
            if inside {
                break;
            }
            inside = head.strip_prefix(service).is_some_and(|behind| behind.starts_with(']'));
        } else if inside {
            say(said, line).map_err(|e| e.at(path, number))?;
        }
    }
    Ok(inside)
}

fn say(said: &mut Config, line: &str) -> Result<(), ConfigError> {
    let Some((name, value)) = line.split_once('=') else {
        return Err(ConfigError::option("servicefile", "a line has no ="));
    };
    if NESTED.contains(&name) {
        return Err(ConfigError::option(name, "a service cannot name another"));
    }
    option::fill(said, name, value)
}

/// What C's `isspace` holds for a space.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(text: &str) -> Result<(Config, bool), ConfigError> {
        let mut said = Config::new();
        let found = fill_from(&mut said, Path::new("farms.conf"), text, "wool")?;
        Ok((said, found))
    }

    #[test]
    fn a_group_says_what_is_left_open() {
        let (said, found) =
            group("[meat]\nuser=polly\n[wool]\nuser=dolly\n[last]\nuser=ewe").expect("is well-formed");
        assert!(found);
        assert_eq!(said, Config::new().user("dolly"));
        assert_eq!(group("[meat]\nnonsense"), Ok((Config::new(), false)));
    }

    #[test]
    fn errors_name_the_place() {
        for (line, option, problem) in [
            ("nonsense", "servicefile", "no ="),
            ("hots=a", "hots", "unknown option"),
            ("port=x", "port", "1 to 65535"),
            ("service=meat", "service", "another"),
            ("servicefile=meat", "servicefile", "another"),
            ("client_encoding=LATIN1", "client_encoding", "UTF8"),
        ] {
            let refused = group(&format!("# farms\n[wool]\n\n{line}\n")).expect_err(line);
            assert_eq!(refused.option_name(), Some(option), "{line}");
            let shown = refused.to_string();
            assert!(shown.contains(problem) && shown.ends_with("(line 4 of farms.conf)"), "{shown}");
        }
    }
}
