//! Bits, fields, shifts and logic against loops over single bits.

use super::*;
use crate::ir::PermuteMode;
use AluOperation as Op;
use ScalarType::{B16, B32, B64, S16, S32, S64, U16, U32, U64};

fn check(
    operation: Op,
    ty: ScalarType,
    result: ScalarType,
    sources: &[ScalarType],
    f: impl Fn(&[u64]) -> u64,
) {
    check_all(operation, ty, AluMode::default(), result, sources, f);
}

fn width(ty: ScalarType) -> u32 {
    ty.bytes() * 8
}

fn bit(value: u64, place: u32) -> bool {
    place < 64 && value >> place & 1 != 0
}

/// A word from its bits.
fn word(bits: u32, f: impl Fn(u32) -> bool) -> u64 {
    (0..bits).filter(|&place| f(place)).map(|place| 1 << place).sum()
}

#[test]
fn bits_are_counted_and_found() {
    for ty in [B32, B64] {
        let bits = width(ty);
        check(Op::PopulationCount, ty, U32, &[ty], |x| (0..bits).filter(|&i| bit(x[0], i)).count() as u64);
        let leading = |x: u64| (0..bits).rev().take_while(|&i| !bit(x, i)).count() as u64;
        check(Op::LeadingZeros, ty, U32, &[ty], |x| leading(x[0]));
        check(Op::ReverseBits, ty, ty, &[ty], |x| word(bits, |i| bit(x[0], bits - 1 - i)));
    }
    for ty in [U32, S32, U64, S64] {
        let bits = width(ty);
        let found = |x: u64| {
            let sign = ty.is_signed() && bit(x, bits - 1);
            (0..bits).rev().find(|&i| bit(x, i) != sign)
        };
        check(Op::FindLeading { shift: false }, ty, U32, &[ty], |x| found(x[0]).unwrap_or(u32::MAX).into());
        check(Op::FindLeading { shift: true }, ty, U32, &[ty], |x| {
            found(x[0]).map_or(u32::MAX, |place| bits - 1 - place).into()
        });
    }
}

#[test]
fn the_nth_set_bit_is_found_in_both_directions() {
    let expected = |mask: u64, base: u64, offset: i32| -> u64 {
        let mut place = base as i64;
        let mut left = i64::from(offset).abs() - 1;
        if offset == 0 {
            return if place < 32 && bit(mask, place as u32) { base } else { 0xffff_ffff };
        }
        if place > 31 {
            return 0xffff_ffff;
        }
        while (0..32).contains(&place) {
            if bit(mask, place as u32) {
                if left == 0 {
                    return place as u64;
                }
                left -= 1;
            }
            place += i64::from(offset.signum());
        }
        0xffff_ffff
    };
    check(Op::FindNthSet, B32, U32, &[B32, U32, S32], |x| expected(x[0], x[1], x[2] as i32));
    for offset in [-5i32, -1, 0, 1, 2, 9] {
        let sources = [(B32, 0xf0f0_1234), (U32, 13), (S32, u64::from(offset as u32))];
        let got = run_one(Op::FindNthSet, B32, AluMode::default(), U32, &sources);
        assert_eq!(got, expected(0xf0f0_1234, 13, offset));
    }
}

#[test]
fn fields_are_extracted_and_inserted_bit_by_bit() {
    for ty in [U32, S32, U64, S64] {
        let top = width(ty) - 1;
        check(Op::ExtractField, ty, ty, &[ty, U32, U32], |x| {
            let (position, length) = (x[1] as u32 & 0xff, x[2] as u32 & 0xff);
            let sign = ty.is_signed() && length > 0 && bit(x[0], (position + length - 1).min(top));
            word(top + 1, |i| if i < length && position + i <= top { bit(x[0], position + i) } else { sign })
        });
    }
    for ty in [B32, B64] {
        let top = width(ty) - 1;
        check(Op::InsertField, ty, ty, &[ty, ty, U32, U32], |x| {
            let (position, length) = (x[2] as u32 & 0xff, x[3] as u32 & 0xff);
            word(top + 1, |i| {
                let inside = i >= position && i - position < length;
                bit(if inside { x[0] } else { x[1] }, if inside { i - position } else { i })
            })
        });
    }
}

