//! What mpiexec and its daemons on other hosts send each other, as bytes.
//!
//! Job: a frame is a length of four bytes, so many bytes more and the end of a line, since `srun` passes on whole lines
//! only; in it stand a tag and fields, each in one way only.
//! Before the first frame each side says a line, since what carries the bytes may have printed something before.
//! Pure: no descriptors. Bytes that are no frame are an error, never a panic.

use crate::cause::Ending;
use crate::environ::World;
use crate::events::{Command, Ended, Event, News};
use crate::orders::{Orders, Post, Script, Slot};
use crate::rank::Which;
use crate::request::{BindRequest, StdinTo};
use crate::topology::Object;
use crate::tree::Road;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::time::Duration;

/// The version of all that follows. Both sides must have the same.
pub const VERSION: u32 = 2;
/// What mpiexec says first.
pub const CALL: &str = "anympi-mpiexec";
/// What a daemon answers.
pub const ANSWER: &str = "anympi-daemon";
/// The longest frame: programs with large environments are the longest there are.
const FRAME_MAX: usize = 256 << 20;
/// How often mpiexec asks a daemon for a sign of life.
pub const BEAT: Duration = Duration::from_secs(2);
/// How long either side may say nothing before the other takes the way between them for cut.
pub const SILENCE: Duration = Duration::from_secs(8);
/// Who has not looked for so long was stopped or starved itself, and judges nobody.
pub const ABSENCE: Duration = Duration::from_secs(3);
/// What may be printed before the first line is found in it.
const NOISE_MAX: usize = 64 * 1024;

/// Bytes that are not what they should be; what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Garbage(pub &'static str);

/// The line by which a side introduces itself.
pub fn greeting(word: &str) -> Vec<u8> {
    format!("\n{word} {VERSION}\n").into_bytes()
}

/// Finds the other side's line. Returns its version, and how many bytes of `heard` end with it.
///
/// # Errors
/// There was too much else before it.
pub fn find_greeting(heard: &[u8], word: &str) -> Result<Option<(u32, usize)>, Garbage> {
    let mut start = 0;
    while let Some(end) = heard[start..].iter().position(|&b| b == b'\n') {
        let line = heard[start..start + end].trim_ascii();
        start += end + 1;
        let version = line
            .strip_prefix(word.as_bytes())
            .and_then(|rest| std::str::from_utf8(rest).ok()?.trim().parse().ok());
        if let Some(version) = version {
            return Ok(Some((version, start)));
        }
    }
    if heard.len() > NOISE_MAX {
        return Err(Garbage("a greeting"));
    }
    Ok(None)
}

/// What mpiexec sends a daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Down {
    Start(Orders, Vec<Script>),
    Do(Command),
    /// Start a daemon on another host.
    Reach(Road),
    /// For the daemons of these hosts, which are reached from here: the bytes of another of these.
    Pass(Vec<usize>, Vec<u8>),
}

/// What a daemon sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Up {
    Own(Event),
    /// Of a host that is reached from there.
    Of(usize, News),
}

/// Bytes that have arrived, in any pieces, to be taken out as frames.
#[derive(Default)]
pub struct Inbox {
    bytes: Vec<u8>,
    at: usize,
}

impl Inbox {
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole frame.
    ///
    /// # Errors
    /// What has arrived is no frame of this kind.
    pub fn frame<T: Carried>(&mut self) -> Result<Option<T>, Garbage> {
        let rest = &self.bytes[self.at..];
        let Some((length, rest)) = rest.split_first_chunk::<4>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*length) as usize;
        if length > FRAME_MAX {
            return Err(Garbage("the length of a frame"));
        }
        let (Some(frame), Some(end)) = (rest.get(..length), rest.get(length)) else {
            return Ok(None);
        };
        if *end != b'\n' {
            return Err(Garbage("the end of a frame's line"));
        }
        let mut from = From(frame);
        let value = T::take(&mut from)?;
        if !from.0.is_empty() {
            return Err(Garbage("the end of a frame"));
        }
        self.at += 4 + length + 1;
        Ok(Some(value))
    }
}

/// What stands in a frame of this value.
pub fn bytes<T: Carried>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.put(&mut bytes);
    bytes
}

