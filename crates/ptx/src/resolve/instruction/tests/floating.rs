//! Forms of the `floating` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "add.ftz.rn.f32 f0, f1, f2;",
    "add.rn.ftz.f32 f0, f1, f2;",
    "add.sat.rn.f32 f0, f1, f2;",
    "add.f32.rn f0, f1, f2;",
    "add.f32 f0, f1, 1.5;",
    "add.f32 f0, f1, 0d3FF0000000000000;",
    "add.f64 fd0, fd1, 0f3F800000;",
    "add.f32 r0, r1, r2;",
    "rcp.approx.ftz.f64 fd0, fd1;",
    "rsqrt.approx.f64 fd0, fd1;",
    "rsqrt.approx.ftz.f64 fd0, fd1;",
    "add.rn.ftz.sat.f16 h0, h1, h2;",
    "add.rn.bf16x2 r0, r1, r2;",
    "mul.rn.bf16 h0, h1, h2;",
    "sub.rn.ftz.sat.f16x2 r0, r1, r2;",
    "fma.rn.f16 h0, h1, h2, h3;",
    "fma.rn.ftz.sat.f16 h0, h1, h2, h3;",
    "fma.rn.ftz.relu.f16 h0, h1, h2, h3;",
    "fma.rn.relu.bf16x2 r0, r1, r2, r3;",
    "add.rn.f32x2 d0, d1, d2;",
    "fma.rn.f32x2 d0, d1, d2, d3;",
    "sub.rn.f32x2 d0, d1, d2;",
    "mul.rn.f32x2 d0, d1, d2;",
    "mul.rn.ftz.f32x2 d0, d1, d2;",
    "mul.f32x2 d0, d1, d2;",
    "add.f32.f16 f0, h0, f1;",
    "fma.rn.f32.f16 f0, h0, h1, f1;",
    "max.NaN.f32 f0, f1, f2;",
    "max.xorsign.abs.f32 f0, f1, f2;",
    "max.ftz.NaN.xorsign.abs.f32 f0, f1, f2;",
    "max.f32 f0, f1, f2, f3;",
    "max.ftz.NaN.xorsign.abs.f16 h0, h1, h2;",
    "max.NaN.bf16x2 r0, r1, r2;",
    "abs.ftz.f16 h0, h1;",
    "neg.ftz.f16x2 r0, r1;",
    "ex2.approx.f16 h0, h1;",
    "ex2.approx.ftz.bf16 h0, h1;",
    "ex2.approx.ftz.bf16x2 r0, r1;",
    "tanh.approx.f32 f0, f1;",
    "tanh.approx.f16x2 r0, r1;",
    "tanh.approx.bf16 h0, h1;",
    "testp.finite.f32 p0, f0;",
    "testp.notanumber.f32 p0, f0;",
    "testp.number.f32 p0, f0;",
    "testp.subnormal.f32 p0, f0;",
    "copysign.f32 f0, f1, f2;",
    "max.bf16 h0, h1, h2;",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("add.f32 f0, f1, 1;", "the integer 1 is not an operand of type .f32"),
    ("add.f16 fh0, fh1, 1;", "a constant cannot be an operand of type .f16"),
    ("add.f16 fh0, fh1, 0x3c00;", "a constant cannot be an operand of type .f16"),
    ("add.f16 fh0, fh1, 1.0;", "a constant cannot be an operand of type .f16"),
    ("add.f16x2 fx0, fx1, 0x3c003c00;", "a constant cannot be an operand of type .f16x2"),
    ("add.f32 u0, u1, u2;", "register `u0` has type .u32; an operand of type .f32 is expected"),
    ("mad.f64 fd0, fd1, fd2, fd3;", "the rounding mode is missing; expected one of .rn, .rz, .rm, .rp"),
    ("fma.f32 f0, f1, f2, f3;", "the rounding mode is missing; expected one of .rn, .rz, .rm, .rp"),
    ("div.f32 f0, f1, f2;", "the rounding mode is missing; expected .rn, .rz, .rm, .rp, or .approx"),
    ("div.f64 fd0, fd1, fd2;", "the rounding mode is missing; expected .rn, .rz, .rm, .rp"),
    ("rcp.f32 f0, f1;", "the rounding mode is missing; expected .rn, .rz, .rm, .rp, or .approx"),
    ("sqrt.f64 fd0, fd1;", "the rounding mode is missing; expected .rn, .rz, .rm, .rp"),
    ("sqrt.f32 f0, f1;", "the rounding mode is missing; expected .rn, .rz, .rm, .rp, or .approx"),
    ("rsqrt.f32 f0, f1;", "`.approx` is missing"),
    ("sin.f32 f0, f1;", "`.approx` is missing"),
    ("sin.approx.f64 fd0, fd1;", "the type `.f64` is not valid here; expected .f32"),
    ("lg2.approx.f64 fd0, fd1;", "the type `.f64` is not valid here; expected .f32"),
    ("rcp.approx.f64 fd0, fd1;", "`.ftz` is missing"),
    ("rsqrt.rn.f32 f0, f1;", "`.rn` is not a modifier of this form of `rsqrt`"),
    ("add.rn.sat.f64 fd0, fd1, fd2;", "`.sat` is not a modifier of this form of `add`"),
    ("add.ftz.f64 fd0, fd1, fd2;", "`.ftz` is not a modifier of this form of `add`"),
    ("add.rz.f16 h0, h1, h2;", "`.rz` is not a modifier of this form of `add`"),
    ("add.sat.bf16 h0, h1, h2;", "`.sat` is not a modifier of this form of `add`"),
    ("add.ftz.bf16 h0, h1, h2;", "`.ftz` is not a modifier of this form of `add`"),
    ("fma.f16 h0, h1, h2, h3;", "the rounding mode is missing; expected .rn"),
    ("fma.rn.sat.relu.f16 h0, h1, h2, h3;", "`.relu` is not a modifier of this form of `fma`"),
    ("fma.rn.ftz.bf16 h0, h1, h2, h3;", "`.ftz` is not a modifier of this form of `fma`"),
    ("fma.rn.relu.f32 f0, f1, f2, f3;", "`.relu` is not a modifier of this form of `fma`"),
    ("max.xorsign.f32 f0, f1, f2;", "`.xorsign` and `.abs` go together"),
    ("max.NaN.f64 fd0, fd1, fd2;", "`.NaN` is not a modifier of this form of `max`"),
    ("max.ftz.bf16 h0, h1, h2;", "`.ftz` is not a modifier of this form of `max`"),
    ("max.relu.f16 h0, h1, h2;", "`.relu` is not a modifier of this form of `max`"),
    ("abs.ftz.bf16 h0, h1;", "`.ftz` is not a modifier of this form of `abs`"),
    ("neg.ftz.f64 fd0, fd1;", "`.ftz` is not a modifier of this form of `neg`"),
    ("ex2.approx.ftz.f16 h0, h1;", "`.ftz` is not a modifier of this form of `ex2`"),
    ("ex2.approx.bf16 h0, h1;", "`.ftz` is missing"),
    ("ex2.approx.f64 fd0, fd1;", "the type `.f64` is not valid here"),
    ("tanh.approx.ftz.f32 f0, f1;", "`.ftz` is not a modifier of this form of `tanh`"),
    ("testp.nan.f64 p0, fd0;", "`.nan` is not a modifier of this form of `testp`"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
