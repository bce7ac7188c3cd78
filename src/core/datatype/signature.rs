//! The sequence of basic elements of a datatype in packed order (its type signature, MPI-5.0, 5.1).
//!
//! Needed to count elements in a number of bytes (`MPI_Get_elements`), to convert to "external32" and
//! to reduce derived types. Repeats stay loops; no memory is touched here.

use std::rc::Rc;

use super::basic::Basic;

/// A sequence of basic elements.
#[derive(Clone, Debug)]
pub struct Signature {
    bytes: u64,
    elements: u64,
    /// Bytes in "external32".
    external: u64,
    parts: Parts,
}

#[derive(Clone, Debug)]
enum Parts {
    Run(Option<Basic>),
    Repeat(u64, Rc<Signature>),
    Sequence(Box<[Rc<Signature>]>),
}

impl Signature {
    pub fn empty() -> Rc<Signature> {
        Rc::new(Signature {
            bytes: 0,
            elements: 0,
            external: 0,
            parts: Parts::Run(None),
        })
    }

    pub fn run(basic: Basic, count: u64) -> Rc<Signature> {
        Rc::new(Signature {
            bytes: u64::from(basic.size) * count,
            elements: count,
            external: u64::from(basic.external).saturating_mul(count),
            parts: Parts::Run(Some(basic)),
        })
    }

    /// `count` times `body`. The caller has made sure that the size in bytes fits.
    pub fn repeat(body: &Rc<Signature>, count: u64) -> Rc<Signature> {
        if count == 1 {
            return body.clone();
        }
        if count == 0 || body.elements == 0 {
            return Signature::empty();
        }
        match body.parts {
            Parts::Run(Some(basic)) => Signature::run(basic, body.elements * count),
            _ => Rc::new(Signature {
                bytes: body.bytes * count,
                elements: body.elements * count,
                external: body.external.saturating_mul(count),
                parts: Parts::Repeat(count, body.clone()),
            }),
        }
    }

    pub fn sequence(items: impl IntoIterator<Item = Rc<Signature>>) -> Rc<Signature> {
        let mut merged: Vec<Rc<Signature>> = Vec::new();
        for item in items {
            if item.elements == 0 {
                continue;
            }
            if let (Some(last), Some(basic)) = (merged.last_mut(), item.uniform())
                && last.uniform() == Some(basic)
            {
                *last = Signature::run(basic, last.elements + item.elements);
                continue;
            }
            merged.push(item);
        }
        match merged.len() {
            0 => Signature::empty(),
            1 => merged.remove(0),
            _ => Rc::new(Signature {
                bytes: merged.iter().map(|item| item.bytes).sum(),
                elements: merged.iter().map(|item| item.elements).sum(),
                external: merged
                    .iter()
                    .fold(0, |sum, item| sum.saturating_add(item.external)),
                parts: Parts::Sequence(merged.into()),
            }),
        }
    }

    /// Number of basic elements.
    pub fn elements(&self) -> u64 {
        self.elements
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Size in "external32", in bytes.
    pub fn external(&self) -> u64 {
        self.external
    }

    /// The one kind of element, if there is only one.
    pub fn uniform(&self) -> Option<Basic> {
        match self.parts {
            Parts::Run(basic) => basic,
            _ => None,
        }
    }

    /// Complete elements in the first `bytes` bytes, and the bytes beyond them.
    pub fn elements_in(&self, bytes: u64) -> (u64, u64) {
        if bytes >= self.bytes {
            return (self.elements, bytes - self.bytes);
        }
        match &self.parts {
            Parts::Run(None) => (0, bytes),
            Parts::Run(Some(basic)) => {
                let size = u64::from(basic.size);
                (bytes / size, bytes % size)
            }
            Parts::Repeat(_, body) => {
                let (elements, rest) = body.elements_in(bytes % body.bytes);
                (bytes / body.bytes * body.elements + elements, rest)
            }
            Parts::Sequence(items) => {
                let (mut elements, mut rest) = (0, bytes);
                for item in items {
                    if rest < item.bytes {
                        let (some, over) = item.elements_in(rest);
                        return (elements + some, over);
                    }
                    elements += item.elements;
                    rest -= item.bytes;
                }
                (elements, rest)
            }
        }
    }

    /// Bytes of the first `elements` basic elements of as many repetitions as that takes.
    pub fn bytes_of(&self, elements: u64) -> Option<u64> {
        if self.elements == 0 {
            return (elements == 0).then_some(0);
        }
        let whole = (elements / self.elements).checked_mul(self.bytes)?;
        whole.checked_add(self.bytes_of_part(elements % self.elements))
    }

    fn bytes_of_part(&self, elements: u64) -> u64 {
        match &self.parts {
            Parts::Run(basic) => basic.map_or(0, |basic| u64::from(basic.size) * elements),
            Parts::Repeat(_, body) => {
                elements / body.elements * body.bytes + body.bytes_of_part(elements % body.elements)
            }
            Parts::Sequence(items) => {
                let (mut bytes, mut rest) = (0, elements);
                for item in items {
                    if rest < item.elements {
                        return bytes + item.bytes_of_part(rest);
                    }
                    bytes += item.bytes;
                    rest -= item.elements;
                }
                bytes
            }
        }
    }

    /// Calls `run(basic, count)` for every run of equal elements, in order.
    pub fn runs(&self, run: &mut impl FnMut(Basic, u64)) {
        match &self.parts {
            Parts::Run(None) => {}
            Parts::Run(Some(basic)) => run(*basic, self.elements),
            Parts::Repeat(count, body) => {
                for _ in 0..*count {
                    body.runs(run);
                }
            }
            Parts::Sequence(items) => {
                for item in items {
                    item.runs(run);
                }
            }
        }
    }
}
