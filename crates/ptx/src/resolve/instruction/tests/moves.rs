//! Forms of the `moves` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "mov.pred p0, 1;",
    "mov.pred p0, !p1;",
    "mov.b32 r0, 0f3F800000;",
    "mov.b64 d0, 0d3FF0000000000000;",
    "mov.b32 r0, f0;",
    "mov.b64 d0, %clock64;",
    "mov.u16 uh0, %tid.x;",
    "mov.u32 u0, %gridid;",
    "mov.u64 ud0, %gridid;",
    "mov.s32 s0, %tid.x;",
    "mov.b32 r0, %tid.x;",
    "mov.v4.u32 v4u, %tid;",
    "mov.u32 u0, %tid.w;",
    "mov.u32 u0, %pm0;",
    "mov.u32 u0, %envreg3;",
    "mov.u32 u0, %clusterid.x;",
    "mov.pred p0, %is_explicit_cluster;",
    "mov.u64 ud0, %current_graph_exec;",
    "mov.u32 u0, WARP_SZ;",
    "mov.b32 {h0, h1}, %tid.x;",
    "mov.u64 ud0, gv;",
    "mov.u64 ud0, gv+4;",
    "mov.u32 u0, sv;",
    "mov.b32 r0, sv;",
    "mov.b64 d0, sv;",
    "mov.s64 sd0, sv;",
    "mov.u64 ud0, fpar;",
    "mov.u64 ud0, kp;",
    "mov.b64 d0, ks;",
    "mov.b64 d0, ks+4;",
    "mov.b64 d0, k;",
    "mov.b32 r0, kp;",
    "mov.u64 ud0, lv;",
    "mov.b64 {r0, _}, d0;",
    "mov.b64 d0, {r0, r1};",
    "mov.b64 d0, {r0, 1};",
    "mov.b64 {h0, h1, h2, h3}, d0;",
    "mov.b64 {f0, r1}, fd0;",
    "mov.b32 {h0, _}, r0;",
    "mov.b32 r0, {fh0, fh1};",
    "mov.b32 {b0, b1, b0, b1}, r0;",
    "mov.b16 {b0, b1}, h0;",
    "mov.b64 v2r, d0;",
    "mov.b64 d0, v2r;",
    "mov.v2.b32 v2r, v2r;",
    "mov.v2.u32 v2r, {u0, u1};",
    "mov.u32 u0, v2r.x;",
    "mov.u32 v2r.y, u0;",
    "mov.b64 d0, {1, 2};",
    "mov.b64 d0, 1.5;",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("mov.u32 u0, 0f3F800000;", "a floating-point constant is not an operand of type .u32"),
    ("mov.f32 f0, 1;", "the integer 1 is not an operand of type .f32"),
    ("mov.b64 d0, 0f3F800000;", "a floating-point constant is not an operand of type .b64"),
    ("mov.b32 r0, 0d3FF0000000000000;", "a floating-point constant is not an operand of type .b32"),
    ("mov.f16 fh0, 1;", "the type `.f16` is not valid here"),
    ("mov.b16 h0, 0f3F800000;", "a floating-point constant is not an operand of type .b16"),
    ("mov.u32 f0, f1;", "register `f0` has type .f32; an operand of type .u32 is expected"),
    ("mov.f32 r0, u1;", "register `u1` has type .u32; an operand of type .f32 is expected"),
    ("mov.f32 f0, u1;", "register `u1` has type .u32; an operand of type .f32 is expected"),
    ("mov.s32 f0, r1;", "register `f0` has type .f32; an operand of type .s32 is expected"),
    ("mov.u32 u0, h0;", "register `h0` has type .b16; an operand of type .u32 is expected"),
    ("mov.u32 u0, %clock64;", "`%clock64` has type .u64, not .u32"),
    ("mov.u64 ud0, %tid.x;", "`%tid.x` has type .u32, not .u64"),
    ("mov.f32 f0, %tid.x;", "`%tid.x` has type .u32, not .f32"),
    ("mov.f64 fd0, sv;", "an address is not of type .f64; move it as .u32 or .u64"),
    ("mov.u64 ud0, generic(gv);", "generic() stands in initial values alone; use cvta"),
    ("mov.u64 {u0, u1}, ud0;", "a vector of 2 parts is no value of type .u64"),
    ("mov.f64 {f0, f1}, fd0;", "a vector of 2 parts is no value of type .f64"),
    ("mov.b128 d0, {d0, d1};", "`.b128` is not supported"),
    ("mov.u32 _, u0;", "the result of this instruction cannot be dropped with `_`"),
    ("mov.b32 r0, 1.5;", "a floating-point constant is not an operand of type .b32"),
    ("mov.u8 ub0, ub0;", "the type `.u8` is not valid here"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