#[test]
fn masks_and_extensions_clamp_or_wrap() {
    for wrap in [false, true] {
        check(Op::MakeMask { wrap }, B32, B32, &[U32, U32], |x| {
            let reduce = |x: u64| if wrap { x & 31 } else { x };
            let (start, length) = (reduce(x[0]), reduce(x[1]));
            word(32, |i| u64::from(i) >= start && u64::from(i) < start.saturating_add(length))
        });
        for ty in [U32, S32] {
            check(Op::ExtendSign { wrap }, ty, ty, &[ty, U32], |x| {
                let bits = if wrap { x[1] & 31 } else { x[1].min(32) } as u32;
                let sign = ty == S32 && bits > 0 && bit(x[0], bits - 1);
                word(32, |i| if i < bits { bit(x[0], i) } else { sign })
            });
        }
    }
}

#[test]
fn shifts_by_the_width_and_more_are_defined() {
    let right = [(B16, false), (B32, false), (B64, false), (U16, false), (U32, false), (U64, false)];
    let right = right.into_iter().chain([(S16, true), (S32, true), (S64, true)]);
    for (ty, signed) in right {
        let bits = width(ty);
        check(Op::ShiftRight, ty, ty, &[ty, U32], |x| {
            word(bits, |i| {
                let from = u64::from(i) + x[1];
                if from < u64::from(bits) { bit(x[0], from as u32) } else { signed && bit(x[0], bits - 1) }
            })
        });
    }
    for ty in [B16, B32, B64] {
        check(Op::ShiftLeft, ty, ty, &[ty, U32], |x| {
            word(width(ty), |i| u64::from(i) >= x[1] && bit(x[0], i - x[1] as u32))
        });
    }
}

#[test]
fn a_constant_amount_shifts_like_a_register() {
    for ty in [B16, B32, B64, S16, S32, S64] {
        for operation in [Op::ShiftLeft, Op::ShiftRight] {
            if operation == Op::ShiftLeft && ty.is_signed() {
                continue;
            }
            for amount in samples(U32) {
                let value = samples(ty)[13];
                let mut warp = Warp::new();
                let source = warp.register(ty, [value; LANES]);
                let destination = warp.register(ty, [0; LANES]);
                let sources = vec![Operand::Register(source), Operand::Immediate(amount)];
                let mode = AluMode::default();
                warp.execute(&Operation::Alu { operation, ty, mode, destination, sources }, Mask::MAX)
                    .unwrap();
                let expected = run_one(operation, ty, mode, ty, &[(ty, value), (U32, amount)]);
                assert_eq!(warp.values(destination), [expected; LANES]);
            }
        }
    }
}

#[test]
fn funnel_shifts_move_a_window_over_the_pair() {
    for wrap in [false, true] {
        let amount = |x: u64| if wrap { x & 31 } else { x.min(32) };
        check(Op::FunnelLeft { wrap }, B32, B32, &[B32; 3], |x| {
            let pair = u128::from(x[1] << 32 | x[0]);
            (pair << amount(x[2]) >> 32) as u64 & 0xffff_ffff
        });
        check(Op::FunnelRight { wrap }, B32, B32, &[B32; 3], |x| {
            (x[1] << 32 | x[0]) >> amount(x[2]) & 0xffff_ffff
        });
    }
}

#[test]
fn logic_works_bit_by_bit() {
    for ty in [B16, B32, B64] {
        let bits = width(ty);
        check(Op::And, ty, ty, &[ty, ty], |x| word(bits, |i| bit(x[0], i) && bit(x[1], i)));
        check(Op::Or, ty, ty, &[ty, ty], |x| word(bits, |i| bit(x[0], i) || bit(x[1], i)));
        check(Op::Xor, ty, ty, &[ty, ty], |x| word(bits, |i| bit(x[0], i) != bit(x[1], i)));
        check(Op::Not, ty, ty, &[ty], |x| word(bits, |i| !bit(x[0], i)));
        check(Op::LogicalNot, ty, ty, &[ty], |x| u64::from(x[0] == 0));
    }
}

