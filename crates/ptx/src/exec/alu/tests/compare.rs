//! `setp`, `set`, `selp`, `slct`.

use super::*;
use crate::ir::{BooleanOperation, Comparison};
use AluOperation as Op;
use ScalarType::*;
use std::cmp::Ordering;

const COMPARISONS: [Comparison; 14] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessEqual,
    Comparison::Greater,
    Comparison::GreaterEqual,
    Comparison::UnorderedEqual,
    Comparison::UnorderedNotEqual,
    Comparison::UnorderedLess,
    Comparison::UnorderedLessEqual,
    Comparison::UnorderedGreater,
    Comparison::UnorderedGreaterEqual,
    Comparison::Numbers,
    Comparison::NotNumbers,
];

/// The order of two values of a type, none if one is NaN.
fn order(ty: ScalarType, a: u64, b: u64) -> Option<Ordering> {
    let half = |bits: u64| f32::from(half::f16::from_bits(bits as u16));
    let brain = |bits: u64| f32::from_bits((bits as u32) << 16);
    match ty {
        S16 => Some((a as i16).cmp(&(b as i16))),
        S32 => Some((a as i32).cmp(&(b as i32))),
        S64 => Some((a as i64).cmp(&(b as i64))),
        F16 => half(a).partial_cmp(&half(b)),
        BF16 => brain(a).partial_cmp(&brain(b)),
        F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        F64 => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        _ => Some(a.cmp(&b)),
    }
}

/// A comparison, as its name says.
fn holds(comparison: Comparison, order: Option<Ordering>) -> bool {
    use Comparison as C;
    let Some(order) = order else {
        return matches!(
            comparison,
            C::UnorderedEqual
                | C::UnorderedNotEqual
                | C::UnorderedLess
                | C::UnorderedLessEqual
                | C::UnorderedGreater
                | C::UnorderedGreaterEqual
                | C::NotNumbers
        );
    };
    match comparison {
        C::Equal | C::UnorderedEqual => order.is_eq(),
        C::NotEqual | C::UnorderedNotEqual => order.is_ne(),
        C::Less | C::UnorderedLess => order.is_lt(),
        C::LessEqual | C::UnorderedLessEqual => order.is_le(),
        C::Greater | C::UnorderedGreater => order.is_gt(),
        C::GreaterEqual | C::UnorderedGreaterEqual => order.is_ge(),
        C::Numbers => true,
        C::NotNumbers => false,
    }
}

struct Setp {
    comparison: Comparison,
    ty: ScalarType,
    flush: bool,
    combine: Option<(BooleanOperation, u64, bool)>,
}

/// Both predicates of a `setp`; the first also by the form that writes nothing else.
fn setp(setp: &Setp, a: [u64; LANES], b: [u64; LANES]) -> [[u64; LANES]; 2] {
    let &Setp { comparison, ty, flush, combine } = setp;
    let mut warp = Warp::new();
    let sources = [a, b].map(|values| Operand::Register(warp.register(ty, values)));
    let combine = combine.map(|(operation, value, negated)| {
        (operation, Operand::Register(warp.register(Pred, [value; LANES])), negated)
    });
    let [p, q, alone] = [(); 3].map(|()| warp.register(Pred, [0; LANES]));
    let mut both = |destination, complement| {
        let set =
            Operation::SetPredicate { comparison, ty, flush, destination, complement, sources, combine };
        warp.execute(&set, Mask::MAX).unwrap();
    };
    both(Some(p), Some(q));
    both(Some(alone), None);
    assert_eq!(warp.values(p), warp.values(alone), "{comparison:?} {ty:?}");
    [warp.values(p), warp.values(q)]
}

fn pairs(ty: ScalarType) -> Vec<([u64; LANES], [u64; LANES])> {
    let values = samples(ty);
    let all: Vec<(u64, u64)> = values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).collect();
    all.chunks(LANES)
        .map(|chunk| {
            let at = |lane: usize| chunk[lane % chunk.len()];
            (std::array::from_fn(|lane| at(lane).0), std::array::from_fn(|lane| at(lane).1))
        })
        .collect()
}

#[test]
fn comparisons_hold_as_their_names_say() {
    for ty in [U16, S16, U32, S32, U64, S64, F16, BF16, F32, F64, B16, B32, B64] {
        let count = match ty {
            B16 | B32 | B64 => 2,
            _ if ty.is_float() => 14,
            _ => 6,
        };
        for &comparison in &COMPARISONS[..count] {
            for (a, b) in pairs(ty) {
                let [p, q] = setp(&Setp { comparison, ty, flush: false, combine: None }, a, b);
                for lane in 0..LANES {
                    let expected = holds(comparison, order(ty, a[lane], b[lane]));
                    assert_eq!(p[lane] != 0, expected, "{comparison:?}.{ty:?} {:x} {:x}", a[lane], b[lane]);
                    assert_eq!(q[lane], 1 - p[lane]);
                }
            }
        }
    }
}

