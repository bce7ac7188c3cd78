//! Connections for what processes have to say to each other before they are peers: to a port, by whoever knows its secret.
//!
//! A port is one more secret by which others may call a listening process. Who proves that becomes no peer: the connection
//! is kept until the process [asks](Tcp::visitor) for it. It must not know what is said there.

use std::collections::VecDeque;
use std::io::{ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

use super::{Call, Key, Step, Tcp, Times, text, verdict};
use crate::handshake::{KeyId, Secret};
use crate::held::Held;
use crate::processes::Process;

/// Times that a port is looked for at all its addresses before it is said not to be there.
const ROUNDS: u32 = 3;

impl Tcp {
    /// Lets in who knows this secret, from now on.
    pub fn open_port(&mut self, secret: &Secret) {
        let key = Key {
            secret: secret.clone(),
            visitors: Some(VecDeque::new()),
        };
        self.keys.insert(secret.id(), key);
    }

    /// Whether somebody who knows this secret is let in as a visitor.
    pub fn is_open(&self, secret: &Secret) -> bool {
        let key = self.keys.get(&secret.id());
        key.is_some_and(|key| key.visitors.is_some())
    }

    /// Lets nobody in by this secret any more. Who has come and was not asked for is sent away.
    pub fn close_port(&mut self, secret: &Secret) {
        self.keys.remove(&secret.id());
    }

    /// The connection of somebody who has come to an open port, and still waits. It is told that it is let in.
    pub fn visitor(&mut self, secret: &Secret) -> Option<Held<TcpStream>> {
        let key = self.keys.get_mut(&secret.id())?;
        let visitors = key.visitors.as_mut()?;
        loop {
            let mut stream = visitors.pop_front()?;
            // Whoever has given up has closed it, and says nothing before it is let in.
            let waits = matches!(stream.peek(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock);
            if waits && matches!(stream.write(&[verdict::USED]), Ok(1)) {
                return Some(stream);
            }
        }
    }

    /// A caller has proved that it knows the secret of a port.
    pub(super) fn visited(&mut self, at: usize, key: KeyId) {
        let Some(call) = self.take(at) else {
            return;
        };
        let visitors = self
            .keys
            .get_mut(&key)
            .and_then(|key| key.visitors.as_mut());
        match visitors {
            Some(visitors) => visitors.push_back(call.stream),
            None => self.strangers += 1,
        }
    }
}

/// A call to the port of a process.
pub struct Visit {
    me: Process,
    target: Process,
    secret: Secret,
    /// Where the process listens, the best first.
    addresses: Vec<SocketAddr>,
    /// The next one of these.
    next: usize,
    /// Times that all of them have been tried in vain.
    rounds: u32,
    /// The call at this address.
    call: Option<(SocketAddr, Call)>,
    /// When the next address is tried.
    again: Instant,
    times: Times,
    /// What the last attempt has come to.
    last: String,
}

impl Visit {
    /// Process `me` calls the port with this secret of another process.
    pub fn new(
        me: Process,
        target: Process,
        secret: &Secret,
        addresses: Vec<SocketAddr>,
        times: Times,
    ) -> Visit {
        Visit {
            me,
            target,
            secret: secret.clone(),
            addresses,
            next: 0,
            rounds: 0,
            call: None,
            again: Instant::now(),
            times,
            last: "it has not been tried".into(),
        }
    }

    /// What the last attempt has come to.
    pub fn last(&self) -> &str {
        &self.last
    }

    /// Goes on with the call. The connection, once both sides have proved that they know the port's secret.
    ///
    /// # Errors
    /// Nobody who knows it listens at any of the addresses.
    pub fn poll(&mut self) -> Result<Option<Held<TcpStream>>, String> {
        loop {
            let now = Instant::now();
            let Some((address, call)) = &mut self.call else {
                if self.rounds == ROUNDS || self.addresses.is_empty() {
                    return Err(self.last.clone());
                }
                if now < self.again {
                    return Ok(None);
                }
                self.call_next(now);
                continue;
            };
            let failed: String = match call.step(self.me, |_| None) {
                Ok(Step::Waits) if call.until.is_some_and(|until| until <= now) => {
                    "no answer".into()
                }
                Ok(Step::Waits) => return Ok(None),
                Ok(Step::GoesOn) => continue,
                Ok(Step::Connected) => {
                    // The process answers when it next looks, and lets nobody in before it accepts.
                    call.until = None;
                    continue;
                }
                Ok(Step::Used) => {
                    let call = self.call.take();
                    return Ok(call.map(|(_, call)| call.stream));
                }
                Ok(Step::Is(..) | Step::Crossed) => "it does not let anybody in".into(),
                Err(why) => why,
            };
            self.last = format!("{address}: {failed}");
            self.call = None;
        }
    }

    /// Calls at the next address.
    fn call_next(&mut self, now: Instant) {
        let address = self.addresses[self.next];
        self.next = (self.next + 1) % self.addresses.len();
        if self.next == 0 {
            self.rounds += 1;
            self.again = now + self.times.again;
        }
        let until = now + self.times.address;
        match Call::begin(address, (self.me, self.target), &self.secret, (now, until)) {
            Ok(call) => self.call = Some((address, call)),
            Err(error) => self.last = format!("{address}: {}", text(error)),
        }
    }
}
