//! What the root and the members of a rendezvous say to each other, as bytes. Pure: it knows no connection.
//!
//! A frame is its length (4 bytes, little endian), a kind (1 byte) and the rest. The values of processes travel as the
//! process that has put them wrote them.

/// Longest frame of a member.
pub const MAX_MEMBER_FRAME: usize = 16 << 20;
/// Longest frame of the root, which has the values of all members.
pub const MAX_ROOT_FRAME: usize = 1 << 30;
/// Longest text that tells who a member is.
const NAME: usize = 512;

/// A process of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    pub pid: u32,
    /// Tells apart hosts, and the process ids that processes there see.
    pub node: u64,
    pub host: String,
}

impl std::fmt::Display for Who {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} on {}", self.pid, self.host)
    }
}

/// What a member says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromMember {
    /// First of all: which rank it has and how many there are, as far as it knows, and who it is.
    Hello {
        rank: Option<u32>,
        size: Option<u32>,
        who: Who,
    },
    /// It has come to a fence, with these values for all.
    Fence(Vec<u8>),
    /// It leaves MPI in good order...
    Leave,
    /// ... and comes back.
    Back,
    /// It ends the whole job: by this exit status, with the code that the program has passed.
    Abort { status: i32, code: i32 },
}

/// What the root says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToMember {
    /// All have come.
    Welcome { rank: u32, size: u32, job: String },
    /// All have come to the fence, with these values.
    Fenced(Vec<u8>),
    /// It has heard that the member leaves, or comes back.
    Heard,
    /// The job ends, or never begins: the exit status and why.
    End { status: i32, why: String },
    /// Everybody has left.
    Bye,
    /// All had come before, and why that is said. These of them run where the one runs that has come too late.
    Late { pids: Vec<u32>, why: String },
    /// It is to come again, as the rank that it names has left a job that has not ended yet. These run where it does.
    Again { pids: Vec<u32> },
}

fn framed(kind: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut bytes = ((length + 1) as u32).to_le_bytes().to_vec();
    bytes.push(kind);
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    bytes
}

/// Length of [`abort`].
pub const ABORT: usize = 13;

/// The frame of [`FromMember::Abort`], made without allocating.
pub fn abort(status: i32, code: i32) -> [u8; ABORT] {
    let mut bytes = [0; ABORT];
    bytes[0] = (ABORT - 4) as u8;
    bytes[4] = 5;
    bytes[5..9].copy_from_slice(&status.to_le_bytes());
    bytes[9..].copy_from_slice(&code.to_le_bytes());
    bytes
}

/// A number that may be missing.
const NONE: u32 = u32::MAX;

impl FromMember {
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            FromMember::Hello { rank, size, who } => {
                let [rank, size] = [rank, size].map(|number| number.unwrap_or(NONE));
                let numbers = [rank, size, who.pid].map(u32::to_le_bytes).concat();
                framed(1, &[&numbers, &who.node.to_le_bytes(), who.host.as_bytes()])
            }
            FromMember::Fence(values) => framed(2, &[values]),
            FromMember::Leave => framed(3, &[]),
            FromMember::Back => framed(4, &[]),
            FromMember::Abort { status, code } => abort(*status, *code).to_vec(),
        }
    }

    /// `None`: a member has not sent this.
    pub fn from_bytes(frame: &[u8]) -> Option<FromMember> {
        let (&kind, rest) = frame.split_first()?;
        let two = || Some((number(rest)?, number(rest.get(4..)?)?));
        match (kind, rest.len()) {
            (1, 20..) => {
                let (rank, size) = two()?;
                let told = |number| (number != NONE).then_some(number);
                let host = rest[20..].get(..NAME).unwrap_or(&rest[20..]);
                let who = Who {
                    pid: number(&rest[8..])?,
                    node: u64::from_le_bytes(*rest[12..].first_chunk()?),
                    host: printable(host),
                };
                Some(FromMember::Hello {
                    rank: told(rank),
                    size: told(size),
                    who,
                })
            }
            (2, _) => Some(FromMember::Fence(rest.to_vec())),
            (3, 0) => Some(FromMember::Leave),
            (4, 0) => Some(FromMember::Back),
            (5, 8) => {
                let (status, code) = two()?;
                Some(FromMember::Abort {
                    status: status as i32,
                    code: code as i32,
                })
            }
            _ => None,
        }
    }
}