/// Appends a value to `out` as a frame.
pub fn push<T: Carried>(value: &T, out: &mut Vec<u8>) {
    push_bytes(&bytes(value), out);
}

/// Appends a frame with these bytes in it.
pub fn push_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(bytes);
    out.push(b'\n');
}

/// What is left of a frame.
pub struct From<'a>(&'a [u8]);

impl<'a> From<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], Garbage> {
        let (bytes, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(Garbage("more bytes"))?;
        self.0 = rest;
        Ok(bytes)
    }

    fn tag(&mut self) -> Result<u8, Garbage> {
        Ok(self.bytes(1)?[0])
    }
}

/// A value that stands in frames.
pub trait Carried: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(from: &mut From) -> Result<Self, Garbage>;
}

macro_rules! numbers {
    ($($number:ty as $carried:ty),*) => {$(
        impl Carried for $number {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&(*self as $carried).to_le_bytes());
            }
            fn take(from: &mut From) -> Result<Self, Garbage> {
                let bytes = from.bytes(size_of::<$carried>())?;
                let bytes = bytes.try_into().map_err(|_| Garbage("a number"))?;
                <$number>::try_from(<$carried>::from_le_bytes(bytes)).map_err(|_| Garbage("a smaller number"))
            }
        }
    )*};
}

numbers!(u16 as u16, i32 as i32, u64 as u64, i64 as i64, usize as u64);

impl Carried for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push((*self).into());
    }
    fn take(from: &mut From) -> Result<Self, Garbage> {
        match from.tag()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Garbage("yes or no")),
        }
    }
}

impl Carried for Vec<u8> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        out.extend_from_slice(self);
    }
    fn take(from: &mut From) -> Result<Self, Garbage> {
        let count = usize::take(from)?;
        Ok(from.bytes(count)?.to_vec())
    }
}

impl Carried for String {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        out.extend_from_slice(self.as_bytes());
    }
    fn take(from: &mut From) -> Result<Self, Garbage> {
        String::from_utf8(Vec::take(from)?).map_err(|_| Garbage("text"))
    }
}

impl Carried for OsString {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        out.extend_from_slice(self.as_bytes());
    }
    fn take(from: &mut From) -> Result<Self, Garbage> {
        Ok(OsString::from_vec(Vec::take(from)?))
    }
}

impl Carried for PathBuf {
    fn put(&self, out: &mut Vec<u8>) {
        self.as_os_str().to_owned().put(out);
    }
    fn take(from: &mut From) -> Result<Self, Garbage> {
        Ok(OsString::take(from)?.into())
    }
}

impl<T: Carried> Carried for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }
    fn take(from: &mut From) -> Result<Self, Garbage> {
        Ok(match bool::take(from)? {
            true => Some(T::take(from)?),
            false => None,
        })
    }
}

impl<T: Carried> Carried for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for value in self {
            value.put(out);
        }
    }
    fn take(from: &mut From) -> Result<Self, Garbage> {
        // Each takes at least one byte, so that a wrong count ends soon.
        let count = usize::take(from)?;
        (0..count).map(|_| T::take(from)).collect()
    }
}

impl<A: Carried, B: Carried> Carried for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn take(from: &mut From) -> Result<Self, Garbage> {
        Ok((A::take(from)?, B::take(from)?))
    }
}

impl<A: Carried + Ord, B: Carried> Carried for BTreeMap<A, B> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for (key, value) in self {
            key.put(out);
            value.put(out);
        }
    }
    fn take(from: &mut From) -> Result<Self, Garbage> {
        let count = usize::take(from)?;
        (0..count).map(|_| <(A, B)>::take(from)).collect()
    }
}

/// A structure is its fields, in this order.
macro_rules! structure {
    ($name:ident { $($field:ident),* }) => {
        impl Carried for $name {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }
            fn take(from: &mut From) -> Result<Self, Garbage> {
                Ok($name { $($field: Carried::take(from)?),* })
            }
        }
    };
}

