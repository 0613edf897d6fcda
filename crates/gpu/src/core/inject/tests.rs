//! What a core finds in loops that warps run through.

use super::loop_body::FoundLoop;
use super::sample::instructions;
use super::training::Training;
use heddle_ptx::early::Step;
use heddle_ptx::ir::{Function, Operation};

/// The pair of a breadth-first search, as figure 6 has it; the loop begins behind a first instruction.
const PAIR: &str = "mov.u32 %r9, 0;
LOOP: ld.global.nc.u32 %r11, [%rd4]; cvt.u64.u32 %rd5, %r11; add.s64 %rd6, %rd1, %rd5;
ld.global.nc.u32 %r12, [%rd6]; add.u32 %r9, %r9, %r12; add.s32 %r6, %r6, 1; add.s64 %rd4, %rd4, 4;
setp.lt.u32 %p1, %r6, %r7; @%p1 bra LOOP; ret;";

/// The loop that the last backward branch closes.
fn range(kernel: &Function) -> (usize, usize) {
    let back = |(place, instruction): (usize, &heddle_ptx::ir::Instruction)| match instruction.operation {
        Operation::Branch { target, .. } => {
            Some((kernel.labels[target.0 as usize], place)).filter(|(to, from)| to <= from)
        }
        _ => None,
    };
    kernel.instructions.iter().enumerate().filter_map(back).next_back().unwrap()
}

/// Warps run through iterations of a loop in turn, straight from its start to its end.
fn trained(kernel: &Function, warps: &[usize]) -> (Option<FoundLoop>, Training) {
    let (start, end) = range(kernel);
    let mut training = Training::new(2);
    // One iteration shows the loop.
    assert_eq!(training.branched(warps[0], (start, end), true, kernel), None);
    let mut found = None;
    for &warp in warps {
        for place in start..=end {
            if training.watched() == Some(warp) {
                training.issued(place, kernel);
            }
        }
        found = found.or(training.branched(warp, (start, end), true, kernel));
    }
    (found, training)
}

fn loads(found: &FoundLoop) -> Vec<(usize, Option<usize>)> {
    found.candidates.iter().map(|candidate| (candidate.load, candidate.head)).collect()
}

#[test]
fn two_iterations_of_any_warps_behind_the_first_find_a_pair() {
    let kernel = instructions(PAIR);
    assert_eq!(trained(&kernel, &[0]).0, None, "one iteration is not enough");
    for warps in [[0, 0], [5, 5]] {
        let (found, training) = trained(&kernel, &warps);
        let found = found.unwrap();
        assert_eq!(loads(&found), [(1, None), (4, Some(0))]);
        assert_eq!((found.range, found.exits), ((1, 9), vec![10]));
        assert_eq!((found.test.instruction, found.test.step), (8, 1));
        assert_eq!(training.watched(), None);
    }
    // The second iteration is of another warp, because the first one leaves the loop.
    let mut training = Training::new(2);
    let own = range(&kernel);
    training.branched(0, own, true, &kernel);
    (own.0..=own.1).for_each(|place| training.issued(place, &kernel));
    assert_eq!(training.branched(0, own, false, &kernel), None);
    assert_eq!(training.watched(), None);
    training.branched(7, own, true, &kernel);
    assert_eq!(training.watched(), Some(7));
    (own.0..=own.1).for_each(|place| training.issued(place, &kernel));
    assert_eq!(loads(&training.branched(7, own, false, &kernel).unwrap()).len(), 2);
}

#[test]
fn an_iteration_that_leaves_the_loop_is_watched_again() {
    let kernel = instructions(PAIR);
    let own = range(&kernel);
    let mut training = Training::new(2);
    for attempt in 0..3 {
        training.branched(0, own, true, &kernel);
        assert_eq!(training.watched(), Some(0), "attempt {attempt}");
        training.issued(10, &kernel);
        assert_eq!(training.watched(), None);
    }
    training.branched(0, own, true, &kernel);
    assert_eq!(training.watched(), None, "after three times the loop is passed over");
}

