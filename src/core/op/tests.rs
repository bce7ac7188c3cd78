//! The operations against plain arithmetic.

use std::cell::RefCell;
use std::rc::Rc;

use super::number::{Brain, Complex, Half};
use super::{Builtin, Operand, Operation, Table};
use crate::datatype::basic::{self, NAMED};
use crate::datatype::{self, Data, Type};
use crate::error::class;
use crate::handle::{Datatype, Op};

fn named(number: Datatype) -> Rc<Type> {
    Type::predefined(number).unwrap()
}

fn bytes<T: Copy>(values: &[T]) -> Vec<u8> {
    let length = size_of_val(values);
    let mut copy = vec![0u8; length];
    // A plain copy through the module under test's neighbour: packed bytes of MPI_BYTE.
    let from = Data::tested(
        values.as_ptr().cast_mut().cast(),
        length as u64,
        named(basic::MPI_BYTE),
    );
    assert_eq!(from.pack(0, &mut copy), length);
    copy
}

/// Applies the operation at an odd address, so that nothing may assume alignment.
fn apply<T: Copy>(builtin: Builtin, number: Datatype, a: &[T], b: &[T]) -> Vec<u8> {
    let shifted = |values: &[T]| [vec![0xee], bytes(values)].concat();
    let (invec, mut inoutvec) = (shifted(a), shifted(b));
    let (operation, datatype) = (Operation::builtin(builtin), named(number));
    let data = |values: &Vec<u8>| {
        Data::tested(
            values[1..].as_ptr().cast_mut(),
            a.len() as u64,
            datatype.clone(),
        )
    };
    // A `long double`'s padding keeps what is there.
    let combined = |far| {
        let [a, b] = [data(&invec), data(&inoutvec)];
        let apart = inoutvec.clone();
        let (a, b) = (Operand::of(&a, far), Operand::of(&b, far));
        operation.combine(a, b, &data(&apart)).unwrap();
        apart
    };
    let apart = combined(false);
    assert!(combined(true) == apart, "near and far");
    operation.apply(&data(&invec), &data(&inoutvec)).unwrap();
    assert_eq!(inoutvec[0], 0xee);
    assert!(apart == inoutvec, "both forms do the same");
    inoutvec.split_off(1)
}

#[test]
fn integers_of_every_length() {
    for length in [0usize, 1, 3, 8, 31, 32, 33, 100, 1000, 3001] {
        let a: Vec<i32> = (0..length as i32)
            .map(|i| i.wrapping_mul(0x1234_5671))
            .collect();
        let b: Vec<i32> = (0..length as i32).map(|i| 7 - i).collect();
        let zip = |f: fn(i32, i32) -> i32| -> Vec<u8> {
            let values: Vec<i32> = a.iter().zip(&b).map(|(a, b)| f(*a, *b)).collect();
            bytes(&values)
        };
        let int = basic::MPI_INT;
        assert_eq!(
            apply(Builtin::Sum, int, &a, &b),
            zip(|a, b| a.wrapping_add(b))
        );
        assert_eq!(
            apply(Builtin::Prod, int, &a, &b),
            zip(|a, b| a.wrapping_mul(b))
        );
        assert_eq!(apply(Builtin::Max, int, &a, &b), zip(i32::max));
        assert_eq!(apply(Builtin::Min, int, &a, &b), zip(i32::min));
        assert_eq!(apply(Builtin::Bxor, int, &a, &b), zip(|a, b| a ^ b));
        assert_eq!(
            apply(Builtin::Land, int, &a, &b),
            zip(|a, b| i32::from(a != 0 && b != 0))
        );
    }
}

#[test]
fn signedness_decides_the_order() {
    let (a, b) = ([0x80u8], [0x01u8]);
    assert_eq!(
        apply(Builtin::Max, basic::MPI_UNSIGNED_CHAR, &a, &b),
        [0x80]
    );
    assert_eq!(apply(Builtin::Max, basic::MPI_SIGNED_CHAR, &a, &b), [0x01]);
}

#[test]
fn reals_and_complexes() {
    let (a, b) = ([1.5f64, -2.0, 1e300], [0.25f64, 8.0, 1e300]);
    assert_eq!(
        apply(Builtin::Sum, basic::MPI_DOUBLE, &a, &b),
        bytes(&[1.75, 6.0, 2e300])
    );
    assert_eq!(
        apply(Builtin::Max, basic::MPI_DOUBLE, &a, &b),
        bytes(&[1.5, 8.0, 1e300])
    );
    let i = Complex {
        real: 0.0f32,
        imaginary: 1.0,
    };
    assert_eq!(
        apply(Builtin::Prod, basic::MPI_C_FLOAT_COMPLEX, &[i], &[i]),
        bytes(&[-1.0f32, 0.0])
    );
}

