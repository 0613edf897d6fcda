//! Forms of the `control` family that the assembler of the ISA takes and refuses.

use super::{accepts, refuses};

#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "bra LEND;",
    "bra.uni LEND;",
    "ret;",
    "ret.uni;",
    "exit;",
    "trap;",
    "brkpt;",
    "nanosleep.u32 10;",
    "nanosleep.u32 u0;",
    "pmevent 1;",
    "pmevent.mask 3;",
    "call fnone;",
    "call fnone, ();",
    "call.uni fnone;",
    "call (r0), freg, (r1);",
    "call (r0), freg, (7);",
    "call (_), freg, (7);",
    "call (f0), freg, (f1);",
    "call (r0), fpar, (r1);",
];

#[rustfmt::skip]
const REFUSED: &[(&str, &str)] = &[
    ("bra r0;", "`r0` is a register; a label is expected here"),
    ("nanosleep.b32 r0;", "the type `.b32` is not valid here; expected .u32"),
    ("nanosleep 10;", "the type is missing; expected .u32"),
    ("pmevent r0;", "an integer constant is expected here"),
    ("call (d0), freg, (r1);", "this result has 8 bytes, the function expects 4"),
    ("call (r0), freg, (r1, r2);", "the function has 1 argument, the call has 2"),
    ("call (r0), freg;", "the function has 1 argument, the call has 0"),
    ("call freg, (r1);", "the function has 1 result, the call has 0"),
];

#[test]
fn what_the_assembler_takes_is_taken() {
    accepts(ACCEPTED);
}

#[test]
fn what_the_assembler_refuses_is_refused_with_the_reason() {
    refuses(REFUSED);
}
