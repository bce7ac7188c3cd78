//! What a Fortran binding says of its compiler (MPI-5.0, 20.2): sizes of types, and how `LOGICAL` looks.
//!
//! Said once, for the life of the process. The predefined Fortran types have fixed sizes here, so other sizes
//! are refused rather than stored.

use std::cell::RefCell;

use crate::error::Result;
use crate::fail;
use crate::info::Pairs;

/// The keys of sizes, and the bytes that the types have here.
const SIZES: [(&str, usize); 4] = [
    ("mpi_logical_size", 4),
    ("mpi_integer_size", 4),
    ("mpi_real_size", 4),
    ("mpi_double_precision_size", 8),
];

/// The two values of a `LOGICAL`, byte by byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booleans {
    pub yes: Vec<u8>,
    pub no: Vec<u8>,
}

/// What has been said so far.
#[derive(Default)]
pub struct Fortran {
    pairs: RefCell<Option<Pairs>>,
    booleans: RefCell<Option<Booleans>>,
}

impl Fortran {
    pub const fn new() -> Fortran {
        Fortran {
            pairs: RefCell::new(None),
            booleans: RefCell::new(None),
        }
    }

    pub fn pairs(&self) -> Option<Pairs> {
        self.pairs.borrow().clone()
    }

    pub fn booleans(&self) -> Option<Booleans> {
        self.booleans.borrow().clone()
    }

    /// # Errors
    /// `MPI_ERR_ABI`: said before, or a size that the types have not.
    pub fn set_pairs(&self, pairs: &Pairs) -> Result<()> {
        if self.pairs.borrow().is_some() {
            fail!(ABI, "the information about Fortran has been set already");
        }
        for (key, bytes) in SIZES {
            if let Some(text) = pairs.get(key)
                && text.parse() != Ok(bytes)
            {
                fail!(ABI, "{key} = {text}: this library's type has {bytes} bytes");
            }
        }
        *self.pairs.borrow_mut() = Some(pairs.clone());
        Ok(())
    }

    /// # Errors
    /// `MPI_ERR_ABI`: said before, or values that reductions here do not tell apart: they take what is not
    /// zero as true.
    pub fn set_booleans(&self, booleans: Booleans) -> Result<()> {
        if self.booleans.borrow().is_some() {
            fail!(ABI, "the values of Fortran's LOGICAL have been set already");
        }
        let zero = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
        if !zero(&booleans.no) || zero(&booleans.yes) {
            fail!(
                ABI,
                "logical_true = {:x?}, logical_false = {:x?}: false must be zero, and true another value",
                booleans.yes,
                booleans.no
            );
        }
        *self.booleans.borrow_mut() = Some(booleans);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::class;

    #[test]
    fn what_is_said_is_said_once() {
        let fortran = Fortran::new();
        let pairs = Pairs::new();
        pairs.put("mpi_integer_size", "8");
        assert_eq!(fortran.set_pairs(&pairs).unwrap_err().code(), class::ABI);
        assert!(fortran.pairs().is_none());
        pairs.put("mpi_integer_size", "4");
        fortran.set_pairs(&pairs).unwrap();
        assert_eq!(fortran.set_pairs(&pairs).unwrap_err().code(), class::ABI);
        let kept = fortran.pairs().unwrap();
        assert_eq!(kept.get("mpi_integer_size").as_deref(), Some("4"));
    }

    #[test]
    fn true_and_false_differ() {
        let fortran = Fortran::new();
        let values = |yes: u8, no: u8| Booleans {
            yes: vec![yes; 4],
            no: vec![no; 4],
        };
        for (yes, no) in [(0, 0), (1, 1), (0, 1)] {
            assert!(fortran.set_booleans(values(yes, no)).is_err());
        }
        fortran.set_booleans(values(255, 0)).unwrap();
        assert_eq!(fortran.booleans(), Some(values(255, 0)));
        assert!(fortran.set_booleans(values(1, 0)).is_err());
    }
}