impl ToMember {
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            ToMember::Welcome { rank, size, job } => {
                let numbers = [rank, size].map(|number| number.to_le_bytes());
                framed(1, &[&numbers.concat(), job.as_bytes()])
            }
            ToMember::Fenced(values) => framed(2, &[values]),
            ToMember::Heard => framed(3, &[]),
            ToMember::End { status, why } => framed(4, &[&status.to_le_bytes(), why.as_bytes()]),
            ToMember::Bye => framed(5, &[]),
            ToMember::Late { pids, why } => {
                let count = (pids.len() as u32).to_le_bytes();
                framed(6, &[&count, &bytes_of(pids), why.as_bytes()])
            }
            ToMember::Again { pids } => framed(7, &[&bytes_of(pids)]),
        }
    }

    /// `None`: the root has not sent this.
    pub fn from_bytes(frame: &[u8]) -> Option<ToMember> {
        let (&kind, rest) = frame.split_first()?;
        match (kind, rest.len()) {
            (1, 8..) => Some(ToMember::Welcome {
                rank: number(rest)?,
                size: number(&rest[4..])?,
                job: printable(&rest[8..]),
            }),
            (2, _) => Some(ToMember::Fenced(rest.to_vec())),
            (3, 0) => Some(ToMember::Heard),
            (4, 4..) => Some(ToMember::End {
                status: number(rest)? as i32,
                why: printable(&rest[4..]),
            }),
            (5, 0) => Some(ToMember::Bye),
            (6, 4..) => {
                let bytes = (number(rest)? as usize).checked_mul(4)?;
                let (pids, why) = rest[4..].split_at_checked(bytes)?;
                let (pids, why) = (numbers(pids)?, printable(why));
                Some(ToMember::Late { pids, why })
            }
            (7, _) => Some(ToMember::Again {
                pids: numbers(rest)?,
            }),
            _ => None,
        }
    }
}

fn number(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn bytes_of(numbers: &[u32]) -> Vec<u8> {
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    bytes.collect()
}

fn numbers(bytes: &[u8]) -> Option<Vec<u32>> {
    bytes.chunks(4).map(number).collect()
}

fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let plain = |letter: char| match letter.is_control() {
        true => '?',
        false => letter,
    };
    text.chars().map(plain).collect()
}

/// Takes the first whole frame from what has come, without its length; `None`: more has to come.
///
/// # Errors
/// The frame would be longer than `most`.
pub fn take(come: &mut Vec<u8>, most: usize) -> Result<Option<Vec<u8>>, String> {
    let Some(length) = number(come).map(|length| length as usize) else {
        return Ok(None);
    };
    if length > most {
        return Err(format!("a message of {length} bytes, which is too long"));
    }
    if come.len() < 4 + length {
        return Ok(None);
    }
    let rest = come.split_off(4 + length);
    let mut frame = std::mem::replace(come, rest);
    frame.drain(..4);
    Ok(Some(frame))
}

/// Adds a value of process `index` to those of a fence.
pub fn add_value(values: &mut Vec<u8>, index: u32, key: &str, value: &[u8]) {
    for bytes in [key.as_bytes(), value] {
        values.extend_from_slice(&index.to_le_bytes());
        values.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        values.extend_from_slice(bytes);
    }
}

/// A value as [`add_value`] was given it.
pub type Value = (u32, String, Vec<u8>);

