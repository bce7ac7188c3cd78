//! PMI-2 for one rank: what it asks in frames becomes lines of PMI-1, and their answers become frames again.
//!
//! Job: serve NVSHMEM's plug-in for PMI-2 and MPI libraries that were built for it. A frame is its length in six
//! characters and `cmd=NAME;key=value;...`, in whose values each semicolon stands twice. What PMI-1 does not have, values
//! that the ranks of a node share, `clients.rs` keeps. Pure: bytes in, bytes out.

use super::{LINE_MAX, fields, get};

/// Characters of a frame's length.
const LENGTH: usize = 6;

/// What a rank may ask, by its name in PMI-2, in PMI-1, and the name of PMI-1's answer.
const REQUESTS: &[(&str, &str, &str)] = &[
    ("fullinit", "get_appnum", "appnum"),
    ("job-getid", "get_my_kvsname", "my_kvsname"),
    ("kvs-put", "put", "put_result"),
    ("kvs-fence", "barrier_in", "barrier_out"),
    ("kvs-get", "get", "get_result"),
    ("info-getjobattr", "get", "get_result"),
    ("name-publish", "publish_name", "publish_result"),
    ("name-unpublish", "unpublish_name", "unpublish_result"),
    ("name-lookup", "lookup_name", "lookup_result"),
    ("spawn", "spawn", "spawn_result"),
    ("finalize", "finalize", "finalize_ack"),
];

/// What is called differently in a request, first as PMI-2 calls it.
const ASKED: &[(&str, &str)] = &[
    ("key", "key"),
    ("value", "value"),
    ("name", "service"),
    ("port", "port"),
];

/// What is called differently in an answer, first as PMI-1 calls it.
const ANSWERED: &[(&str, &str)] = &[
    ("rc", "rc"),
    ("msg", "errmsg"),
    ("value", "value"),
    ("kvsname", "jobid"),
    ("port", "value"),
    ("appnum", "appnum"),
];

/// The parts of a frame.
#[derive(Debug, PartialEq, Eq)]
pub struct Frame(Vec<(Vec<u8>, Vec<u8>)>);

impl Frame {
    /// The first frame of these bytes, and how many of them it has; `None` if it is not all there.
    ///
    /// # Errors
    /// This is no frame.
    pub fn first(bytes: &[u8]) -> Result<Option<(Frame, usize)>, String> {
        let Some((digits, rest)) = bytes.split_at_checked(LENGTH) else {
            return Ok(None);
        };
        let wrong = |bytes: &[u8]| format!("no frame of PMI-2: '{}'", super::shown(bytes));
        let length = std::str::from_utf8(digits).ok();
        let length = length.and_then(|text| text.trim().parse::<usize>().ok());
        let length = length.filter(|&n| n <= LINE_MAX - LENGTH);
        let length = length.ok_or_else(|| wrong(digits))?;
        let Some(body) = rest.get(..length) else {
            return Ok(None);
        };
        let frame = Frame::of(body).ok_or_else(|| wrong(body))?;
        match frame.0.first() {
            Some((key, _)) if key == b"cmd" => Ok(Some((frame, LENGTH + length))),
            _ => Err(wrong(body)),
        }
    }

    fn of(mut body: &[u8]) -> Option<Frame> {
        let mut parts = Vec::new();
        while !body.is_empty() {
            let equals = body.iter().position(|&b| b == b'=')?;
            let (key, mut rest) = (&body[..equals], &body[equals + 1..]);
            let mut value = Vec::new();
            loop {
                match rest {
                    [] => break,
                    [b';', b';', after @ ..] => {
                        value.push(b';');
                        rest = after;
                    }
                    [b';', after @ ..] => {
                        rest = after;
                        break;
                    }
                    [byte, after @ ..] => {
                        value.push(*byte);
                        rest = after;
                    }
                }
            }
            parts.push((key.to_vec(), value));
            body = rest;
        }
        Some(Frame(parts))
    }