#[test]
fn logic_of_predicates_is_logic_of_lanes() {
    let a: [u64; LANES] = std::array::from_fn(|lane| lane as u64 & 1);
    let b: [u64; LANES] = std::array::from_fn(|lane| lane as u64 >> 1 & 1);
    let pred = ScalarType::Pred;
    let mode = AluMode::default();
    let expect = |operation, f: fn(u64, u64) -> u64| {
        let got = run(operation, pred, mode, pred, &[(pred, a), (pred, b)]);
        assert_eq!(got, std::array::from_fn(|lane| f(a[lane], b[lane])));
    };
    expect(Op::And, |a, b| a & b);
    expect(Op::Or, |a, b| a | b);
    expect(Op::Xor, |a, b| a ^ b);
    assert_eq!(run(Op::Not, pred, mode, pred, &[(pred, a)]), a.map(|a| 1 - a));
    assert_eq!(run(Op::Move, pred, mode, pred, &[(pred, a)]), a);
}

#[test]
fn lookup_takes_every_table() {
    for table in 0..=255 {
        let sources = [(B32, 0xf0f0_f0f0), (B32, 0xcccc_cccc), (B32, 0xaaaa_aaaa)];
        let got = run_one(Op::Lookup3(table), B32, AluMode::default(), B32, &sources);
        assert_eq!(got, u64::from(table) * 0x0101_0101, "table {table:x}");
    }
}

#[test]
fn bytes_are_permuted_by_every_mode() {
    let (a, b) = (0x8321_4365u64, 0x0f8e_6d4cu64);
    let bytes: Vec<u64> = (0..8).map(|place| (b << 32 | a) >> (8 * place) & 0xff).collect();
    let expect = |mode, selector: u64, picks: [usize; 4]| {
        let sources = [(B32, a), (B32, b), (B32, selector)];
        let got = run_one(Op::Permute(mode), B32, AluMode::default(), B32, &sources);
        let expected: u64 =
            picks.iter().rev().enumerate().map(|(place, &pick)| bytes[pick] << (8 * place)).sum();
        assert_eq!(got, expected, "{mode:?} {selector:x}");
    };
    expect(PermuteMode::Default, 0x7531, [7, 5, 3, 1]);
    expect(PermuteMode::Default, 0xffff_0246, [0, 2, 4, 6]);
    expect(PermuteMode::Forward4, 3, [6, 5, 4, 3]);
    expect(PermuteMode::Forward4, 4, [3, 2, 1, 0]);
    expect(PermuteMode::Backward4, 1, [6, 7, 0, 1]);
    expect(PermuteMode::Backward4, 3, [0, 1, 2, 3]);
    expect(PermuteMode::Replicate8, 2, [2, 2, 2, 2]);
    expect(PermuteMode::EdgeClampLeft, 1, [3, 2, 1, 1]);
    expect(PermuteMode::EdgeClampRight, 2, [2, 2, 1, 0]);
    expect(PermuteMode::Replicate16, 1, [3, 2, 3, 2]);
    // The top bit of a nibble spreads the sign of its byte.
    let sources = [(B32, a), (B32, b), (B32, 0xb8ae)];
    let got = run_one(Op::Permute(PermuteMode::Default), B32, AluMode::default(), B32, &sources);
    assert_eq!(got, 0xff00_00ff);
}

#[test]
fn dot_products_sum_signed_and_unsigned_parts() {
    let part = |x: u64, bits: u32, place: u32, signed: bool| -> i64 {
        let value = (x >> (bits * place)) as i64 & ((1 << bits) - 1);
        if signed && value >> (bits - 1) != 0 { value - (1 << bits) } else { value }
    };
    for signed in [[false, false], [false, true], [true, false], [true, true]] {
        check(Op::DotProduct4 { signed }, U32, U32, &[U32; 3], |x| {
            let sum: i64 = (0..4).map(|i| part(x[0], 8, i, signed[0]) * part(x[1], 8, i, signed[1])).sum();
            (sum as u64).wrapping_add(x[2]) & 0xffff_ffff
        });
        for high in [false, true] {
            check(Op::DotProduct2 { signed, high }, U32, U32, &[U32; 3], |x| {
                let byte = |i| part(x[1], 8, i + if high { 2 } else { 0 }, signed[1]);
                let sum: i64 = (0..2).map(|i| part(x[0], 16, i, signed[0]) * byte(i)).sum();
                (sum as u64).wrapping_add(x[2]) & 0xffff_ffff
            });
        }
    }
}
