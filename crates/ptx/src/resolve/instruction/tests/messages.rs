//! What a user reads about an instruction that is wrong.

use super::resolve;

/// Text and help of a refused line.
fn message(line: &str) -> (String, String) {
    match resolve(line) {
        Ok(operations) => panic!("{line} was accepted: {operations:?}"),
        Err(problem) => (problem.text, problem.help.unwrap_or_default()),
    }
}

fn check(line: &str, text: &str, help: &str) {
    let (found, found_help) = message(line);
    assert!(found.contains(text), "{line}: {found}");
    assert!(found_help.contains(help), "{line}: {found_help}");
}

#[test]
fn an_unknown_instruction_is_answered_with_the_nearest_one() {
    check("ad.s32 s0, s1, s2;", "unknown instruction `ad`", "`add`");
    check("shlf.sync.idx.b32 r0, r1, 0, 31, -1;", "unknown instruction `shlf`", "`shf`");
    check("frobnicate;", "unknown instruction `frobnicate`", "`");
}

#[test]
fn an_unknown_modifier_is_answered_with_the_nearest_one() {
    check("ld.globl.u32 u0, [d0];", "`.globl` is not a modifier", "`.global`");
    check("add.fzt.f32 f0, f1, f2;", "`.fzt` is not a modifier", "`.ftz`");
    check("setp.ltt.s32 p0, s0, s1;", "`.ltt` is not a modifier", "`.lt`");
    check("atom.global.ad.u32 u0, [d0], u1;", "`.ad` is not a modifier", "`.add`");
    check("add.rn.rn.f32 f0, f1, f2;", "`.rn` is given twice", "");
    check("add.rn.rz.f32 f0, f1, f2;", "`.rz` does not go with another", "");
    check("exit.uni;", "`.uni` is not a modifier", "it takes none");
}

#[test]
fn a_missing_word_is_named_with_its_choices() {
    check("add s0, s1, s2;", "the type is missing; expected one of .u16", "");
    check("mul.s32 s0, s1, s2;", "the part of the product is missing; expected one of .lo, .hi, .wide", "");
    check("fence.sc;", "the scope is missing; expected one of .cta", "");
    check("shfl.idx.b32 r0, r1, 0;", "4 operands expected, 3 given", "");
}

#[test]
fn names_and_types_are_part_of_the_message() {
    check("add.s32 s0, nobody, s2;", "`nobody` is not declared", "`r0`");
    check("add.s32 s0, f0, s2;", "register `f0` has type .f32; an operand of type .s32 is expected", "");
    check("add.s32 s0, gv, s2;", "`gv` is an address", "move it to a register");
    check("ld.shared.u32 u0, [gv];", "`gv` is in .global space, the access is to .shared space", "");
    check("bra r0;", "`r0` is a register; a label is expected", "");
    check("@r0 bra LEND;", "register `r0` has type .b32", "");
}

#[test]
fn what_is_in_the_isa_and_not_here_is_refused_by_name() {
    for (line, what) in [
        ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 r0, r1, r2, r3;", "`mma`"),
        ("suld.b.1d.b32.trap r0, [gv, {r1}];", "`suld`"),
        ("mbarrier.init.shared.b64 [r0], 1;", "`mbarrier`"),
        ("tex.2d.v4.f32.f32 {f0, f1, f2, f3}, [tr, {f0, f1}];", "`.2d`"),
        ("ld.global.b128 d0, [d1];", "`.b128`"),
        ("barrier.cluster.arrive;", "`.cluster`"),
        ("cp.async.bulk.commit_group;", "`.bulk`"),
        ("cvt.rn.satfinite.e4m3x2.f32 h0, f0, f1;", "`.e4m3x2`"),
        ("alloca.u64 d0, 16;", "`alloca`"),
        ("redux.sync.max.f32 f0, f1, r2;", "`.f32`"),
    ] {
        let (text, help) = message(line);
        assert_eq!(text, format!("{what} is not supported"), "{line}");
        assert!(!help.is_empty(), "{line} says nothing about what to do");
    }
}
