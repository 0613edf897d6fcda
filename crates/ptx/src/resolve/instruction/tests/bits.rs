//! Forms of the `bits` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "shl.b64 d0, d1, r0;",
    "shl.b64 d0, d1, s0;",
    "and.b32 r0, r1, f0;",
    "and.b32 f0, f0, f0;",
    "and.b32 r0, r1, 0f3F800000;",
    "clz.b64 r0, d0;",
    "bfind.u32 u0, u1;",
    "bfind.shiftamt.s64 u0, sd0;",
    "fns.b32 r0, r1, r2, r3;",
    "bfe.u32 u0, u1, u2, u3;",
    "bfe.s64 sd0, sd1, u2, u3;",
    "bfi.b64 d0, d1, d2, r0, r1;",
    "szext.clamp.s32 s0, s1, u1;",
    "szext.wrap.u32 u0, u1, u2;",
    "bmsk.clamp.b32 r0, r1, r2;",
    "and.b16 h0, h1, h2;",
    "and.pred p0, p1, p2;",
    "and.pred p0, !p1, p2;",
    "and.pred p0, p1, 1;",
    "not.pred p0, p1;",
    "not.pred p0, !p1;",
    "cnot.b32 r0, r1;",
    "lop3.b32 r0, r1, r2, r3, 0x80;",
    "lop3.or.b32 r0|p0, r1, r2, r3, 0x80, p1;",
    "lop3.or.b32 _|p0, r1, r2, r3, 0x80, p1;",
    "lop3.or.b32 r0|p0, r1, r2, r3, 0x80, !p1;",
    "lop3.b32 r0, r1, r2, r3, 256;",
    "shl.b32 r0, r1, 40;",
    "shr.s16 sh0, sh1, 1;",
    "shr.b64 d0, d1, r0;",
    "shf.l.wrap.b32 r0, r1, r2, r3;",
    "shf.r.clamp.b32 r0, r1, r2, r3;",
    "prmt.b32 r0, r1, r2, r3;",
    "prmt.b32.f4e r0, r1, r2, r3;",
    "prmt.f4e.b32 r0, r1, r2, r3;",
    "prmt.b32.rc16 r0, r1, r2, 0x5410;",
    "prmt.b32 r0, r1, r2, 0x5410;",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("shl.b64 d0, d1, d2;", "register `d2` has type .b64; an operand of type .u32 is expected"),
    ("shl.b64 d0, d1, f0;", "register `f0` has type .f32; an operand of type .u32 is expected"),
    ("shl.b32 r0, r1, h0;", "register `h0` has type .b16; an operand of type .u32 is expected"),
    ("and.b16 r0, r1, r0;", "register `r0` has type .b32; an operand of type .b16 is expected"),
    ("popc.u32 u0, u1;", "the type `.u32` is not valid here; expected one of .b32, .b64"),
    ("popc.b32 h0, r0;", "register `h0` has type .b16; an operand of type .u32 is expected"),
    ("popc.b64 d0, d1;", "register `d0` has type .b64; an operand of type .u32 is expected"),
    ("clz.b16 r0, h0;", "the type `.b16` is not valid here; expected one of .b32, .b64"),
    ("bfind.b32 u0, r0;", "the type `.b32` is not valid here"),
    ("brev.b16 h0, h1;", "the type `.b16` is not valid here; expected one of .b32, .b64"),
    ("bfe.s64 sd0, sd1, ud2, u3;", "register `ud2` has type .u64; an operand of type .u32 is expected"),
    ("bfe.b32 u0, u1, u2, u3;", "the type `.b32` is not valid here"),
    ("bfi.u32 u0, u1, u2, u3, u0;", "the type `.u32` is not valid here; expected one of .b32, .b64"),
    ("szext.u32 u0, u1, u2;", "the mode is missing; expected one of .clamp, .wrap"),
    ("and.u32 u0, u1, u2;", "the type `.u32` is not valid here"),
    ("cnot.pred p0, p1;", "the type `.pred` is not valid here; expected one of .b16, .b32, .b64"),
    ("lop3.and.b32 r0|_, r1, r2, r3, 0x80, p1;", "a result and a predicate are expected here, as d|p"),
    ("lop3.xor.b32 r0|p0, r1, r2, r3, 0x80, p1;", "`.xor` is not supported"),
    ("lop3.b32 r0, r1, r2, r3, r4;", "an integer constant is expected here"),
    ("shl.u32 u0, u1, 1;", "the type `.u32` is not valid here; expected one of .b16, .b32, .b64"),
    ("shr.f32 f0, f1, 1;", "the type `.f32` is not valid here"),
    ("shf.l.b32 r0, r1, r2, r3;", "the mode is missing; expected one of .clamp, .wrap"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