    pub fn get(&self, key: &str) -> Option<&[u8]> {
        let found = self.0.iter().find(|(name, _)| name == key.as_bytes());
        found.map(|(_, value)| value.as_slice())
    }

    pub fn command(&self) -> &[u8] {
        self.get("cmd").unwrap_or_default()
    }

    /// The answer to this frame, with these parts.
    pub fn answered(&self, parts: &[(&str, &[u8])]) -> Vec<u8> {
        let name = [self.command(), b"-response"].concat();
        let mut body = Vec::new();
        let mut add = |key: &str, value: &[u8]| {
            body.extend_from_slice(key.as_bytes());
            body.push(b'=');
            for &byte in value {
                body.push(byte);
                if byte == b';' {
                    body.push(byte);
                }
            }
            body.push(b';');
        };
        add("cmd", &name);
        if let Some(thread) = self.get("thrid") {
            add("thrid", thread);
        }
        for (key, value) in parts {
            add(key, value);
        }
        let mut frame = format!("{:<LENGTH$}", body.len()).into_bytes();
        frame.append(&mut body);
        frame
    }

    /// The answer of who does not do what is asked.
    pub fn refused(&self, why: &str) -> Vec<u8> {
        self.answered(&[("rc", b"1"), ("errmsg", why.as_bytes())])
    }

    /// The line of PMI-1 that asks the same.
    ///
    /// # Errors
    /// There is none; why.
    fn line(&self) -> Result<Vec<u8>, String> {
        let command = self.command();
        if command == b"abort" {
            let message = self.get("msg").unwrap_or_default();
            let message = String::from_utf8_lossy(message).replace(char::is_control, " ");
            return Ok(format!("cmd=abort exitcode=1 message={}", message.trim()).into_bytes());
        }
        let Some((_, name, _)) = request(command) else {
            let name = super::shown(command);
            return Err(format!("anympi's mpiexec does not serve '{name}' of PMI-2"));
        };
        let mut line = format!("cmd={name}").into_bytes();
        for (key, name) in ASKED {
            let Some(value) = self.get(key) else {
                continue;
            };
            if value.contains(&b'\n') {
                return Err(format!("the end of a line in '{key}'"));
            }
            line.extend_from_slice(format!(" {name}=").as_bytes());
            for &byte in value {
                if matches!(byte, b' ' | b'\\') {
                    line.push(b'\\');
                }
                line.push(byte);
            }
        }
        Ok(line)
    }
}

fn request(command: &[u8]) -> Option<&'static (&'static str, &'static str, &'static str)> {
    REQUESTS
        .iter()
        .find(|(name, ..)| name.as_bytes() == command)
}

/// A rank that speaks PMI-2.
#[derive(Debug)]
pub struct Speaker {
    rank: usize,
    size: usize,
    /// What waits for an answer, in the order in which it was asked.
    asked: Vec<Frame>,
}

impl Speaker {
    /// One that has said by this line that it speaks PMI-2, if so.
    pub fn by(line: &[u8], rank: usize, size: usize) -> Option<Speaker> {
        let fields = fields(line).ok()?;
        let says =
            get(&fields, b"cmd") == Some(b"init") && get(&fields, b"pmi_version") == Some(b"2");
        let asked = Vec::new();
        says.then_some(Speaker { rank, size, asked })
    }

    /// The line of PMI-1 that asks what the frame asks.
    ///
    /// # Errors
    /// The answer, as there is no such line.
    pub fn asks(&mut self, frame: Frame) -> Result<Vec<u8>, Vec<u8>> {
        let line = frame.line().map_err(|why| frame.refused(&why))?;
        if frame.command() != b"abort" {
            self.asked.push(frame);
        }
        Ok(line)
    }

