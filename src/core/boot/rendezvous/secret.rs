//! The secret of those who meet: given by the user, or kept in the user's home. Never on a command line.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::handshake::Secret;
use crate::sys;

/// The text itself, or the file in which it stands.
pub const TEXT: &str = "MPI_ANYMPI_SECRET";
pub const FILE: &str = "MPI_ANYMPI_SECRET_FILE";
/// Fewest characters: whoever connects is shown a proof, and could try short texts until one fits it.
const MIN_CHARACTERS: usize = 16;

/// The secret that the user has given, if any.
///
/// # Errors
/// It is too short, or in a file that cannot be read, or that others can read.
pub fn given(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Secret>, String> {
    if let Some(text) = variable(TEXT) {
        return checked(&text)
            .map(Some)
            .map_err(|what| format!("{TEXT} {what}"));
    }
    let Some(path) = variable(FILE) else {
        return Ok(None);
    };
    let secret = read(Path::new(&path));
    secret
        .map(Some)
        .map_err(|what| format!("{FILE}='{path}': {what}"))
}

fn checked(text: &str) -> Result<Secret, String> {
    let text = text.trim();
    match text.len() < MIN_CHARACTERS {
        true => Err(format!(
            "has {} characters, and must have {MIN_CHARACTERS} at least, which nobody can guess",
            text.len()
        )),
        false => Ok(Secret::of(text)),
    }
}

/// The secret in a file that only its owner can read.
fn read(path: &Path) -> Result<Secret, String> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(path);
    let file = file.map_err(|error| error.to_string())?;
    let about = file.metadata().map_err(|error| error.to_string())?;
    let me = nix::unistd::geteuid().as_raw();
    if !about.is_file() {
        return Err("it is not a file".into());
    }
    if about.uid() != me && about.uid() != 0 {
        return Err(format!("it belongs to user {}", about.uid()));
    }
    if about.mode() & 0o077 != 0 {
        return Err(format!(
            "others can read or write it (mode {:o}); 'chmod 600' makes it yours alone",
            about.mode() & 0o777
        ));
    }
    let mut text = String::new();
    let read = file.take(1 << 16).read_to_string(&mut text);
    read.map_err(|error| error.to_string())?;
    checked(&text).map_err(|what| format!("it {what}"))
}

/// Where the user's own secret is kept.
pub fn in_home(home: &Path) -> PathBuf {
    home.join(".anympi/secret")
}

/// The user's own secret, which all hosts see that share the user's home. Who comes first makes it.
///
/// # Errors
/// It cannot be made or read.
pub fn own(home: &Path) -> Result<Secret, String> {
    let path = in_home(home);
    let wrong = |what: String| format!("{}: {what}", path.display());
    if !path.exists() {
        make(&path).map_err(|error| wrong(error.to_string()))?;
    }
    read(&path).map_err(wrong)
}

/// Makes a file with a new secret, whole or not at all. Another process may do so at the same time.
fn make(path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let name = format!(".secret-{}-{:x}", sys::host_name(), sys::random());
    let draft = folder.join(name);
    let mut file: File = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)?;
    let digits = |byte: &u8| format!("{byte:02x}");
    let text: String = sys::random_bytes::<32>().iter().map(digits).collect();
    let made = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::hard_link(&draft, path));
    fs::remove_file(&draft)?;
    match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn it_comes_from_the_environment_or_a_file_of_the_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        fs::write(&path, "  a long enough secret\n").unwrap();
        let name = path.to_str().unwrap().to_owned();
        let by_file = |name: &str| (name == FILE).then(|| path.to_str().unwrap().to_owned());
        for mode in [0o644, 0o640, 0o602] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let error = given(&by_file).err().unwrap();
            let expected = format!("{FILE}='{name}': others can read or write it (mode {mode:o})");
            assert!(error.starts_with(&expected), "{error}");
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let text = |name: &str| (name == TEXT).then(|| "a long enough secret".to_owned());
        assert!(given(&by_file).unwrap() == given(&text).unwrap());
        assert!(given(&by_file).unwrap().is_some());
        assert!(given(&|_| None).unwrap().is_none());
        for (name, value, what) in [
            (TEXT, "short", "has 5 characters"),
            (FILE, "/nowhere/at/all", "No such file"),
            (FILE, "/", "it is not a file"),
        ] {
            let error = given(&|asked| (asked == name).then(|| value.to_owned()));
            let error = error.err().unwrap();
            assert!(error.starts_with(name) && error.contains(what), "{error}");
        }
    }

    #[test]
    fn a_home_has_one_secret_whoever_comes_first() {
        let home = tempfile::tempdir().unwrap();
        let all: Vec<Secret> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| own(home.path()))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<_>| thread.join().unwrap();
            threads.into_iter().map(|one| join(one).unwrap()).collect()
        });
        assert!(all.iter().all(|one| *one == all[0]));
        let folder = fs::read_dir(home.path().join(".anympi")).unwrap();
        assert_eq!(folder.count(), 1, "no draft is left");
    }
}