/// An enumeration is a tag and the fields of its variant, in this order.
macro_rules! enumeration {
    ($name:ident { $($tag:literal = $variant:ident $(($($inner:ident),*))? $({$($field:ident),*})?),* $(,)? }) => {
        impl Carried for $name {
            fn put(&self, out: &mut Vec<u8>) {
                match self {
                    $($name::$variant $(($($inner),*))? $({$($field),*})? => {
                        out.push($tag);
                        $($($inner.put(out);)*)?
                        $($($field.put(out);)*)?
                    })*
                }
            }
            fn take(from: &mut From) -> Result<Self, Garbage> {
                match from.tag()? {
                    $($tag => {
                        $($(let $inner = Carried::take(from)?;)*)?
                        $($(let $field = Carried::take(from)?;)*)?
                        Ok($name::$variant $(($($inner),*))? $({$($field),*})?)
                    })*
                    _ => Err(Garbage("a known tag")),
                }
            }
        }
    };
}

structure!(World {
    size,
    universe,
    torch
});
structure!(Post {
    rank,
    program,
    slot
});
enumeration!(Slot { 0 = Cpus(cpus), 1 = Cores(package, cores) });
enumeration!(Object {
    0 = Machine,
    1 = Package,
    2 = Numa,
    3 = L3Cache,
    4 = L2Cache,
    5 = L1Cache,
    6 = Core,
    7 = Thread,
});
structure!(BindRequest {
    to,
    width,
    map,
    per_object,
    cpus,
    lists,
    one_by_one,
    report
});
structure!(Orders {
    host,
    posts,
    world,
    bind,
    stdin,
    merge,
    library_check
});
structure!(Script {
    command,
    path,
    wdir,
    here,
    env,
    own_env,
    unset,
    library_path,
    shared_heap
});
structure!(Ended {
    rank,
    pid,
    program,
    ending,
    over,
    out_of_memory
});
enumeration!(StdinTo { 0 = Rank(rank), 1 = All, 2 = Nobody });
enumeration!(Which { 0 = Out, 1 = Err });
enumeration!(Ending { 0 = Exited(code), 1 = Signalled(signal), 2 = Unknown });
enumeration!(Event {
    0 = Started { rank, pid },
    1 = NotStarted { text, code },
    2 = Output { rank, which, bytes },
    3 = Closed { rank, which },
    4 = Connected { rank },
    5 = Pmi { rank, bytes },
    6 = Deaf { rank, why },
    7 = Ended(ended),
    8 = Foreign(text),
    9 = Say(text),
    10 = Hungry(hungry),
    11 = Done,
    12 = Gone,
    13 = Leaving(text),
    14 = Note(text),
    15 = Pong,
});
enumeration!(Command {
    0 = Answer { rank, line, segment },
    1 = Copy { round, pairs },
    2 = Close { rank },
    3 = Input(bytes),
    4 = InputEnded,
    5 = Signal(signal),
    6 = End(signal),
    7 = Taken(bytes),
    8 = WindUp,
    9 = Ping,
    10 = Pause,
});
structure!(Road {
    site,
    name,
    command,
    attempts,
    patience,
    beyond
});
enumeration!(News {
    0 = Ready,
    1 = Event(event),
    2 = Lost(text),
    3 = Words(bytes),
    4 = Detail(text),
});
enumeration!(Down {
    0 = Start(orders, scripts),
    1 = Do(command),
    2 = Reach(road),
    3 = Pass(sites, bytes),
});
enumeration!(Up { 0 = Own(event), 1 = Of(site, news) });

#[cfg(test)]
mod tests {
    use super::*;

    fn orders() -> Down {
        let script = Script {
            command: vec!["a".into(), OsString::from_vec(vec![0xff, b' '])],
            path: None,
            wdir: Some("/d".into()),
            here: None,
            env: [("K".into(), "V".into())].into(),
            own_env: true,
            unset: vec!["U".into()],
            library_path: false,
            shared_heap: true,
        };
        let orders = Orders {
            host: "nodea".into(),
            posts: vec![Post {
                rank: 3,
                program: 0,
                slot: Some(Slot::Cores(1, vec![0])),
            }],
            world: World {
                size: 4,
                universe: -1,
                torch: Some(("h".into(), 9)),
            },
            bind: BindRequest {
                to: Some(Object::Core),
                width: 2,
                map: Some(Object::Numa),
                per_object: Some(2),
                cpus: Some(vec![0, 7]),
                lists: vec![vec![1], vec![]],
                one_by_one: false,
                report: true,
            },
            stdin: StdinTo::Rank(3),
            merge: true,
            library_check: false,
        };
        Down::Start(orders, vec![script])
    }

