//! Datatypes (MPI-5.0, chapter 5): predefined and derived, their bounds and how they are copied.
//!
//! A [`Type`] is immutable but for its name, its committed flag and its handle. It is flattened when it
//! is made ([`program`]), so that commit costs nothing; [`Data`] pairs it with memory. Derived types and
//! pending operations hold their types by `Rc`, so `MPI_Type_free` only takes the handle away.
//! Knows nothing of communicators or of any C ABI.

mod array;
pub mod basic;
pub(crate) mod block;
pub mod contents;
pub mod data;
pub mod external;
mod make;
pub(crate) mod memory;
pub mod program;
mod shape;
pub mod signature;
mod table;
mod temp;

#[cfg(test)]
mod column_tests;
#[cfg(test)]
mod memory_tests;
#[cfg(test)]
pub(crate) mod test_space;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub use array::{darray, subarray};
use basic::{Layout, Named};
pub use contents::{Argument, Contents};
pub use data::{Data, Like, Span};
pub use make::{
    contiguous, dup, hindexed, hindexed_block, hvector, indexed, indexed_block, resized, structure,
    vector,
};
pub use memory::{Base, Operand, Space, Target};
use program::Placed;
pub use shape::{Range, Shape};
use signature::Signature;
pub use table::Table;
pub(crate) use temp::{Packed, Temp};

use crate::error::Result;
use crate::handle::Datatype;

/// A datatype.
pub struct Type {
    handle: Cell<Datatype>,
    draft: Draft,
    contiguous: bool,
    /// The element or pair of a predefined type and of its duplicates.
    layout: Option<Layout>,
    origin: Origin,
    committed: Cell<bool>,
    name: RefCell<Box<str>>,
}

enum Origin {
    Named(&'static Named),
    /// Made by a constructor.
    Derived(Rc<Contents>),
    /// Unnamed predefined types: `MPI_Type_create_f90_*`, `MPI_Type_get_value_index`.
    Unnamed(Rc<Contents>),
}

/// What a type is apart from its identity.
#[derive(Clone)]
struct Draft {
    shape: Shape,
    program: Placed,
    signature: Rc<Signature>,
}

impl Draft {
    fn empty() -> Draft {
        Draft {
            shape: Shape::EMPTY,
            program: Placed::empty(),
            signature: Signature::empty(),
        }
    }

    fn repeat(&self, count: u64, stride: i64, displacement: i64) -> Result<Draft> {
        Ok(Draft {
            shape: self.shape.repeat(count, stride, displacement)?,
            program: self.program.repeat(count, stride).moved(displacement),
            signature: Signature::repeat(&self.signature, count),
        })
    }

    fn sequence(items: Vec<Draft>) -> Result<Draft> {
        let mut shape = Shape::EMPTY;
        for item in &items {
            shape = shape.join(&item.shape)?;
        }
        Ok(Draft {
            shape,
            signature: Signature::sequence(items.iter().map(|item| item.signature.clone())),
            program: Placed::sequence(items.into_iter().map(|item| item.program).collect()),
        })
    }

    fn resized(self, lb: i64, extent: i64) -> Result<Draft> {
        Ok(Draft {
            shape: self.shape.resized(lb, extent)?,
            ..self
        })
    }
}

impl Type {
    fn new(draft: Draft, layout: Option<Layout>, origin: Origin, name: &str) -> Type {
        let Draft { shape, program, .. } = &draft;
        let one_block =
            matches!(*program.node, program::Node::Block { bytes } if bytes == shape.size);
        Type {
            handle: Cell::new(match origin {
                Origin::Named(named) => named.number,
                _ => Datatype::NULL,
            }),
            contiguous: one_block && shape.extent() == shape.size as i64,
            committed: Cell::new(!matches!(origin, Origin::Derived(_))),
            draft,
            layout,
            origin,
            name: RefCell::new(name.into()),
        }
    }

    fn derived(draft: Draft, contents: Contents) -> Type {
        Type::new(draft, None, Origin::Derived(Rc::new(contents)), "")
    }

    /// Notes that a large-count call made this type, which only large-count queries may decode.
    pub fn large(self, large: bool) -> Type {
        match self.origin {
            Origin::Derived(contents) => {
                let contents = Rc::unwrap_or_clone(contents).large(large);
                Type {
                    origin: Origin::Derived(Rc::new(contents)),
                    ..self
                }
            }
            _ => self,
        }
    }

