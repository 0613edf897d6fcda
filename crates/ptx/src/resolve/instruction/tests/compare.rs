//! Forms of the `compare` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "setp.s32.lt p0, s0, s1;",
    "setp.lt.ftz.f32 p0, f0, f1;",
    "setp.ftz.lt.f32 p0, f0, f1;",
    "selp.b32 r0, r1, r2, 1;",
    "selp.b32 r0, r1, r2, !p0;",
    "setp.lt.and.s32 p0, s0, s1, 1;",
    "selp.f32 f0, r0, f1, p0;",
    "selp.b32 f0, r0, u1, p0;",
    "setp.eq.u32 p0|_, u0, u1;",
    "setp.eq.u32 _|p0, u0, u1;",
    "setp.eq.u32 _, u0, u1;",
    "slct.b32.f32 r0, r1, r2, f0;",
    "slct.ftz.b32.f32 r0, r1, r2, f0;",
    "set.eq.u16.f16 uh0, h1, h2;",
    "set.lt.u32.u16 u0, uh0, uh1;",
    "set.eq.s32.b32 s0, r0, r1;",
    "set.lo.s32.u32 s0, u0, u1;",
    "set.nan.f32.f64 f0, fd0, fd1;",
    "set.equ.ftz.f32.f32 f0, f0, f1;",
    "set.lt.and.u32.s32 u0, s0, s1, !p0;",
    "set.eq.f16x2.f16x2 r0, r1, r2;",
    "set.eq.f16.f16 h0, h1, h2;",
    "set.eq.bf16.bf16 h0, h1, h2;",
    "set.eq.u32.f16 u0, h1, h2;",
    "setp.eq.b32 p0, r0, r1;",
    "setp.lo.u32 p0, u0, u1;",
    "setp.hs.u64 p0, ud0, ud1;",
    "setp.equ.f64 p0|p1, fd0, fd1;",
    "setp.num.f32 p0, f0, f1;",
    "setp.lt.ftz.f16 p0, h0, h1;",
    "setp.lt.f16x2 p0|p1, r0, r1;",
    "setp.lt.f16x2 p0, r0, r1;",
    "setp.lt.and.f16x2 p0|p1, r0, r1, p2;",
    "setp.lt.xor.u32 p0|p1, u0, u1, !p2;",
    "setp.ne.b16 p0, h0, 0;",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("selp.f32 f0, r0, u1, p0;", "register `u1` has type .u32; an operand of type .f32 is expected"),
    ("selp.u32 f0, r0, f1, p0;", "register `f0` has type .f32; an operand of type .u32 is expected"),
    ("slct.ftz.b32.s32 r0, r1, r2, s0;", "`.ftz` goes with a third operand of type .f32"),
    ("slct.f16.s32 h0, h1, h2, s0;", "the type `.f16` is not valid here"),
    ("selp.pred p0, p1, p2, p0;", "the type `.pred` is not valid here"),
    ("set.lo.s32.s32 s0, s0, s1;", "`.lo` is not a modifier of this form of `set`"),
    ("set.lt.f64.s32 fd0, s0, s1;", "the type `.f64` is not valid here"),
    ("set.lt.u64.s32 ud0, s0, s1;", "the type `.u64` is not valid here"),
    ("set.eq.u16x2.f16x2 r0, r1, r2;", "`.eq` is not a modifier of this form of `set`"),
    ("setp.lt.b32 p0, r0, r1;", "`.lt` is not a modifier of this form of `setp`"),
    ("setp.lo.s32 p0, s0, s1;", "`.lo` is not a modifier of this form of `setp`"),
    ("setp.equ.s32 p0, s0, s1;", "`.equ` is not a modifier of this form of `setp`"),
    ("setp.lt.ftz.f64 p0, fd0, fd1;", "`.ftz` is not a modifier of this form of `setp`"),
    ("setp.lt.ftz.bf16 p0, h0, h1;", "`.ftz` is not a modifier of this form of `setp`"),
    ("setp.eq.pred p0, p1, p2;", "the type `.pred` is not valid here"),
    ("setp.lt.u8 p0, ub0, ub0;", "the type `.u8` is not valid here"),
    ("setp.lt.s32 p0, s0;", "3 operands expected, 2 given"),
    ("setp.lt.s32 p0, s0, s1, s2;", "3 operands expected, 4 given"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
