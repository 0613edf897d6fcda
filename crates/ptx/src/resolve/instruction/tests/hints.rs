//! Forms of the `hints` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "prefetch.global.L1 [d0];",
    "prefetch.L2 [d0];",
    "prefetch.local.L2 [d0];",
    "prefetch.global.L2::evict_last [d0];",
    "prefetch.global.L2::evict_normal [d0];",
    "prefetch.L2::evict_last [d0];",
    "prefetchu.L1 [d0];",
    "prefetch.global.L2 [gv+4];",
    "applypriority.global.L2::evict_normal [d0], 128;",
    "applypriority.L2::evict_normal [d0], 128;",
    "discard.global.L2 [d0], 128;",
    "discard.L2 [d0], 128;",
    "createpolicy.fractional.L2::evict_last.b64 d0;",
    "createpolicy.fractional.L2::evict_last.b64 d0, 1.0;",
    "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 d0, 0.5;",
    "createpolicy.fractional.L2::evict_last.L2::evict_first.b64 d0, f0;",
    "createpolicy.fractional.L2::evict_unchanged.b64 d0, f0;",
    "createpolicy.range.L2::evict_last.L2::evict_first.b64 d0, [d1], 0x100000, 0x200000;",
    "createpolicy.range.global.L2::evict_last.b64 d0, [d1], r0, r1;",
    "createpolicy.cvt.L2.b64 d0, d1;",
    "cp.async.ca.shared.global [r0], [d0], 4;",
    "cp.async.ca.shared::cta.global [r0], [d0], 8;",
    "cp.async.ca.shared.global [r0], [d0], 16, r1;",
    "cp.async.cg.shared.global [r0], [d0], 16;",
    "cp.async.cg.shared.global.L2::128B [r0], [d0], 16;",
    "cp.async.cg.shared.global.L2::cache_hint [r0], [d0], 16, d1;",
    "cp.async.cg.shared.global.L2::cache_hint.L2::256B [r0], [d0], 16, r1, d1;",
    "cp.async.ca.shared.global [r0], [d0], 16, p0;",
    "cp.async.ca.shared.global [r0], [d0], 16, !p0;",
    "cp.async.ca.shared.global [sv], [gv], 16, 8;",
    "cp.async.commit_group;",
    "cp.async.wait_group 0;",
    "cp.async.wait_group 3;",
    "cp.async.wait_all;",
    "griddepcontrol.wait;",
    "griddepcontrol.launch_dependents;",
    "setmaxnreg.inc.sync.aligned.u32 64;",
    "setmaxnreg.dec.sync.aligned.u32 40;",
    "tex.1d.v4.f32.s32 {f0, f1, f2, f3}, [tr, {s0}];",
    "tex.1d.v4.f32.s32 {f0, f1, f2, f3}, [tr, s0];",
    "tex.1d.v4.s32.s32 {s0, _, _, _}, [tr, {s0}];",
    "tex.1d.v4.u32.f32 v4u, [tr, {f0}];",
    "tex.1d.v4.s32.s32 {r0, r1, r2, r3}, [d0, {r0}];",
    "tex.1d.v4.s32.s32 {r0, r1, r2, r3}, [ud0, {r0}];",
    "tex.1d.v4.f32.s32 {f0, f1, f2, f3}, [tr, {s0, s1, s2, s3}];",
    "tex.1d.v4.f32.s32 {f0, f1, f2, f3}, [tr, {s0, s1}];",
    "tex.1d.v4.f32.s32 {f0, f1, f2, f3}, [tr, {3}];",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("prefetch.shared.L1 [d0];", "`.shared` is not a modifier of this form of `prefetch`"),
    ("prefetchu.L2 [d0];", "`.L2` is not a modifier of this form of `prefetchu`"),
    ("applypriority.L2::evict_normal [d0], 64;", "the size is the constant 128"),
    ("cp.async.cg.shared.global [r0], [d0], 8;", "the size is a constant: 16 with .cg"),
    ("cp.async.ca.shared.global [r0], [d0], r1;", "the size is a constant: 4, 8 or 16"),
    ("cp.async.wait_group r0;", "an integer constant is expected here"),
    ("setmaxnreg.inc.sync.u32 64;", "`.aligned` is missing"),
    ("tex.1d.v4.s32.u32 {r0, r1, r2, r3}, [ud0, {r0}];", "the type `.u32` is not valid here; expected one of .s32, .f32"),
    ("tex.1d.v4.b32.s32 {r0, r1, r2, r3}, [ud0, {r0}];", "the type `.b32` is not valid here; expected one of .u32, .s32, .f32"),
    ("tex.1d.v2.f32.s32 {f0, f1}, [tr, {s0}];", "`.v2` is not a modifier of this form of `tex`"),
    ("tex.1d.v4.f32.s32 f0, [tr, {s0}];", "a vector of 4 registers in braces is expected here"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
