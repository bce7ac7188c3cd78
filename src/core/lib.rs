//! The MPI core: every operation of MPI on the numbers of MPI-5.0, without any C ABI.
//!
//! The modules stand in layers, from below. A module names those of its own layer and of lower ones, and no modules
//! name each other in a circle. The test `layers` checks that.
#![deny(unsafe_code)]

pub mod borrowed;
pub mod class;
pub mod error;
pub mod handle;
pub mod held;
pub mod registry;
pub mod sync;
pub mod sys;
pub mod types;

pub mod config;
pub mod facts;
pub mod hardware;
pub mod quota;
pub mod tuning;

pub mod context;
pub mod datatype;
pub mod fortran;
pub mod group;
pub mod handshake;
pub mod info;
pub mod op;
pub mod processes;
pub mod topo;

pub mod attr_value;
pub mod buf;
pub mod callback;
pub mod out;

pub mod matching;
pub mod park;
pub mod proto;
pub mod shm;
pub mod transport;
pub mod wire;

pub mod abort;
pub mod boot;
pub mod coll;
pub mod copying;
pub mod meeting;
pub mod net;
pub mod node;
pub mod waiting;

pub mod background;
pub mod engine;
pub mod forked;
pub mod lock;
pub mod phase;
pub mod waiters;

pub mod runtime;

pub mod completion;
pub mod progress;
pub mod progress_thread;
pub mod threads;

pub mod attr;
pub mod bsend;
pub mod comm;
pub mod errhandler;
pub mod grequest;
pub mod partitioned;
pub mod request;
pub mod session;
pub mod tool;

pub mod mpi;

pub mod carrier;
pub mod collective;
pub mod constructors;
pub mod raise;
pub mod world;

pub mod api;

pub mod abi;

#[cfg(test)]
mod garbage_tests;
#[cfg(test)]
mod layers;
