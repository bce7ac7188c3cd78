//! How processes of other jobs become known to this one, and reachable (MPI-5.0, chapter 11).
//!
//! It must not know communicators, nor who meets whom.

use std::net::TcpStream;

use super::{Engine, lost, wait_for_network};
use crate::boot::node::TRANSPORT;
use crate::error::Result;
use crate::fail;
use crate::handshake::Secret;
use crate::held::Held;
use crate::meeting::{Introduction, Port};
use crate::net::Net;
use crate::transport::tcp::{Times, Visit, address};
use crate::transport::{Link, ProcId};

impl Engine {
    /// Listens from now on, if this process does not yet.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: no interface of this host can be used, or the system lacks something.
    pub fn listen(&self) -> Result<()> {
        let mut proto = self.proto();
        if proto.link_mut().network().is_some() {
            return Ok(());
        }
        let ends = lost(self.rank, self.size, self.abort);
        let everybody = (&self.processes, self.size, self.me);
        let net = Net::start().link(Secret::draw(), None, everybody, ends)?;
        if let Some(descriptor) = net.park() {
            wait_for_network(&self.park, descriptor)?;
        }
        proto.link_mut().add_net(net);
        Ok(())
    }

    /// This process, as it is introduced to others. It listens from now on.
    ///
    /// # Errors
    /// As [`listen`](Self::listen).
    pub fn introduction(&self) -> Result<Introduction> {
        self.listen()?;
        let mut proto = self.proto();
        let net = proto.link_mut().network();
        let contact = net.map(|net| address::to_bytes(net.addresses()));
        let spot = self.processes.card(self.me, TRANSPORT)?;
        Ok(Introduction {
            process: self.processes.process(self.me)?,
            spot: spot.map_or_else(Vec::new, Vec::from),
            contact: contact.unwrap_or_default(),
        })
    }

    /// The number of a process that has been introduced, with a secret that it has as well. It is reachable from now on.
    ///
    /// # Errors
    /// `MPI_ERR_OTHER`: it has not said where it listens.
    pub fn meet(&self, other: &Introduction, secret: &Secret) -> Result<ProcId> {
        if let Ok(known) = self.processes.find(other.process) {
            return Ok(known);
        }
        let addresses = match address::from_bytes(&other.contact) {
            Some(addresses) if !addresses.is_empty() => addresses,
            _ => fail!(OTHER, "{} has not said where it listens", other.process),
        };
        self.listen()?;
        let number = self.processes.intern(other.process, other.card())?;
        let mut proto = self.proto();
        proto.link_mut().add(other.process, addresses, secret);
        proto.add_peer();
        Ok(number)
    }

    /// Whether a process is of another job than this one.
    pub fn is_foreign(&self, process: ProcId) -> bool {
        process.0 as usize >= self.size
    }

    /// Nothing that this process has needs another one any more. The connection to it ends once that one says the same.
    pub fn part_from(&self, process: ProcId) {
        if let Some(net) = self.proto().link_mut().network() {
            net.part_from(process);
        }
    }

    /// A port at which this process can be met, whose name has fewer than `longest` bytes.
    ///
    /// # Errors
    /// As [`listen`](Self::listen).
    pub fn open_port(&self, longest: usize) -> Result<Port> {
        self.listen()?;
        let process = self.processes.process(self.me)?;
        let mut proto = self.proto();
        let Some(net) = proto.link_mut().network() else {
            fail!(INTERN, "a process that listens has no network");
        };
        let port = Port::new(process, net.addresses().to_vec(), longest);
        net.open_port(&port.secret());
        Ok(port)
    }

    /// Nobody is let in at a port any more.
    pub fn close_port(&self, port: &Port) {
        if let Some(net) = self.proto().link_mut().network() {
            net.close_port(&port.secret());
        }
    }

    /// Whether a port is open at this process.
    pub fn is_open(&self, port: &Port) -> bool {
        let mut proto = self.proto();
        let net = proto.link_mut().network();
        net.is_some_and(|net| net.is_open(&port.secret()))
    }

    /// The connection of somebody who has come to a port of this process.
    pub fn visitor(&self, port: &Port) -> Option<Held<TcpStream>> {
        self.proto().link_mut().network()?.visitor(&port.secret())
    }

    /// A call to a port of another process.
    ///
    /// # Errors
    /// As [`listen`](Self::listen).
    pub fn visit(&self, port: &Port) -> Result<Visit> {
        self.listen()?;
        let me = self.processes.process(self.me)?;
        let mut proto = self.proto();
        let Some(net) = proto.link_mut().network() else {
            fail!(INTERN, "a process that listens has no network");
        };
        let addresses = net.best_first(port.addresses.clone());
        let (process, secret) = (port.process, port.secret());
        Ok(Visit::new(me, process, &secret, addresses, Times::USUAL))
    }
}