    /// What the rank gets for a line of the PMI-1 server, and whether it has left by that.
    pub fn answered(&mut self, line: &[u8]) -> (Vec<u8>, bool) {
        let fields = fields(line.trim_ascii_end()).unwrap_or_default();
        let name = get(&fields, b"cmd").unwrap_or_default();
        let rc = get(&fields, b"rc").unwrap_or(b"0");
        if name == b"response_to_init" {
            let rc = String::from_utf8_lossy(rc);
            let answer = format!("cmd=response_to_init pmi_version=2 pmi_subversion=0 rc={rc}\n");
            return (answer.into_bytes(), false);
        }
        let is_asked = |frame: &Frame| {
            request(frame.command()).is_some_and(|(_, _, answer)| answer.as_bytes() == name)
        };
        let Some(at) = self.asked.iter().position(is_asked) else {
            return (Vec::new(), false);
        };
        let frame = self.asked.remove(at);
        let mut parts: Vec<(&str, Vec<u8>)> = Vec::new();
        for (key, name) in ANSWERED {
            if let Some(value) = get(&fields, key.as_bytes()) {
                parts.push((name, unescaped(value)));
            }
        }
        match frame.command() {
            b"fullinit" => {
                let (rank, size) = (self.rank.to_string(), self.size.to_string());
                for (key, value) in [
                    ("pmi-version", "2"),
                    ("pmi-subversion", "0"),
                    ("rank", &rank),
                    ("size", &size),
                    ("debugged", "FALSE"),
                    ("pmiverbose", "FALSE"),
                ] {
                    parts.push((key, value.as_bytes().to_vec()));
                }
            }
            // That there is no such value is no failure.
            b"kvs-get" | b"info-getjobattr" if rc != b"0" => {
                parts = vec![("rc", b"0".to_vec()), ("found", b"FALSE".to_vec())];
            }
            b"kvs-get" | b"info-getjobattr" => parts.push(("found", b"TRUE".to_vec())),
            _ => {}
        }
        let parts: Vec<(&str, &[u8])> = parts.iter().map(|(k, v)| (*k, v.as_slice())).collect();
        (frame.answered(&parts), name == b"finalize_ack")
    }
}

fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut bytes = text.iter();
    let mut out = Vec::with_capacity(text.len());
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'\\' => bytes.next().copied().unwrap_or(byte),
            _ => byte,
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(body: &str) -> Vec<u8> {
        format!("{:>6}{body}", body.len()).into_bytes()
    }

    fn speaker() -> Speaker {
        Speaker::by(b"cmd=init pmi_version=2 pmi_subversion=0", 3, 8).unwrap()
    }

    /// The line for a frame, and the frame for the line by which it is answered.
    fn turn(speaker: &mut Speaker, asked: &str, line: &str) -> (String, String) {
        let (frame, length) = Frame::first(&framed(asked)).unwrap().unwrap();
        assert_eq!(length, asked.len() + LENGTH);
        let asks = speaker.asks(frame).unwrap();
        let (answer, _) = speaker.answered(line.as_bytes());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(asks), text(answer)[LENGTH..].to_owned())
    }

    #[test]
    fn requests_and_answers() {
        let mut speaker = speaker();
        let (init, _) =
            speaker.answered(b"cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
        assert_eq!(
            init,
            b"cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n"
        );
        for (asked, asks, line, answer) in [
            (
                "cmd=fullinit;pmirank=3;threaded=FALSE;",
                "cmd=get_appnum",
                "cmd=appnum rc=0 appnum=1\n",
                "cmd=fullinit-response;rc=0;appnum=1;pmi-version=2;pmi-subversion=0;rank=3;size=8;debugged=FALSE;\
                 pmiverbose=FALSE;",
            ),
            (
                r"cmd=kvs-put;thrid=0x7f;key=a;value=x y;;z\;",
                r"cmd=put key=a value=x\ y;z\\",
                "cmd=put_result rc=0\n",
                "cmd=kvs-put-response;thrid=0x7f;rc=0;",
            ),
            (
                "cmd=kvs-get;jobid=;srcid=-1;key=a;",
                "cmd=get key=a",
                r"cmd=get_result rc=0 value=x\ y;z\\",
                r"cmd=kvs-get-response;rc=0;value=x y;;z\;found=TRUE;",
            ),
            (
                "cmd=info-getjobattr;key=b;",
                "cmd=get key=b",
                "cmd=get_result rc=1 msg=key_b_not_found\n",
                "cmd=info-getjobattr-response;rc=0;found=FALSE;",
            ),
            (
                "cmd=kvs-fence;",
                "cmd=barrier_in",
                "cmd=barrier_out rc=0\n",
                "cmd=kvs-fence-response;rc=0;",
            ),
            (
                "cmd=job-getid;",
                "cmd=get_my_kvsname",
                "cmd=my_kvsname rc=0 kvsname=kvs_1\n",
                "cmd=job-getid-response;rc=0;jobid=kvs_1;",
            ),
            (
                "cmd=name-lookup;name=s;",
                "cmd=lookup_name service=s",
                "cmd=lookup_result rc=0 info=ok port=p\n",
                "cmd=name-lookup-response;rc=0;value=p;",
            ),
            (
                "cmd=spawn;ncmds=1;",
                "cmd=spawn",
                "cmd=spawn_result rc=1 msg=no\n",
                "cmd=spawn-response;rc=1;errmsg=no;",
            ),
            (
                "cmd=finalize;",
                "cmd=finalize",
                "cmd=finalize_ack rc=0\n",
                "cmd=finalize-response;rc=0;",
            ),
        ] {
            let (ours, theirs) = turn(&mut speaker, asked, line);
            assert_eq!((ours.as_str(), theirs.as_str()), (asks, answer));
        }
        assert!(speaker.asked.is_empty());
    }

    #[test]
    fn threads_get_the_answers_to_what_they_ask() {
        let mut speaker = speaker();
        for asked in ["cmd=kvs-fence;thrid=1;", "cmd=kvs-get;thrid=2;key=a;"] {
            let (frame, _) = Frame::first(&framed(asked)).unwrap().unwrap();
            speaker.asks(frame).unwrap();
        }
        let (get, _) = speaker.answered(b"cmd=get_result rc=0 value=v\n");
        assert!(String::from_utf8(get).unwrap().contains("thrid=2;"));
        let (fence, _) = speaker.answered(b"cmd=barrier_out rc=0\n");
        assert!(String::from_utf8(fence).unwrap().contains("thrid=1;"));
        assert_eq!(
            speaker.answered(b"cmd=barrier_out rc=0\n"),
            (Vec::new(), false)
        );
    }

    #[test]
    fn what_is_not_served_is_refused_by_name() {
        let (frame, _) = Frame::first(&framed("cmd=ring;ring-count=1;"))
            .unwrap()
            .unwrap();
        let refused = String::from_utf8(speaker().asks(frame).unwrap_err()).unwrap();
        assert!(
            refused.contains("cmd=ring-response;rc=1;errmsg="),
            "{refused}"
        );
        let (frame, _) = Frame::first(&framed("cmd=kvs-put;key=a\nb;value=;"))
            .unwrap()
            .unwrap();
        assert!(speaker().asks(frame).is_err());
        let (frame, _) = Frame::first(&framed("cmd=abort;isworld=TRUE;msg=a\nb;"))
            .unwrap()
            .unwrap();
        let mut speaker = speaker();
        assert_eq!(
            speaker.asks(frame).unwrap(),
            b"cmd=abort exitcode=1 message=a b"
        );
        assert!(speaker.asked.is_empty());
    }

    #[test]
    fn bytes_that_are_no_frames() {
        for part in ["", "    1", "    12cmd=kvs-fen"] {
            assert_eq!(Frame::first(part.as_bytes()), Ok(None), "{part}");
        }
        for wrong in ["cmd=in", "-00001x", "999999", "     3a;b", "     4key="] {
            assert!(Frame::first(wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert!(Speaker::by(b"cmd=init pmi_version=1 pmi_subversion=1", 0, 1).is_none());
        assert!(Speaker::by(b"garbage", 0, 1).is_none());
    }
}
