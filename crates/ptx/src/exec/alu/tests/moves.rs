//! Moves, special registers, packing.

use super::*;
use crate::ir::{FunctionId, Special};
use AluOperation as Op;
use ScalarType::*;

fn context() -> ThreadContext {
    ThreadContext {
        thread_index: std::array::from_fn(|axis| std::array::from_fn(|lane| (100 * axis + lane) as u32)),
        block_size: [40, 41, 42],
        block_index: [50, 0x5_0051, 52],
        grid_size: [60, 61, 62],
        warp_index: 3,
        warp_count: 4,
        core_index: 5,
        core_count: 6,
        grid_id: 1 << 40,
        clock: 0x1_0000_0007,
        timer: 0x3_0000_0009,
        shared_bytes: [1024, 2048],
    }
}

fn read(operation: Op, special: Special, ty: ScalarType, result: ScalarType) -> [u64; LANES] {
    let mut warp = Warp { context: context(), ..Warp::new() };
    let destination = warp.register(result, [0; LANES]);
    let sources = vec![Operand::Special(special)];
    let mode = AluMode::default();
    warp.execute(&Operation::Alu { operation, ty, mode, destination, sources }, Mask::MAX).unwrap();
    warp.values(destination)
}

#[test]
fn special_registers_come_from_the_context() {
    let lane = |f: fn(u64) -> u64| -> [u64; LANES] { std::array::from_fn(|lane| f(lane as u64)) };
    let cases = [
        (Special::ThreadIndex(0), lane(|lane| lane)),
        (Special::ThreadIndex(2), lane(|lane| 200 + lane)),
        (Special::BlockSize(1), [41; LANES]),
        (Special::BlockIndex(0), [50; LANES]),
        (Special::GridSize(2), [62; LANES]),
        (Special::Lane, lane(|lane| lane)),
        (Special::WarpIndex, [3; LANES]),
        (Special::WarpCount, [4; LANES]),
        (Special::CoreIndex, [5; LANES]),
        (Special::CoreCount, [6; LANES]),
        (Special::LaneMaskEqual, lane(|lane| 1 << lane)),
        (Special::LaneMaskLess, lane(|lane| (1 << lane) - 1)),
        (Special::LaneMaskLessEqual, lane(|lane| (2 << lane) - 1)),
        (Special::LaneMaskGreater, lane(|lane| 0xffff_ffff & (u64::MAX << lane << 1))),
        (Special::LaneMaskGreaterEqual, lane(|lane| 0xffff_ffff & (u64::MAX << lane))),
        (Special::Clock, [7; LANES]),
        (Special::ClockHigh, [1; LANES]),
        (Special::GlobalTimerLow, [9; LANES]),
        (Special::GlobalTimerHigh, [3; LANES]),
        (Special::DynamicSharedBytes, [1024; LANES]),
        (Special::TotalSharedBytes, [2048; LANES]),
        (Special::WarpSize, [32; LANES]),
    ];
    for (special, expected) in cases {
        assert_eq!(read(Op::Move, special, U32, U32), expected, "{special:?}");
    }
    assert_eq!(read(Op::Move, Special::Clock64, U64, U64), [0x1_0000_0007; LANES]);
    assert_eq!(read(Op::Move, Special::GlobalTimer, U64, U64), [0x3_0000_0009; LANES]);
    assert_eq!(read(Op::Move, Special::GridId, U64, U64), [1 << 40; LANES]);
    assert_eq!(read(Op::Move, Special::GridId, U32, U32), [0; LANES]);
    assert_eq!(read(Op::Move, Special::BlockIndex(1), U16, U16), [0x51; LANES]);
    assert_eq!(read(Op::Convert(U32), Special::BlockIndex(1), U16, U32), [0x51; LANES]);
    assert_eq!(read(Op::Convert(U64), Special::BlockIndex(1), U32, U64), [0x5_0051; LANES]);
}

#[test]
fn constants_and_addresses_are_moved_to_every_lane() {
    let mut warp = Warp::new();
    let mut moved = |ty: ScalarType, source: Operand| {
        let destination = warp.register(ty, [9; LANES]);
        let mode = AluMode::default();
        let sources = vec![source];
        warp.execute(&Operation::Alu { operation: Op::Move, ty, mode, destination, sources }, Mask::MAX)
            .unwrap();
        warp.values(destination)
    };
    let symbol = Operand::Symbol(Symbol::Function(FunctionId(0)), 8);
    assert_eq!(moved(U64, symbol), [0x5008; LANES]);
    assert_eq!(moved(U32, symbol), [0x5008; LANES]);
    assert_eq!(moved(S16, Operand::Immediate(u64::MAX)), [0xffff; LANES]);
    assert_eq!(moved(S32, Operand::Immediate(u64::MAX)), [0xffff_ffff; LANES]);
    assert_eq!(moved(F64, Operand::Immediate(1f64.to_bits())), [1f64.to_bits(); LANES]);
    assert_eq!(moved(Pred, Operand::Immediate(1)), [1; LANES]);
    assert_eq!(moved(Pred, Operand::Immediate(0)), [0; LANES]);
}

#[test]
fn what_is_packed_is_unpacked_again() {
    let wholes = [(B32, B16, 2), (B64, B32, 2), (B64, B16, 4), (B32, B8, 4), (B16, B8, 2)];
    for (whole_ty, part_ty, count) in wholes {
        let mut warp = Warp::new();
        let whole_bits = whole_ty.bytes() * 8;
        let mut sequence = Sequence(1);
        let values: [u64; LANES] = std::array::from_fn(|_| sequence.next() >> (64 - whole_bits));
        let whole = warp.register(whole_ty, values);
        let parts: Vec<RegisterId> = (0..count).map(|_| warp.register(part_ty, [0xaa; LANES])).collect();
        let mut dropped: Vec<Option<RegisterId>> = parts.iter().copied().map(Some).collect();
        dropped[1] = None;
        let source = Operand::Register(whole);
        warp.execute(&Operation::Unpack { ty: whole_ty, parts: dropped, source }, Mask::MAX).unwrap();
        assert_eq!(warp.values(parts[1]), [0xaa; LANES], "a dropped part is not written");
        let all = parts.iter().copied().map(Some).collect();
        warp.execute(&Operation::Unpack { ty: whole_ty, parts: all, source }, Mask::MAX).unwrap();
        let part_bits = part_ty.bytes() * 8;
        for (place, &part) in parts.iter().enumerate() {
            let shift = place as u32 * part_bits;
            assert_eq!(warp.values(part), values.map(|value| value >> shift & ((1 << part_bits) - 1)));
        }
        let destination = warp.register(whole_ty, [0; LANES]);
        let parts = parts.into_iter().map(Operand::Register).collect();
        warp.execute(&Operation::Pack { ty: whole_ty, destination, parts }, Mask::MAX).unwrap();
        assert_eq!(warp.values(destination), values);
    }
}