#[test]
fn half_floats_round_trip_and_round_to_even() {
    for bits in 0..=u16::MAX {
        let half = Half(bits);
        let wide = half.wide();
        if !wide.is_nan() {
            assert_eq!(Half::narrow(wide), half, "0x{bits:04x}");
        } else {
            assert!(Half::narrow(wide).wide().is_nan(), "0x{bits:04x}");
        }
        let brain = Brain(bits);
        if !brain.wide().is_nan() {
            assert_eq!(Brain::narrow(brain.wide()), brain, "0x{bits:04x}");
        }
    }
    assert_eq!(Half::narrow(65520.0).0, 0x7c00, "rounds up to infinity");
    assert_eq!(Half::narrow(65519.0).0, 0x7bff);
    assert_eq!(
        Half::narrow(2049.0).0,
        Half::narrow(2048.0).0,
        "a tie goes to even"
    );
    assert_eq!(
        Half::narrow(2051.0).0,
        Half::narrow(2052.0).0,
        "a tie goes to even"
    );
    assert_eq!(
        apply(
            Builtin::Sum,
            basic::MPI_REAL2,
            &[Half::narrow(1.5).0],
            &[Half::narrow(2.25).0]
        ),
        bytes(&[Half::narrow(3.75).0])
    );
    assert_eq!(
        apply(
            Builtin::Prod,
            basic::MPIX_BFLOAT16,
            &[Brain::narrow(3.0).0],
            &[Brain::narrow(-2.0).0]
        ),
        bytes(&[Brain::narrow(-6.0).0])
    );
}

#[test]
fn half_floats_in_vectors_are_those_one_by_one() {
    let value = |i: u16| Half::narrow(f32::from(i) * 0.37 - 50.0).0;
    let a: Vec<u16> = (0..1003).map(|i| value(i * 7)).collect();
    let b: Vec<u16> = (0..1003).map(|i| value(2000 - i)).collect();
    for builtin in [Builtin::Sum, Builtin::Prod, Builtin::Min, Builtin::Max] {
        let expected: Vec<u16> = a
            .iter()
            .zip(&b)
            .map(|(a, b)| {
                let (a, b) = (Half(*a).wide(), Half(*b).wide());
                Half::narrow(match builtin {
                    Builtin::Sum => a + b,
                    Builtin::Prod => a * b,
                    Builtin::Min => a.min(b),
                    _ => a.max(b),
                })
                .0
            })
            .collect();
        assert_eq!(apply(builtin, basic::MPI_REAL2, &a, &b), bytes(&expected));
    }
}

#[cfg(not(miri))] // Inline assembly and foreign functions.
mod wide {
    use super::*;
    use crate::op::extended::Extended;
    use crate::op::quad::Quad;

    /// 1.5 * 2^exponent and the like: `leading` has the leading one in bit 63.
    fn extended(leading: u64, exponent: i32, negative: bool) -> Extended {
        Extended::new(
            (exponent + 16383) as u16 | u16::from(negative) << 15,
            leading,
        )
    }

    fn sum(builtin: Builtin, a: Extended, b: Extended) -> Vec<u8> {
        let mut result = apply(builtin, basic::MPI_LONG_DOUBLE, &[a], &[b]);
        result.truncate(10);
        result
    }

    fn ten(value: Extended) -> Vec<u8> {
        let mut result = bytes(&[value]);
        result.truncate(10);
        result
    }

    #[test]
    fn long_double_keeps_its_64_bits() {
        let one = extended(1 << 63, 0, false);
        let least = extended(1 << 63, -63, false);
        assert_eq!(
            sum(Builtin::Sum, one, least),
            ten(extended(1 << 63 | 1, 0, false)),
            "1 + 2^-63 needs more than a double has"
        );
        let three = extended(3 << 62, 1, false);
        assert_eq!(
            sum(Builtin::Prod, three, three),
            ten(extended(9 << 60, 3, false))
        );
        let minus = extended(1 << 63, 5, true);
        assert_eq!(sum(Builtin::Min, three, minus), ten(minus));
        assert_eq!(sum(Builtin::Max, minus, three), ten(three));
        let zero = Extended::new(0, 0);
        assert_eq!(
            apply(
                Builtin::Prod,
                basic::MPI_C_LONG_DOUBLE_COMPLEX,
                &[[zero, one]],
                &[[zero, one]],
            )[..10],
            ten(extended(1 << 63, 0, true))
        );
    }

