//! Splitting a communicator by where its processes run (`MPI_Comm_split_type`, MPI-5.0, 7.4.2).
//!
//! Every process says which instance of each kind of resource it is kept to; those with one instance in
//! common come together. Assumes that the engine runs; the api functions have looked up the handles.

use std::rc::Rc;
use std::sync::OnceLock;

use super::inter;
use super::make::{inherit, split_by};
use super::split::Wish;
use crate::boot;
use crate::comm::{Communicator, Draft};
use crate::error::Result;
use crate::fail;
use crate::hardware::{self, Resource, Use};
use crate::info::Pairs;
use crate::mpi::Mpi;
use crate::processes::hash;
use crate::session::Pset;
use crate::types::{SplitType, UNDEFINED};

/// Key of the kind of resource to split by; in the hints of what came of it, too.
pub const RESOURCE: &str = "mpi_hw_resource_type";
/// Key of the process set to split by.
const PSET: &str = "mpi_pset_name";
/// The kind of resource that `MPI_COMM_TYPE_SHARED` splits by.
const SHARED_MEMORY: &str = "mpi_shared_memory";

/// Open MPI's levels begin here: node 0, hardware thread 1, ... host 9, unit 10, cluster 11.
const OMPI_LEVELS: i32 = 0x4000;

/// What the processes of one new communicator have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Domain {
    Everywhere,
    /// They can share memory.
    Node,
    /// One instance of a kind of resource.
    Instance(Resource),
    /// The same, but processes that are kept to no instance come together by node.
    Sharing(Resource),
    /// One instance of the largest kind of resource that tells processes apart.
    Unguided,
    /// Only themselves.
    Alone,
    Nowhere,
}

fn domain(split_type: SplitType, hints: &Pairs) -> Result<Domain> {
    Ok(match split_type {
        SplitType(UNDEFINED) => Domain::Nowhere,
        SplitType::SHARED | SplitType::NEIGHBORHOOD => Domain::Node,
        SplitType::HW_UNGUIDED => Domain::Unguided,
        SplitType::HW_GUIDED => by_resource(hints),
        SplitType::RESOURCE_GUIDED => match hints.get(PSET) {
            None => by_resource(hints),
            Some(_) if hints.get(RESOURCE).is_some() => {
                fail!(ARG, "info has both {RESOURCE} and {PSET}; one was expected")
            }
            Some(name) => match Pset::find(&name) {
                Ok(Pset::World) => Domain::Everywhere,
                Ok(Pset::This) => Domain::Alone,
                Err(_) => Domain::Nowhere,
            },
        },
        SplitType(level) if (OMPI_LEVELS..OMPI_LEVELS + 12).contains(&level) => {
            match level - OMPI_LEVELS {
                1 => Domain::Sharing(Resource::Pu),
                2 => Domain::Sharing(Resource::Core),
                3 => Domain::Sharing(Resource::L1Cache),
                4 => Domain::Sharing(Resource::L2Cache),
                5 => Domain::Sharing(Resource::L3Cache),
                6 => Domain::Sharing(Resource::Package),
                7 => Domain::Sharing(Resource::NumaNode),
                10 | 11 => Domain::Everywhere,
                _ => Domain::Node,
            }
        }
        SplitType(other) => fail!(
            ARG,
            "split_type = {other}: no type that communicators are split by"
        ),
    })
}

/// A kind of resource that is not known, or none, gives `MPI_COMM_NULL`.
fn by_resource(hints: &Pairs) -> Domain {
    match hints.get(RESOURCE).as_deref() {
        Some(SHARED_MEMORY) => Domain::Node,
        Some(name) => Resource::find(name).map_or(Domain::Nowhere, Domain::Instance),
        None => Domain::Nowhere,
    }
}

/// A number that is the same for processes on one node which are kept to one instance of a resource there, and for
/// no others.
fn place(instance: &str) -> i64 {
    static NODE: OnceLock<String> = OnceLock::new();
    let node = NODE.get_or_init(boot::node::identity);
    let bytes = node.bytes().chain([0]).chain(instance.bytes());
    (hash(bytes) >> 1) as i64
}

/// Numbers of the instances of each kind of resource that this process is kept to.
fn instances() -> [i64; Resource::COUNT] {
    let mut kinds = Resource::ALL.iter();
    hardware::uses().map(|used| match (used, kinds.next()) {
        (Use::One(instance), Some(kind)) => place(&format!("{} {instance}", kind.name())),
        _ => UNDEFINED.into(),
    })
}

/// The first kind of resource of which the processes are not all kept to one instance, but some to one of their
/// own. `rows` has the numbers of each process.
fn dividing(rows: &[&[i64]]) -> Option<Resource> {
    let mut kinds = Resource::ALL.into_iter().enumerate();
    let found = kinds.find(|(column, _)| {
        let first = rows[0][*column];
        let apart = rows.iter().any(|row| row[*column] != first);
        apart && rows.iter().any(|row| row[*column] != i64::from(UNDEFINED))
    });
    found.map(|(_, kind)| kind)
}

