//! `cvt` against wide integers and `rustc_apfloat`.

use super::*;
use AluOperation as Op;
use ScalarType::*;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

const INTEGERS: [ScalarType; 8] = [U8, U16, U32, U64, S8, S16, S32, S64];
const MODES: [(Rounding, Round); 4] = [
    (Rounding::Nearest, Round::NearestTiesToEven),
    (Rounding::Zero, Round::TowardZero),
    (Rounding::Down, Round::TowardNegative),
    (Rounding::Up, Round::TowardPositive),
];
const INTEGRAL: [(Rounding, Round); 4] = [
    (Rounding::IntegerNearest, Round::NearestTiesToEven),
    (Rounding::IntegerZero, Round::TowardZero),
    (Rounding::IntegerDown, Round::TowardNegative),
    (Rounding::IntegerUp, Round::TowardPositive),
];

fn number(ty: ScalarType, bits: u64) -> i128 {
    let unused = 64 - ty.bytes() * 8;
    if ty.is_signed() {
        i128::from((bits << unused) as i64 >> unused)
    } else {
        i128::from(bits << unused >> unused)
    }
}

fn range(ty: ScalarType) -> (i128, i128) {
    let bits = ty.bytes() * 8;
    if ty.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

fn low(value: i128, bits: u32) -> u64 {
    (value as u64) << (64 - bits) >> (64 - bits)
}

/// Registers that can hold a type.
fn registers(ty: ScalarType) -> impl Iterator<Item = ScalarType> {
    [B8, B16, B32, B64].into_iter().filter(move |register| register.bytes() >= ty.bytes())
}

#[test]
fn integers_wrap_or_clamp_and_extend_to_the_register() {
    for from in INTEGERS {
        for to in INTEGERS {
            for (source, result) in registers(from).flat_map(|s| registers(to).map(move |r| (s, r))) {
                for saturate in [false, true] {
                    let mode = AluMode { saturate, ..AluMode::default() };
                    check_all(Op::Convert(to), from, mode, result, &[source], |x| {
                        let value = number(from, x[0]);
                        let (least, most) = range(to);
                        let value = if saturate { value.clamp(least, most) } else { value };
                        low(number(to, low(value, to.bytes() * 8)), result.bytes() * 8)
                    });
                }
            }
        }
    }
}

fn check_from_integer<F: Float>(to: ScalarType) {
    for from in INTEGERS {
        for (rounding, round) in MODES {
            check_all(Op::Convert(to), from, rounded(rounding), to, &[from], |x| {
                F::from_i128_r(number(from, x[0]), round).value.to_bits() as u64
            });
        }
    }
}

#[test]
fn integers_become_floats_by_every_rounding() {
    check_from_integer::<Half>(F16);
    check_from_integer::<BFloat>(BF16);
    check_from_integer::<Single>(F32);
    check_from_integer::<Double>(F64);
}

fn check_to_integer<F: Float>(from: ScalarType) {
    for to in INTEGERS {
        for (rounding, round) in INTEGRAL {
            check_all(Op::Convert(to), from, rounded(rounding), to, &[from], |x| {
                let value = F::from_bits(u128::from(x[0]));
                let bits = to.bytes() * 8;
                if value.is_nan() {
                    return if from == F64 || bits == 64 { 1 << (bits - 1) } else { 0 };
                }
                let integral = value.round_to_integral(round).value;
                let (least, most) = range(to);
                let clamped = if integral.is_infinite() {
                    if integral.is_negative() { least } else { most }
                } else {
                    integral.to_i128(128).value.clamp(least, most)
                };
                low(clamped, bits)
            });
        }
    }
}

#[test]
fn floats_become_integers_by_every_rounding() {
    check_to_integer::<Half>(F16);
    check_to_integer::<BFloat>(BF16);
    check_to_integer::<Single>(F32);
    check_to_integer::<Double>(F64);
}

fn canonical<F: Float>(value: F, ty: ScalarType) -> u64 {
    if !value.is_nan() {
        return value.to_bits() as u64;
    }
    match ty {
        F64 => 0xfff8_0000_0000_0000,
        F32 => 0x7fff_ffff,
        _ => 0x7fff,
    }
}

fn check_floats<F: FloatConvert<G>, G: Float>(from: ScalarType, to: ScalarType) {
    let modes = if from.bytes() > to.bytes() { &MODES[..] } else { &MODES[..1] };
    for &(rounding, round) in modes {
        check_all(Op::Convert(to), from, rounded(rounding), to, &[from], |x| {
            let mut exact = false;
            canonical(F::from_bits(u128::from(x[0])).convert_r(round, &mut exact).value, to)
        });
    }
}

#[test]
fn floats_become_floats_by_every_rounding() {
    check_floats::<Double, Single>(F64, F32);
    check_floats::<Double, Half>(F64, F16);
    check_floats::<Double, BFloat>(F64, BF16);
    check_floats::<Single, Half>(F32, F16);
    check_floats::<Single, BFloat>(F32, BF16);
    check_floats::<Single, Double>(F32, F64);
    check_floats::<Half, Single>(F16, F32);
    check_floats::<Half, Double>(F16, F64);
    check_floats::<BFloat, Single>(BF16, F32);
    check_floats::<Single, Single>(F32, F32);
}

#[test]
fn every_half_survives_single_precision() {
    for start in (0..=0xffffu64).step_by(LANES) {
        let halves: [u64; LANES] = std::array::from_fn(|lane| start + lane as u64);
        for ty in [F16, BF16] {
            let wide = run(Op::Convert(F32), ty, AluMode::default(), F32, &[(ty, halves)]);
            let back = run(Op::Convert(ty), F32, AluMode::default(), ty, &[(F32, wide)]);
            for lane in 0..LANES {
                let nan = f32::from_bits(wide[lane] as u32).is_nan();
                assert_eq!(back[lane], if nan { 0x7fff } else { halves[lane] });
            }
        }
    }
}

fn check_integral<F: Float>(ty: ScalarType) {
    for (rounding, round) in INTEGRAL {
        check_all(Op::Convert(ty), ty, rounded(rounding), ty, &[ty], |x| {
            canonical(F::from_bits(u128::from(x[0])).round_to_integral(round).value, ty)
        });
    }
}

#[test]
fn floats_round_to_integral_floats() {
    check_integral::<Half>(F16);
    check_integral::<Single>(F32);
    check_integral::<Double>(F64);
}

#[test]
fn modifiers_of_conversions_apply() {
    let saturate = AluMode { saturate: true, ..AluMode::default() };
    check_all(Op::Convert(F32), F64, saturate, F32, &[F64], |x| {
        let value = f64::from_bits(x[0]) as f32;
        if value > 0.0 { u64::from(value.min(1.0).to_bits()) } else { 0 }
    });
    check_all(Op::Convert(F32), S32, saturate, F32, &[S32], |x| {
        if x[0] as i32 > 0 { u64::from(1f32.to_bits()) } else { 0 }
    });
    let flush = AluMode { flush: true, ..AluMode::default() };
    check_all(Op::Convert(F32), F64, flush, F32, &[F64], |x| {
        let value = f64::from_bits(x[0]) as f32;
        let bits = if value.is_nan() { 0x7fff_ffff } else { value.to_bits() };
        u64::from(if value.is_subnormal() { bits & 0x8000_0000 } else { bits })
    });
    assert_eq!(run_one(Op::Convert(F64), F32, flush, F64, &[(F32, 0x8000_0001)]), 1 << 63);
    let up = AluMode { flush: true, ..rounded(Rounding::IntegerUp) };
    assert_eq!(run_one(Op::Convert(S32), F32, up, S32, &[(F32, 1)]), 0);
    let relu = AluMode { relu: true, ..AluMode::default() };
    let minus_two = u64::from((-2f32).to_bits());
    assert_eq!(run_one(Op::Convert(F16), F32, relu, F16, &[(F32, minus_two)]), 0);
}

#[test]
fn pairs_are_packed_with_the_first_source_above() {
    let sources = [(F32, u64::from(1f32.to_bits())), (F32, u64::from((-2f32).to_bits()))];
    assert_eq!(run_one(Op::Convert(F16x2), F32, AluMode::default(), B32, &sources), 0x3c00_c000);
    assert_eq!(run_one(Op::Convert(BF16x2), F32, AluMode::default(), B32, &sources), 0x3f80_c000);
    let relu = AluMode { relu: true, ..AluMode::default() };
    assert_eq!(run_one(Op::Convert(F16x2), F32, relu, B32, &sources), 0x3c00_0000);
}
