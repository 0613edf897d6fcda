//! Modifiers, extremes, signs and transcendental functions.

use super::*;
use crate::ir::FloatProperty;
use AluOperation as Op;
use ScalarType::{BF16, BF16x2, F16, F16x2, F32, F64, Pred};

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn b(value: f32) -> u64 {
    u64::from(value.to_bits())
}

fn flushed(bits: u64) -> u64 {
    if f(bits).is_subnormal() { bits & 0x8000_0000 } else { bits }
}

#[test]
fn flushing_zeroes_subnormal_sources_and_results() {
    let plain = AluMode::default();
    let mode = AluMode { flush: true, ..plain };
    for (operation, sources) in [(Op::Add, 2), (Op::Multiply, 2), (Op::MultiplyAdd, 3), (Op::Divide, 2)] {
        for rounding in [Rounding::Nearest, Rounding::Zero] {
            let (mode, plain) = (AluMode { rounding, ..mode }, AluMode { rounding, ..plain });
            let types = vec![F32; sources];
            check_all(operation, F32, mode, F32, &types, |x| {
                let sources: Vec<_> = x.iter().map(|&bits| (F32, flushed(bits))).collect();
                flushed(run_one(operation, F32, plain, F32, &sources))
            });
        }
    }
}

#[test]
fn saturation_clamps_to_the_unit_interval() {
    let mode = AluMode { saturate: true, ..AluMode::default() };
    check_all(Op::Add, F32, mode, F32, &[F32, F32], |x| {
        let sum = f(x[0]) + f(x[1]);
        if sum.is_nan() || sum <= 0.0 { 0 } else { b(sum.min(1.0)) }
    });
    check_all(Op::Multiply, F16, mode, F16, &[F16, F16], |x| {
        let product =
            f64::from(half::f16::from_bits(x[0] as u16)) * f64::from(half::f16::from_bits(x[1] as u16));
        let rounded = run_one(Op::Multiply, F16, AluMode::default(), F16, &[(F16, x[0]), (F16, x[1])]);
        if product.is_nan() || product <= 0.0 { 0 } else { rounded.min(0x3c00) }
    });
}

/// The definition of `min` and `max`, by cases.
fn extreme(x: f64, y: f64, largest: bool) -> Option<bool> {
    match (x.is_nan(), y.is_nan()) {
        (true, true) => None,
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => Some((x.total_cmp(&y) == std::cmp::Ordering::Less) != largest),
    }
}

#[test]
fn extremes_prefer_numbers_and_order_zeros() {
    for (operation, largest) in [(Op::Minimum, false), (Op::Maximum, true)] {
        let mode = AluMode::default();
        check_all(operation, F32, mode, F32, &[F32, F32], |x| {
            let first = extreme(f(x[0]).into(), f(x[1]).into(), largest);
            first.map_or(0x7fff_ffff, |first| if first { x[0] } else { x[1] })
        });
        check_all(operation, F64, mode, F64, &[F64, F64], |x| {
            let first = extreme(f64::from_bits(x[0]), f64::from_bits(x[1]), largest);
            first.map_or(0xfff8_0000_0000_0000, |first| if first { x[0] } else { x[1] })
        });
        check_all(operation, F16, mode, F16, &[F16, F16], |x| {
            let [p, q] = [x[0], x[1]].map(|bits| f64::from(half::f16::from_bits(bits as u16)));
            extreme(p, q, largest).map_or(0x7fff, |first| if first { x[0] } else { x[1] })
        });
    }
}

#[test]
fn extremes_obey_their_modifiers() {
    let nan = AluMode { propagate_nan: true, ..AluMode::default() };
    let sign = AluMode { xor_sign: true, ..AluMode::default() };
    for (operation, largest) in [(Op::Minimum, false), (Op::Maximum, true)] {
        check_all(operation, F32, nan, F32, &[F32, F32], |x| {
            let plain = run_one(operation, F32, AluMode::default(), F32, &[(F32, x[0]), (F32, x[1])]);
            if f(x[0]).is_nan() || f(x[1]).is_nan() { 0x7fff_ffff } else { plain }
        });
        check_all(operation, F32, sign, F32, &[F32, F32], |x| {
            let magnitude = |bits: u64| bits & 0x7fff_ffff;
            let first = extreme(f(magnitude(x[0])).into(), f(magnitude(x[1])).into(), largest);
            let chosen = first.map(|first| magnitude(if first { x[0] } else { x[1] }));
            chosen.map_or(0x7fff_ffff, |bits| bits | (x[0] ^ x[1]) & 0x8000_0000)
        });
        let flush = AluMode { flush: true, ..AluMode::default() };
        check_all(operation, F32, flush, F32, &[F32, F32], |x| {
            let sources = [(F32, flushed(x[0])), (F32, flushed(x[1]))];
            run_one(operation, F32, AluMode::default(), F32, &sources)
        });
        check_all(operation, F32, AluMode::default(), F32, &[F32; 3], |x| {
            let pair = run_one(operation, F32, AluMode::default(), F32, &[(F32, x[0]), (F32, x[1])]);
            run_one(operation, F32, AluMode::default(), F32, &[(F32, pair), (F32, x[2])])
        });
    }
}