    /// A predefined type by its number, or `None`. Makes a new object; handles go through [`Table`].
    pub fn predefined(number: Datatype) -> Option<Rc<Type>> {
        let index = basic::NAMED
            .binary_search_by_key(&number, |named| named.number)
            .ok()?;
        Some(Rc::new(Type::named(&basic::NAMED[index])))
    }

    fn named(named: &'static Named) -> Type {
        let draft = Draft::of_layout(named.layout);
        Type::new(
            draft,
            Some(named.layout),
            Origin::Named(named),
            named.answered(),
        )
    }

    /// The number that names this type; `MPI_DATATYPE_NULL` before it has one.
    pub fn handle(&self) -> Datatype {
        self.handle.get()
    }

    /// Bytes of data in one element.
    pub fn size(&self) -> u64 {
        self.draft.shape.size
    }

    pub fn lb(&self) -> i64 {
        self.draft.shape.lb()
    }

    /// Bytes from one element to the next; may be negative.
    pub fn extent(&self) -> i64 {
        self.draft.shape.extent()
    }

    pub fn true_lb(&self) -> i64 {
        self.draft.shape.true_lb()
    }

    pub fn true_extent(&self) -> i64 {
        self.draft.shape.true_extent()
    }

    pub fn shape(&self) -> &Shape {
        &self.draft.shape
    }

    /// Whether n elements are one range of n * size bytes, which starts at `true_lb`.
    #[inline(always)]
    pub fn is_contiguous(&self) -> bool {
        self.contiguous
    }

    /// The bytes that `count` elements touch, relative to the address that a call is given.
    ///
    /// # Errors
    /// `MPI_ERR_VALUE_TOO_LARGE` when they do not fit into 63 bits.
    pub fn span(&self, count: u64) -> Result<Range> {
        self.draft.shape.span(count)
    }

    pub fn program(&self) -> &Placed {
        &self.draft.program
    }

    pub fn signature(&self) -> &Rc<Signature> {
        &self.draft.signature
    }

    /// The element or pair that predefined operations work on; `None` for other derived types.
    pub fn layout(&self) -> Option<Layout> {
        self.layout
    }

    pub fn committed(&self) -> bool {
        self.committed.get()
    }

    pub fn commit(&self) {
        self.committed.set(true);
    }

    /// Whether the implementation owns it: it is committed and cannot be freed.
    pub fn is_predefined(&self) -> bool {
        !matches!(self.origin, Origin::Derived(_))
    }

    /// Whether it has a name of the standard (or a family's), as `MPI_INT` has.
    pub fn is_named(&self) -> bool {
        matches!(self.origin, Origin::Named(_))
    }

    /// How it was made; `None` for a named type (MPI-5.0, 5.1.13).
    pub fn contents(&self) -> Option<&Rc<Contents>> {
        match &self.origin {
            Origin::Named(_) => None,
            Origin::Derived(contents) | Origin::Unnamed(contents) => Some(contents),
        }
    }

    /// The name set by `MPI_Type_set_name`, else the standard's name, else "".
    pub fn name(&self) -> String {
        self.name.borrow().to_string()
    }

    pub fn set_name(&self, name: &str) {
        *self.name.borrow_mut() = name.into();
    }

    /// For messages: the name, or what made it.
    pub fn describe(&self) -> String {
        let name = self.name.borrow();
        match self.contents() {
            Some(contents) if name.is_empty() => {
                format!("a datatype made by {}", contents.constructor())
            }
            _ => name.to_string(),
        }
    }

    /// An equal type with an identity of its own, as `MPI_Type_get_contents` hands out.
    pub fn twin(&self) -> Type {
        let origin = match &self.origin {
            Origin::Named(named) => Origin::Named(named),
            Origin::Derived(contents) => Origin::Derived(contents.clone()),
            Origin::Unnamed(contents) => Origin::Unnamed(contents.clone()),
        };
        let twin = Type::new(self.draft.clone(), self.layout, origin, "");
        twin.committed.set(self.committed());
        twin
    }
}

impl std::fmt::Debug for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Type({}, size {}, lb {}, extent {})",
            self.describe(),
            self.size(),
            self.lb(),
            self.extent()
        )
    }
}