#[test]
fn a_loop_that_does_not_come_again_gives_way() {
    let kernel = instructions(PAIR);
    let mut training = Training::new(2);
    training.branched(0, (1, 9), true, &kernel);
    training.issued(10, &kernel);
    for _ in 0..64 {
        training.branched(1, (2, 8), true, &kernel);
        assert_eq!(training.watched(), None);
    }
    training.branched(1, (2, 8), true, &kernel);
    assert_eq!(training.watched(), Some(1));
}

/// What is found in a loop with this body, a head in `%r11` and an index in `%r6` apart.
fn found_in(before: &str, behind: &str) -> Option<FoundLoop> {
    let text = format!(
        "mov.u32 %r9, 0;\nLOOP: {before} ld.global.nc.u32 %r11, [%rd4]; {behind}\n\
         add.s32 %r6, %r6, 1; add.s64 %rd4, %rd4, 4;\nNEXT: setp.lt.u32 %p1, %r6, %r7; @%p1 bra LOOP;\nDONE: ret;"
    );
    let kernel = instructions(&text);
    trained(&kernel, &[0, 0]).0
}

#[test]
fn what_some_iterations_might_do_otherwise_is_no_target() {
    assert!(found_in("", "").is_some());
    for (before, behind) in [
        // A second update, a conditional one, one by what changes, one that is guarded.
        ("", "add.s64 %rd4, %rd4, 4;"),
        ("", "@%p2 bra NEXT;"),
        ("", "add.s32 %r8, %r8, 1; add.s32 %r6, %r6, %r8;"),
        ("", "@%p2 add.s64 %rd4, %rd4, 4;"),
        // A second way back, a loop around the load.
        ("", "@%p2 bra LOOP;"),
        ("INNER: mov.u32 %r8, 0;", "@%p2 bra INNER;"),
    ] {
        assert_eq!(found_in(before, behind), None, "{before} {behind}");
    }
    let conditional = found_in("@%p2 bra OVER;", "OVER:").unwrap();
    assert!(conditional.candidates[0].conditional.is_some(), "left out by some iterations");
    let leaves = found_in("", "@%p2 bra DONE;").unwrap();
    assert!(leaves.candidates[0].conditional.is_none());
}

#[test]
fn plain_loads_and_what_is_computed_otherwise_are_no_targets() {
    let tail = |address: &str| {
        let found = found_in("", address).unwrap();
        found.candidates.iter().filter(|candidate| candidate.head.is_some()).count()
    };
    assert_eq!(
        tail("mul.wide.u32 %rd5, %r11, 4; add.s64 %rd6, %rd1, %rd5; ld.global.nc.u32 %r12, [%rd6];"),
        1
    );
    assert_eq!(tail("mul.wide.u32 %rd5, %r11, 4; add.s64 %rd6, %rd1, %rd5; ld.global.u32 %r12, [%rd6];"), 0);
    assert_eq!(
        tail("mul.wide.u32 %rd5, %r11, 4; add.s64 %rd6, %rd1, %rd5; atom.global.add.u32 %r12, [%rd6], 1;"),
        0
    );
    assert_eq!(
        tail(
            "and.b32 %r13, %r11, 7; mul.wide.u32 %rd5, %r13, 4; add.s64 %rd6, %rd1, %rd5;
                     ld.global.nc.u32 %r12, [%rd6];"
        ),
        0
    );
}

#[test]
fn a_step_in_a_register_and_an_index_behind_copies_are_found() {
    let text = "mov.u32 %r9, 0;
LOOP: cvt.u64.u32 %rd10, %r6; mul.wide.u32 %rd5, %r6, 4; add.s64 %rd6, %rd1, %rd5; ld.global.nc.u32 %r11, [%rd6];
ld.global.nc.u32 %r12, [%rd4]; cvt.u32.u64 %r8, %rd10; add.s64 %rd4, %rd4, %rd2; add.s32 %r6, %r8, 1;
setp.lt.u32 %p1, %r6, %r7; @%p1 bra LOOP; ret;";
    let (found, _) = trained(&instructions(text), &[0, 0]);
    let found = found.unwrap();
    let steps: Vec<Step> = found.candidates.iter().map(|candidate| candidate.advances[0].step).collect();
    assert_eq!(loads(&found), [(4, None), (5, None)]);
    assert_eq!(steps[0], Step::Constant(1));
    assert!(matches!(steps[1], Step::Register(_)));
}
