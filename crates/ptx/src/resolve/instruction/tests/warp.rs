//! Forms of the `warp` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "vote.sync.ballot.b32 r0, 1, -1;",
    "shfl.sync.idx.b32 r0|p0, r1, 0, 31, -1;",
    "shfl.sync.up.b32 r0, r1, 1, 0, -1;",
    "shfl.sync.down.b32 r0|p0, r1, r2, r3, r4;",
    "shfl.sync.bfly.b32 f0, f1, 1, 31, 0xffffffff;",
    "shfl.sync.idx.b32 r0, 5, 0, 31, -1;",
    "vote.sync.any.pred p0, p1, -1;",
    "vote.sync.all.pred p0, !p1, r0;",
    "vote.sync.uni.pred p0, p1, r0;",
    "vote.sync.ballot.b32 r0, !p1, r0;",
    "match.any.sync.b32 r0, r1, r2;",
    "match.any.sync.b64 r0, d1, r2;",
    "match.all.sync.b32 r0|p0, r1, -1;",
    "match.all.sync.b32 r0, r1, -1;",
    "match.all.sync.b32 _|p0, r1, -1;",
    "match.any.b32.sync r0, r1, r2;",
    "redux.sync.add.u32 u0, u1, -1;",
    "redux.sync.min.s32 s0, s1, r0;",
    "redux.sync.and.b32 r0, r1, r2;",
    "activemask.b32 r0;",
    "elect.sync r0|p0, -1;",
    "elect.sync _|p0, r0;",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("shfl.sync.idx.u32 u0, u1, 0, 31, -1;", "the type `.u32` is not valid here; expected .b32"),
    ("shfl.sync.b32 r0, r1, 1, 0, -1;", "the mode is missing; expected one of .up, .down, .bfly, .idx"),
    ("shfl.sync.idx.b64 d0, d1, 0, 31, -1;", "the type `.b64` is not valid here; expected .b32"),
    ("vote.sync.ballot.pred p0, p1, r0;", "the type `.pred` is not valid here; expected .b32"),
    ("vote.sync.any.b32 r0, p1, r0;", "the type `.b32` is not valid here; expected .pred"),
    ("match.any.sync.b32 r0|p0, r1, r2;", "match.any has no predicate; match.all has one"),
    ("match.any.b32 r0, r1, r2;", "`.sync` is missing"),
    ("redux.sync.and.u32 u0, u1, r2;", "the type `.u32` is not valid here; expected .b32"),
    ("redux.sync.add.b32 r0, r1, r2;", "the type `.b32` is not valid here; expected one of .u32, .s32"),
    ("redux.sync.add.f32 f0, f1, r2;", "`.f32` is not supported"),
    ("activemask.u32 u0;", "the type `.u32` is not valid here; expected .b32"),
    ("elect.sync r0|_, r0;", "a number and a predicate are expected, as d|p"),
    ("elect.sync r0, r0;", "a number and a predicate are expected, as d|p"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
