//! The "external32" data representation (MPI-5.0, 14.5.2): big-endian, with sizes of its own.
//!
//! Elements are packed as they are in memory and then converted run by run, a bounded number of bytes
//! at a time. `long double` becomes IEEE binary128; C's `long` has 4 bytes outside, as the standard's
//! table says, so values that need more are cut.

use super::Data;
use super::basic::{Basic, Class};

/// Native bytes converted at a time, where elements allow.
const BATCH: u64 = 64 << 10;

/// Packed size of the data in "external32", in bytes; saturating.
pub fn bytes(data: &Data) -> u64 {
    data.datatype
        .signature()
        .external()
        .saturating_mul(data.count)
}

/// Packs the data into the first [`bytes`] of `external`, which must be long enough.
pub fn pack(data: &Data, external: &mut [u8]) {
    let mut native = Vec::new();
    let mut done = 0;
    each_batch(data, |position, bytes, runs| {
        native.resize(bytes, 0);
        data.pack(position, &mut native);
        let mut from = 0;
        runs(&mut |basic, count| {
            for _ in 0..count {
                let (size, out) = (usize::from(basic.size), usize::from(basic.external));
                encode(
                    basic,
                    &native[from..from + size],
                    &mut external[done..done + out],
                );
                from += size;
                done += out;
            }
        });
    });
}

/// Unpacks the data from the first [`bytes`] of `external`, which must be long enough.
pub fn unpack(data: &Data, external: &[u8]) {
    let mut native = Vec::new();
    let mut done = 0;
    each_batch(data, |position, bytes, runs| {
        native.resize(bytes, 0);
        let mut to = 0;
        runs(&mut |basic, count| {
            for _ in 0..count {
                let (size, outside) = (usize::from(basic.size), usize::from(basic.external));
                decode(
                    basic,
                    &external[done..done + outside],
                    &mut native[to..to + size],
                );
                to += size;
                done += outside;
            }
        });
        data.unpack(position, &native);
    });
}

/// Something that calls back for every run of equal elements.
type Runs<'a> = &'a dyn Fn(&mut dyn FnMut(Basic, u64));

/// Calls `batch(position, bytes, runs)` for pieces of the packed data that begin and end at elements.
fn each_batch(data: &Data, mut batch: impl FnMut(u64, usize, Runs)) {
    let signature = data.datatype.signature();
    let total = data.bytes();
    if total == 0 {
        return;
    }
    let uniform = signature.uniform();
    let step = match uniform {
        Some(basic) => BATCH / u64::from(basic.size) * u64::from(basic.size),
        None => signature.bytes() * (BATCH / signature.bytes()).max(1),
    };
    let mut position = 0;
    while position < total {
        let bytes = step.min(total - position);
        batch(position, bytes as usize, &|run| match uniform {
            Some(basic) => run(basic, bytes / u64::from(basic.size)),
            None => {
                for _ in 0..bytes / signature.bytes() {
                    signature.runs(&mut |basic, count| run(basic, count));
                }
            }
        });
        position += bytes;
    }
}

/// Real and imaginary parts are converted one by one.
fn parts(class: Class) -> usize {
    match class {
        Class::Complex | Class::ComplexLongDouble => 2,
        _ => 1,
    }
}

fn encode(basic: Basic, native: &[u8], external: &mut [u8]) {
    let parts = parts(basic.class);
    let native = native.chunks_exact(usize::from(basic.size) / parts);
    let external = external.chunks_exact_mut(usize::from(basic.external) / parts);
    for (from, to) in native.zip(external) {
        match basic.class {
            Class::LongDouble | Class::ComplexLongDouble => {
                let bits = u128::from_le_bytes(from.try_into().expect("16 bytes"));
                to.copy_from_slice(&quad_of_extended(bits).to_be_bytes());
            }
            _ => {
                to.copy_from_slice(&from[..to.len()]);
                to.reverse();
            }
        }
    }
}

fn decode(basic: Basic, external: &[u8], native: &mut [u8]) {
    let parts = parts(basic.class);
    let external = external.chunks_exact(usize::from(basic.external) / parts);
    let native = native.chunks_exact_mut(usize::from(basic.size) / parts);
    for (from, to) in external.zip(native) {
        match basic.class {
            Class::LongDouble | Class::ComplexLongDouble => {
                let bits = u128::from_be_bytes(from.try_into().expect("16 bytes"));
                to.copy_from_slice(&extended_of_quad(bits).to_le_bytes());
            }
            class => {
                let negative = class == Class::Signed && from[0] & 0x80 != 0;
                to.fill(if negative { 0xff } else { 0 });
                to[..from.len()].copy_from_slice(from);
                to[..from.len()].reverse();
            }
        }
    }
}

const FRACTION: u128 = (1 << 112) - 1;

/// The binary128 of an x87 80-bit number; exact.
fn quad_of_extended(extended: u128) -> u128 {
    let significand = extended as u64;
    let head = extended >> 64 & 0xffff;
    let (sign, exponent) = (head >> 15, head & 0x7fff);
    // The leading one is explicit in 80 bits and implied in 128; a subnormal with the leading one
    // has the least normal exponent.
    let exponent = exponent.max((significand >> 63).into());
    let fraction = u128::from(significand << 1) << 48;
    sign << 127 | exponent << 112 | fraction
}

