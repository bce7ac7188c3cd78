//! What the first process of a job tells all others: which of them share a node, and how each is reached.
//!
//! It is told through the launcher. Each process reads which share a node. How they are reached, which is longer, one
//! process of each node reads, and keeps it in a file for its node.
//! Knows no launcher, and not what a contact means.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;

use super::Boot;
use crate::error::{Error, Result, class};

/// Keys of the two lists.
const NODES: &str = "nodes";
const CONTACTS: &str = "contacts";

/// The lists, while the first process makes them.
#[derive(Default)]
pub struct Directory {
    /// Numbers of nodes, in the order of their first processes.
    numbers: HashMap<u64, u32>,
    /// Nodes of consecutive processes, and how many there are.
    runs: Vec<(u32, usize)>,
    contacts: Vec<String>,
}

impl Directory {
    /// Adds the next process.
    pub fn add(&mut self, node: u64, contact: &[u8]) {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(node).or_insert(next);
        match self.runs.last_mut().filter(|(node, _)| *node == number) {
            Some((_, count)) => *count += 1,
            None => self.runs.push((number, 1)),
        }
        self.contacts.push(hex(contact));
    }

    /// Tells all. They see it after the next fence.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone or refuses.
    pub fn publish(&self, launcher: &mut dyn Boot) -> Result<()> {
        let runs = self.runs.iter().map(|(node, count)| match count {
            1 => node.to_string(),
            _ => format!("{node}x{count}"),
        });
        let runs = runs.collect::<Vec<_>>().join(",");
        launcher.put(NODES, runs.as_bytes())?;
        if self.numbers.len() > 1 {
            launcher.put(CONTACTS, self.contacts.join(",").as_bytes())?;
        }
        Ok(())
    }

    /// The number of the node that each process runs on.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone, or the first process has not told it.
    pub fn nodes(launcher: &mut dyn Boot) -> Result<Vec<u32>> {
        let size = launcher.identity().size;
        let text = get(launcher, NODES)?;
        let nodes = expanded(&text, size).filter(|nodes| nodes.len() == size);
        nodes.ok_or_else(|| broken(NODES, &text))
    }

    /// Fills a file with how each process is reached.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: the launcher is gone, the first process has not told it, or the file cannot be written.
    pub fn contacts(launcher: &mut dyn Boot, file: OwnedFd) -> Result<Contacts> {
        let text = get(launcher, CONTACTS)?;
        let contacts: Option<Vec<_>> = text.split(',').map(unhex).collect();
        let contacts = contacts.filter(|all| all.len() == launcher.identity().size);
        let contacts = contacts.ok_or_else(|| broken(CONTACTS, &text))?;
        Contacts::write(file, &contacts)
            .map_err(|error| Error::new(class::OTHER, format!("shared memory: {error}")))
    }
}

/// How each process of a job is reached: a file that the processes of a node share.
///
/// It begins with the places where the contact of each process begins, and where the last one ends.
pub struct Contacts(File);

impl Contacts {
    /// Those that another process has written, or will have written when they are first read.
    pub fn of(file: OwnedFd) -> Contacts {
        Contacts(file.into())
    }

    fn write(file: OwnedFd, contacts: &[Vec<u8>]) -> io::Result<Contacts> {
        let mut start = PLACE * (contacts.len() + 1);
        let mut bytes = Vec::with_capacity(start);
        let lengths = contacts.iter().map(Vec::len);
        for length in std::iter::once(0).chain(lengths) {
            start += length;
            bytes.extend((start as u64).to_le_bytes());
        }
        bytes.extend(contacts.concat());
        let file = File::from(file);
        file.write_all_at(&bytes, 0)?;
        Ok(Contacts(file))
    }

    /// How process `index` is reached.
    ///
    /// # Errors
    /// The file does not say so.
    pub fn get(&self, index: usize) -> io::Result<Vec<u8>> {
        let mut places = [0; 2 * PLACE];
        self.0.read_exact_at(&mut places, (PLACE * index) as u64)?;
        let (start, end) = places.split_at(PLACE);
        let [start, end] = [start, end]
            .map(|place| u64::from_le_bytes(place.try_into().expect("it has that length")));
        let length = end.checked_sub(start).and_then(|l| u16::try_from(l).ok());
        let length = length.ok_or(io::ErrorKind::InvalidData)?;
        let mut contact = vec![0; length.into()];
        self.0.read_exact_at(&mut contact, start)?;
        Ok(contact)
    }
}

/// Bytes of a place in the file.
const PLACE: usize = 8;

fn get(launcher: &mut dyn Boot, key: &str) -> Result<String> {
    let text = launcher.get(0, key)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn broken(key: &str, text: &str) -> Error {
    let shown: String = text.chars().take(80).collect();
    let what = format!(
        "rank 0 has told nothing of use about the job's processes ({key}: '{shown}'): it has failed, or has another \
         version of this library"
    );
    Error::new(class::OTHER, what)
}

/// The numbers of `0x32,1,0`, at most `most`.
fn expanded(text: &str, most: usize) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    for run in text.split(',') {
        let (number, count) = run.split_once('x').unwrap_or((run, "1"));
        let (number, count) = (number.parse::<u32>().ok()?, count.parse::<usize>().ok()?);
        if count > most - all.len() || number as usize > all.len() {
            return None;
        }
        all.extend(std::iter::repeat_n(number, count));
    }
    Some(all)
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What [`hex`] has written; `None`: this is another text.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = |&[high, low]: &[u8; 2]| Some((digit(high)? << 4 | digit(low)?) as u8);
    let (pairs, rest) = text.as_bytes().as_chunks();
    let all = pairs.iter().map(byte).collect();
    if rest.is_empty() { all } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_nodes_are_numbers_again() {
        assert_eq!(expanded("0x2,1,0", 4), Some(vec![0, 0, 1, 0]));
        assert_eq!(expanded("0", 1), Some(vec![0]));
        for broken in [
            "",
            "0x",
            "x2",
            "0x5",
            "0x2,1x3",
            "0,-1",
            "0,,1",
            "0x99999999999",
            "7",
        ] {
            assert_eq!(expanded(broken, 4), None, "{broken}");
        }
    }

    #[test]
    fn contacts_of_any_length_are_found_in_their_file() {
        let file = || OwnedFd::from(tempfile::tempfile().unwrap());
        let all = [vec![1, 2, 3], Vec::new(), vec![9; 300]];
        let contacts = Contacts::write(file(), &all).unwrap();
        for (index, contact) in all.iter().enumerate() {
            assert_eq!(contacts.get(index).unwrap(), *contact);
        }
        // There is no fourth one: what would say where it ends is a contact.
        assert!(contacts.get(3).is_err());
        assert!(Contacts::of(file()).get(0).is_err());
    }

    #[test]
    fn digits_are_bytes() {
        assert_eq!(unhex(&hex(&[0, 10, 255])), Some(vec![0, 10, 255]));
        assert_eq!(unhex("0g"), None);
    }
}
