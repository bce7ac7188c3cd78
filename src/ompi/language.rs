//! The predefined attribute functions, which Open MPI's header names and programs may call themselves.
#![allow(non_snake_case)]

use crate::prelude::*;

/// Copy functions: the new object gets the same value, or none.
macro_rules! copies {
    ($($name:ident: $object:ty, $copied:literal;)*) => { $(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            _object: $object,
            _keyval: c_int,
            _extra_state: *mut c_void,
            attribute_val_in: *mut c_void,
            attribute_val_out: *mut c_void,
            flag: *mut c_int,
        ) -> c_int {
            // SAFETY: the caller of a copy function has places for the value and the flag.
            unsafe {
                if $copied {
                    *attribute_val_out.cast::<*mut c_void>() = attribute_val_in;
                }
                *flag = c_int::from($copied);
            }
            0
        }
    )* };
}

copies! {
    OMPI_C_MPI_DUP_FN: MPI_Comm, true;
    OMPI_C_MPI_NULL_COPY_FN: MPI_Comm, false;
    OMPI_C_MPI_COMM_DUP_FN: MPI_Comm, true;
    OMPI_C_MPI_COMM_NULL_COPY_FN: MPI_Comm, false;
    OMPI_C_MPI_TYPE_DUP_FN: MPI_Datatype, true;
    OMPI_C_MPI_TYPE_NULL_COPY_FN: MPI_Datatype, false;
    OMPI_C_MPI_WIN_DUP_FN: MPI_Win, true;
    OMPI_C_MPI_WIN_NULL_COPY_FN: MPI_Win, false;
}

/// Delete functions: nothing to do.
macro_rules! deletes {
    ($($name:ident: $object:ty;)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(
            _object: $object,
            _keyval: c_int,
            _attribute_val: *mut c_void,
            _extra_state: *mut c_void,
        ) -> c_int {
            0
        }
    )* };
}

deletes! {
    OMPI_C_MPI_NULL_DELETE_FN: MPI_Comm;
    OMPI_C_MPI_COMM_NULL_DELETE_FN: MPI_Comm;
    OMPI_C_MPI_TYPE_NULL_DELETE_FN: MPI_Datatype;
    OMPI_C_MPI_WIN_NULL_DELETE_FN: MPI_Win;
}
