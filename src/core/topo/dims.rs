//! Balanced dimensions for a number of processes (MPI-5.0, 8.5.2).
//!
//! Among all ways to write the number as a product, one is taken whose largest and smallest factor differ least. Of
//! several such ways it is the one with the largest smallest factor, then the largest second smallest, and so on. A
//! product whose largest factor is least may still have factors that lie far apart. Of 7488 that is 24 x 24 x 13, but
//! 26 x 18 x 16 lie closer to each other.

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
    match count {
        0 => return Vec::new(),
        1 => return vec![number],
        _ => {}
    }
    let divisors = divisors(number);
    // The largest factor is never below the root, the smallest never above it.
    let root = divisors.partition_point(|d| power(*d, count) < number.into());
    let mut best = Vec::new();
    let mut spread = i32::MAX;
    for &low in divisors[..divisors.len().min(root + 1)].iter().rev() {
        if power(low, count) > number.into() {
            continue;
        }
        if divisors[root] - low >= spread {
            break;
        }
        for &high in divisors[root..].iter().take_while(|d| **d - low < spread) {
            let mut search = Search {
                divisors: &divisors,
                high,
                factors: vec![low],
                dead: HashSet::new(),
            };
            if search.fill(number / low, count - 1, low) {
                best = search.factors;
                spread = high - low;
                break;
            }
        }
    }
    best.reverse();
    best
}

/// A search for factors in rising order.
struct Search<'a> {
    divisors: &'a [i32],
    /// No factor is above it.
    high: i32,
    factors: Vec<i32>,
    /// Numbers that have no `count` factors from `low` up.
    dead: HashSet<(i32, usize, i32)>,
}

impl Search<'_> {
    /// Appends `count` factors of `number`, none below `low`, each as large as can be.
    fn fill(&mut self, number: i32, count: usize, low: i32) -> bool {
        if count == 1 {
            let fits = (low..=self.high).contains(&number);
            if fits {
                self.factors.push(number);
            }
            return fits;
        }
        if self.dead.contains(&(number, count, low)) {
            return false;
        }
        let divisors = self.divisors;
        let from = divisors.partition_point(|d| *d < low);
        let until = divisors.partition_point(|d| power(*d, count) <= number.into());
        for &factor in divisors[from..until.max(from)].iter().rev() {
            let rest = number / factor;
            // Factors only get smaller from here, and the others cannot make up for it.
            if power(self.high, count - 1) < rest.into() {
                break;
            }
            if number % factor == 0 {
                self.factors.push(factor);
                if self.fill(rest, count - 1, factor) {
                    return true;
                }
                self.factors.pop();
            }
        }
        self.dead.insert((number, count, low));
        false
    }
}

fn power(base: i32, exponent: usize) -> i64 {
    i64::from(base).saturating_pow(exponent.min(64) as u32)
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
        // Spread, then the factors from the smallest up, larger ones first.
        let key = |dims: &[i32; 3]| (dims[0] - dims[2], -dims[2], -dims[1]);
        for nnodes in (1..400).chain([7488, 10800, 19008, 31050, 34425]) {
            let found: [i32; 3] = dims(nnodes, &[0, 0, 0]).try_into().unwrap();
            assert_eq!(found.iter().product::<i32>(), nnodes);
            assert!(found.is_sorted_by(|a, b| a >= b), "{found:?}");
            for a in divisors(nnodes) {
                for b in divisors(nnodes / a) {
                    let mut other = [a, b, nnodes / a / b];
                    other.sort_by(|a, b| b.cmp(a));
                    assert!(key(&found) <= key(&other), "{found:?} {other:?}");
                }
            }
        }
        assert_eq!(dims(7488, &[0; 3]), [26, 18, 16]);
        assert_eq!(dims(118560, &[0; 4]), [26, 19, 16, 15]);
    }

    /// A search that tries every way would not end within the limit of the test runner.
    #[test]
    fn many_divisors_are_searched_in_time() {
        for count in 1..=16 {
            let found = dims(2095133040, &vec![0; count]);
            assert_eq!(
                found.iter().map(|d| i64::from(*d)).product::<i64>(),
                2095133040
            );
            assert!(found.is_sorted_by(|a, b| a >= b), "{found:?}");
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