    #[test]
    fn quad_arithmetic() {
        let power = |exponent: i32| Quad(((exponent + 16383) as u128) << 112);
        let sum = apply(Builtin::Sum, basic::MPI_REAL16, &[power(0)], &[power(-112)]);
        assert_eq!(sum, bytes(&[power(0).0 | 1]), "1 + 2^-112");
        let product = apply(Builtin::Prod, basic::MPI_REAL16, &[power(3)], &[power(4)]);
        assert_eq!(product, bytes(&[power(7)]));
        let least = apply(Builtin::Min, basic::MPI_REAL16, &[power(3)], &[power(4)]);
        assert_eq!(least, bytes(&[power(3)]));
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
struct DoubleInt {
    value: f64,
    index: i32,
}

#[test]
fn located_extremes_prefer_the_lower_index() {
    let pair = |value, index| DoubleInt { value, index };
    let check = |builtin, a: DoubleInt, b: DoubleInt, value: f64, index: i32| {
        // More bytes than elements have: so many that far ones are combined in parts.
        let result = apply(builtin, basic::MPI_DOUBLE_INT, &[a; 400], &[b; 400]);
        for at in (0..400).map(|index| 16 * index) {
            assert_eq!(result[at..at + 8], value.to_le_bytes());
            assert_eq!(result[at + 8..at + 12], index.to_le_bytes());
        }
    };
    check(Builtin::Maxloc, pair(1.0, 5), pair(2.0, 9), 2.0, 9);
    check(Builtin::Maxloc, pair(2.0, 5), pair(2.0, 3), 2.0, 3);
    check(Builtin::Minloc, pair(2.0, 3), pair(2.0, 5), 2.0, 3);
    check(Builtin::Minloc, pair(1.0, 5), pair(2.0, 3), 1.0, 5);
}

#[test]
fn wrong_types_are_refused_by_name() {
    let refused = [
        (Builtin::Sum, basic::MPI_BYTE),
        (Builtin::Max, basic::MPI_C_DOUBLE_COMPLEX),
        (Builtin::Band, basic::MPI_DOUBLE),
        (Builtin::Sum, basic::MPI_C_BOOL),
        (Builtin::Maxloc, basic::MPI_INT),
        (Builtin::Sum, basic::MPI_2INT),
        (Builtin::Sum, basic::MPI_PACKED),
    ];
    for (builtin, number) in refused {
        let error = Operation::builtin(builtin)
            .check(&named(number))
            .unwrap_err();
        assert_eq!(error.code(), class::OP);
        assert!(error.what().contains(builtin.name()), "{error}");
        assert!(error.what().contains(&named(number).name()), "{error}");
    }
    let derived = Rc::new(datatype::contiguous(2, &named(basic::MPI_INT)).unwrap());
    assert_eq!(
        Operation::builtin(Builtin::Sum)
            .check(&derived)
            .unwrap_err()
            .code(),
        class::OP
    );
}

/// The groups of MPI-5.0, 6.9.2, by the names of their members.
#[test]
fn every_number_has_a_sum_and_every_integer_has_bits() {
    for entry in NAMED {
        let name = entry.name;
        let number = named(entry.number);
        let takes = |builtin| Operation::builtin(builtin).check(&number).is_ok();
        let logical = name.contains("LOGICAL") || name.contains("BOOL");
        let pair = name.starts_with("MPI_2") || (name.ends_with("_INT") && name != "MPI_INT");
        let bytes = matches!(name, "MPI_BYTE" | "MPI_PACKED");
        let mark = matches!(name, "MPI_LB" | "MPI_UB");
        let text = name == "MPI_WCHAR";
        assert_eq!(
            takes(Builtin::Sum),
            !(logical || pair || bytes || mark || text),
            "{name}"
        );
        assert_eq!(
            takes(Builtin::Maxloc),
            pair && !name.contains("COMPLEX"),
            "{name}"
        );
    }
}

#[test]
fn user_functions_are_called_in_pieces() {
    let calls = Rc::new(RefCell::new(Vec::new()));
    let log = calls.clone();
    let function = move |a: *const u8, b: *mut u8, count: i64, datatype: &Type| {
        log.borrow_mut()
            .push((a.addr(), b.addr(), count, datatype.handle()));
    };
    let table = Table::new();
    let handle = table
        .insert(Operation::user(Rc::new(function), 1000, false))
        .unwrap();
    let operation = table.find(handle).unwrap();
    assert!(!operation.commutative());
    let at = |address| {
        let address = std::ptr::without_provenance_mut::<u8>(address);
        Data::tested(address, 2500, named(basic::MPI_INT))
    };
    operation.apply(&at(0x1000), &at(0x9000)).unwrap();
    let int = basic::MPI_INT;
    assert_eq!(
        *calls.borrow(),
        [
            (0x1000, 0x9000, 1000, int),
            (0x1000 + 4000, 0x9000 + 4000, 1000, int),
            (0x1000 + 8000, 0x9000 + 8000, 500, int),
        ]
    );
    assert!(table.free(handle).is_ok());
    assert_eq!(table.free(handle).unwrap_err().code(), class::OP);
    assert_eq!(table.free(Op(0x21)).unwrap_err().code(), class::OP);
    assert_eq!(table.find(Op(0x20)).unwrap_err().code(), class::OP);
}
