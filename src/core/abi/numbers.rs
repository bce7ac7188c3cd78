//! Tables between an ABI's numbers and those of MPI-5.0, for the fronts whose numbers differ.
//!
//! A front lists its values once; both directions come from the same list. A number that is on no list passes
//! through, so that the call can name it in its error. It does not where it would be taken for a value of MPI-5.0
//! that the caller did not mean.

use std::ffi::c_int;

/// A value that no MPI-5.0 constant has.
const NONSENSE: i32 = i32::MIN;

/// What an unlisted `c` of an ABI becomes, given the MPI-5.0 values of its kind.
#[cold]
pub fn unlisted(c: c_int, meant: &[i32]) -> i32 {
    if meant.contains(&c) { NONSENSE } else { c }
}

/// Translates a bit set. Bits that are on no list become one that no MPI-5.0 flag has, so that the
/// call refuses the whole.
pub fn bits(mut from: i32, list: impl Iterator<Item = (i32, i32)>) -> i32 {
    let mut to = 0;
    for (from_bit, to_bit) in list {
        if from & from_bit != 0 {
            from &= !from_bit;
            to |= to_bit;
        }
    }
    if from != 0 {
        to |= 1 << 30;
    }
    to
}

/// Writes `Number` for kinds whose values are listed one by one: `Kind { C value = CONSTANT, ... }`.
#[macro_export]
macro_rules! listed_numbers {
    ($front:ty; $($kind:ident { $($c:literal = $constant:ident),* $(,)? })*) => { $(
        impl $crate::abi::Number<$crate::types::$kind> for $front {
            fn decode(c: ::std::ffi::c_int) -> $crate::types::$kind {
                use $crate::types::$kind;
                match c {
                    $($c => $kind::$constant,)*
                    other => $kind($crate::abi::unlisted(other, &[$($kind::$constant.0),*])),
                }
            }
            fn encode(value: $crate::types::$kind) -> ::std::ffi::c_int {
                use $crate::types::$kind;
                match value {
                    $($kind::$constant => $c,)*
                    other => other.0,
                }
            }
        }
    )* };
}

/// Writes `Number` for bit sets: `Kind { C bit = CONSTANT, ... }`.
#[macro_export]
macro_rules! listed_bits {
    ($front:ty; $($kind:ident { $($c:literal = $constant:ident),* $(,)? })*) => { $(
        impl $crate::abi::Number<$crate::types::$kind> for $front {
            fn decode(c: ::std::ffi::c_int) -> $crate::types::$kind {
                use $crate::types::$kind;
                $kind($crate::abi::bits(c, [$(($c, $kind::$constant.0)),*].into_iter()))
            }
            fn encode(value: $crate::types::$kind) -> ::std::ffi::c_int {
                use $crate::types::$kind;
                $crate::abi::bits(value.0, [$(($kind::$constant.0, $c)),*].into_iter())
            }
        }
    )* };
}

/// Writes `Number<ErrorCode>`: `LASTCODE = C value; C value = CLASS, ...; also CLASS => C value, ...`.
/// `also` is for classes that the ABI has no number for. Codes that the application adds follow the
/// ABI's `MPI_ERR_LASTCODE`.
#[macro_export]
macro_rules! listed_errors {
    (
        $front:ty; LASTCODE = $last:literal;
        $($c:literal = $class:ident),* ;
        also $($other:ident => $nearest:literal),* $(,)?
    ) => {
        impl $crate::abi::Number<$crate::types::ErrorCode> for $front {
            fn decode(c: ::std::ffi::c_int) -> $crate::types::ErrorCode {
                use $crate::error::class;
                $crate::types::ErrorCode(match c {
                    0 => 0,
                    $($c => class::$class,)*
                    user if user >= $last => user - $last + class::LASTCODE,
                    other => $crate::abi::unlisted(other, &[$(class::$class),*]),
                })
            }
            fn encode(value: $crate::types::ErrorCode) -> ::std::ffi::c_int {
                use $crate::error::class;
                match value.0 {
                    0 => 0,
                    $(class::$class => $c,)*
                    $(class::$other => $nearest,)*
                    user if user >= class::LASTCODE => user - class::LASTCODE + $last,
                    other => other,
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlisted_numbers_never_turn_into_others() {
        assert_eq!(unlisted(7, &[1, 2]), 7);
        assert_eq!(unlisted(2, &[1, 2]), NONSENSE);
        let list = [(1, 16), (2, 8)];
        assert_eq!(bits(3, list.into_iter()), 24);
        assert_eq!(bits(6, list.into_iter()), 8 | 1 << 30);
    }
}
