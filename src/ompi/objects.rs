//! The predefined objects that `libmpi.so.40` exports, and the numbers they stand for.
//!
//! Names and sizes are ABI: an executable has its own copy of each object it names, of exactly this
//! size. A number without a Fortran `INTEGER` beside it has none in Open MPI's `mpif.h`.
#![allow(non_upper_case_globals)]

use crate::object::Object;

/// Writes the objects and the tables over them: `symbol: bytes = number [Fortran INTEGER];`, then the
/// symbols that stand for a number which another symbol has.
macro_rules! objects {
    (
        objects { $($symbol:ident: $size:literal = $number:literal $($fortran:literal)?;)* }
        aliases { $($alias:ident: $alias_size:literal = $alias_number:literal;)* }
    ) => {
        $(
            #[unsafe(no_mangle)]
            pub static $symbol: Object<{ $size - 16 }> = Object::new($number, 0 $(+ $fortran)?);
        )*
        $(
            #[unsafe(no_mangle)]
            pub static $alias: Object<{ $alias_size - 16 }> = Object::new($alias_number, 0);
        )*

        /// Where the object of each number is, as every library and the executable see it: the
        /// linker fills this in from the symbols, so that it is right after copy relocation too.
        pub static PLACES: Places = Places({
            let mut places = [std::ptr::null(); 0x400];
            $(places[$number] = (&raw const $symbol).cast();)*
            places
        });

        /// The places of the objects that are not in [`PLACES`].
        pub static ALIASES: Places<{ [$($alias_number),*].len() }> =
            Places([$((&raw const $alias).cast()),*]);

        /// (number, Fortran `INTEGER`).
        pub const FORTRAN: &[(u32, u16)] = &[$($(($number, $fortran),)?)*];
    };
}

/// Addresses of objects.
pub struct Places<const N: usize = 0x400>(pub [*const u8; N]);

// SAFETY: addresses of constants.
unsafe impl<const N: usize> Sync for Places<N> {}