#[test]
fn packed_halves_are_computed_alone() {
    let modes = [AluMode::default(), AluMode { relu: true, ..AluMode::default() }];
    let mut sequence = Sequence(3);
    for (packed, single) in [(F16x2, F16), (BF16x2, BF16)] {
        for (operation, sources) in [(Op::MultiplyAdd, 3), (Op::Minimum, 2), (Op::Maximum, 2)] {
            for mode in modes {
                for _ in 0..200 {
                    let words: Vec<u64> = (0..sources).map(|_| sequence.next() & 0xffff_ffff).collect();
                    let halves = |shift: u32| -> u64 {
                        let sources: Vec<_> = words.iter().map(|w| (single, w >> shift & 0xffff)).collect();
                        run_one(operation, single, mode, single, &sources)
                    };
                    let sources: Vec<_> = words.iter().map(|&w| (packed, w)).collect();
                    let got = run_one(operation, packed, mode, packed, &sources);
                    assert_eq!(got, halves(16) << 16 | halves(0), "{operation:?} {words:x?}");
                }
            }
        }
    }
}

#[test]
fn signs_change_and_payloads_stay() {
    let mode = AluMode::default();
    for (ty, sign) in [(F16, 1 << 15), (BF16, 1 << 15), (F32, 1 << 31), (F64, 1 << 63)] {
        check_all(Op::Absolute, ty, mode, ty, &[ty], |x| x[0] & !sign);
        check_all(Op::Negate, ty, mode, ty, &[ty], |x| x[0] ^ sign);
    }
    for (ty, sign) in [(F32, 1 << 31), (F64, 1 << 63)] {
        check_all(Op::CopySign, ty, mode, ty, &[ty, ty], |x| x[0] & sign | x[1] & !sign);
        check_all(Op::Move, ty, mode, ty, &[ty], |x| x[0]);
    }
    let flush = AluMode { flush: true, ..mode };
    check_all(Op::Negate, F32, flush, F32, &[F32], |x| flushed(x[0]) ^ 0x8000_0000);
    check_all(Op::Absolute, F16, flush, F16, &[F16], |x| {
        let magnitude = x[0] & 0x7fff;
        if magnitude < 0x400 { 0 } else { magnitude }
    });
}

#[test]
fn properties_partition_the_numbers() {
    let test = |property, ty| {
        move |x: u64| run_one(Op::TestProperty(property), ty, AluMode::default(), Pred, &[(ty, x)])
    };
    for ty in [F32, F64] {
        for x in samples(ty) {
            let class = if ty == F32 { f(x).classify() } else { f64::from_bits(x).classify() };
            use std::num::FpCategory as C;
            let expect = |property, holds: bool| assert_eq!(test(property, ty)(x), u64::from(holds), "{x:x}");
            expect(FloatProperty::Finite, !matches!(class, C::Nan | C::Infinite));
            expect(FloatProperty::Infinite, class == C::Infinite);
            expect(FloatProperty::Number, class != C::Nan);
            expect(FloatProperty::NotANumber, class == C::Nan);
            expect(FloatProperty::Normal, class == C::Normal);
            expect(FloatProperty::Subnormal, class == C::Subnormal);
        }
    }
}

const APPROXIMATE: AluMode = AluMode {
    rounding: Rounding::Nearest,
    flush: false,
    saturate: false,
    relu: false,
    approximate: true,
    propagate_nan: false,
    xor_sign: false,
    carry_out: false,
    carry_in: false,
};

