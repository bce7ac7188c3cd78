//! Reduction operations (MPI-5.0, 6.9): the predefined ones and the application's own.
//!
//! An operation combines two buffers element by element, `inout = in op inout`. Which predefined
//! operation takes which type is decided in [`kernel`]; the loops are there too. Knows nothing of
//! communicators; a user function is a closure that the ABI's layer has made, which also gives up the
//! engine's lock around the call.

mod extended;
mod kernel;
mod number;
mod pair;
mod quad;
mod table;

#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::rc::Rc;

pub use table::Table;

use kernel::Kernel;

use crate::callback;
use crate::datatype::basic::{Basic, Layout};
use crate::datatype::{Data, Temp, Type};
pub use crate::datatype::{Operand, Target};
use crate::error::Result;
use crate::fail;
use crate::handle::Op;

/// A predefined operation; the discriminants are MPI-5.0's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Builtin {
    Sum = 0x21,
    Min = 0x22,
    Max = 0x23,
    Prod = 0x24,
    Band = 0x28,
    Bor = 0x29,
    Bxor = 0x2a,
    Land = 0x30,
    Lor = 0x31,
    Lxor = 0x32,
    Minloc = 0x38,
    Maxloc = 0x39,
    Replace = 0x3c,
    NoOp = 0x3d,
}

impl Builtin {
    pub const ALL: [Builtin; 14] = [
        Builtin::Sum,
        Builtin::Min,
        Builtin::Max,
        Builtin::Prod,
        Builtin::Band,
        Builtin::Bor,
        Builtin::Bxor,
        Builtin::Land,
        Builtin::Lor,
        Builtin::Lxor,
        Builtin::Minloc,
        Builtin::Maxloc,
        Builtin::Replace,
        Builtin::NoOp,
    ];

    pub fn handle(self) -> Op {
        Op(self as u32)
    }

    pub fn name(self) -> &'static str {
        match self {
            Builtin::Sum => "MPI_SUM",
            Builtin::Min => "MPI_MIN",
            Builtin::Max => "MPI_MAX",
            Builtin::Prod => "MPI_PROD",
            Builtin::Band => "MPI_BAND",
            Builtin::Bor => "MPI_BOR",
            Builtin::Bxor => "MPI_BXOR",
            Builtin::Land => "MPI_LAND",
            Builtin::Lor => "MPI_LOR",
            Builtin::Lxor => "MPI_LXOR",
            Builtin::Minloc => "MPI_MINLOC",
            Builtin::Maxloc => "MPI_MAXLOC",
            Builtin::Replace => "MPI_REPLACE",
            Builtin::NoOp => "MPI_NO_OP",
        }
    }
}

/// A user function: `inout[i] = in[i] op inout[i]` for so many elements of the datatype.
pub type UserFunction = dyn Fn(*const u8, *mut u8, i64, &Type);

/// A reduction operation.
pub struct Operation {
    handle: Cell<Op>,
    commutative: bool,
    action: Action,
    /// What a user function calls, if that can be exchanged.
    callback: Option<Rc<Cell<callback::UserFunction>>>,
    /// The kernel that was asked for last, and the basic element that it is for.
    recent: Cell<(u32, Option<Kernel>)>,
}

enum Action {
    Builtin(Builtin),
    User {
        function: Rc<UserFunction>,
        /// Most elements of one call: `i32::MAX` where the function takes an `int` count.
        most: i64,
    },
}

impl Operation {
    pub fn builtin(builtin: Builtin) -> Operation {
        Operation {
            handle: Cell::new(builtin.handle()),
            commutative: !matches!(builtin, Builtin::Replace | Builtin::NoOp),
            action: Action::Builtin(builtin),
            callback: None,
            recent: Cell::new((0, None)),
        }
    }

    /// An operation of the application, called with at most `most` elements at a time.
    pub fn user(function: Rc<UserFunction>, most: i64, commutative: bool) -> Operation {
        Operation {
            handle: Cell::new(Op::NULL),
            commutative,
            action: Action::User { function, most },
            callback: None,
            recent: Cell::new((0, None)),
        }
    }

    /// Lets the callback that the user function calls be exchanged through [`Self::callback`].
    pub fn calling(self, callback: Rc<Cell<callback::UserFunction>>) -> Operation {
        Operation {
            callback: Some(callback),
            ..self
        }
    }

    /// The callback of an operation of the application. A language binding says after the operation's
    /// creation how it is to be called.
    pub fn callback(&self) -> Option<&Cell<callback::UserFunction>> {
        self.callback.as_deref()
    }

    pub fn handle(&self) -> Op {
        self.handle.get()
    }

    pub fn commutative(&self) -> bool {
        self.commutative
    }

    /// The predefined operation that this is, if it is one.
    pub fn as_builtin(&self) -> Option<Builtin> {
        match self.action {
            Action::Builtin(builtin) => Some(builtin),
            Action::User { .. } => None,
        }
    }

