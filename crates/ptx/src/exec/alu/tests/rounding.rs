//! Arithmetic in every rounding mode against `rustc_apfloat`.

use super::*;
use AluOperation as Op;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, Round};

const MODES: [(Rounding, Round); 4] = [
    (Rounding::Nearest, Round::NearestTiesToEven),
    (Rounding::Zero, Round::TowardZero),
    (Rounding::Down, Round::TowardNegative),
    (Rounding::Up, Round::TowardPositive),
];

/// Bits of a result; a NaN is the type's one NaN.
fn bits<F: Float>(value: F, ty: ScalarType) -> u64 {
    if !value.is_nan() {
        return value.to_bits() as u64;
    }
    match ty {
        ScalarType::F64 => 0xfff8_0000_0000_0000,
        ScalarType::F32 => 0x7fff_ffff,
        _ => 0x7fff,
    }
}

/// `rustc_apfloat` gives the sum of opposite numbers the sign of the mode, as IEEE 754 asks; so it is an oracle
/// for signs of zeros too.
fn oracle<F: Float>(operation: Op, x: &[u64], round: Round) -> F {
    let value = |index: usize| F::from_bits(u128::from(x[index]));
    match operation {
        Op::Add => value(0).add_r(value(1), round).value,
        Op::Subtract => value(0).sub_r(value(1), round).value,
        Op::Multiply => value(0).mul_r(value(1), round).value,
        Op::MultiplyAdd => value(0).mul_add_r(value(1), value(2), round).value,
        Op::Divide => value(0).div_r(value(1), round).value,
        Op::Reciprocal => F::from_u128(1).value.div_r(value(0), round).value,
        other => panic!("no oracle for {other:?}"),
    }
}

fn check<F: Float>(ty: ScalarType, operations: &[(Op, usize)], modes: &[(Rounding, Round)]) {
    for &(operation, sources) in operations {
        for &(rounding, round) in modes {
            check_all(operation, ty, rounded(rounding), ty, &vec![ty; sources], |x| {
                bits(oracle::<F>(operation, x, round), ty)
            });
        }
    }
}

const ARITHMETIC: [(Op, usize); 4] =
    [(Op::Add, 2), (Op::Subtract, 2), (Op::Multiply, 2), (Op::MultiplyAdd, 3)];
const DIVISION: [(Op, usize); 2] = [(Op::Divide, 2), (Op::Reciprocal, 1)];

#[test]
fn single_precision_rounds_as_the_mode_says() {
    check::<Single>(ScalarType::F32, &ARITHMETIC, &MODES);
    check::<Single>(ScalarType::F32, &DIVISION, &MODES);
}

#[test]
fn double_precision_rounds_as_the_mode_says() {
    check::<Double>(ScalarType::F64, &ARITHMETIC, &MODES);
    check::<Double>(ScalarType::F64, &DIVISION, &MODES);
}

#[test]
fn short_formats_round_once_to_nearest() {
    check::<Half>(ScalarType::F16, &ARITHMETIC, &MODES[..1]);
    check::<BFloat>(ScalarType::BF16, &ARITHMETIC, &MODES[..1]);
}

/// Operands whose exponents are near each other, where cancellation and ties happen.
fn near(sequence: &mut Sequence, ty: ScalarType, count: usize) -> Vec<[u64; LANES]> {
    let (exponent_bits, fraction_bits) = if ty == ScalarType::F32 { (8, 23) } else { (11, 52) };
    let bias = (1u64 << (exponent_bits - 1)) - 1;
    (0..count)
        .map(|_| {
            std::array::from_fn(|_| {
                let random = sequence.next();
                let exponent = bias - 30 + (random >> 8 & 63);
                // Few significant bits at both ends, so that exact and nearly exact results are frequent.
                let kept = sequence.next() & sequence.next() & ((1 << fraction_bits) - 1);
                (random & 1) << (exponent_bits + fraction_bits) | exponent << fraction_bits | kept
            })
        })
        .collect()
}

fn check_near<F: Float>(ty: ScalarType) {
    let mut sequence = Sequence(11);
    for round in 0..40 {
        let (rounding, oracle_round) = MODES[round % 4];
        let values = near(&mut sequence, ty, 3);
        for (operation, sources) in ARITHMETIC.into_iter().chain(DIVISION) {
            let columns: Vec<_> = values[..sources].iter().map(|&column| (ty, column)).collect();
            let got = run(operation, ty, rounded(rounding), ty, &columns);
            for lane in 0..LANES {
                let x: Vec<u64> = values.iter().map(|column| column[lane]).collect();
                let expected = bits(oracle::<F>(operation, &x, oracle_round), ty);
                assert_eq!(got[lane], expected, "{operation:?} {rounding:?} of {x:x?}");
            }
        }
    }
}

#[test]
fn sums_that_cancel_and_tie_round_correctly() {
    check_near::<Single>(ScalarType::F32);
    check_near::<Double>(ScalarType::F64);
}

