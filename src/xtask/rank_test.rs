//! Whether noise can be why one sample's values are above another's: the exact one-sided test of Mann and Whitney
//! (Annals of Mathematical Statistics 18, 1947).
//!
//! It asks only which value of each pair is the greater. So an outlier counts no more than any other, and nothing
//! is assumed about how values scatter. It must not know what was measured.

/// The probability that samples of one distribution would show as many pairs as these or more in which the value of `a` is the
/// greater. Ties count half, and less to be on the safe side.
pub fn greater_by_chance(a: &[f64], b: &[f64]) -> f64 {
    let halves: usize = a
        .iter()
        .flat_map(|x| b.iter().map(move |y| x.partial_cmp(y)))
        .map(|order| match order {
            Some(std::cmp::Ordering::Greater) => 2,
            Some(std::cmp::Ordering::Equal) => 1,
            _ => 0,
        })
        .sum();
    tail(a.len(), b.len(), halves / 2)
}

/// The least probability that samples of these lengths can show: one order of all.
pub fn least(a: usize, b: usize) -> f64 {
    (1..=b).map(|k| k as f64 / (a + k) as f64).product()
}

/// The part of all orders of `a` and `b` values in which at least `pairs` have the greater value in the first sample.
fn tail(a: usize, b: usize, pairs: usize) -> f64 {
    // `orders[j][u]`: orders of i and j values with u such pairs. The last value in an order is one of the first sample,
    // above all j of the second, or one of the second.
    let mut orders = vec![vec![0.0; a * b + 1]; b + 1];
    for row in &mut orders {
        row[0] = 1.0;
    }
    for _ in 0..a {
        let before = orders.clone();
        for j in 0..=b {
            for u in 0..=a * b {
                let first = if u >= j { before[j][u - j] } else { 0.0 };
                let second = if j > 0 { orders[j - 1][u] } else { 0.0 };
                orders[j][u] = first + second;
            }
        }
    }
    let all: f64 = orders[b].iter().sum();
    orders[b][pairs..].iter().sum::<f64>() / all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_counting_all_orders() {
        // 3 and 3 values have 20 orders; 0 to 9 pairs occur in 1 1 2 3 3 3 3 2 1 1 of them.
        for (pairs, orders) in [(9, 1), (8, 2), (7, 4), (6, 7), (5, 10), (0, 20)] {
            let expected = f64::from(orders) / 20.0;
            assert!((tail(3, 3, pairs) - expected).abs() < 1e-12, "{pairs}");
        }
        assert!((least(2, 5) - 1.0 / 21.0).abs() < 1e-12);
        assert!((least(0, 5) - 1.0).abs() < 1e-12);
        assert!((greater_by_chance(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]) - 0.05).abs() < 1e-12);
        assert!((greater_by_chance(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]) - 1.0).abs() < 1e-12);
        // Three ties are one pair and a half, which counts as one.
        let tied = greater_by_chance(&[1.0], &[1.0, 1.0, 1.0]);
        assert!((tied - 0.75).abs() < 1e-12, "{tied}");
    }

    #[test]
    fn long_samples_stay_within_numbers() {
        let a: Vec<f64> = (0..60).map(f64::from).collect();
        let half = greater_by_chance(&a, &a);
        assert!((0.4..0.6).contains(&half), "{half}");
        assert!(least(60, 60) > 0.0 && least(60, 60) < 1e-30);
    }
}
