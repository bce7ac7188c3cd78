//! All operations that a handle can name: the predefined ones by number, the user's by registry.

use std::cell::OnceCell;
use std::rc::Rc;

use super::{Builtin, Operation};
use crate::error::Result;
use crate::fail;
use crate::handle::Op;
use crate::registry::Registry;

const FIRST: u32 = 0x20;
const END: u32 = 0x40;

/// The operations of one process.
pub struct Table {
    predefined: OnceCell<Box<[Option<Rc<Operation>>]>>,
    live: Registry<Op, Operation>,
}

impl Table {
    pub const fn new() -> Table {
        Table {
            predefined: OnceCell::new(),
            live: Registry::new(),
        }
    }

    fn predefined(&self) -> &[Option<Rc<Operation>>] {
        self.predefined.get_or_init(|| {
            let mut table = vec![None; (END - FIRST) as usize];
            for builtin in Builtin::ALL {
                table[(builtin as u32 - FIRST) as usize] =
                    Some(Rc::new(Operation::builtin(builtin)));
            }
            table.into()
        })
    }

    /// The live operation of a handle.
    ///
    /// # Errors
    /// `MPI_ERR_OP` for `MPI_OP_NULL`, a freed handle or one of another kind.
    #[inline(always)]
    pub fn find(&self, handle: Op) -> Result<Rc<Operation>> {
        let index = handle.0.wrapping_sub(FIRST) as usize;
        match self.predefined().get(index) {
            Some(Some(operation)) => Ok(operation.clone()),
            _ => self.find_made(handle),
        }
    }

    /// [`find`](Self::find) of what is not predefined.
    #[inline(never)]
    fn find_made(&self, handle: Op) -> Result<Rc<Operation>> {
        self.live.find(handle)
    }

    /// Gives a new operation its handle.
    pub fn insert(&self, operation: Operation) -> Result<Op> {
        self.live.insert_with(|handle| {
            operation.handle.set(handle);
            Rc::new(operation)
        })
    }

    /// Takes a handle away; the operation lives on while anything uses it.
    ///
    /// # Errors
    /// `MPI_ERR_OP` for a handle that names no live operation, or a predefined one.
    pub fn free(&self, handle: Op) -> Result<Rc<Operation>> {
        let operation = self.find(handle)?;
        match self.live.remove(handle) {
            Some(operation) => Ok(operation),
            None => fail!(
                OP,
                "{} is predefined and cannot be freed",
                operation.describe()
            ),
        }
    }

    /// Handles of all operations that have not been freed.
    pub fn handles(&self) -> Vec<Op> {
        self.live.handles()
    }
}

impl Default for Table {
    fn default() -> Self {
        Table::new()
    }
}