#[test]
fn a_fused_product_is_not_rounded_twice() {
    // In double precision the sum is a tie between two floats; the addend decides it, far below.
    let a = 1.0f32 + f32::EPSILON;
    let b = 1.0f32 + f32::EPSILON * 2048.0;
    for tiny in [1e-30f32, -1e-30, 0.0] {
        let sources = [a, b, tiny].map(|x| (ScalarType::F32, u64::from(x.to_bits())));
        let got = run_one(Op::MultiplyAdd, ScalarType::F32, AluMode::default(), ScalarType::F32, &sources);
        let x = sources.map(|(_, bits)| bits);
        let expected = oracle::<Single>(Op::MultiplyAdd, &x, Round::NearestTiesToEven);
        assert_eq!(got, expected.to_bits() as u64, "{tiny:e}");
    }
}

/// A root is right if no representable number lies between it and the exact one on the mode's side.
fn check_root(got: f64, x: f64, rounding: Rounding, next_up: f64, next_down: f64) {
    let exceeds = |root: f64| libm::fma(root, root, -x) > 0.0;
    let below = |root: f64| libm::fma(root, root, -x) < 0.0;
    match rounding {
        Rounding::Up => assert!(!below(got) && below(next_down), "{got:e} is not the root of {x:e} above"),
        Rounding::Nearest => {
            assert!(below(next_down) && exceeds(next_up), "{got:e} is not the root of {x:e}");
        }
        _ => assert!(!exceeds(got) && exceeds(next_up), "{got:e} is not the root of {x:e} below"),
    }
}

#[test]
fn square_roots_are_next_to_the_exact_ones() {
    let mut sequence = Sequence(5);
    for (rounding, _) in MODES {
        for _ in 0..20 {
            let random: [u64; LANES] = std::array::from_fn(|_| sequence.next());
            let singles = random.map(|bits| f64::from((bits as f32).sqrt() * 1e-7));
            let column = singles.map(|x| u64::from((x as f32).to_bits()));
            let source = [(ScalarType::F32, column)];
            let got = run(Op::SquareRoot, ScalarType::F32, rounded(rounding), ScalarType::F32, &source);
            let doubles = random.map(|bits| bits as f64 * 1e-9);
            let source = [(ScalarType::F64, doubles.map(f64::to_bits))];
            let wide = run(Op::SquareRoot, ScalarType::F64, rounded(rounding), ScalarType::F64, &source);
            for lane in 0..LANES {
                let root = f32::from_bits(got[lane] as u32);
                let (up, down) = (root.next_up(), root.next_down());
                check_root(root.into(), singles[lane], rounding, up.into(), down.into());
                let root = f64::from_bits(wide[lane]);
                check_root(root, doubles[lane], rounding, root.next_up(), root.next_down());
            }
        }
    }
    let wide = |bits: u64| {
        run_one(
            Op::SquareRoot,
            ScalarType::F64,
            AluMode::default(),
            ScalarType::F64,
            &[(ScalarType::F64, bits)],
        )
    };
    assert_eq!(wide((-1.0f64).to_bits()), 0xfff8_0000_0000_0000);
    assert_eq!(wide(0x7ff0_0000_0000_0001), 0xfff8_0000_0000_0000);
    for (x, expected) in [(-1.0f32, 0x7fff_ffff), (-0.0, 0x8000_0000), (f32::INFINITY, 0x7f80_0000)] {
        for (rounding, _) in MODES {
            let source = [(ScalarType::F32, u64::from(x.to_bits()))];
            let got = run_one(Op::SquareRoot, ScalarType::F32, rounded(rounding), ScalarType::F32, &source);
            assert_eq!(got, expected, "{rounding:?} of {x}");
        }
    }
}

#[test]
fn every_pair_of_a_half_with_few_others_is_right() {
    // All 65536 values of one source; the other varies with it.
    for start in (0..=0xffffu64).step_by(LANES) {
        let a: [u64; LANES] = std::array::from_fn(|lane| start + lane as u64);
        let b = a.map(|a| a.wrapping_mul(0x9e37) >> 3 & 0xffff);
        for (ty, brain) in [(ScalarType::F16, false), (ScalarType::BF16, true)] {
            for operation in [Op::Add, Op::Multiply] {
                let got = run(operation, ty, AluMode::default(), ty, &[(ty, a), (ty, b)]);
                for lane in 0..LANES {
                    let x = [a[lane], b[lane]];
                    let round = Round::NearestTiesToEven;
                    let expected = if brain {
                        bits(oracle::<BFloat>(operation, &x, round), ty)
                    } else {
                        bits(oracle::<Half>(operation, &x, round), ty)
                    };
                    assert_eq!(got[lane], expected, "{operation:?}.{} of {x:x?}", ty.name());
                }
            }
        }
    }
}
