//! The pattern of loads in loops, on PTX as compilers write it.

use heddle_ptx::analysis::{Cfg, Dominators, Loops, Pattern, Region, head_tail_pairs, loop_loads};
use heddle_ptx::ir::Module;

/// A kernel with parameters `p` and `q` (pointers) and `n`, and this body.
fn module(body: &str) -> Module {
    let text = format!(
        ".version 6.0\n.target sm_35\n.address_size 64\n\
         .visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)\n{{\n\
         .reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n\
         ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n\
         ld.param.u64 %rd3, [q];\ncvta.to.global.u64 %rd4, %rd3;\n\
         ld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\n{body}\nret;\n}}\n"
    );
    heddle_ptx::load("sample.ptx", &text, &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

/// For each load in a loop its region's parameter, and its pattern with the load it depends on by position.
fn patterns(body: &str) -> Vec<(Option<u32>, Pattern)> {
    let module = module(body);
    let function = &module.functions[0];
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let loads = loop_loads(function, &cfg, &dominators, &Loops::new(&cfg, &dominators));
    let position = |index| loads.iter().position(|load| load.instruction == index).unwrap_or(usize::MAX);
    let relative = |pattern| match pattern {
        Pattern::Dependent(on) => Pattern::Dependent(position(on)),
        other => other,
    };
    let region = |region| match region {
        Some(Region::Parameter { index, offset: 0 }) => Some(index),
        _ => None,
    };
    loads.iter().map(|load| (region(load.region), relative(load.pattern))).collect()
}

#[test]
fn an_index_makes_a_strided_head_and_its_value_a_dependent_tail() {
    let body = "L: mul.wide.s32 %rd5, %r2, 4; add.s64 %rd6, %rd2, %rd5; ld.global.nc.u32 %r3, [%rd6];
        shl.b32 %r5, %r3, 1; cvt.u64.u32 %rd7, %r5; add.s64 %rd8, %rd7, %rd4; ld.global.u8 %r4, [%rd8];
        add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;";
    let found = patterns(body);
    assert_eq!(found, [(Some(0), Pattern::Strided(Some(4))), (Some(1), Pattern::Dependent(0))]);
}

#[test]
fn heads_and_tails_are_paired() {
    let body =
        "L: ld.global.nc.u32 %r3, [%rd2+8]; mad.wide.u32 %rd8, %r3, 4, %rd4; ld.global.u32 %r4, [%rd8];
        ld.global.u32 %r5, [%rd4]; add.s64 %rd2, %rd2, 4; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;";
    let module = module(body);
    let function = &module.functions[0];
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let loads = loop_loads(function, &cfg, &dominators, &Loops::new(&cfg, &dominators));
    assert_eq!(head_tail_pairs(&loads), [(loads[0].instruction, loads[1].instruction)]);
    assert_eq!(loads[2].pattern, Pattern::Invariant);
    assert!(loads[0].access.non_coherent && !loads[1].access.non_coherent);
}

#[test]
fn a_counter_that_is_copied_at_the_end_strides_like_one_that_is_not() {
    let body = "L: mul.wide.s32 %rd5, %r2, 8; sub.s64 %rd6, %rd2, %rd5; ld.global.u64 %rd7, [%rd6];
        sub.s32 %r3, %r2, -2; mov.u32 %r2, %r3; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;";
    assert_eq!(patterns(body), [(Some(0), Pattern::Strided(Some(-16)))]);
}

#[test]
fn two_ways_back_with_the_same_step_stride_and_with_two_steps_do_not() {
    let body = |one: i32, other: i32| {
        format!(
            "L: mul.wide.s32 %rd5, %r2, 4; add.s64 %rd6, %rd2, %rd5; ld.global.u32 %r3, [%rd6];
            setp.eq.u32 %p1, %r3, 7; @%p1 bra M; add.s32 %r2, %r2, {one}; bra L;
            M: setp.eq.u32 %p2, %r2, %r1; @%p2 bra E; add.s32 %r2, %r2, {other}; bra L; E:"
        )
    };
    assert_eq!(patterns(&body(3, 3)), [(Some(0), Pattern::Strided(Some(12)))]);
    assert_eq!(patterns(&body(3, 4)), [(Some(0), Pattern::Other)]);
}

#[test]
fn a_grid_stride_loop_strides_by_what_the_launch_gives() {
    let body = "mov.u32 %r9, %ntid.x; L: mul.wide.s32 %rd5, %r2, 4; add.s64 %rd6, %rd2, %rd5;
        ld.global.u32 %r3, [%rd6]; add.s32 %r2, %r2, %r9; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;";
    assert_eq!(patterns(body), [(Some(0), Pattern::Strided(None))]);
}

#[test]
fn a_chased_pointer_depends_on_its_own_load() {
    let body = "mov.u64 %rd9, %rd2; L: ld.global.u64 %rd9, [%rd9]; setp.ne.u64 %p1, %rd9, 0; @%p1 bra L;";
    assert_eq!(patterns(body), [(Some(0), Pattern::Dependent(0))]);
}

#[test]
fn what_changes_only_sometimes_or_in_an_inner_loop_has_no_stride() {
    let sometimes = "L: mul.wide.s32 %rd5, %r2, 4; add.s64 %rd6, %rd2, %rd5; ld.global.u32 %r3, [%rd6];
        setp.lt.u32 %p1, %r2, %r1; @%p1 add.s32 %r2, %r2, 1; @%p1 bra L;";
    assert_eq!(patterns(sometimes), [(Some(0), Pattern::Other)]);
    let inner = "L: mul.wide.s32 %rd5, %r2, 4; add.s64 %rd6, %rd2, %rd5; ld.global.u32 %r3, [%rd6];
        M: add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r3; @%p1 bra M; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;";
    let found = patterns(inner);
    assert!(matches!(found[..], [(Some(0), Pattern::Other | Pattern::Dependent(0))]), "{found:?}");
}

#[test]
fn an_outer_value_is_invariant_in_the_inner_loop() {
    let body =
        "L: mul.wide.s32 %rd5, %r2, 4; add.s64 %rd6, %rd2, %rd5; ld.global.u32 %r3, [%rd6]; mov.u32 %r7, 0;
        M: ld.global.u32 %r4, [%rd6]; mad.wide.s32 %rd9, %r7, 4, %rd4; ld.global.u32 %r5, [%rd9];
        add.s32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, %r3; @%p1 bra M;
        add.s32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;";
    let stride = Pattern::Strided(Some(4));
    assert_eq!(patterns(body), [(Some(0), stride), (Some(0), Pattern::Invariant), (Some(1), stride)]);
}

#[test]
fn a_pointer_that_may_be_either_has_no_region() {
    let body = "setp.eq.u32 %p3, %r1, 5; selp.b64 %rd9, %rd2, %rd4, %p3;
        L: ld.global.u32 %r3, [%rd9]; setp.ne.u32 %p1, %r3, 0; @%p1 bra L;";
    assert_eq!(patterns(body), [(None, Pattern::Invariant)]);
}