    pub fn describe(&self) -> String {
        match self.action {
            Action::Builtin(builtin) => builtin.name().to_string(),
            Action::User { .. } => format!("the user's operation 0x{:x}", self.handle().0),
        }
    }

    /// The kernel of a predefined operation for a datatype.
    #[inline(always)]
    fn kernel(&self, builtin: Builtin, datatype: &Type) -> Option<Kernel> {
        let layout = datatype.layout();
        let Some(Layout::One(basic)) = layout else {
            return kernel::find(builtin, layout);
        };
        let (known, kernel) = self.recent.get();
        match known == basic.bits() {
            true => kernel,
            false => self.look_up(builtin, basic),
        }
    }

    #[cold]
    fn look_up(&self, builtin: Builtin, basic: Basic) -> Option<Kernel> {
        let kernel = kernel::find(builtin, Some(Layout::One(basic)));
        self.recent.set((basic.bits(), kernel));
        kernel
    }

    /// Whether the operation takes the datatype (MPI-5.0, 6.9.2).
    ///
    /// # Errors
    /// `MPI_ERR_OP`, with both names.
    pub fn check(&self, datatype: &Type) -> Result<()> {
        match self.action {
            Action::User { .. } => Ok(()),
            Action::Builtin(Builtin::Replace | Builtin::NoOp) => Ok(()),
            Action::Builtin(builtin) => match self.kernel(builtin, datatype) {
                Some(_) => Ok(()),
                None => refuse(builtin, datatype),
            },
        }
    }

    /// `inout[i] = in[i] op inout[i]` for the elements of `inout`, which `input` has as well. They must not overlap.
    ///
    /// # Errors
    /// `MPI_ERR_OP` when the operation does not take the datatype.
    pub fn apply(&self, input: &Data, inout: &Data) -> Result<()> {
        let (a, b) = (Operand::of(input, false), Operand::of(inout, false));
        self.combine(a, b, inout)
    }

    /// `out[i] = a[i] op b[i]` for the elements of `out`; `out` is `b`, or overlaps neither. Elements need no alignment.
    ///
    /// # Errors
    /// `MPI_ERR_OP` when the operation does not take the datatype.
    #[inline(always)]
    pub fn combine<'a>(
        &self,
        a: Operand<'_>,
        b: Operand<'_>,
        out: impl Into<Target<'a>>,
    ) -> Result<()> {
        let out = out.into();
        if let Action::Builtin(builtin) = self.action
            && let Some(kernel) = self.kernel(builtin, out.datatype())
            && let Some(elements) = out.reach(&a, &b)
        {
            kernel::run_on(kernel, elements);
            return Ok(());
        }
        self.combine_otherwise(a, b, &out)
    }

    /// [`combine`](Self::combine) by something else than a kernel.
    #[inline(never)]
    fn combine_otherwise(&self, a: Operand<'_>, b: Operand<'_>, out: &Target<'_>) -> Result<()> {
        let Some(elements) = out.reach(&a, &b) else {
            return self.combine_here(a, b, out);
        };
        let ([first, second], into) = (elements.operands(), elements.out());
        if second != into.cast_const() {
            b.copy_to(out);
        }
        match &self.action {
            Action::Builtin(Builtin::NoOp) => Ok(()),
            Action::Builtin(Builtin::Replace) => {
                a.copy_to(out);
                Ok(())
            }
            Action::Builtin(builtin) => refuse(*builtin, out.datatype()),
            Action::User { function, most } => {
                let (mut done, datatype) = (0, out.datatype());
                while done < out.count() {
                    let some = (out.count() - done).min(*most as u64);
                    let shift = datatype.extent().wrapping_mul(done as i64) as isize;
                    function(
                        first.wrapping_byte_offset(shift),
                        into.wrapping_byte_offset(shift),
                        some as i64,
                        datatype,
                    );
                    done += some;
                }
                Ok(())
            }
        }
    }

    /// [`combine`](Self::combine) of what this processor does not reach, in memory that it does, some at a time.
    #[cold]
    fn combine_here(&self, a: Operand<'_>, b: Operand<'_>, out: &Target<'_>) -> Result<()> {
        /// Bytes that are combined at a time.
        const CHUNK: u64 = 64 << 10;
        let (a, b, out) = (a.data(out), b.data(out), out.data());
        let most = (CHUNK / out.datatype.size().max(1)).clamp(1, out.count.max(1));
        let (first, second) = (Temp::of(most, &out.datatype), Temp::of(most, &out.datatype));
        for start in (0..out.count).step_by(most as usize) {
            let part = out.part(start, most);
            let (first, second) = (first.part(0, part.count), second.part(0, part.count));
            a.part(start, most).copy_to(&first);
            b.part(start, most).copy_to(&second);
            self.apply(&first, &second)?;
            second.copy_to(&part);
        }
        Ok(())
    }
}

#[cold]
fn refuse(builtin: Builtin, datatype: &Type) -> Result<()> {
    fail!(
        OP,
        "{} is not defined for {}",
        builtin.name(),
        datatype.describe()
    )
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Operation({})", self.describe())
    }
}
