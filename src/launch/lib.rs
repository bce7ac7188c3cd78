//! The launcher `mpiexec` and the tools around it.
//!
//! `options` (names) -> `request` (meaning) -> `placement`, `plan` (what to start where) -> `job` (see it through).
//! The ranks of a host are a `node`, in mpiexec itself or in a `daemon` on another host, which `remote` reaches through an
//! `agent`; `events` are what they say to each other, `frames` the same as bytes.
//! The pure parts, which know no descriptors: `options request hosts placement orders agent tree events frames environ bind
//! pmi lines cause`. The parts that touch the system: `machine topology interpreter library signals plan start link door
//! member foreign outlet sink feed rank guard node daemon remote parent job say`. A `spawned` job is run by an mpiexec of its own.
//! Beside them `wrapper` (mpicc, mpicxx) and `info` (mpi_info).

pub mod agent;
pub mod bind;
pub mod cause;
pub mod daemon;
pub mod door;
pub mod environ;
pub mod events;
pub mod feed;
pub mod foreign;
pub mod frames;
pub mod guard;
pub mod hosts;
pub mod info;
pub mod interpreter;
pub mod job;
pub mod library;
pub mod lines;
pub mod link;
pub mod machine;
pub mod member;
pub mod mpiexec;
pub mod node;
pub mod option_table;
pub mod options;
pub mod orders;
pub mod outlet;
pub mod parent;
pub mod placement;
pub mod plan;
pub mod pmi;
pub mod rank;
pub mod remote;
pub mod request;
pub mod say;
pub mod signals;
pub mod sink;
pub mod spawned;
pub mod start;
pub mod topology;
pub mod tree;
pub mod wrapper;

/// The release of Open MPI whose behaviour and options detectors may assume; `libmpi.so.40` names the same.
pub const OPEN_MPI_RELEASE: &str = "5.0.10";
