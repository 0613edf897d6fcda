//! Forms of the `arithmetic` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "add.s32 s0, s1, 0x1ffffffff;",
    "add.u32 u0, u1, -1;",
    "add.s32 s0, s1, 4294967295;",
    "add.s32 s0, s1, -3000000000;",
    "add.u16 uh0, uh1, 65536;",
    "add.u16 uh0, uh1, -1;",
    "add.s32 u0, s0, r0;",
    "add.s64 d0, ud0, sd0;",
    "add.u32 u0, u1, WARP_SZ;",
    "add.u32 u0, v2r.x, v2r.y;",
    "add.s32.sat s0, s1, s2;",
    "add.u16x2 r0, r1, r2;",
    "add.s16x2 r0, r1, r2;",
    "min.u16x2 r0, r1, r2;",
    "max.s16x2.relu r0, r1, r2;",
    "min.s32.relu s0, s1, s2;",
    "min.relu.s32 s0, s1, s2;",
    "sad.u16 uh0, uh1, h0, h1;",
    "sad.s64 sd0, sd1, sd2, sd0;",
    "mul.wide.s16 s0, sh0, sh1;",
    "mul.hi.u16 uh0, uh1, uh0;",
    "mad.wide.u16 u0, uh0, uh1, u1;",
    "mad.wide.u32 ud0, u0, u1, ud1;",
    "mad.hi.sat.s32 s0, s1, s2, s3;",
    "mad.lo.cc.u32 u0, u1, u2, u3;",
    "mad.lo.cc.u64 ud0, ud1, ud2, ud0;",
    "madc.hi.cc.s64 sd0, sd1, sd2, sd0;",
    "add.cc.s32 s0, s1, s2;",
    "addc.u64 ud0, ud1, ud2;",
    "addc.cc.u64 ud0, ud1, ud2;",
    "subc.s32 s0, s1, s2;",
    "mul24.lo.u32 u0, u1, u2;",
    "mad24.hi.sat.s32 s0, s1, s2, s3;",
    "rem.u16 uh0, uh1, uh0;",
    "dp4a.u32.u32 u0, u1, u2, u3;",
    "dp4a.s32.u32 s0, s1, u2, s3;",
    "dp2a.lo.u32.s32 s0, u1, s2, s3;",
    "min.s16 sh0, sh1, -1;",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("mul.wide.s32.lo sd0, s1, s2;", "`.wide` does not go with another of its modifiers"),
    ("add.s32 s0, s1, 0f3F800000;", "a floating-point constant is not an operand of type .s32"),
    ("add.s32 f0, f1, f2;", "register `f0` has type .f32; an operand of type .s32 is expected"),
    ("add.u32 u0, u1, h0;", "register `h0` has type .b16; an operand of type .u32 is expected"),
    ("add.u64 ud0, ud1, gv;", "`gv` is an address, and only mov, cvta and addresses in brackets take"),
    ("add.u64 ud0, gv, ud1;", "`gv` is an address, and only mov, cvta and addresses in brackets take"),
    ("add.u32 _, u0, u1;", "the result of this instruction cannot be dropped with `_`"),
    ("add.sat.u32 u0, u1, u2;", "the type `.u32` is not valid here; expected .s32"),
    ("add.sat.s64 sd0, sd1, sd2;", "the type `.s64` is not valid here; expected .s32"),
    ("sub.u16x2 r0, r1, r2;", "packed 16-bit integers have add, min and max alone"),
    ("min.relu.u32 u0, u1, u2;", "the type `.u32` is not valid here; expected .s32"),
    ("neg.u32 u0, u1;", "the type `.u32` is not valid here; expected one of .s16, .s32, .s64"),
    ("neg.s32.sat s0, s1;", "`.sat` is not a modifier of this form of `neg`"),
    ("abs.sat.s32 s0, s1;", "`.sat` is not a modifier of this form of `abs`"),
    ("mul.wide.u64 ud0, ud1, ud2;", "the type `.u64` is not valid here"),
    ("mul.u32 u0, u1, u2;", "the part of the product is missing; expected one of .lo, .hi, .wide"),
    ("mad.lo.sat.s32 s0, s1, s2, s3;", "`.sat` is not a modifier of this form of `mad`"),
    ("mad.wide.cc.u32 ud0, u0, u1, ud1;", "`.wide` is not a modifier of this form of `mad`"),
    ("add.cc.u16 uh0, uh1, uh0;", "the type `.u16` is not valid here"),
    ("add.cc.sat.s32 s0, s1, s2;", "`.sat` is not a modifier of this form of `add`"),
    ("mul24.u32 u0, u1, u2;", "the part of the product is missing; expected one of .lo, .hi"),
    ("mad24.lo.sat.s32 s0, s1, s2, s3;", "`.sat` is not a modifier of this form of `mad24`"),
    ("div.sat.s32 s0, s1, s2;", "`.sat` is not a modifier of this form of `div`"),
    ("dp2a.u32.s32 s0, u1, s2, s3;", "the half of the second source is missing; expected one of .lo, .hi"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
