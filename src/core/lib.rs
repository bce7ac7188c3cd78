//! The MPI core: every operation of MPI on the numbers of MPI-5.0, without any C ABI.
//!
//! The modules stand in dependency order; a lower one never names a higher one.
#![deny(unsafe_code)]

pub mod context;
pub mod datatype;
pub mod error;
pub mod forked;
pub mod fortran;
pub mod group;
pub mod handle;
pub mod held;
pub mod info;
pub mod op;
pub mod topo;
pub mod types;

pub mod boot;
pub mod config;
pub mod hardware;
pub mod matching;
pub mod park;
pub mod processes;
pub mod proto;
pub mod quota;
pub mod remembered;
pub mod shm;
pub mod sync;
pub mod sys;
pub mod transport;
pub mod waiting;
pub mod wire;

pub mod coll;
pub mod copying;

pub mod buf;
pub mod callback;
pub mod facts;
pub mod lock;
pub mod out;

pub mod attr;
pub mod attr_value;
pub mod bsend;
pub mod comm;
pub mod engine;
pub mod grequest;
pub mod partitioned;
pub mod request;
pub mod session;

pub mod mpi;

pub mod collective;
pub mod progress_thread;
pub mod threads;
pub mod world;

pub mod errhandler;
pub mod tool;

pub mod api;

pub mod abi;
