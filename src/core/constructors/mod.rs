//! Communicators made from others or from groups, and freed (MPI-5.0, 7.4 and 7.6); when the predefined ones exist.
//!
//! The members agree on a context by the exchanges of [`comm::agree`](crate::comm::agree), and then build their
//! communicators locally. From communicators: [`make`]; from two groups: [`inter`]; from groups alone: [`groups`]; by
//! hardware: [`locality`].

mod bridge;
pub mod dynamic;
pub mod groups;
pub mod inter;
pub mod locality;
pub mod make;
mod predefined;
mod split;