/// What [`add_value`] has added; `None`: these are other bytes.
pub fn values(mut bytes: &[u8]) -> Option<Vec<Value>> {
    let mut next = || -> Option<Option<(u32, Vec<u8>)>> {
        if bytes.is_empty() {
            return Some(None);
        }
        let (index, length) = (number(bytes)?, number(bytes.get(4..)?)?);
        let (text, rest) = bytes[8..].split_at_checked(length as usize)?;
        bytes = rest;
        Some(Some((index, text.to_vec())))
    };
    let mut all = Vec::new();
    while let Some((index, key)) = next()? {
        let (_, value) = next()??;
        all.push((index, String::from_utf8(key).ok()?, value));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_heard() {
        let hello = |rank, size| FromMember::Hello {
            rank,
            size,
            who: Who {
                pid: 7,
                node: u64::MAX - 3,
                host: "a".into(),
            },
        };
        for said in [
            hello(None, None),
            hello(Some(0), Some(16)),
            FromMember::Fence(vec![1, 2, 3]),
            FromMember::Fence(Vec::new()),
            FromMember::Leave,
            FromMember::Back,
            FromMember::Abort {
                status: 7,
                code: -1,
            },
        ] {
            let mut come = said.to_bytes();
            come.push(9);
            let frame = take(&mut come, 99).unwrap().unwrap();
            assert_eq!(FromMember::from_bytes(&frame), Some(said));
            assert_eq!(come, [9]);
        }
        for said in [
            ToMember::Welcome {
                rank: 3,
                size: 4,
                job: "j".into(),
            },
            ToMember::Fenced(vec![5; 40]),
            ToMember::Heard,
            ToMember::End {
                status: 1,
                why: "rank 2 is lost".into(),
            },
            ToMember::Bye,
            ToMember::Late {
                pids: vec![7, 900],
                why: "all have come".into(),
            },
            ToMember::Again { pids: vec![8] },
        ] {
            let mut come = said.to_bytes();
            let last = come.pop().unwrap();
            assert_eq!(take(&mut come, 99).unwrap(), None);
            come.push(last);
            let frame = take(&mut come, 99).unwrap().unwrap();
            assert_eq!(ToMember::from_bytes(&frame), Some(said));
        }
    }

    #[test]
    fn other_bytes_are_none() {
        for frame in [
            &[][..],
            &[0],
            &[9],
            &[1],
            &[1, 0, 0, 0],
            &[3, 1],
            &[5, 1, 2],
        ] {
            assert_eq!(FromMember::from_bytes(frame), None, "{frame:?}");
        }
        for frame in [
            &[][..],
            &[0],
            &[1, 2, 3],
            &[4, 0],
            &[5, 5],
            &[6, 9, 0, 0, 0],
        ] {
            assert_eq!(ToMember::from_bytes(frame), None, "{frame:?}");
        }
        assert!(take(&mut vec![255; 9], MAX_MEMBER_FRAME).is_err());
    }

    #[test]
    fn values_keep_their_process_and_key() {
        let mut bytes = Vec::new();
        add_value(&mut bytes, 3, "node", b"a b");
        add_value(&mut bytes, 0, "", b"");
        let all = values(&bytes).unwrap();
        let expected = [
            (3, "node".into(), b"a b".to_vec()),
            (0, String::new(), Vec::new()),
        ];
        assert_eq!(all, expected);
        for short in 1..bytes.len() {
            let whole = short == 8 + 4 + 8 + 3;
            assert_eq!(values(&bytes[..short]).is_some(), whole, "{short}");
        }
    }

    use crate::garbage_tests::{cases, changed, changes, noise, within};
    use proptest::prelude::*;

    fn member() -> impl Strategy<Value = FromMember> {
        let number = || prop_oneof![Just(None), (0..9u32).prop_map(Some)];
        prop_oneof![
            (number(), number(), "[a-z]{0,9}").prop_map(|(rank, size, host)| {
                let (pid, node) = (7, 1 << 40);
                let who = Who { pid, node, host };
                FromMember::Hello { rank, size, who }
            }),
            noise(60).prop_map(FromMember::Fence),
            Just(FromMember::Leave),
            Just(FromMember::Back),
            any::<[i32; 2]>().prop_map(|[status, code]| FromMember::Abort { status, code }),
        ]
    }

    fn root() -> impl Strategy<Value = ToMember> {
        prop_oneof![
            ("[a-z]{0,9}", 0..9u32, 0..9u32)
                .prop_map(|(job, rank, size)| { ToMember::Welcome { rank, size, job } }),
            noise(60).prop_map(ToMember::Fenced),
            Just(ToMember::Heard),
            (any::<i32>(), "[a-z]{0,9}").prop_map(|(status, why)| ToMember::End { status, why }),
            Just(ToMember::Bye),
            (proptest::collection::vec(any::<u32>(), 0..5), "[a-z]{0,9}")
                .prop_map(|(pids, why)| ToMember::Late { pids, why }),
        ]
    }

    /// Takes all frames out of what comes in portions.
    fn frames(bytes: &[u8], portion: usize, most: usize) -> Vec<Vec<u8>> {
        let (mut come, mut frames) = (Vec::new(), Vec::new());
        for portion in bytes.chunks(portion) {
            come.extend_from_slice(portion);
            loop {
                match take(&mut come, most) {
                    Ok(Some(frame)) => frames.push(frame),
                    Ok(None) => break,
                    Err(_) => return frames,
                }
            }
        }
        frames
    }

    proptest! {
        #![proptest_config(cases(400))]
        /// Messages that are nearly right, and others, in any portions. What is understood means what is said again.
        #[test]
        fn nothing_that_is_said_is_a_surprise(
            members in proptest::collection::vec((member(), changes()), 0..6),
            roots in proptest::collection::vec((root(), changes()), 0..6),
            rest in noise(80),
            portion in 1..50usize,
        ) {
            let changed = |(bytes, changes): (Vec<u8>, Vec<_>)| changed(bytes, &changes);
            let members = members.into_iter().map(|(said, changes)| (said.to_bytes(), changes));
            let roots = roots.into_iter().map(|(said, changes)| (said.to_bytes(), changes));
            let members = [members.flat_map(changed).collect(), rest.clone()].concat();
            let roots = [roots.flat_map(changed).collect(), rest].concat();
            within(40 * (members.len() + roots.len()) + 10_000, || {
                for frame in frames(&members, portion, MAX_MEMBER_FRAME) {
                    if let Some(said) = FromMember::from_bytes(&frame) {
                        let bytes = said.to_bytes();
                        assert_eq!(FromMember::from_bytes(&bytes[4..]), Some(said));
                    }
                    let _ = values(&frame);
                }
                for frame in frames(&roots, portion, MAX_ROOT_FRAME) {
                    if let Some(said) = ToMember::from_bytes(&frame) {
                        let bytes = said.to_bytes();
                        assert_eq!(ToMember::from_bytes(&bytes[4..]), Some(said));
                    }
                }
            });
        }

        #[test]
        fn values_are_what_was_added_or_none(
            added in proptest::collection::vec((any::<u32>(), "[a-z ]{0,9}", noise(20)), 0..6),
            changes in changes(),
        ) {
            let mut bytes = Vec::new();
            for (index, key, value) in &added {
                add_value(&mut bytes, *index, key, value);
            }
            prop_assert_eq!(values(&bytes), Some(added));
            let bytes = changed(bytes, &changes);
            if let Some(all) = within(40 * bytes.len() + 1000, || values(&bytes)) {
                let mut again = Vec::new();
                for (index, key, value) in &all {
                    add_value(&mut again, *index, key, value);
                }
                prop_assert_eq!(values(&again), Some(all));
            }
        }
    }
}
