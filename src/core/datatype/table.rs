//! All datatypes that a handle can name: the predefined ones by number, the others by registry.
//!
//! Also the only place that makes the standard's unnamed predefined types, because the same arguments
//! must give the same handle (MPI-5.0, 19.1.5 and 5.1.14).

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::basic::{self, Layout, NAMED};
use super::contents::{Argument, Contents};
use super::{Draft, Origin, Type};
use crate::borrowed::Borrowed;
use crate::error::{Error, Result, class};
use crate::fail;
use crate::handle::Datatype;
use crate::registry::{Registry, bad_handle};
use crate::types::{Combiner, TypeClass, UNDEFINED};

/// Numbers that predefined types have.
const PREDEFINED: usize = (basic::END - basic::FIRST) as usize;

/// The datatypes of one process.
pub struct Table {
    predefined: OnceCell<Box<[Option<Rc<Type>>; PREDEFINED]>>,
    live: Registry<Datatype, Type>,
    unnamed: RefCell<Vec<Rc<Type>>>,
}

#[cold]
fn uncommitted(datatype: &Type, handle: Datatype) -> Error {
    Error::new(
        class::TYPE,
        format!(
            "{} (handle 0x{:x}) has not been committed",
            datatype.describe(),
            handle.0
        ),
    )
}

impl Table {
    pub const fn new() -> Table {
        Table {
            predefined: OnceCell::new(),
            live: Registry::new(),
            unnamed: RefCell::new(Vec::new()),
        }
    }

    #[inline]
    fn predefined(&self) -> &[Option<Rc<Type>>; PREDEFINED] {
        self.predefined.get_or_init(|| {
            let mut table = Box::new([const { None }; PREDEFINED]);
            for named in NAMED {
                table[(named.number.0 - basic::FIRST) as usize] = Some(Rc::new(Type::named(named)));
            }
            table
        })
    }

    /// The live type of a handle.
    ///
    /// # Errors
    /// `MPI_ERR_TYPE` for `MPI_DATATYPE_NULL`, a freed handle or one of another kind.
    #[inline(always)]
    pub fn find(&self, handle: Datatype) -> Result<Rc<Type>> {
        self.lend(handle).map(Borrowed::keep)
    }