    fn events() -> Vec<Event> {
        vec![
            Event::Started { rank: 1, pid: 7 },
            Event::Output {
                rank: 1,
                which: Which::Err,
                bytes: vec![0, 10, 255],
            },
            Event::Ended(Ended {
                rank: 1,
                pid: 7,
                program: "x".into(),
                ending: Some(Ending::Signalled(9)),
                over: Some(Ending::Unknown),
                out_of_memory: true,
            }),
            Event::Hungry(true),
            Event::Gone,
        ]
    }

    fn road() -> Down {
        Down::Reach(Road {
            site: 7,
            name: "nodec".into(),
            command: vec!["ssh".into(), "nodec".into()],
            attempts: Some(1),
            patience: 5,
            beyond: vec![(9, "noded".into())],
        })
    }

    #[test]
    fn what_goes_in_comes_out() {
        let mut bytes = Vec::new();
        let command = Down::Do(Command::Answer {
            rank: 2,
            line: b"l\n".to_vec(),
            segment: Some((1, 2)),
        });
        let pass = Down::Pass(vec![7, 9], super::bytes(&road()));
        for down in [&orders(), &command, &road(), &pass] {
            push(down, &mut bytes);
        }
        let mut inbox = Inbox::default();
        let mut got = Vec::new();
        for byte in bytes {
            inbox.push(&[byte]);
            got.extend(inbox.frame::<Down>().unwrap());
        }
        assert_eq!(got, [orders(), command, road(), pass]);
        let mut bytes = Vec::new();
        let own = events().into_iter().map(Up::Own);
        let all: Vec<Up> = own
            .chain([
                Up::Of(3, News::Ready),
                Up::Of(3, News::Event(Event::Pong)),
                Up::Of(3, News::Lost("x".into())),
            ])
            .collect();
        all.iter().for_each(|up| push(up, &mut bytes));
        let mut inbox = Inbox::default();
        inbox.push(&bytes);
        for up in all {
            assert_eq!(inbox.frame(), Ok(Some(up)));
        }
        assert_eq!(inbox.frame::<Up>(), Ok(None));
    }

    #[test]
    fn garbage_is_an_error_and_no_panic() {
        let mut whole = Vec::new();
        push(&orders(), &mut whole);
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize
        };
        for _ in 0..20_000 {
            let mut bytes = whole.clone();
            for _ in 0..1 + random() % 4 {
                let at = random() % bytes.len();
                bytes[at] = random() as u8;
            }
            bytes.truncate(random() % (bytes.len() + 1));
            let mut inbox = Inbox::default();
            inbox.push(&bytes);
            let _ = inbox.frame::<Down>();
            let mut inbox = Inbox::default();
            inbox.push(&bytes);
            let _ = inbox.frame::<Up>();
        }
        let mut inbox = Inbox::default();
        inbox.push(b"Welcome to this host!");
        assert!(inbox.frame::<Event>().is_err());
        // A frame that says to be shorter than what is in it, and one that is longer.
        for length in [3u32, 9] {
            let mut inbox = Inbox::default();
            inbox.push(&length.to_le_bytes());
            inbox.push(&[11; 16]);
            assert!(inbox.frame::<Event>().is_err(), "{length}");
        }
    }

    #[test]
    fn greetings_are_found_in_noise() {
        let mut heard = b"Welcome!\r\nLast login: anympi-daemon".to_vec();
        assert_eq!(find_greeting(&heard, ANSWER), Ok(None));
        heard.extend(greeting(ANSWER));
        let end = heard.len();
        heard.extend(b"rest");
        assert_eq!(find_greeting(&heard, ANSWER), Ok(Some((VERSION, end))));
        assert_eq!(find_greeting(&greeting(CALL), ANSWER), Ok(None));
        assert!(find_greeting(&[b'x'; NOISE_MAX + 1], ANSWER).is_err());
        assert_eq!(
            find_greeting(b"anympi-daemon 77\r\n", ANSWER),
            Ok(Some((77, 18)))
        );
    }
}
