//! Groups: ordered sets of processes (MPI-5.0, 7.3).
//!
//! [`Members`] maps ranks to processes and back. It is immutable, and shared by `Rc` between groups, communicators
//! and operations. It is small where the processes follow a pattern: the world costs three words at any size. Set
//! operations are in [`sets`]. Knows nothing of communicators or handles' tables.

pub mod sets;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::error::Result;
use crate::handle::{Group, Session};
use crate::registry::{Registry, bad_handle};
use crate::types::ProcId;

/// The processes of a group in rank order, each once.
pub struct Members {
    rank_map: RankMap,
    len: u32,
    /// The session that the group was derived from, or `MPI_SESSION_NULL`.
    session: Session,
    /// Process to rank, made when first asked for. Only for an explicit rank map.
    positions: OnceCell<HashMap<ProcId, u32>>,
}

enum RankMap {
    /// Rank `r` is process `first + r`.
    Range {
        first: u32,
    },
    /// Rank `r` is process `first + r * stride`.
    Strided {
        first: u32,
        stride: i64,
    },
    Explicit(Box<[ProcId]>),
}

impl Members {
    pub fn empty() -> Members {
        Members::range(0, 0)
    }

    /// The processes `first .. first + len`.
    pub fn range(first: u32, len: usize) -> Members {
        Members {
            rank_map: RankMap::Range { first },
            len: len as u32,
            session: Session::NULL,
            positions: OnceCell::new(),
        }
    }

    /// The given processes, which must be distinct.
    pub fn new(processes: Vec<ProcId>) -> Members {
        let len = processes.len() as u32;
        let rank_map = match processes[..] {
            [] => RankMap::Range { first: 0 },
            [only] => RankMap::Range { first: only.0 },
            [first, second, ..] => {
                let stride = i64::from(second.0) - i64::from(first.0);
                let even = processes
                    .windows(2)
                    .all(|pair| i64::from(pair[1].0) - i64::from(pair[0].0) == stride);
                match (even, stride) {
                    (true, 1) => RankMap::Range { first: first.0 },
                    (true, _) => RankMap::Strided {
                        first: first.0,
                        stride,
                    },
                    (false, _) => RankMap::Explicit(processes.into()),
                }
            }
        };
        Members {
            rank_map,
            len,
            session: Session::NULL,
            positions: OnceCell::new(),
        }
    }

    /// The same processes, derived from a session.
    #[must_use]
    pub fn of(self, session: Session) -> Members {
        Members { session, ..self }
    }

    /// The session that the group was derived from, or `MPI_SESSION_NULL`.
    #[inline(always)]
    pub fn session(&self) -> Session {
        self.session
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The process of a rank, which must be below [`len`](Self::len).
    #[inline(always)]
    pub fn proc(&self, rank: usize) -> ProcId {
        debug_assert!(rank < self.len());
        match &self.rank_map {
            RankMap::Range { first } => ProcId(first + rank as u32),
            RankMap::Strided { first, stride } => {
                ProcId((i64::from(*first) + rank as i64 * stride) as u32)
            }
            RankMap::Explicit(processes) => processes[rank],
        }
    }

    /// The rank of a process, if it is a member.
    pub fn rank_of(&self, process: ProcId) -> Option<usize> {
        let rank = match &self.rank_map {
            RankMap::Range { first } => i64::from(process.0) - i64::from(*first),
            RankMap::Strided { first, stride } => {
                let distance = i64::from(process.0) - i64::from(*first);
                if distance % stride != 0 {
                    return None;
                }
                distance / stride
            }
            RankMap::Explicit(processes) => {
                let positions = self.positions.get_or_init(|| {
                    let ranks = processes.iter().zip(0..);
                    ranks.map(|(process, rank)| (*process, rank)).collect()
                });
                return positions.get(&process).map(|rank| *rank as usize);
            }
        };
        (0..i64::from(self.len))
            .contains(&rank)
            .then_some(rank as usize)
    }

    pub fn contains(&self, process: ProcId) -> bool {
        self.rank_of(process).is_some()
    }

    /// The processes in rank order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ProcId> + '_ {
        (0..self.len()).map(|rank| self.proc(rank))
    }
}

impl std::fmt::Debug for Members {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.iter().map(|process| process.0))
            .finish()
    }
}

impl PartialEq for Members {
    /// The same processes in the same order.
    fn eq(&self, other: &Members) -> bool {
        if self.len != other.len {
            return false;
        }
        match (&self.rank_map, &other.rank_map) {
            (RankMap::Range { first: a }, RankMap::Range { first: b }) => self.len == 0 || a == b,
            _ => self.iter().eq(other.iter()),
        }
    }
}

impl Eq for Members {}

/// The groups of one process.
pub struct Groups {
    empty: OnceCell<Rc<Members>>,
    live: Registry<Group, Members>,
}

impl Groups {
    pub const fn new() -> Groups {
        Groups {
            empty: OnceCell::new(),
            live: Registry::new(),
        }
    }

    /// The members of a live group.
    ///
    /// # Errors
    /// `MPI_ERR_GROUP` for `MPI_GROUP_NULL`, a freed handle or one of another kind.
    pub fn find(&self, handle: Group) -> Result<Rc<Members>> {
        if handle == Group::EMPTY {
            let empty = self.empty.get_or_init(|| Rc::new(Members::empty()));
            return Ok(empty.clone());
        }
        self.live.find(handle)
    }

    /// A handle for a group; `MPI_GROUP_EMPTY` for an empty one.
    pub fn give(&self, members: Rc<Members>) -> Result<Group> {
        if members.is_empty() {
            return Ok(Group::EMPTY);
        }
        self.live.insert(members)
    }

    /// Takes a handle away. `MPI_GROUP_EMPTY` may be freed and stays what it is.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn free(&self, handle: Group) -> Result<()> {
        if handle == Group::EMPTY || self.live.remove(handle).is_some() {
            return Ok(());
        }
        Err(bad_handle(handle))
    }
}

impl Default for Groups {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(processes: &[u32]) -> Members {
        Members::new(processes.iter().copied().map(ProcId).collect())
    }

    #[test]
    fn every_form_maps_both_ways() {
        for processes in [
            &[][..],
            &[7],
            &[0, 1, 2, 3],
            &[3, 4, 5],
            &[5, 3, 1],
            &[10, 20, 30],
            &[4, 0, 9, 2],
            &[u32::MAX, 0],
        ] {
            let group = members(processes);
            assert_eq!(group.len(), processes.len());
            let listed: Vec<u32> = group.iter().map(|process| process.0).collect();
            assert_eq!(listed, processes);
            for candidate in (0..40).chain([u32::MAX, u32::MAX - 1]) {
                let expected = processes.iter().position(|process| *process == candidate);
                assert_eq!(group.rank_of(ProcId(candidate)), expected, "{processes:?}");
            }
        }
    }

    #[test]
    fn regular_groups_stay_small() {
        assert!(matches!(
            members(&[2, 3, 4]).rank_map,
            RankMap::Range { first: 2 }
        ));
        assert!(matches!(
            members(&[8, 6, 4]).rank_map,
            RankMap::Strided {
                first: 8,
                stride: -2
            }
        ));
        assert!(matches!(members(&[8, 6, 5]).rank_map, RankMap::Explicit(_)));
    }

    #[test]
    fn equality_is_by_content() {
        assert_eq!(members(&[1, 2]), Members::range(1, 2));
        assert_eq!(members(&[]), Members::range(9, 0));
        assert_ne!(members(&[1, 2]), members(&[2, 1]));
        assert_ne!(members(&[1, 2]), members(&[1, 2, 3]));
    }
}
