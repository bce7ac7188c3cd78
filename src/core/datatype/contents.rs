//! How a datatype was made, as `MPI_Type_get_envelope` and `MPI_Type_get_contents` report it.
//!
//! Arguments are kept in the order of the plain (`int`) form. The large-count form is the same list, with counts and
//! addresses moved to an array of their own (MPI-5.0, 5.1.13).

use std::rc::Rc;

use super::Type;
use crate::types::{ArrayOrder, Combiner, Distribution, DistributionArg};

/// One argument of a constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `int` in both forms, as the next three, whose numbers differ between ABIs.
    Integer(i32),
    Order(ArrayOrder),
    Distribution(Distribution),
    DistributionArgument(DistributionArg),
    /// `int` in the plain form, a large count in the other.
    Count(i64),
    /// `MPI_Aint` in the plain form, a large count in the other.
    Address(i64),
}

/// A constructor's call.
#[derive(Clone, Debug)]
pub struct Contents {
    pub combiner: Combiner,
    /// Whether it was made by a large-count call: then only the large-count queries may decode it.
    pub large: bool,
    pub arguments: Box<[Argument]>,
    pub types: Box<[Rc<Type>]>,
}

/// The arrays that a query returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// In the plain form, counts fit into an `int`.
    pub integers: Vec<Argument>,
    pub addresses: Vec<i64>,
    pub large_counts: Vec<i64>,
}

impl Contents {
    /// A call whose form is not known: large when a count does not fit into an `int`.
    pub fn new(combiner: Combiner, arguments: Vec<Argument>, types: Vec<Rc<Type>>) -> Contents {
        let large = arguments.iter().any(|argument| match argument {
            Argument::Count(value) => i32::try_from(*value).is_err(),
            _ => false,
        });
        Contents {
            combiner,
            large,
            arguments: arguments.into(),
            types: types.into(),
        }
    }

    /// The same call, known to be of the large-count form.
    pub fn large(mut self, large: bool) -> Contents {
        self.large |= large;
        self
    }

    /// The arguments, as the arrays of the form by which the type was made.
    pub fn decode(&self) -> Decoded {
        let mut decoded = Decoded::default();
        for argument in &self.arguments {
            match (*argument, self.large) {
                (Argument::Count(value) | Argument::Address(value), true) => {
                    decoded.large_counts.push(value);
                }
                (Argument::Address(value), false) => decoded.addresses.push(value),
                (integer, _) => decoded.integers.push(integer),
            }
        }
        decoded
    }

    /// The call that makes such types, for messages.
    pub fn constructor(&self) -> &'static str {
        match self.combiner {
            Combiner::DUP => "MPI_Type_dup",
            Combiner::CONTIGUOUS => "MPI_Type_contiguous",
            Combiner::VECTOR => "MPI_Type_vector",
            Combiner::HVECTOR => "MPI_Type_create_hvector",
            Combiner::INDEXED => "MPI_Type_indexed",
            Combiner::HINDEXED => "MPI_Type_create_hindexed",
            Combiner::INDEXED_BLOCK => "MPI_Type_create_indexed_block",
            Combiner::HINDEXED_BLOCK => "MPI_Type_create_hindexed_block",
            Combiner::STRUCT => "MPI_Type_create_struct",
            Combiner::SUBARRAY => "MPI_Type_create_subarray",
            Combiner::DARRAY => "MPI_Type_create_darray",
            Combiner::F90_REAL => "MPI_Type_create_f90_real",
            Combiner::F90_COMPLEX => "MPI_Type_create_f90_complex",
            Combiner::F90_INTEGER => "MPI_Type_create_f90_integer",
            Combiner::RESIZED => "MPI_Type_create_resized",
            Combiner::VALUE_INDEX => "MPI_Type_get_value_index",
            _ => "an unknown constructor",
        }
    }
}