/// `MPI_Comm_split_type`; `None` where the calling process gets no communicator.
///
/// # Errors
/// `MPI_ERR_ARG`: no such split type, or two things to split by.
pub fn split_type(
    mpi: &Mpi,
    comm: &Rc<Communicator>,
    split_type: SplitType,
    key: i32,
    hints: Pairs,
) -> Result<Option<Rc<Communicator>>> {
    let domain = domain(split_type, &hints)?;
    let mut words = [0; Resource::COUNT + 2];
    if !matches!(domain, Domain::Everywhere | Domain::Node | Domain::Alone) {
        words[..Resource::COUNT].copy_from_slice(&instances());
    }
    words[Resource::COUNT] = match domain {
        Domain::Everywhere => 0,
        Domain::Node | Domain::Unguided => place(""),
        Domain::Instance(resource) => words[resource as usize],
        Domain::Sharing(resource) => match words[resource as usize] {
            none if none == i64::from(UNDEFINED) => place(""),
            instance => instance,
        },
        Domain::Alone => comm.rank.into(),
        Domain::Nowhere => UNDEFINED.into(),
    };
    words[Resource::COUNT + 1] = key.into();
    if comm.is_inter() {
        // What divides two groups is not looked for.
        let colour = match domain {
            Domain::Unguided => UNDEFINED.into(),
            _ => words[Resource::COUNT],
        };
        let draft = inter::split(mpi, comm, [colour, key.into()])?;
        let draft = draft.map(|draft| Draft {
            hints: inherit(comm, hints),
            ..draft
        });
        return draft.map(|draft| mpi.comms.add(draft)).transpose();
    }
    let mut divided = None;
    let draft = split_by(mpi, comm, words, |all| {
        let rows: Vec<&[i64]> = all.chunks_exact(words.len()).collect();
        let column = match domain {
            // What divides nodes is larger than any of their resources.
            Domain::Unguided
                if rows
                    .iter()
                    .any(|row| row[Resource::COUNT] != rows[0][Resource::COUNT]) =>
            {
                divided = Some(SHARED_MEMORY);
                Some(Resource::COUNT)
            }
            Domain::Unguided => {
                let resource = dividing(&rows);
                divided = resource.map(Resource::name);
                resource.map(|resource| resource as usize)
            }
            _ => Some(Resource::COUNT),
        };
        let wishes = rows.iter().map(|row| Wish {
            colour: column.map_or(UNDEFINED.into(), |column| row[column]),
            key: row[Resource::COUNT + 1],
        });
        wishes.collect()
    })?;
    if let Some(name) = divided {
        hints.put(RESOURCE, name);
    }
    let draft = draft.map(|draft| Draft {
        hints: inherit(comm, hints),
        ..draft
    });
    draft.map(|draft| mpi.comms.add(draft)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_resources_are_in_the_order_of_their_numbers() {
        for (index, resource) in Resource::ALL.into_iter().enumerate() {
            assert_eq!(resource as usize, index);
        }
    }

    #[test]
    fn the_largest_kind_that_divides() {
        let none = i64::from(UNDEFINED);
        let row = |package: i64, core: i64| [1, package, 1, none, none, none, core, core];
        let rows = |rows: &[[i64; Resource::COUNT]]| {
            let rows: Vec<&[i64]> = rows.iter().map(|row| &row[..]).collect();
            dividing(&rows)
        };
        assert_eq!(rows(&[row(1, 1), row(2, 2)]), Some(Resource::Package));
        assert_eq!(rows(&[row(1, 1), row(1, 2)]), Some(Resource::Core));
        assert_eq!(rows(&[row(1, none), row(1, none)]), None);
        assert_eq!(rows(&[row(1, 3), row(1, none)]), Some(Resource::Core));
        assert_eq!(rows(&[row(1, 3)]), None);
    }

    #[test]
    fn what_is_asked_for() {
        let hints = Pairs::new();
        let of = |split_type, hints: &Pairs| domain(split_type, hints).unwrap();
        assert_eq!(of(SplitType::HW_GUIDED, &hints), Domain::Nowhere);
        hints.put(RESOURCE, "hwloc://Core");
        let core = Domain::Instance(Resource::Core);
        assert_eq!(of(SplitType::HW_GUIDED, &hints), core);
        assert_eq!(of(SplitType::RESOURCE_GUIDED, &hints), core);
        hints.put(PSET, "mpi://SELF");
        assert_eq!(of(SplitType::HW_GUIDED, &hints), core);
        assert!(domain(SplitType::RESOURCE_GUIDED, &hints).is_err());
        hints.delete(RESOURCE).unwrap();
        assert_eq!(of(SplitType::RESOURCE_GUIDED, &hints), Domain::Alone);
        assert!(domain(SplitType(1), &hints).is_err());
    }
}
