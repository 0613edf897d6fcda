//! Atomic operations against their definitions.

use heddle_image::atomic::{AtomicOperation as Op, AtomicType as Ty, apply};
use proptest::prelude::*;

proptest! {
    #[test]
    fn whole_numbers_follow_the_definitions(a: u32, b: u32, c: u32) {
        let u = |op| apply(op, Ty::Unsigned32, a.into(), b.into(), c.into()) as u32;
        prop_assert_eq!(u(Op::Add), a.wrapping_add(b));
        prop_assert_eq!(u(Op::Minimum), a.min(b));
        prop_assert_eq!(u(Op::Maximum), a.max(b));
        prop_assert_eq!(u(Op::And), a & b);
        prop_assert_eq!(u(Op::Or), a | b);
        prop_assert_eq!(u(Op::Xor), a ^ b);
        prop_assert_eq!(u(Op::Exchange), b);
        prop_assert_eq!(u(Op::CompareAndSwap), if a == b { c } else { a });
        prop_assert_eq!(u(Op::Increment), if a >= b { 0 } else { a + 1 });
        prop_assert_eq!(u(Op::Decrement), if a == 0 || a > b { b } else { a - 1 });
        let s = |op| apply(op, Ty::Signed32, a.into(), b.into(), 0) as u32 as i32;
        prop_assert_eq!(s(Op::Minimum), (a as i32).min(b as i32));
        prop_assert_eq!(s(Op::Maximum), (a as i32).max(b as i32));
        prop_assert_eq!(s(Op::Add), (a as i32).wrapping_add(b as i32));
    }

    #[test]
    fn wide_numbers_follow_the_definitions(a: u64, b: u64) {
        prop_assert_eq!(apply(Op::Add, Ty::Unsigned64, a, b, 0), a.wrapping_add(b));
        prop_assert_eq!(apply(Op::Minimum, Ty::Signed64, a, b, 0) as i64, (a as i64).min(b as i64));
        prop_assert_eq!(apply(Op::Maximum, Ty::Unsigned64, a, b, 0), a.max(b));
    }

    #[test]
    fn sums_of_floats_round_to_nearest(a: f32, b: f32, x: f64, y: f64) {
        let sum = apply(Op::Add, Ty::Float32, a.to_bits().into(), b.to_bits().into(), 0);
        prop_assert_eq!(f32::from_bits(sum as u32), a + b);
        let sum = apply(Op::Add, Ty::Float64, x.to_bits(), y.to_bits(), 0);
        prop_assert_eq!(f64::from_bits(sum), x + y);
    }
}

#[test]
fn a_sum_that_is_no_number_has_one_pattern() {
    let infinity = u64::from(f32::INFINITY.to_bits());
    let minus = u64::from(f32::NEG_INFINITY.to_bits());
    assert_eq!(apply(Op::Add, Ty::Float32, infinity, minus, 0), 0x7fff_ffff);
}

#[test]
fn packed_halves_are_summed_apart() {
    // 1.0 and 2.0 in half precision are 0x3c00 and 0x4000; 3.0 is 0x4200.
    assert_eq!(apply(Op::Add, Ty::Float16x2, 0x3c00_4000, 0x4000_3c00, 0), 0x4200_4200);
}
