//! Integer arithmetic against 128-bit integers.

use super::*;
use AluOperation as Op;

const TYPES: [ScalarType; 6] =
    [ScalarType::U16, ScalarType::U32, ScalarType::U64, ScalarType::S16, ScalarType::S32, ScalarType::S64];

/// The number that the bits are.
fn number(ty: ScalarType, bits: u64) -> i128 {
    let unused = 64 - ty.bytes() * 8;
    if ty.is_signed() {
        i128::from((bits << unused) as i64 >> unused)
    } else {
        i128::from(bits << unused >> unused)
    }
}

/// The bits of a number, wrapped to the type.
fn wrap(ty: ScalarType, value: i128) -> u64 {
    let unused = 64 - ty.bytes() * 8;
    (value as u64) << unused >> unused
}

fn check(
    operation: Op,
    mode: AluMode,
    types: &[ScalarType],
    sources: usize,
    f: impl Fn(ScalarType, &[i128]) -> i128,
) {
    for &ty in types {
        check_all(operation, ty, mode, ty, &vec![ty; sources], |bits| {
            let numbers: Vec<i128> = bits.iter().map(|&bits| number(ty, bits)).collect();
            wrap(ty, f(ty, &numbers))
        });
    }
}

#[test]
fn arithmetic_wraps_in_every_type() {
    let mode = AluMode::default();
    check(Op::Add, mode, &TYPES, 2, |_, x| x[0] + x[1]);
    check(Op::Subtract, mode, &TYPES, 2, |_, x| x[0] - x[1]);
    check(Op::Multiply, mode, &TYPES, 2, |_, x| x[0].wrapping_mul(x[1]));
    check(Op::MultiplyAdd, mode, &TYPES, 3, |_, x| x[0].wrapping_mul(x[1]).wrapping_add(x[2]));
    check(Op::SumOfDifferences, mode, &TYPES, 3, |_, x| x[2] + (x[0] - x[1]).abs());
    check(Op::Minimum, mode, &TYPES, 2, |_, x| x[0].min(x[1]));
    check(Op::Maximum, mode, &TYPES, 2, |_, x| x[0].max(x[1]));
    check(Op::Absolute, mode, &TYPES[3..], 1, |_, x| x[0].abs());
    check(Op::Negate, mode, &TYPES[3..], 1, |_, x| -x[0]);
}

/// Floor of a product's upper half, without overflowing 128 bits.
fn high(ty: ScalarType, a: i128, b: i128) -> i128 {
    if ty == ScalarType::U64 {
        (((a as u128) * (b as u128)) >> 64) as i128
    } else {
        (a * b) >> (ty.bytes() * 8)
    }
}

#[test]
fn upper_halves_of_products_are_exact() {
    let mode = AluMode::default();
    check(Op::MultiplyHigh, mode, &TYPES, 2, |ty, x| high(ty, x[0], x[1]));
    check(Op::MultiplyAddHigh, mode, &TYPES, 3, |ty, x| high(ty, x[0], x[1]) + x[2]);
}

#[test]
fn divisions_are_defined_for_every_divisor() {
    let mode = AluMode::default();
    check(Op::Divide, mode, &TYPES, 2, |_, x| if x[1] == 0 { -1 } else { x[0] / x[1] });
    check(Op::Remainder, mode, &TYPES, 2, |_, x| if x[1] == 0 { x[0] } else { x[0] % x[1] });
    let minimum = u64::from(i32::MIN as u32);
    let sources = [(ScalarType::S32, minimum), (ScalarType::S32, 0xffff_ffff)];
    assert_eq!(run_one(Op::Divide, ScalarType::S32, mode, ScalarType::S32, &sources), minimum);
    assert_eq!(run_one(Op::Remainder, ScalarType::S32, mode, ScalarType::S32, &sources), 0);
}

#[test]
fn saturated_sums_stay_in_range() {
    let mode = AluMode { saturate: true, ..AluMode::default() };
    let clamp = |value: i128| value.clamp(i32::MIN.into(), i32::MAX.into());
    let s32 = [ScalarType::S32];
    check(Op::Add, mode, &s32, 2, |_, x| clamp(x[0] + x[1]));
    check(Op::Subtract, mode, &s32, 2, |_, x| clamp(x[0] - x[1]));
    check(Op::MultiplyAddHigh, mode, &s32, 3, |_, x| clamp(((x[0] * x[1]) >> 32) + x[2]));
    check(Op::MultiplyAdd24High, mode, &s32, 3, |_, x| clamp((product24(x[0], x[1]) >> 16) + x[2]));
    let relu = AluMode { relu: true, ..AluMode::default() };
    check(Op::Minimum, relu, &s32, 2, |_, x| x[0].min(x[1]).max(0));
    check(Op::Maximum, relu, &s32, 2, |_, x| x[0].max(x[1]).max(0));
}