/// The nearest x87 80-bit number of a binary128, ties to even.
fn extended_of_quad(quad: u128) -> u128 {
    let sign = quad >> 127;
    let exponent = quad >> 112 & 0x7fff;
    let fraction = quad & FRACTION;
    if exponent == 0x7fff {
        // Infinity, or a NaN that must stay one when its low bits are cut.
        let quiet = u128::from(fraction != 0) << 62;
        return sign << 79 | exponent << 64 | 1 << 63 | quiet | fraction >> 49;
    }
    let leading = u128::from(exponent != 0) << 112;
    let exact = leading | fraction;
    let kept = exact >> 49;
    let rest = exact & ((1 << 49) - 1);
    let half = 1 << 48;
    let rounded = kept + u128::from(rest > half || (rest == half && kept & 1 == 1));
    let (exponent, significand) = if rounded >> 64 != 0 {
        (exponent + 1, rounded >> 1)
    } else if exponent == 0 && rounded >> 63 != 0 {
        (1, rounded)
    } else {
        (exponent, rounded)
    };
    sign << 79 | exponent << 64 | significand
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use proptest::prelude::*;

    use super::super::{Type, basic, structure};
    use super::*;
    use crate::handle::Datatype;

    fn round_trip(number: Datatype, native: &[u8], expected: &[u8]) {
        let datatype = Type::predefined(number).unwrap();
        let mut memory = native.to_vec();
        let count = native.len() as u64 / datatype.size();
        let data = Data::tested(memory.as_mut_ptr(), count, datatype);
        let mut external = vec![0; bytes(&data) as usize];
        pack(&data, &mut external);
        assert_eq!(external, expected);
        let mut back = vec![0; native.len()];
        let data = Data::tested(back.as_mut_ptr(), count, data.datatype);
        unpack(&data, &external);
        assert_eq!(back, native);
    }

    #[test]
    fn the_standards_sizes_and_byte_order() {
        round_trip(
            basic::MPI_INT,
            &(-2i32).to_le_bytes(),
            &[0xff, 0xff, 0xff, 0xfe],
        );
        round_trip(
            basic::MPI_LONG,
            &(-2i64).to_le_bytes(),
            &[0xff, 0xff, 0xff, 0xfe],
        );
        round_trip(basic::MPI_UNSIGNED_LONG, &7u64.to_le_bytes(), &[0, 0, 0, 7]);
        round_trip(
            basic::MPI_LONG_LONG,
            &7i64.to_le_bytes(),
            &[0, 0, 0, 0, 0, 0, 0, 7],
        );
        round_trip(basic::MPI_WCHAR, &0x263au32.to_le_bytes(), &[0x26, 0x3a]);
        round_trip(
            basic::MPI_DOUBLE,
            &1.0f64.to_le_bytes(),
            &[0x3f, 0xf0, 0, 0, 0, 0, 0, 0],
        );
        let complex = [1.0f32.to_le_bytes(), (-2.0f32).to_le_bytes()].concat();
        round_trip(
            basic::MPI_COMPLEX,
            &complex,
            &[0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0],
        );
        // 1.5 as an 80-bit number and as a binary128.
        let native = (0x3fffu128 << 64 | 0xc000_0000_0000_0000).to_le_bytes();
        let mut expected = [0; 16];
        expected[..3].copy_from_slice(&[0x3f, 0xff, 0x80]);
        round_trip(basic::MPI_LONG_DOUBLE, &native, &expected);
    }

    #[test]
    fn mixed_types_convert_element_by_element() {
        let types = [
            Type::predefined(basic::MPI_CHAR).unwrap(),
            Type::predefined(basic::MPI_LONG).unwrap(),
        ];
        let datatype = Rc::new(structure(2, &[1, 2], &[0, 8], &types).unwrap());
        let count = 5000; // More than one batch.
        let mut memory = vec![0u8; 24 * count];
        for (index, element) in memory.chunks_exact_mut(24).enumerate() {
            element[0] = index as u8;
            element[8..16].copy_from_slice(&(index as i64).to_le_bytes());
            element[16..24].copy_from_slice(&(-(index as i64)).to_le_bytes());
        }
        let data = Data::tested(memory.as_mut_ptr(), count as u64, datatype.clone());
        let mut external = vec![0; bytes(&data) as usize];
        assert_eq!(external.len(), 9 * count);
        pack(&data, &mut external);
        for (index, element) in external.chunks_exact(9).enumerate() {
            assert_eq!(element[0], index as u8);
            assert_eq!(element[1..5], (index as i32).to_be_bytes());
            assert_eq!(element[5..9], (-(index as i32)).to_be_bytes());
        }
        let mut back = vec![0u8; memory.len()];
        unpack(
            &Data::tested(back.as_mut_ptr(), count as u64, datatype),
            &external,
        );
        assert_eq!(back, memory);
    }

    proptest! {
        #[test]
        fn extended_survives_binary128(head in any::<u16>(), significand in any::<u64>()) {
            // Encodings that the x87 unit makes: a leading one except in zeros and subnormals.
            let significand = match head & 0x7fff {
                0 => significand & !(1 << 63),
                0x7fff if significand << 1 != 0 => significand | 3 << 62,
                _ => significand | 1 << 63,
            };
            let extended = u128::from(head) << 64 | u128::from(significand);
            prop_assert_eq!(extended_of_quad(quad_of_extended(extended)), extended);
        }

        #[test]
        fn rounding_goes_to_the_nearest(exponent in 0u128..0x7ffe, fraction in 0..=FRACTION) {
            let quad = exponent << 112 | fraction;
            let nearest = quad_of_extended(extended_of_quad(quad));
            // Positive numbers are ordered as their bits; neighbours are 2^49 apart.
            prop_assert!(nearest.abs_diff(quad) <= 1 << 48);
        }
    }
}
