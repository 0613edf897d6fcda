//! Masks and aliases: only active lanes are written, and a destination may be a source.

use super::*;
use crate::ir::Comparison;
use AluOperation as Op;
use ScalarType::*;
use proptest::prelude::*;

/// Operations of every kind of loop, with the types of their result and sources.
fn operations() -> Vec<(Op, ScalarType, AluMode, ScalarType, Vec<ScalarType>)> {
    let plain = AluMode::default();
    let integral = rounded(Rounding::IntegerZero);
    let carry = AluMode { carry_in: true, carry_out: true, ..plain };
    let approximate = AluMode { approximate: true, ..plain };
    vec![
        (Op::Move, U16, plain, U16, vec![U16]),
        (Op::Move, B64, plain, B64, vec![B64]),
        (Op::Add, U32, plain, U32, vec![U32, U32]),
        (Op::Add, U32, carry, U32, vec![U32, U32]),
        (Op::Subtract, U64, carry, U64, vec![U64, U64]),
        (Op::Subtract, S64, plain, S64, vec![S64, S64]),
        (Op::Multiply, S16, plain, S16, vec![S16, S16]),
        (Op::MultiplyWide, S32, plain, S64, vec![S32, S32]),
        (Op::MultiplyAddWide, U32, plain, U64, vec![U32, U32, U64]),
        (Op::Divide, S32, plain, S32, vec![S32, S32]),
        (Op::Remainder, U64, plain, U64, vec![U64, U64]),
        (Op::And, B64, plain, B64, vec![B64, B64]),
        (Op::Not, B16, plain, B16, vec![B16]),
        (Op::Xor, Pred, plain, Pred, vec![Pred, Pred]),
        (Op::ShiftRight, S16, plain, S16, vec![S16, U32]),
        (Op::PopulationCount, B64, plain, U32, vec![B64]),
        (Op::InsertField, B64, plain, B64, vec![B64, B64, U32, U32]),
        (Op::Select, B32, plain, B32, vec![B32, B32, Pred]),
        (Op::Select, B64, plain, B64, vec![B64, B64, Pred]),
        (Op::Convert(U64), U32, plain, U64, vec![U32]),
        (Op::Convert(S8), S64, plain, B32, vec![S64]),
        (Op::Convert(S32), F32, integral, S32, vec![F32]),
        (Op::Convert(F16), F64, plain, F16, vec![F64]),
        (Op::MultiplyAdd, F32, plain, F32, vec![F32, F32, F32]),
        (Op::MultiplyAdd, F64, plain, F64, vec![F64, F64, F64]),
        (Op::Add, F32, rounded(Rounding::Up), F32, vec![F32, F32]),
        (Op::Add, BF16x2, plain, BF16x2, vec![BF16x2, BF16x2]),
        (Op::Minimum, F64, plain, F64, vec![F64, F64]),
        (Op::Sine, F32, approximate, F32, vec![F32]),
        (
            Op::SetValue { comparison: Comparison::Less, result: U32, combine: None },
            S64,
            plain,
            U32,
            vec![S64, S64],
        ),
        (Op::TestProperty(crate::ir::FloatProperty::Normal), F32, plain, Pred, vec![F32]),
    ]
}

fn cut(ty: ScalarType, value: u64) -> u64 {
    match ty {
        Pred => value & 1,
        _ => value & u64::MAX >> (64 - 8 * ty.bytes()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn inactive_lanes_are_untouched_and_active_ones_do_not_depend_on_the_mask(mask: u32, seed: u64) {
        for (operation, ty, mode, result, types) in operations() {
            let mut sequence = Sequence(seed);
            let mut column = |ty| -> [u64; LANES] { std::array::from_fn(|_| cut(ty, sequence.next())) };
            let sources: Vec<_> = types.iter().map(|&ty| (ty, column(ty))).collect();
            let before = column(result);
            let mut warp = Warp::new();
            let operands =
                sources.iter().map(|&(ty, values)| Operand::Register(warp.register(ty, values))).collect();
            let destination = warp.register(result, before);
            let alu = Operation::Alu { operation, ty, mode, destination, sources: operands };
            warp.execute(&alu, mask).unwrap();
            let all = run(operation, ty, mode, result, &sources);
            let got = warp.values(destination);
            for lane in 0..LANES {
                let expected = if mask >> lane & 1 != 0 { all[lane] } else { before[lane] };
                prop_assert_eq!(got[lane], expected, "{:?} lane {}", operation, lane);
                prop_assert_eq!(cut(result, got[lane]), got[lane], "upper bits of a narrow register are zero");
            }
            let carry = warp.predicates[super::super::super::lanes::CARRY as usize];
            prop_assert_eq!(carry & !mask, 0, "the carry of an inactive lane is untouched");
        }
    }

    #[test]
    fn a_destination_may_be_any_source(mask: u32, seed: u64) {
        for (operation, ty, mode, result, types) in operations() {
            for (aliased, _) in types.iter().enumerate().filter(|&(_, &ty)| ty == result) {
                let mut sequence = Sequence(seed);
                let mut column = |ty| -> [u64; LANES] { std::array::from_fn(|_| cut(ty, sequence.next())) };
                let sources: Vec<_> = types.iter().map(|&ty| (ty, column(ty))).collect();
                let mut warp = Warp::new();
                let registers: Vec<_> = sources.iter().map(|&(ty, values)| warp.register(ty, values)).collect();
                let destination = registers[aliased];
                let operands = registers.into_iter().map(Operand::Register).collect();
                let alu = Operation::Alu { operation, ty, mode, destination, sources: operands };
                warp.execute(&alu, mask).unwrap();
                let all = run(operation, ty, mode, result, &sources);
                let got = warp.values(destination);
                for lane in 0..LANES {
                    let expected = if mask >> lane & 1 != 0 { all[lane] } else { sources[aliased].1[lane] };
                    prop_assert_eq!(got[lane], expected, "{:?} source {} lane {}", operation, aliased, lane);
                }
            }
        }
    }
}
