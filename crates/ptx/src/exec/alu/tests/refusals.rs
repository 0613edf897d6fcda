//! What does not exist is refused, and nothing panics.

use super::*;
use crate::ir::{Comparison, Special, StateSpace};
use AluOperation as Op;
use ScalarType::*;

fn refusal(
    operation: Op,
    ty: ScalarType,
    mode: AluMode,
    result: ScalarType,
    sources: &[ScalarType],
) -> String {
    let sources: Vec<_> = sources.iter().map(|&ty| (ty, [1; LANES])).collect();
    try_run(operation, ty, mode, result, &sources).expect_err("this does not exist")
}

#[test]
fn combinations_that_do_not_exist_are_named() {
    let plain = AluMode::default();
    let saturate = AluMode { saturate: true, ..plain };
    let flush = AluMode { flush: true, ..plain };
    assert_eq!(refusal(Op::Add, U8, plain, U8, &[U8; 2]), "Add of type .u8 does not exist");
    assert_eq!(refusal(Op::Add, U32, saturate, U32, &[U32; 2]), "Add of type .u32 cannot have .sat");
    assert_eq!(refusal(Op::Add, F64, flush, F64, &[F64; 2]), "Add of type .f64 cannot have .ftz");
    assert_eq!(refusal(Op::Add, U32, plain, U32, &[U32]), "Add of type .u32 takes 2 sources and has 1");
    let wide = "a register of type .u64 cannot be used as .u32 here";
    assert_eq!(refusal(Op::Add, U32, plain, U64, &[U32; 2]), wide);
    assert_eq!(refusal(Op::Add, U32, plain, U32, &[U32, U64]), wide);
    let sine = refusal(Op::Sine, F32, plain, F32, &[F32]);
    assert_eq!(sine, "Sine of type .f32 exists as .approx only");
    let narrow = refusal(Op::Convert(U32), F32, plain, U32, &[F32]);
    assert_eq!(narrow, "a conversion from .f32 to .u32 cannot round Nearest");
    assert_eq!(
        refusal(Op::Convert(U32), U16, plain, U16, &[U16]),
        "a register of type .u16 cannot hold .u32"
    );
    assert!(
        refusal(Op::IsInSpace(StateSpace::Constant), U64, plain, Pred, &[U64]).contains("isspacep.const")
    );
    assert!(refusal(Op::Move, B128, plain, B128, &[B128]).contains(".b128"));
}

#[test]
fn special_registers_are_read_by_moves_only() {
    let mut warp = Warp::new();
    let destination = warp.register(U32, [0; LANES]);
    let sources = vec![Operand::Register(destination), Operand::Special(Special::Lane)];
    let add = Operation::Alu { operation: Op::Add, ty: U32, mode: AluMode::default(), destination, sources };
    let problem = warp.execute(&add, Mask::MAX).expect_err("not by add");
    assert_eq!(problem, "the special register Lane can be read by mov and cvt only");
}

const TYPES: [ScalarType; 20] =
    [Pred, B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64, F16, F16x2, BF16, BF16x2, F32, F64];

#[test]
fn no_operation_of_any_type_panics() {
    let operations = [
        Op::Move,
        Op::Add,
        Op::MultiplyHigh,
        Op::MultiplyWide,
        Op::Multiply24,
        Op::MultiplyAdd,
        Op::SumOfDifferences,
        Op::Divide,
        Op::Remainder,
        Op::Absolute,
        Op::Negate,
        Op::Minimum,
        Op::PopulationCount,
        Op::FindLeading { shift: true },
        Op::ReverseBits,
        Op::ExtractField,
        Op::InsertField,
        Op::And,
        Op::LogicalNot,
        Op::ShiftRight,
        Op::Select,
        Op::SelectBySign { float: true },
        Op::SetValue { comparison: Comparison::Less, result: U32, combine: None },
        Op::Convert(F16),
        Op::Convert(S16),
        Op::ToGeneric(StateSpace::Shared),
        Op::IsInSpace(StateSpace::Local),
        Op::CopySign,
        Op::Reciprocal,
        Op::ReciprocalSquareRoot,
        Op::PowerOf2,
    ];
    let mut accepted = 0;
    for operation in operations {
        for ty in TYPES {
            for result in TYPES {
                for count in 0..5 {
                    for approximate in [false, true] {
                        let mode = AluMode { approximate, ..AluMode::default() };
                        let sources = vec![(ty, [u64::MAX >> (64 - 8 * ty.bytes().min(8)); LANES]); count];
                        accepted += u32::from(try_run(operation, ty, mode, result, &sources).is_ok());
                    }
                }
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
}

#[test]
fn comparisons_that_do_not_exist_are_refused() {
    let mut warp = Warp::new();
    let source = Operand::Register(warp.register(B32, [0; LANES]));
    let destination = Some(warp.register(Pred, [0; LANES]));
    let set = Operation::SetPredicate {
        comparison: Comparison::Less,
        ty: B32,
        flush: false,
        destination,
        complement: None,
        sources: [source; 2],
        combine: None,
    };
    assert_eq!(warp.execute(&set, 1).unwrap_err(), "there is no comparison Less of type .b32");
    let pack = Operation::Pack { ty: B64, destination: RegisterId(0), parts: vec![source; 3] };
    assert_eq!(warp.execute(&pack, 1).unwrap_err(), "a value of type .b64 cannot consist of 3 parts");
}
