//! How a datatype was made, as `MPI_Type_get_envelope` and `MPI_Type_get_contents` report it.
//!
//! Arguments are kept in the order of the plain (`int`) form; the large-count form is the same list with
//! counts and addresses moved to an array of their own (MPI-5.0, 5.1.13).

use std::rc::Rc;

use super::Type;

/// Combiners, with the numbers of MPI-5.0.
pub mod combiner {
    pub const NAMED: i32 = 101;
    pub const DUP: i32 = 102;
    pub const CONTIGUOUS: i32 = 103;
    pub const VECTOR: i32 = 104;
    pub const HVECTOR: i32 = 105;
    pub const INDEXED: i32 = 106;
    pub const HINDEXED: i32 = 107;
    pub const INDEXED_BLOCK: i32 = 108;
    pub const HINDEXED_BLOCK: i32 = 109;
    pub const STRUCT: i32 = 110;
    pub const SUBARRAY: i32 = 111;
    pub const DARRAY: i32 = 112;
    pub const F90_REAL: i32 = 113;
    pub const F90_COMPLEX: i32 = 114;
    pub const F90_INTEGER: i32 = 115;
    pub const RESIZED: i32 = 116;
    pub const VALUE_INDEX: i32 = 117;
}

/// One argument of a constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `int` in both forms.
    Integer(i32),
    /// `int` in the plain form, a large count in the other.
    Count(i64),
    /// `MPI_Aint` in the plain form, a large count in the other.
    Address(i64),
}

/// A constructor's call.
#[derive(Clone, Debug)]
pub struct Contents {
    pub combiner: i32,
    /// Whether it was made by a large-count call: then only the large-count queries may decode it.
    pub large: bool,
    pub arguments: Box<[Argument]>,
    pub types: Box<[Rc<Type>]>,
}

/// The arrays that a query returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    pub integers: Vec<i64>,
    pub addresses: Vec<i64>,
    pub large_counts: Vec<i64>,
}

impl Contents {
    /// A call whose form is not known: large when a count does not fit into an `int`.
    pub fn new(combiner: i32, arguments: Vec<Argument>, types: Vec<Rc<Type>>) -> Contents {
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

    /// The arguments, as the arrays of the form by which the type was made.
    pub fn decode(&self) -> Decoded {
        let mut decoded = Decoded::default();
        for argument in &self.arguments {
            match (*argument, self.large) {
                (Argument::Integer(value), _) => decoded.integers.push(value.into()),
                (Argument::Count(value), false) => decoded.integers.push(value),
                (Argument::Address(value), false) => decoded.addresses.push(value),
                (Argument::Count(value) | Argument::Address(value), true) => {
                    decoded.large_counts.push(value);
                }
            }
        }
        decoded
    }

    /// The call that makes such types, for messages.
    pub fn constructor(&self) -> &'static str {
        match self.combiner {
            combiner::DUP => "MPI_Type_dup",
            combiner::CONTIGUOUS => "MPI_Type_contiguous",
            combiner::VECTOR => "MPI_Type_vector",
            combiner::HVECTOR => "MPI_Type_create_hvector",
            combiner::INDEXED => "MPI_Type_indexed",
            combiner::HINDEXED => "MPI_Type_create_hindexed",
            combiner::INDEXED_BLOCK => "MPI_Type_create_indexed_block",
            combiner::HINDEXED_BLOCK => "MPI_Type_create_hindexed_block",
            combiner::STRUCT => "MPI_Type_create_struct",
            combiner::SUBARRAY => "MPI_Type_create_subarray",
            combiner::DARRAY => "MPI_Type_create_darray",
            combiner::F90_REAL => "MPI_Type_create_f90_real",
            combiner::F90_COMPLEX => "MPI_Type_create_f90_complex",
            combiner::F90_INTEGER => "MPI_Type_create_f90_integer",
            combiner::RESIZED => "MPI_Type_create_resized",
            combiner::VALUE_INDEX => "MPI_Type_get_value_index",
            _ => "an unknown constructor",
        }
    }
}