#[test]
fn wide_products_have_twice_the_width() {
    let wide = [
        (ScalarType::U16, ScalarType::U32),
        (ScalarType::S16, ScalarType::S32),
        (ScalarType::U32, ScalarType::U64),
        (ScalarType::S32, ScalarType::S64),
    ];
    for (ty, result) in wide {
        let mode = AluMode::default();
        check_all(Op::MultiplyWide, ty, mode, result, &[ty, ty], |x| {
            wrap(result, number(ty, x[0]) * number(ty, x[1]))
        });
        check_all(Op::MultiplyAddWide, ty, mode, result, &[ty, ty, result], |x| {
            wrap(result, number(ty, x[0]) * number(ty, x[1]) + number(result, x[2]))
        });
    }
}

#[test]
fn wide_products_with_constants_are_those_with_registers() {
    for (ty, result) in [
        (ScalarType::U32, ScalarType::U64),
        (ScalarType::S32, ScalarType::S64),
        (ScalarType::S16, ScalarType::S32),
    ] {
        for factor in [0, 1, 2, 4, 8, 3, 1 << 15, 1 << 30, 1 << 31, u64::MAX, u64::MAX << 2] {
            for operation in [Op::MultiplyWide, Op::MultiplyAddWide] {
                let mut warp = Warp::new();
                let mut sequence = Sequence(factor);
                let mut column = |ty: ScalarType| -> [u64; LANES] {
                    std::array::from_fn(|_| sequence.next() >> (64 - 8 * ty.bytes()))
                };
                let (values, addends) = (column(ty), column(result));
                let mut sources =
                    vec![Operand::Register(warp.register(ty, values)), Operand::Immediate(factor)];
                let factor_bits = factor & u64::MAX >> (64 - 8 * ty.bytes());
                let mut columns = vec![(ty, values), (ty, [factor_bits; LANES])];
                if operation == Op::MultiplyAddWide {
                    sources.push(Operand::Register(warp.register(result, addends)));
                    columns.push((result, addends));
                }
                let destination = warp.register(result, [0; LANES]);
                let mode = AluMode::default();
                warp.execute(&Operation::Alu { operation, ty, mode, destination, sources }, Mask::MAX)
                    .unwrap();
                assert_eq!(
                    warp.values(destination),
                    run(operation, ty, mode, result, &columns),
                    "{factor:x}"
                );
            }
        }
    }
}

fn product24(a: i128, b: i128) -> i128 {
    let low = |x: i128| i128::from((x as i32) << 8 >> 8);
    low(a) * low(b)
}

#[test]
fn products_of_24_bits_ignore_the_upper_ones() {
    let mode = AluMode::default();
    let product = |ty: ScalarType, x: &[i128]| match ty {
        ScalarType::S32 => product24(x[0], x[1]),
        _ => (x[0] & 0xff_ffff) * (x[1] & 0xff_ffff),
    };
    let types = [ScalarType::U32, ScalarType::S32];
    check(Op::Multiply24, mode, &types, 2, product);
    check(Op::Multiply24High, mode, &types, 2, |ty, x| product(ty, x) >> 16);
    check(Op::MultiplyAdd24, mode, &types, 3, |ty, x| product(ty, x) + x[2]);
    check(Op::MultiplyAdd24High, mode, &types, 3, |ty, x| (product(ty, x) >> 16) + x[2]);
}

/// `operation` on the low words and then on the high words, with the carry between them.
fn chain(operation: [Op; 2], ty: ScalarType, sources: [[u64; 2]; 3], count: usize) -> u128 {
    let mut warp = Warp::new();
    let bits = ty.bytes() * 8;
    let mut result = 0;
    for (word, operation) in operation.into_iter().enumerate() {
        let operands =
            sources[..count].iter().map(|s| Operand::Register(warp.register(ty, [s[word]; LANES]))).collect();
        let destination = warp.register(ty, [0; LANES]);
        let mode = AluMode { carry_out: word == 0, carry_in: word == 1, ..AluMode::default() };
        warp.execute(&Operation::Alu { operation, ty, mode, destination, sources: operands }, Mask::MAX)
            .unwrap();
        result |= u128::from(warp.values(destination)[3]) << (bits * word as u32);
    }
    result
}

#[test]
fn carries_join_two_words_into_one_number() {
    for (ty, mask) in [(ScalarType::U32, u128::from(u64::MAX)), (ScalarType::U64, u128::MAX)] {
        let values = samples(ty);
        let bits = ty.bytes() * 8;
        let join = |words: [u64; 2]| u128::from(words[0]) | u128::from(words[1]) << bits;
        for (&a, &b) in values.iter().zip(values.iter().skip(3).chain(&values)) {
            let (left, right) = ([a, b ^ 5], [b, a / 3]);
            let sources = [left, right, [0; 2]];
            let sum = chain([Op::Add; 2], ty, sources, 2);
            assert_eq!(sum, join(left).wrapping_add(join(right)) & mask);
            let difference = chain([Op::Subtract; 2], ty, sources, 2);
            assert_eq!(difference, join(left).wrapping_sub(join(right)) & mask);
            let products = [[a, a], [b, b], right];
            let product = chain([Op::MultiplyAdd, Op::MultiplyAddHigh], ty, products, 3);
            let expected = (u128::from(a) * u128::from(b)).wrapping_add(join(right)) & mask;
            assert_eq!(product, expected, "{a:x} * {b:x}");
        }
    }
}
