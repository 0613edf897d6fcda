//! Forms of the `atomics` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "atom.add.global.u32 u0, [d0], u1;",
    "atom.global.sys.add.u32 u0, [d0], u1;",
    "atom.sys.global.add.u32 u0, [d0], u1;",
    "atom.relaxed.sys.global.add.u32 u0, [d0], u1;",
    "atom.global.relaxed.sys.add.u32 u0, [d0], u1;",
    "atom.global.add.relaxed.sys.u32 u0, [d0], u1;",
    "atom.global.add.u32 _, [d0], 1;",
    "atom.add.u32 _, [gv], 1;",
    "atom.global.add.noftz.f16 h0, [d0], h1;",
    "atom.global.add.noftz.f16x2 r0, [d0], r1;",
    "atom.global.add.noftz.bf16 h0, [d0], h1;",
    "atom.global.add.noftz.bf16x2 r0, [d0], r1;",
    "atom.shared.add.noftz.f16x2 r0, [d0], r1;",
    "atom.global.add.f64 fd0, [d0], fd1;",
    "atom.shared.add.f64 fd0, [d0], fd1;",
    "atom.global.min.s64 sd0, [d0], sd1;",
    "atom.global.max.u64 ud0, [d0], ud1;",
    "atom.global.and.b64 d0, [d0], d1;",
    "atom.global.exch.b32 f0, [d0], f1;",
    "atom.global.cas.b16 h0, [d0], h1, h2;",
    "atom.acq_rel.gpu.global.add.u32 u0, [d0], u1;",
    "atom.acq_rel.global.add.u32 u0, [d0], u1;",
    "atom.acquire.cta.shared.add.u32 u0, [d0], u1;",
    "atom.release.cluster.add.u32 u0, [d0], u1;",
    "atom.relaxed.add.u32 u0, [d0], u1;",
    "atom.global.v2.f32.add {f0, f1}, [d0], {f2, f3};",
    "atom.global.add.v4.f32 {f0, f1, f2, f3}, [d0], {f2, f3, f0, f1};",
    "atom.global.add.noftz.v2.f16 {h0, h1}, [d0], {h2, h3};",
    "atom.global.add.noftz.v4.f16x2 {r0, r1, r2, r3}, [d0], {r2, r3, r0, r1};",
    "atom.global.min.noftz.v2.f16 {h0, h1}, [d0], {h2, h3};",
    "atom.global.add.L2::cache_hint.u32 u0, [d0], u1, d1;",
    "red.global.add.u32 [d0], u1;",
    "red.relaxed.gpu.global.add.f32 [d0], f1;",
    "red.release.gpu.global.add.f32 [d0], f1;",
    "red.global.add.v2.f32 [d0], {f0, f1};",
    "red.shared.xor.b32 [r0], r1;",
    "red.global.add.noftz.f16x2 [d0], r1;",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("atom.global.add.s64 sd0, [d0], sd1;", "the type `.s64` is not valid here"),
    ("atom.global.add.f16 h0, [d0], h1;", "`.noftz` is missing, which the type .f16 needs"),
    ("atom.global.min.f32 f0, [d0], f1;", "the type `.f32` is not valid here"),
    ("atom.global.min.noftz.f16 h0, [d0], h1;", "the type `.f16` is not valid here"),
    ("atom.global.inc.s32 s0, [d0], s1;", "the type `.s32` is not valid here; expected .u32"),
    ("atom.global.inc.u64 ud0, [d0], ud1;", "the type `.u64` is not valid here; expected .u32"),
    ("atom.global.and.u32 u0, [d0], u1;", "the type `.u32` is not valid here; expected one of .b32, .b64"),
    ("atom.global.exch.u32 u0, [d0], u1;", "the type `.u32` is not valid here; expected one of .b32, .b64"),
    ("atom.global.exch.f32 f0, [d0], f1;", "the type `.f32` is not valid here; expected one of .b32, .b64"),
    ("atom.global.exch.b16 h0, [d0], h1;", "the type `.b16` is not valid here; expected one of .b32, .b64"),
    ("atom.global.cas.u32 u0, [d0], u1, u2;", "the type `.u32` is not valid here; expected one of .b16, .b32, .b64"),
    ("atom.global.cas.b128 d0, [d0], d1, d2;", "`.b128` is not supported"),
    ("atom.global.exch.b128 d0, [d0], d1;", "`.b128` is not supported"),
    ("atom.local.add.u32 u0, [d0], u1;", "`.local` is not a modifier of this form of `atom`"),
    ("atom.volatile.global.add.u32 u0, [d0], u1;", "`.volatile` is not a modifier of this form of `atom`"),
    ("atom.sc.gpu.add.u32 u0, [d0], u1;", "`.sc` is not a modifier of this form of `atom`"),
    ("atom.global.v2.add.u32 {u0, u1}, [d0], {u2, u3};", "the type `.u32` is not valid here"),
    ("red.global.add.s64 [d0], sd1;", "the type `.s64` is not valid here"),
    ("red.global.exch.b32 [d0], u1;", "`.exch` is not a modifier of this form of `red`"),
    ("red.global.cas.b32 [d0], u1, u2;", "`.cas` is not a modifier of this form of `red`"),
    ("red.acquire.gpu.global.add.f32 [d0], f1;", "`.acquire` is not a modifier of this form of `red`"),
    ("red.acq_rel.gpu.global.add.f32 [d0], f1;", "`.acq_rel` is not a modifier of this form of `red`"),
    ("red.async.relaxed.cluster.global.add.u32 [d0], u0;", "`.async` is not supported"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