    /// As [`find`](Self::find), for a call that keeps nothing of it.
    #[inline(always)]
    pub fn lend(&self, handle: Datatype) -> Result<Borrowed<'_, Type>> {
        let index = handle.0.wrapping_sub(basic::FIRST) as usize;
        if index < PREDEFINED {
            return match &self.predefined()[index] {
                Some(datatype) => Ok(Borrowed::uncounted(datatype)),
                None => Err(bad_handle(handle)),
            };
        }
        self.live.find(handle).map(Borrowed::counted)
    }

    /// As [`find`](Self::find), for a call that moves data: the type must be committed.
    #[inline(always)]
    pub fn find_committed(&self, handle: Datatype) -> Result<Rc<Type>> {
        let datatype = self.find(handle)?;
        if !datatype.committed() {
            return Err(uncommitted(&datatype, handle));
        }
        Ok(datatype)
    }

    /// Gives a new type its handle.
    pub fn insert(&self, datatype: Type) -> Result<Datatype> {
        self.live.insert_with(|handle| {
            datatype.handle.set(handle);
            Rc::new(datatype)
        })
    }

    /// Whether the application may free a type.
    ///
    /// # Errors
    /// `MPI_ERR_TYPE` for a handle that names no live type, or a predefined one.
    pub fn check_free(&self, handle: Datatype) -> Result<()> {
        let datatype = self.find(handle)?;
        if datatype.is_predefined() {
            fail!(
                TYPE,
                "{} is predefined and cannot be freed",
                datatype.describe()
            );
        }
        Ok(())
    }

    /// Takes a handle away; the type lives on while anything uses it.
    ///
    /// # Errors
    /// As [`check_free`](Self::check_free).
    pub fn free(&self, handle: Datatype) -> Result<Rc<Type>> {
        self.check_free(handle)?;
        match self.live.remove(handle) {
            Some(datatype) => Ok(datatype),
            None => Err(bad_handle(handle)),
        }
    }

    /// Handles of all derived types that have not been freed.
    pub fn handles(&self) -> Vec<Datatype> {
        let mut handles = self.live.handles();
        handles.retain(|handle| self.live.get(*handle).is_some_and(|t| !t.is_predefined()));
        handles
    }

    /// A handle for a type that a query returns: predefined ones keep theirs, others get a new one.
    pub fn share(&self, datatype: &Rc<Type>) -> Result<Datatype> {
        if datatype.is_predefined() {
            return Ok(datatype.handle());
        }
        self.insert(datatype.twin())
    }

    /// The one unnamed type of these arguments.
    fn unnamed(
        &self,
        combiner: Combiner,
        arguments: Vec<Argument>,
        types: Vec<Rc<Type>>,
        layout: Layout,
    ) -> Result<Datatype> {
        let same = |known: &&Rc<Type>| {
            known.contents().is_some_and(|contents| {
                contents.combiner == combiner
                    && *contents.arguments == *arguments
                    && contents.types.len() == types.len()
                    && contents
                        .types
                        .iter()
                        .zip(&types)
                        .all(|(a, b)| a.handle() == b.handle())
            })
        };
        if let Some(known) = self.unnamed.borrow().iter().find(same) {
            return Ok(known.handle());
        }
        let contents = Rc::new(Contents::new(combiner, arguments, types));
        let datatype = Type::new(
            Draft::of_layout(layout),
            Some(layout),
            Origin::Unnamed(contents),
            "",
        );
        let handle = self.insert(datatype)?;
        self.unnamed.borrow_mut().push(self.live.find(handle)?);
        Ok(handle)
    }

    fn layout_of(&self, number: Datatype) -> Result<Layout> {
        match self.find(number)?.layout() {
            Some(layout) => Ok(layout),
            None => Err(bad_handle(number)),
        }
    }

    /// `MPI_Type_create_f90_real`: decimal `precision` and exponent `range`, or `MPI_UNDEFINED`.
    pub fn f90_real(&self, precision: i32, range: i32) -> Result<Datatype> {
        let kinds = [
            basic::MPI_REAL,
            basic::MPI_DOUBLE_PRECISION,
            basic::MPI_REAL16,
        ];
        let kind = real_kind(precision, range)?;
        let layout = self.layout_of(kinds[kind])?;
        let arguments = vec![Argument::Integer(precision), Argument::Integer(range)];
        self.unnamed(Combiner::F90_REAL, arguments, Vec::new(), layout)
    }

    /// `MPI_Type_create_f90_complex`, as [`f90_real`](Self::f90_real).
    pub fn f90_complex(&self, precision: i32, range: i32) -> Result<Datatype> {
        let kinds = [
            basic::MPI_COMPLEX,
            basic::MPI_DOUBLE_COMPLEX,
            basic::MPI_COMPLEX32,
        ];
        let kind = real_kind(precision, range)?;
        let layout = self.layout_of(kinds[kind])?;
        let arguments = vec![Argument::Integer(precision), Argument::Integer(range)];
        self.unnamed(Combiner::F90_COMPLEX, arguments, Vec::new(), layout)
    }

    /// `MPI_Type_create_f90_integer`: integers below 10^`range`.
    pub fn f90_integer(&self, range: i32) -> Result<Datatype> {
        let kinds = [
            (2, basic::MPI_INTEGER1),
            (4, basic::MPI_INTEGER2),
            (9, basic::MPI_INTEGER4),
            (18, basic::MPI_INTEGER8),
            (38, basic::MPI_INTEGER16),
        ];
        let Some((_, kind)) = kinds.iter().find(|(most, _)| range <= *most) else {
            fail!(
                ARG,
                "r is {range}, and no integer kind has more than 38 digits"
            );
        };
        let layout = self.layout_of(*kind)?;
        let arguments = vec![Argument::Integer(range)];
        self.unnamed(Combiner::F90_INTEGER, arguments, Vec::new(), layout)
    }

    /// `MPI_Type_match_size` (MPI-5.0, 19.1.5).
    pub fn match_size(&self, class: TypeClass, size: i32) -> Result<Datatype> {
        let found = match (class, size) {
            (TypeClass::INTEGER, 1) => basic::MPI_INTEGER1,
            (TypeClass::INTEGER, 2) => basic::MPI_INTEGER2,
            (TypeClass::INTEGER, 4) => basic::MPI_INTEGER4,
            (TypeClass::INTEGER, 8) => basic::MPI_INTEGER8,
            (TypeClass::INTEGER, 16) => basic::MPI_INTEGER16,
            (TypeClass::REAL, 2) => basic::MPI_REAL2,
            (TypeClass::REAL, 4) => basic::MPI_REAL4,
            (TypeClass::REAL, 8) => basic::MPI_REAL8,
            (TypeClass::REAL, 16) => basic::MPI_REAL16,
            (TypeClass::COMPLEX, 4) => basic::MPI_COMPLEX4,
            (TypeClass::COMPLEX, 8) => basic::MPI_COMPLEX8,
            (TypeClass::COMPLEX, 16) => basic::MPI_COMPLEX16,
            (TypeClass::COMPLEX, 32) => basic::MPI_COMPLEX32,
            (TypeClass::LOGICAL, 1) => basic::MPI_LOGICAL1,
            (TypeClass::LOGICAL, 2) => basic::MPI_LOGICAL2,
            (TypeClass::LOGICAL, 4) => basic::MPI_LOGICAL4,
            (TypeClass::LOGICAL, 8) => basic::MPI_LOGICAL8,
            (TypeClass::LOGICAL, 16) => basic::MPI_LOGICAL16,
            (TypeClass::LOGICAL | TypeClass::INTEGER | TypeClass::REAL | TypeClass::COMPLEX, _) => {
                fail!(
                    ARG,
                    "size is {size}, and the class has no type of that size"
                )
            }
            _ => fail!(
                ARG,
                "typeclass is {}, expected MPI_TYPECLASS_REAL, MPI_TYPECLASS_INTEGER or MPI_TYPECLASS_COMPLEX",
                class.0
            ),
        };
        Ok(found)
    }

    /// `MPI_Type_get_value_index` (MPI-5.0, 5.1.14): the pair for `MPI_MINLOC` and `MPI_MAXLOC`, or
    /// `MPI_DATATYPE_NULL` for a pair without a name: as in MPICH, those are not supported.
    pub fn value_index(&self, value: Datatype, index: Datatype) -> Result<Datatype> {
        let pairs = [
            (basic::MPI_FLOAT, basic::MPI_INT, basic::MPI_FLOAT_INT),
            (basic::MPI_DOUBLE, basic::MPI_INT, basic::MPI_DOUBLE_INT),
            (basic::MPI_LONG, basic::MPI_INT, basic::MPI_LONG_INT),
            (basic::MPI_INT, basic::MPI_INT, basic::MPI_2INT),
            (basic::MPI_SHORT, basic::MPI_INT, basic::MPI_SHORT_INT),
            (
                basic::MPI_LONG_DOUBLE,
                basic::MPI_INT,
                basic::MPI_LONG_DOUBLE_INT,
            ),
            (basic::MPI_REAL, basic::MPI_REAL, basic::MPI_2REAL),
            (
                basic::MPI_DOUBLE_PRECISION,
                basic::MPI_DOUBLE_PRECISION,
                basic::MPI_2DOUBLE_PRECISION,
            ),
            (basic::MPI_INTEGER, basic::MPI_INTEGER, basic::MPI_2INTEGER),
        ];
        self.find(value)?;
        self.find(index)?;
        let known = pairs.iter().find(|pair| (pair.0, pair.1) == (value, index));
        Ok(known.map_or(Datatype::NULL, |pair| pair.2))
    }
}

impl Default for Table {
    fn default() -> Self {
        Table::new()
    }
}

/// Index of the smallest of binary32, binary64 and binary128 that satisfies the request.
fn real_kind(precision: i32, range: i32) -> Result<usize> {
    if precision == UNDEFINED && range == UNDEFINED {
        fail!(ARG, "p and r are both MPI_UNDEFINED");
    }
    let fits = |most: (i32, i32)| precision <= most.0 && range <= most.1;
    match [(6, 37), (15, 307), (33, 4931)].into_iter().position(fits) {
        Some(kind) => Ok(kind),
        None => fail!(
            ARG,
            "p is {precision} and r is {range}, and no real kind offers more than 33 digits and a range of 4931"
        ),
    }
}
