//! Balanced dimensions for a number of processes (MPI-5.0, 8.5.2).
//!
//! Among all ways to write the number as a product, the one is taken whose largest factor is smallest,
//! then whose second largest is smallest, and so on: as close to each other as possible.

use std::collections::HashSet;

use crate::error::Result;
use crate::fail;

/// Fills in the entries of `dims` that are 0, largest first, so that the product of all is `nnodes`.
///
/// # Errors
/// `MPI_ERR_ARG`: `nnodes` is not positive. `MPI_ERR_DIMS`: a negative entry, or the product of the given
/// ones does not divide `nnodes`.
pub fn dims_create(nnodes: i32, dims: &mut [i32]) -> Result<()> {
    if nnodes <= 0 {
        fail!(ARG, "nnodes = {nnodes}: a positive number was expected");
    }
    let mut given: i64 = 1;
    for (index, dim) in dims.iter().enumerate() {
        if *dim < 0 {
            fail!(DIMS, "dims[{index}] = {dim} is negative");
        }
        if *dim > 0 {
            given = given.saturating_mul(i64::from(*dim));
        }
    }
    let free = dims.iter().filter(|dim| **dim == 0).count();
    if i64::from(nnodes) % given != 0 || (free == 0 && !dims.is_empty() && given != nnodes.into()) {
        fail!(
            DIMS,
            "nnodes = {nnodes} is no multiple of {given}, the product of the given dimensions"
        );
    }
    let mut factors = balanced(nnodes / given as i32, free).into_iter();
    for dim in dims.iter_mut().filter(|dim| **dim == 0) {
        *dim = factors.next().unwrap_or(1);
    }
    Ok(())
}

/// `count` factors of `number` in falling order.
fn balanced(number: i32, count: usize) -> Vec<i32> {
    let divisors = divisors(number);
    let mut factors = Vec::with_capacity(count);
    let mut dead = HashSet::new();
    if count > 0 {
        let found = search(number, count, number, &divisors, &mut factors, &mut dead);
        debug_assert!(found, "number * 1 * 1 ... is always a way");
    }
    factors
}

/// Appends `count` factors of `number`, none above `limit`, the largest first and as small as possible.
fn search(
    number: i32,
    count: usize,
    limit: i32,
    divisors: &[i32],
    factors: &mut Vec<i32>,
    dead: &mut HashSet<(i32, usize, i32)>,
) -> bool {
    if count == 1 {
        if number <= limit {
            factors.push(number);
        }
        return number <= limit;
    }
    if dead.contains(&(number, count, limit)) {
        return false;
    }
    for &factor in divisors.iter().take_while(|factor| **factor <= limit) {
        // The largest of `count` factors is at least the root.
        if number % factor != 0 || power_is_below(factor, count, number) {
            continue;
        }
        factors.push(factor);
        if search(number / factor, count - 1, factor, divisors, factors, dead) {
            return true;
        }
        factors.pop();
    }
    dead.insert((number, count, limit));
    false
}

fn power_is_below(base: i32, exponent: usize, number: i32) -> bool {
    let power = i64::from(base).checked_pow(exponent.min(64) as u32);
    power.is_some_and(|power| power < i64::from(number))
}

fn divisors(number: i32) -> Vec<i32> {
    let small: Vec<i32> = (1..)
        .take_while(|d| i64::from(*d) * i64::from(*d) <= i64::from(number))
        .filter(|d| number % d == 0)
        .collect();
    let large = small.iter().rev().map(|d| number / d);
    let mut all: Vec<i32> = small.iter().copied().chain(large).collect();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::class;

    fn dims(nnodes: i32, given: &[i32]) -> Vec<i32> {
        let mut dims = given.to_vec();
        dims_create(nnodes, &mut dims).unwrap();
        dims
    }

    #[test]
    fn the_examples_of_the_standard() {
        assert_eq!(dims(6, &[0, 0]), [3, 2]);
        assert_eq!(dims(7, &[0, 0]), [7, 1]);
        assert_eq!(dims(6, &[0, 3, 0]), [2, 3, 1]);
        let mut wrong = [0, 3, 0];
        assert_eq!(dims_create(7, &mut wrong).unwrap_err().code(), class::DIMS);
    }

    #[test]
    fn as_close_to_each_other_as_possible() {
        assert_eq!(dims(16, &[0, 0]), [4, 4]);
        assert_eq!(dims(24, &[0, 0, 0]), [4, 3, 2]);
        assert_eq!(dims(36, &[0, 0, 0]), [4, 3, 3]);
        assert_eq!(dims(60, &[0, 0, 0]), [5, 4, 3]);
        assert_eq!(dims(1, &[0, 0, 0]), [1, 1, 1]);
        assert_eq!(dims(12, &[]), []);
        assert_eq!(dims(2147483647, &[0, 0]), [2147483647, 1]);
        assert_eq!(dims(1 << 30, &[0; 10]), [8; 10]);
        assert_eq!(dims(1102248000, &[0; 4]), [189, 180, 180, 180]);
    }

    #[test]
    fn no_way_is_better() {
        for nnodes in 1..400 {
            let found = dims(nnodes, &[0, 0, 0]);
            assert_eq!(found.iter().product::<i32>(), nnodes);
            assert!(found.is_sorted_by(|a, b| a >= b), "{found:?}");
            for a in divisors(nnodes) {
                for b in divisors(nnodes / a) {
                    let mut other = [a, b, nnodes / a / b];
                    other.sort_by(|a, b| b.cmp(a));
                    assert!(found[..] <= other[..], "{found:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn bad_input() {
        for (nnodes, given, code) in [
            (0, &[0, 0][..], class::ARG),
            (-4, &[0], class::ARG),
            (4, &[-1, 0], class::DIMS),
            (4, &[2, 3], class::DIMS),
            (4, &[2], class::DIMS),
            (4, &[i32::MAX, i32::MAX, i32::MAX], class::DIMS),
        ] {
            let mut dims = given.to_vec();
            let error = dims_create(nnodes, &mut dims).unwrap_err();
            assert_eq!(error.code(), code, "{nnodes} {given:?}");
            assert_eq!(dims, given, "left alone");
        }
    }
}
