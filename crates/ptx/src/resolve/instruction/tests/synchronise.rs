//! Forms of the `synchronise` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "bar.red.popc.u32 r0, 0, 1;",
    "membar.cta;",
    "membar.gl;",
    "membar.sys;",
    "fence.sc.gpu;",
    "fence.acq_rel.cta;",
    "fence.cta;",
    "fence.gpu;",
    "fence.acquire.gpu;",
    "fence.release.gpu;",
    "fence.acquire.sync_restrict::shared::cluster.cluster;",
    "fence.release.sync_restrict::shared::cta.cluster;",
    "fence.mbarrier_init.release.cluster;",
    "fence.proxy.alias;",
    "fence.proxy.async;",
    "fence.proxy.async.global;",
    "fence.proxy.async.shared::cta;",
    "fence.proxy.async.shared::cluster;",
    "fence.proxy.tensormap::generic.release.gpu;",
    "fence.proxy.tensormap::generic.acquire.gpu [d0], 128;",
    "membar.proxy.alias;",
    "bar.sync 0;",
    "bar.sync 0, 32;",
    "bar.sync r0;",
    "bar.sync r0, r1;",
    "bar.cta.sync 0;",
    "bar.arrive 0, 64;",
    "bar.red.popc.u32 r0, 0, p0;",
    "bar.red.popc.u32 r0, 0, 64, p0;",
    "bar.red.and.pred p0, 0, !p1;",
    "bar.red.or.pred p0, r0, r1, p1;",
    "barrier.sync 0;",
    "barrier.sync.aligned 0;",
    "barrier.cta.sync 0, 64;",
    "barrier.cta.sync.aligned r0, r1;",
    "barrier.cta.arrive.aligned 0, 64;",
    "barrier.cta.red.popc.aligned.u32 r0, 0, p0;",
    "barrier.red.or.pred p0, 0, p1;",
    "bar.warp.sync 0xffffffff;",
    "bar.warp.sync r0;",
    "bar.warp.sync -1;",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("membar.gpu;", "`.gpu` is not a modifier of this form of `membar`"),
    ("membar;", "the level is missing; expected one of .cta, .gl, .sys"),
    ("fence.sc;", "the scope is missing; expected one of .cta, .cluster, .gpu, .sys"),
    ("bar.sync 16;", "there is no barrier 16"),
    ("bar.sync 0, 33;", "33 threads are not a number of whole warps of 32"),
    ("bar.sync;", "1 or 2 operands expected, 0 given"),
    ("bar.sync 0, 0, 0;", "1 or 2 operands expected, 3 given"),
    ("bar.arrive 0;", "2 operands expected, 1 given"),
    ("bar.red.popc.b32 r0, 0, p0;", "the type `.b32` is not valid here; expected .u32"),
    ("bar.red.popc.s32 s0, 0, p0;", "the type `.s32` is not valid here; expected .u32"),
    ("bar.red.xor.pred p0, 0, p1;", "`.xor` is not a modifier of this form of `bar`"),
    ("barrier.warp.sync r0;", "`.warp` is not a modifier of this form of `barrier`"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
