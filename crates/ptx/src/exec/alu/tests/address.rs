//! Generic addresses.

use super::*;
use crate::exec::windows::{LOCAL, PARAMETERS, SHARED};
use crate::ir::StateSpace;
use AluOperation as Op;
use ScalarType::{Pred, U32, U64};

#[test]
fn windows_shift_addresses_there_and_back() {
    for ty in [U32, U64] {
        for (space, start) in [
            (StateSpace::Shared, SHARED.start),
            (StateSpace::Local, LOCAL.start),
            (StateSpace::Parameter, PARAMETERS.start),
            (StateSpace::Global, 0),
            (StateSpace::Constant, 0),
        ] {
            for address in [0, 64, 0xffff, 0x1234_5678] {
                let mode = AluMode::default();
                let generic = run_one(Op::ToGeneric(space), ty, mode, ty, &[(ty, address)]);
                assert_eq!(generic, address + start);
                assert_eq!(run_one(Op::FromGeneric(space), ty, mode, ty, &[(ty, generic)]), address);
            }
        }
    }
}

#[test]
fn every_address_lies_in_the_space_of_its_window() {
    let device = heddle_image::FIRST_ADDRESS;
    let inside = [
        (SHARED.start, [true, false, false, false]),
        (SHARED.start + SHARED.bytes - 1, [true, false, false, false]),
        (LOCAL.start, [false, true, false, false]),
        (LOCAL.start + LOCAL.bytes - 1, [false, true, false, false]),
        (PARAMETERS.start, [false, false, true, true]),
        (PARAMETERS.start + PARAMETERS.bytes, [false, false, false, true]),
        (device, [false, false, false, true]),
        (0, [false, false, false, true]),
    ];
    let spaces = [StateSpace::Shared, StateSpace::Local, StateSpace::Parameter, StateSpace::Global];
    for (address, expected) in inside {
        for ty in [U32, U64] {
            for (space, expected) in spaces.into_iter().zip(expected) {
                let got = run_one(Op::IsInSpace(space), ty, AluMode::default(), Pred, &[(ty, address)]);
                assert_eq!(got != 0, expected, "{space:?} {address:x}");
            }
        }
    }
}