objects! {
    objects {
        ompi_mpi_op_null: 2048 = 0x020 0;
        ompi_mpi_op_sum: 2048 = 0x021 3;
        ompi_mpi_op_min: 2048 = 0x022 2;
        ompi_mpi_op_max: 2048 = 0x023 1;
        ompi_mpi_op_prod: 2048 = 0x024 4;
        ompi_mpi_op_band: 2048 = 0x028 6;
        ompi_mpi_op_bor: 2048 = 0x029 8;
        ompi_mpi_op_bxor: 2048 = 0x02a 10;
        ompi_mpi_op_land: 2048 = 0x030 5;
        ompi_mpi_op_lor: 2048 = 0x031 7;
        ompi_mpi_op_lxor: 2048 = 0x032 9;
        ompi_mpi_op_minloc: 2048 = 0x038 12;
        ompi_mpi_op_maxloc: 2048 = 0x039 11;
        ompi_mpi_op_replace: 2048 = 0x03c 13;
        ompi_mpi_op_no_op: 2048 = 0x03d 14;
        ompi_mpi_comm_null: 512 = 0x100 2;
        ompi_mpi_comm_world: 512 = 0x101 0;
        ompi_mpi_comm_self: 512 = 0x102 1;
        ompi_mpi_group_null: 256 = 0x108 0;
        ompi_mpi_group_empty: 256 = 0x109 1;
        ompi_mpi_win_null: 512 = 0x110 0;
        ompi_mpi_file_null: 1536 = 0x118 0;
        ompi_mpi_instance_null: 512 = 0x120 0;
        ompi_message_null: 256 = 0x128 0;
        ompi_message_no_proc: 256 = 0x129 1;
        ompi_mpi_info_null: 256 = 0x130 0;
        ompi_mpi_info_env: 256 = 0x131 1;
        ompi_mpi_errhandler_null: 1024 = 0x140 0;
        ompi_mpi_errors_are_fatal: 1024 = 0x141 1;
        ompi_mpi_errors_abort: 1024 = 0x142 3;
        ompi_mpi_errors_return: 1024 = 0x143 2;
        ompi_request_null: 256 = 0x180 0;
        ompi_mpi_datatype_null: 512 = 0x200 0;
        ompi_mpi_aint: 512 = 0x201 66;
        ompi_mpi_count: 512 = 0x202 72;
        ompi_mpi_offset: 512 = 0x203 67;
        ompi_mpi_packed: 512 = 0x207 2;
        ompi_mpi_short: 512 = 0x208 37;
        ompi_mpi_int: 512 = 0x209 39;
        ompi_mpi_long: 512 = 0x20a 41;
        ompi_mpi_long_long_int: 512 = 0x20b 43;
        ompi_mpi_unsigned_short: 512 = 0x20c 38;
        ompi_mpi_unsigned: 512 = 0x20d 40;
        ompi_mpi_unsigned_long: 512 = 0x20e 42;
        ompi_mpi_unsigned_long_long: 512 = 0x20f 44;
        ompi_mpi_float: 512 = 0x210 45;
        ompi_mpi_c_float_complex: 512 = 0x212 69;
        ompi_mpi_cxx_cplex: 512 = 0x213 55;
        ompi_mpi_double: 512 = 0x214 46;
        ompi_mpi_c_double_complex: 512 = 0x216 70;
        ompi_mpi_cxx_dblcplex: 512 = 0x217 56;
        ompi_mpi_logical: 512 = 0x218 6;
        ompi_mpi_integer: 512 = 0x219 7;
        ompi_mpi_real: 512 = 0x21a 13;
        ompi_mpi_cplex: 512 = 0x21b 18;
        ompi_mpi_dblprec: 512 = 0x21c 17;
        ompi_mpi_dblcplex: 512 = 0x21d 22;
        ompi_mpi_character: 512 = 0x21e 5;
        ompi_mpi_long_double: 512 = 0x220 47;
        ompi_mpi_c_long_double_complex: 512 = 0x224 71;
        ompi_mpi_cxx_ldblcplex: 512 = 0x225 57;
        ompi_mpi_float_int: 512 = 0x228 48;
        ompi_mpi_double_int: 512 = 0x229 49;
        ompi_mpi_long_int: 512 = 0x22a 51;
        ompi_mpi_2int: 512 = 0x22b 52;
        ompi_mpi_short_int: 512 = 0x22c 53;
        ompi_mpi_longdbl_int: 512 = 0x22d 50;
        ompi_mpi_2real: 512 = 0x230 23;
        ompi_mpi_2dblprec: 512 = 0x231 24;
        ompi_mpi_2integer: 512 = 0x232 25;
        ompi_mpi_c_bool: 512 = 0x238 68;
        ompi_mpi_cxx_bool: 512 = 0x239 54;
        ompi_mpi_wchar: 512 = 0x23c 33;
        ompi_mpi_int8_t: 512 = 0x240 58;
        ompi_mpi_uint8_t: 512 = 0x241 59;
        ompi_mpi_char: 512 = 0x243 34;
        ompi_mpi_signed_char: 512 = 0x244 36;
        ompi_mpi_unsigned_char: 512 = 0x245 35;
        ompi_mpi_byte: 512 = 0x247 1;
        ompi_mpi_int16_t: 512 = 0x248 60;
        ompi_mpi_uint16_t: 512 = 0x249 61;
        ompi_mpi_int32_t: 512 = 0x250 62;
        ompi_mpi_uint32_t: 512 = 0x251 63;
        ompi_mpi_int64_t: 512 = 0x258 64;
        ompi_mpi_uint64_t: 512 = 0x259 65;
        ompi_mpi_logical1: 512 = 0x2c0 29;
        ompi_mpi_integer1: 512 = 0x2c1 8;
        ompi_mpi_logical2: 512 = 0x2c8 30;
        ompi_mpi_integer2: 512 = 0x2c9 9;
        ompi_mpi_real2: 512 = 0x2ca 28;
        ompi_mpi_logical4: 512 = 0x2d0 31;
        ompi_mpi_integer4: 512 = 0x2d1 10;
        ompi_mpi_real4: 512 = 0x2d2 14;
        ompi_mpi_complex4: 512 = 0x2d3;
        ompi_mpi_logical8: 512 = 0x2d8 32;
        ompi_mpi_integer8: 512 = 0x2d9 11;
        ompi_mpi_real8: 512 = 0x2da 15;
        ompi_mpi_complex8: 512 = 0x2db 19;
        ompi_mpi_integer16: 512 = 0x2e1 12;
        ompi_mpi_real16: 512 = 0x2e2 16;
        ompi_mpi_complex16: 512 = 0x2e3 20;
        ompi_mpi_complex32: 512 = 0x2eb 21;
        ompi_mpi_short_float: 512 = 0x2f8;
        ompi_mpi_lb: 512 = 0x3f0 4;
        ompi_mpi_ub: 512 = 0x3f1 3;
        ompi_mpi_2cplex: 512 = 0x3f2 26;
        ompi_mpi_2dblcplex: 512 = 0x3f3 27;
        ompi_mpi_c_short_float_complex: 512 = 0x3f4;
        ompi_mpi_cxx_sfltcplex: 512 = 0x3f5;
    }
    aliases {
        ompi_mpi_ldblcplex: 512 = 0x224;
        ompi_mpi_c_complex: 512 = 0x212;
        // C++ without exceptions from handlers: errors come back as codes.
        ompi_mpi_errors_throw_exceptions: 1024 = 0x143;
    }
}
