//! What a program file needs to be executed: the interpreter of a script, the loader of a binary.
//!
//! Job: name it, so that a failure to execute can say what is missing. The system reports only that some file
//! is not there. It knows nothing of jobs.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// As much of a file as holds the names; linkers and writers of scripts put them first.
const HEAD: u64 = 4096;
/// The kind of program header that names the loader (`PT_INTERP` of the ELF specification).
const LOADER: u32 = 3;

fn head(file: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let file = File::open(file).ok()?;
    file.take(HEAD).read_to_end(&mut head).ok()?;
    Some(head)
}

/// The loader that a binary names; none for a script, and for a program that needs none.
pub fn loader_of(file: &Path) -> Option<PathBuf> {
    let head = head(file)?;
    let name = String::from_utf8_lossy(loader(&head)?);
    Some(PathBuf::from(name.trim_matches('\0')))
}

/// The path that the file names as its interpreter or loader.
pub fn of(file: &Path) -> Option<String> {
    let head = head(file)?;
    let name = match head.strip_prefix(b"#!") {
        Some(script) => script.split(|&b| b == b'\n').next()?,
        None => loader(&head)?,
    };
    let name = String::from_utf8_lossy(name);
    name.trim_matches('\0')
        .split_whitespace()
        .next()
        .map(str::to_owned)
}

/// The loader's name in the head of a 64-bit binary of this machine's byte order.
fn loader(head: &[u8]) -> Option<&[u8]> {
    fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
        bytes.get(at..)?.first_chunk().copied()
    }
    let number = |bytes, at| Some(u64::from_ne_bytes(field(bytes, at)?) as usize);
    if !head.starts_with(b"\x7fELF\x02") {
        return None;
    }
    let size = u16::from_ne_bytes(field(head, 54)?) as usize;
    let count = u16::from_ne_bytes(field(head, 56)?);
    let table = head.get(number(head, 32)?..)?;
    let mut headers = table.chunks_exact(size.max(1)).take(count as usize);
    let found = headers.find(|h| field(h, 0).map(u32::from_ne_bytes) == Some(LOADER))?;
    head.get(number(found, 8)?..)?.get(..number(found, 32)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_of_this_program_is_there() {
        let own = std::env::current_exe().unwrap();
        let loader = of(&own).unwrap();
        assert!(
            loader.contains("ld") && Path::new(&loader).exists(),
            "{loader}"
        );
        assert_eq!(loader_of(&own), Some(PathBuf::from(loader)));
        assert_eq!(of(Path::new("/dev/null")), None);
        assert_eq!(of(Path::new("/no/such/file")), None);
    }
}