#[test]
fn comparisons_combine_with_a_predicate() {
    let (a, b) = ([3; LANES], [4; LANES]);
    for (comparison, truth) in [(Comparison::Less, true), (Comparison::Greater, false)] {
        for other in [0, 1] {
            for negated in [false, true] {
                for operation in [BooleanOperation::And, BooleanOperation::Or, BooleanOperation::Xor] {
                    let combine = Some((operation, other, negated));
                    let [p, q] = setp(&Setp { comparison, ty: S32, flush: false, combine }, a, b);
                    let other = (other != 0) != negated;
                    let expected = |truth: bool| match operation {
                        BooleanOperation::And => truth && other,
                        BooleanOperation::Or => truth || other,
                        BooleanOperation::Xor => truth != other,
                    };
                    assert_eq!((p[9] != 0, q[9] != 0), (expected(truth), expected(!truth)));
                }
            }
        }
    }
}

#[test]
fn flushed_comparisons_see_zeros() {
    let (a, b) = ([1; LANES], [0x8000_0005; LANES]);
    let equal =
        |flush| setp(&Setp { comparison: Comparison::Equal, ty: F32, flush, combine: None }, a, b)[0][0];
    assert_eq!((equal(false), equal(true)), (0, 1));
}

#[test]
fn packed_comparisons_give_a_predicate_for_each_half() {
    let (a, b) = ([0x3c00_0000; LANES], [0x0000_3c00; LANES]);
    let set = Setp { comparison: Comparison::Less, ty: F16x2, flush: false, combine: None };
    let [p, q] = setp(&set, a, b);
    assert_eq!((p[5], q[5]), (1, 0));
}

#[test]
fn set_gives_all_ones_or_one() {
    for (result, truth) in [(U32, 0xffff_ffff), (S32, 0xffff_ffff), (F32, 0x3f80_0000)] {
        for ty in [U32, S16, U64, F32, F64, F16] {
            let operation = Op::SetValue { comparison: Comparison::LessEqual, result, combine: None };
            check_all(operation, ty, AluMode::default(), result, &[ty, ty], |x| {
                if holds(Comparison::LessEqual, order(ty, x[0], x[1])) { truth } else { 0 }
            });
        }
    }
    let set = |result, combine| Op::SetValue { comparison: Comparison::Less, result, combine };
    let packed = [(F16x2, 0x3c00_0000), (F16x2, 0x4000_0000)];
    assert_eq!(run_one(set(F16x2, None), F16x2, AluMode::default(), F16x2, &packed), 0x3c00_0000);
    assert_eq!(run_one(set(U32, None), F16x2, AluMode::default(), U32, &packed), 0xffff_0000);
    assert_eq!(run_one(set(S32, None), F16x2, AluMode::default(), S32, &packed), 0xffff_0000);
    let combine = Some((BooleanOperation::And, true));
    for (predicate, expected) in [(0, 0xffff_ffff), (1, 0)] {
        let sources = [(U32, 1), (U32, 2), (Pred, predicate)];
        assert_eq!(run_one(set(U32, combine), U32, AluMode::default(), U32, &sources), expected);
    }
    // A register that is wider than the result holds it extended.
    let sources = [(U32, 1), (U32, 2)];
    assert_eq!(run_one(set(S32, None), U32, AluMode::default(), S64, &sources), u64::MAX);
    assert_eq!(run_one(set(U32, None), U32, AluMode::default(), U64, &sources), 0xffff_ffff);
}

#[test]
fn selections_follow_a_predicate_or_a_sign() {
    let choice: [u64; LANES] = std::array::from_fn(|lane| u64::from(lane % 3 == 0));
    for ty in [B16, B32, B64, F32, F64] {
        let (a, b) = (std::array::from_fn(|lane| lane as u64), std::array::from_fn(|lane| 100 + lane as u64));
        let got = run(Op::Select, ty, AluMode::default(), ty, &[(ty, a), (ty, b), (Pred, choice)]);
        assert_eq!(got, std::array::from_fn(|lane| if choice[lane] != 0 { a[lane] } else { b[lane] }));
    }
    for ty in [B16, B32, U64] {
        check_all(Op::SelectBySign { float: false }, ty, AluMode::default(), ty, &[ty, ty, S32], |x| {
            if x[2] as i32 >= 0 { x[0] } else { x[1] }
        });
        check_all(Op::SelectBySign { float: true }, ty, AluMode::default(), ty, &[ty, ty, F32], |x| {
            if f32::from_bits(x[2] as u32) >= 0.0 { x[0] } else { x[1] }
        });
    }
    let flush = AluMode { flush: true, ..AluMode::default() };
    let sources = [(B32, 1), (B32, 2), (F32, 0x8000_0001)];
    assert_eq!(run_one(Op::SelectBySign { float: true }, B32, flush, B32, &sources), 1);
    assert_eq!(run_one(Op::SelectBySign { float: true }, B32, AluMode::default(), B32, &sources), 2);
}