#[test]
fn transcendental_functions_follow_the_special_cases() {
    let inf = f32::INFINITY;
    let nan = 0x7fff_ffff;
    let cases: [(Op, f32, u64); 20] = [
        (Op::PowerOf2, -inf, 0),
        (Op::PowerOf2, inf, b(inf)),
        (Op::PowerOf2, -0.0, b(1.0)),
        (Op::PowerOf2, 10.0, b(1024.0)),
        (Op::PowerOf2, -149.0, 1),
        (Op::LogarithmBase2, 0.0, b(-inf)),
        (Op::LogarithmBase2, -0.0, b(-inf)),
        (Op::LogarithmBase2, -1.0, nan),
        (Op::LogarithmBase2, inf, b(inf)),
        (Op::LogarithmBase2, 8.0, b(3.0)),
        (Op::Sine, inf, nan),
        (Op::Sine, -0.0, b(-0.0)),
        (Op::Cosine, -inf, nan),
        (Op::Cosine, 0.0, b(1.0)),
        (Op::ReciprocalSquareRoot, 0.0, b(inf)),
        (Op::ReciprocalSquareRoot, -0.0, b(-inf)),
        (Op::ReciprocalSquareRoot, -1.0, nan),
        (Op::ReciprocalSquareRoot, inf, 0),
        (Op::HyperbolicTangent, inf, b(1.0)),
        (Op::Reciprocal, -0.0, b(-inf)),
    ];
    for (operation, x, expected) in cases {
        let got = run_one(operation, F32, APPROXIMATE, F32, &[(F32, b(x))]);
        assert_eq!(got, expected, "{operation:?} of {x}: {got:x}");
    }
    let flush = AluMode { flush: true, ..APPROXIMATE };
    let subnormal = [(F32, 5)];
    assert_eq!(run_one(Op::LogarithmBase2, F32, flush, F32, &subnormal), b(-inf));
    assert_eq!(run_one(Op::LogarithmBase2, F32, APPROXIMATE, F32, &[(F32, 1)]), b(-149.0));
    assert_eq!(run_one(Op::PowerOf2, F32, flush, F32, &[(F32, b(-140.0))]), 0);
}

#[test]
fn transcendental_functions_are_within_an_ulp_of_series() {
    // sin² + cos² = 1, 2^(log2 x) = x, tanh by exponentials: identities that share no code.
    for step in 1..200 {
        let x = step as f32 * 0.37 - 30.0;
        let value =
            |operation, x: f32| f64::from(f(run_one(operation, F32, APPROXIMATE, F32, &[(F32, b(x))])));
        let (sine, cosine) = (value(Op::Sine, x), value(Op::Cosine, x));
        assert!((sine * sine + cosine * cosine - 1.0).abs() < 3e-7, "{x}");
        let log = value(Op::LogarithmBase2, step as f32);
        let back = value(Op::PowerOf2, log as f32);
        assert!((back / f64::from(step) - 1.0).abs() < 1e-6, "{step}");
        let power = value(Op::PowerOf2, x * 0.1 * std::f32::consts::LOG2_E);
        let tanh = value(Op::HyperbolicTangent, x * 0.05);
        assert!((tanh - (power - 1.0) / (power + 1.0)).abs() < 3e-7, "{x}");
    }
}

#[test]
fn short_transcendentals_are_rounded_results() {
    let flush = AluMode { flush: true, ..APPROXIMATE };
    assert_eq!(run_one(Op::PowerOf2, F16, APPROXIMATE, F16, &[(F16, 0x4900)]), 0x6400);
    assert_eq!(run_one(Op::PowerOf2, F16x2, APPROXIMATE, F16x2, &[(F16x2, 0x4900_0000)]), 0x6400_3c00);
    assert_eq!(run_one(Op::PowerOf2, BF16, flush, BF16, &[(BF16, 0x4120)]), 0x4480);
    assert_eq!(run_one(Op::HyperbolicTangent, BF16, APPROXIMATE, BF16, &[(BF16, 0xff80)]), 0xbf80);
    assert_eq!(run_one(Op::HyperbolicTangent, F16, APPROXIMATE, F16, &[(F16, 0x7c01)]), 0x7fff);
}

#[test]
fn gross_approximations_have_half_the_digits() {
    let flush = AluMode { flush: true, ..APPROXIMATE };
    for x in [3.0f64, 1e300, -7.5, 0.3] {
        let got = f64::from_bits(run_one(Op::Reciprocal, F64, flush, F64, &[(F64, x.to_bits())]));
        assert_eq!(got.to_bits() & 0xffff_ffff, 0);
        assert!((got * x - 1.0).abs() < 2e-6, "{x}");
    }
    let got = run_one(Op::ReciprocalSquareRoot, F64, APPROXIMATE, F64, &[(F64, 0.25f64.to_bits())]);
    assert_eq!(got, 2.0f64.to_bits());
    assert_eq!(run_one(Op::Reciprocal, F64, flush, F64, &[(F64, 1)]), f64::INFINITY.to_bits());
}
