//! Times of announced messages, for a port that learns from them: of one by itself from the receive that it met to its
//! arrival, of one in an exchange until the message the other way has ended too, of several at once from one arrival to the
//! next.
//!
//! The receiver takes the times. It must not know what they are good for.

use std::time::Instant;

use super::{OpId, ProcId, State};
use crate::shm::trials::{Direct, TOGETHER};
use crate::transport::Passed;

/// Times that are kept until the port is told.
const KEPT: usize = 8;

/// A message whose receiver finds out how long it takes.
pub(super) struct Timed {
    pub id: OpId,
    /// Its sender has copied some of it.
    pub shared: bool,
    /// It belongs to an exchange with this process.
    pub exchange: Option<ProcId>,
    /// It has arrived.
    pub arrived: bool,
    /// When all of it was over.
    pub over: Option<Instant>,
}

/// Messages of one length that arrive one after the other, copied in one way.
struct Flow {
    direct: Direct,
    bytes: u64,
    messages: u32,
    start: Instant,
}

/// Messages among others.
#[derive(Default)]
pub(super) struct Flows {
    now: Option<Flow>,
    passed: Vec<Passed>,
}

impl Flows {
    /// The next message is one by itself.
    pub fn pause(&mut self) {
        self.now = None;
    }

    #[cfg(test)]
    pub fn is_paused(&self) -> bool {
        self.now.is_none()
    }

    /// A message has arrived that was to be timed.
    pub fn arrived(&mut self, direct: Direct, bytes: u64) {
        let fresh = |start| Flow {
            direct,
            bytes,
            messages: 0,
            start,
        };
        let now = Instant::now();
        let same = |flow: &&mut Flow| flow.direct == direct && flow.bytes == bytes;
        let Some(flow) = self.now.as_mut().filter(same) else {
            self.now = Some(fresh(now));
            return;
        };
        flow.messages += 1;
        if flow.messages == TOGETHER {
            let nanoseconds = now.duration_since(flow.start).as_nanos() as u64;
            if self.passed.len() < KEPT {
                self.passed.push(Passed {
                    direct,
                    bytes,
                    nanoseconds: nanoseconds / u64::from(TOGETHER),
                });
            }
            *flow = fresh(now);
        }
    }

    /// What the port has not been told yet.
    pub fn take(&mut self) -> impl Iterator<Item = Passed> + '_ {
        self.passed.drain(..)
    }
}

impl State {
    /// A message has arrived.
    pub(super) fn timed_arrived(&mut self, id: OpId, bytes: u64, flow: Option<Direct>) {
        if let Some(direct) = flow {
            self.flows.arrived(direct, bytes);
        }
        if let Some(timed) = self.timed.as_mut().filter(|timed| timed.id == id) {
            timed.arrived = true;
            self.timed_ended();
        }
    }

    /// The message that is timed has arrived, or one to another process has ended.
    #[cold]
    pub(super) fn timed_ended(&mut self) {
        let Some(timed) = self.timed.as_mut().filter(|timed| timed.arrived) else {
            return;
        };
        let other = timed.exchange.map(|peer| &self.peers[peer.0 as usize]);
        if other.is_none_or(|peer| peer.announced == 0) {
            timed.over.get_or_insert_with(Instant::now);
            // So that progress looks at it.
            self.joint.push_back(timed.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrive(flows: &mut Flows, direct: Direct, bytes: u64, messages: u32) -> Vec<Passed> {
        for _ in 0..messages {
            flows.arrived(direct, bytes);
        }
        flows.take().collect()
    }

    #[test]
    fn messages_of_one_kind_in_a_row_are_timed_together() {
        let mut flows = Flows::default();
        let of = |passed: &[Passed]| -> Vec<_> {
            let each = passed.iter();
            each.map(|passed| (passed.direct, passed.bytes)).collect()
        };
        // The first one only begins.
        assert_eq!(arrive(&mut flows, Direct::Both, 7, TOGETHER), []);
        let passed = arrive(&mut flows, Direct::Both, 7, TOGETHER + 1);
        assert_eq!(of(&passed), [(Direct::Both, 7); 2]);
        for (direct, bytes) in [(Direct::Never, 7), (Direct::Never, 8)] {
            assert_eq!(arrive(&mut flows, direct, bytes, TOGETHER), []);
            let passed = arrive(&mut flows, direct, bytes, 1);
            assert_eq!(of(&passed), [(direct, bytes)]);
        }
        arrive(&mut flows, Direct::Never, 8, TOGETHER - 1);
        flows.pause();
        assert_eq!(arrive(&mut flows, Direct::Never, 8, TOGETHER), []);
        let kept = arrive(&mut flows, Direct::Never, 8, 100 * TOGETHER);
        assert_eq!(
            kept.len(),
            KEPT,
            "whoever is never asked does not gather them"
        );
    }
}
