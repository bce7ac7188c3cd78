//! Many elements of few blocks, which are copied by columns, against a loop over their bytes.

use std::rc::Rc;

use proptest::prelude::*;

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 4 } else { 400 }, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whole and in two pieces, with and without bytes that elements share.
    #[test]
    fn many_elements_of_few_blocks_agree(
        blocks in prop::collection::vec((1i64..45, 0i64..9), 1..11),
        unit in prop::sample::select(vec![1i64, 4, 8]),
        slack in -30i64..60,
        count in 0u64..900,
        cut in 0u64..=1000,
    ) {
        let mut end = 0;
        let starts: Vec<(i64, i64)> = blocks
            .iter()
            .map(|(length, gap)| {
                let start = end + gap;
                end = start + length;
                (start * unit, length * unit)
            })
            .collect();
        let stride = (end * unit + slack).max(1);
        let (offsets, lengths): (Vec<i64>, Vec<i64>) = starts.iter().copied().unzip();
        let bytes = Type::predefined(basic::MPI_BYTE).unwrap();
        let element = hindexed(starts.len() as i64, &lengths, &offsets, &bytes).unwrap();
        let element = Rc::new(resized(&Rc::new(element), 0, stride).unwrap());

        let places = (0..count as i64).flat_map(|index| {
            let origin = index * stride;
            starts.iter().flat_map(move |(start, length)| origin + start..origin + start + length)
        });
        let places: Vec<usize> = places.map(|place| place as usize).collect();
        let room = places.iter().max().map_or(0, |last| last + 1);
        let mut memory: Vec<u8> = (0..room).map(|i| (i as u8).wrapping_mul(29) ^ (i >> 8) as u8).collect();
        let expected: Vec<u8> = places.iter().map(|place| memory[*place]).collect();
        let middle = expected.len() * cut as usize / 1000;

        let data = Data::tested(memory.as_mut_ptr(), count, element.clone());
        let mut packed = vec![0; expected.len()];
        prop_assert_eq!(data.pack(0, &mut packed[..middle]), middle);
        data.pack(middle as u64, &mut packed[middle..]);
        prop_assert_eq!(&packed, &expected);

        let sent: Vec<u8> = (0..expected.len()).map(|i| (i as u8).wrapping_mul(13) ^ (i >> 8) as u8).collect();
        let mut wanted = vec![0; room];
        for (place, byte) in places.iter().zip(&sent) {
            wanted[*place] = *byte;
        }
        let mut fresh = vec![0; room];
        let data = Data::tested(fresh.as_mut_ptr(), count, element);
        prop_assert_eq!(data.unpack(0, &sent[..middle]), middle);
        data.unpack(middle as u64, &sent[middle..]);
        prop_assert_eq!(&fresh, &wanted);
    }
}
