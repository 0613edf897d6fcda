//! Forms of the `convert` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "cvt.f32.rn.s32 f0, s0;",
    "cvt.ftz.rn.f32.f64 f0, fd0;",
    "cvt.sat.rni.s32.f32 s0, f0;",
    "cvt.u64.u32 ud0, %tid.x;",
    "cvt.u32.u16 u0, %tid.x;",
    "cvta.global.u64 d0, gv;",
    "cvta.global.u64 d0, gv+8;",
    "cvta.shared.u64 d0, sv;",
    "cvta.local.u64 d0, lv;",
    "cvta.param.u64 d0, kp;",
    "cvta.shared::cta.u64 d0, d1;",
    "isspacep.global p0, d0;",
    "isspacep.shared p0, d0;",
    "isspacep.shared::cluster p0, d0;",
    "isspacep.const p0, d0;",
    "isspacep.local p0, d0;",
    "isspacep.param p0, d0;",
    "isspacep.param::entry p0, d0;",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("cvta.shared.u64 d0, gv;", "the variable is in .global space, not in .shared space"),
    ("cvta.u64 d0, gv;", "the state space is missing"),
    ("cvta.global.b64 d0, d1;", "the type `.b64` is not valid here; expected one of .u32, .u64"),
    ("cvta.global.s64 d0, d1;", "the type `.s64` is not valid here; expected one of .u32, .u64"),
    ("cvta.to.global d0, d1;", "the type is missing; expected one of .u32, .u64"),
    ("isspacep.global.u64 p0, d0;", "`.u64` is not a modifier of this form of `isspacep`"),
    ("isspacep p0, d0;", "the state space is missing"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
