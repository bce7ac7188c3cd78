//! The door to memory: what it does with memory that this processor does not reach.

use std::rc::Rc;

use super::test_space::{Block, reached};
use super::*;

/// Layouts of 8 packed bytes an element, in at most 24 bytes from its address on.
fn layouts() -> Vec<Rc<Type>> {
    let int = Type::predefined(basic::MPI_INT).unwrap();
    let plain = Type::predefined(basic::MPI_INT64_T).unwrap();
    let holes = Rc::new(hindexed(2, &[1, 1], &[4, 16], &int).unwrap());
    let single = Rc::new(resized(&plain, 0, 24).unwrap());
    vec![plain, holes, single]
}

const COUNT: usize = 50;

#[test]
fn copies_go_through_the_door_between_all_spaces() {
    let content: Vec<u8> = (0..24 * COUNT).map(|at| (at * 7 % 251) as u8).collect();
    for from in layouts() {
        for to in layouts() {
            let (mut host, mut back) = (content.clone(), vec![0; content.len()]);
            let (mut there, mut other) = (Block::new(content.len()), Block::new(content.len()));
            let [ours, theirs, others, again] = [
                (Base::tested(host.as_mut_ptr()), &from),
                (there.base(), &to),
                (other.base(), &from),
                (Base::tested(back.as_mut_ptr()), &from),
            ]
            .map(|(base, datatype)| Data::new(base, COUNT as u64, datatype.clone()));
            assert!(theirs.contiguous().is_none() && theirs.span(0, 8).is_none());
            let before = reached();
            for (from, to) in [(&ours, &theirs), (&theirs, &others), (&others, &again)] {
                assert_eq!(from.copy_to(to), 8 * COUNT as u64);
            }
            assert!(reached() >= before + 4, "each copy reaches there");
            let packed = |data: &Data| {
                let mut packed = vec![0; data.bytes() as usize];
                assert_eq!(data.pack(0, &mut packed), packed.len());
                packed
            };
            let expected = packed(&ours);
            for data in [&theirs, &others, &again] {
                assert_eq!(packed(data), expected, "{from:?} to {to:?}");
            }
            // Not a byte beside the elements.
            let touched = |bytes: &[u8]| bytes.iter().filter(|byte| **byte != 0).count();
            let most = expected.iter().filter(|byte| **byte != 0).count();
            assert_eq!(touched(there.contents()), most);
            assert_eq!(touched(other.contents()), most);
        }
    }
}

#[test]
fn every_way_of_packing_takes_the_door() {
    let bytes = Type::predefined(basic::MPI_BYTE).unwrap();
    let content: Vec<u8> = (0..40_000_u32).map(|at| (at * 7 % 251) as u8).collect();
    for length in [1, 8, 64, 300, 5000, 40_000] {
        let mut block = Block::of(&content[..length]);
        let data = Data::new(block.base(), length as u64, bytes.clone());
        let like = Data::tested(content.as_ptr().cast_mut(), length as u64, bytes.clone());
        type Pack<'a> = &'a dyn Fn(&mut [u8]);
        let packs: [Pack<'_>; 3] = [
            &|packed| _ = data.pack(0, packed),
            &|packed| _ = data.pack_shared(0, packed),
            &|packed| like.like(block.base()).pack_shared(packed),
        ];
        for pack in packs {
            let (mut packed, before) = (vec![0; length], reached());
            pack(&mut packed);
            assert_eq!(packed, content[..length]);
            assert!(reached() > before);
        }
        let unpacks = [Data::unpack, Data::unpack_piece];
        for unpack in unpacks {
            block.contents().fill(0);
            let before = reached();
            unpack(&data, 0, &content[..length]);
            assert_eq!(block.contents(), &content[..length]);
            assert!(reached() > before);
        }
        let mut copy = vec![0; length];
        let to = Data::tested(copy.as_mut_ptr(), length as u64, bytes.clone());
        data.copy_own_to(&to);
        assert_eq!(copy, content[..length]);
    }
}
