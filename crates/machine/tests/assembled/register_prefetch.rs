//! Prefetching into spare registers gives the answers of a machine without time, whatever the loop.

use super::common::{Bench, count, grid, spec};
use super::loop_shapes::{Before, Inside, Shape, TWIST, Tail, Test, Update};
use heddle_gpu::{LaunchTiming, RunSettings};
use heddle_machine::{Machine, added_bits};

const C_SPREF1: &[&str] = &["core.prefetch_registers=c-spref1", "core.prefetch_conditional=true"];
const C_SPREF: &[&str] = &["core.prefetch_registers=c-spref", "core.prefetch_conditional=true"];
const SPREF1: &[&str] = &["core.prefetch_registers=spref1", "core.prefetch_conditional=true"];
const SPREF: &[&str] = &["core.prefetch_registers=spref", "core.prefetch_conditional=true"];
const SPREF1_C: &[&str] = &["core.prefetch_registers=spref1-c", "core.prefetch_conditional=true"];

/// All of them.
const ALL: [&[&str]; 5] = [C_SPREF1, C_SPREF, SPREF1, SPREF, SPREF1_C];

const BLOCKS: u32 = 2;
const THREADS: u32 = 96;
const EDGES: u32 = 600;

/// Runs all kernels on a machine; gives their answers.
fn answers(bench: &mut Bench, kernels: &[String]) -> Vec<Vec<u32>> {
    let threads = BLOCKS * THREADS;
    let scattered = |number: u32, range: u32| number.wrapping_mul(2_654_435_761) >> 7 & (range - 1);
    let edges: Vec<u32> = (0..EDGES).map(|place| scattered(place + 1, 1 << 9)).collect();
    let values: Vec<u32> = (0..2048).map(|place| scattered(place, 1 << 20)).collect();
    let starts: Vec<u32> = (0..threads).map(|thread| scattered(thread, 1 << 9)).collect();
    // None, one, two, and as many as leave lanes alone.
    let counts: Vec<u32> =
        (0..threads).map(|thread| [0, 1, 2, 5, 2, 20, 1, 3][thread as usize % 8]).collect();
    let edges = bench.words("edges", &edges);
    let starts = bench.words("starts", &starts);
    let counts = bench.words("counts", &counts);
    let launch = |kernel: &String| {
        let values = bench.words("values", &values);
        let out = bench.zeros("out", threads.into());
        let arguments = [edges.into(), values.into(), starts.into(), counts.into(), out.into()];
        bench.launch(kernel, grid(BLOCKS, THREADS), &arguments);
        [bench.read(out), bench.read(values)].concat()
    };
    kernels.iter().map(launch).collect()
}

impl Shape {
    /// Whether a mechanism finds loads in it that become moves.
    fn has_targets(&self, mechanism: &[&str]) -> bool {
        let by_hardware = matches!(mechanism, SPREF1 | SPREF | SPREF1_C);
        let between = self.update == Update::Between && !self.pointer;
        let twice = self.inside == Inside::SecondUpdate;
        // The closing branch has no predicate, or the body is not in one piece.
        let hidden = by_hardware && (self.test == Test::First || self.inside == Inside::Call);
        let no_tail = mechanism == SPREF1_C && self.tail == Tail::Nothing;
        !between && !twice && !hidden && !no_tail
    }
}

/// Runs some shapes with a mechanism; gives how many had loads that became moves.
fn hold_to_functional(shapes: &[Shape], names: &[String], mechanism: &[&str]) -> usize {
    let kernels = shapes.iter().zip(names).map(|(shape, name)| shape.ptx(name));
    let text = kernels.fold(TWIST.to_owned(), |text, kernel| text + &kernel);
    let mut timed = Bench::new(spec("fermi", mechanism), RunSettings::default(), &text);
    let found = answers(&mut timed, names);
    let expected = answers(&mut Bench::functional(&text), names);
    let record = timed.record.borrow();
    let mut converting = 0;
    for (number, shape) in shapes.iter().enumerate() {
        assert!(found[number] == expected[number], "{mechanism:?} {shape:?}");
        let launch = &record.launches[number];
        let (converted, prefetched) =
            (count(launch, "injected.converted_lanes"), count(launch, "injected.prefetched_lanes"));
        let is_target = shape.has_targets(mechanism);
        assert!(converted == 0 || is_target, "{mechanism:?} {shape:?} has no target");
        if !shape.breaks {
            assert_eq!(converted > 0, is_target, "{mechanism:?} {shape:?} is a target or is none");
            if shape.tail != Tail::Conditional && mechanism != SPREF1_C {
                assert_eq!(converted, prefetched, "{mechanism:?} {shape:?}: what is prefetched is used");
            }
        }
        assert!(converted <= prefetched, "{mechanism:?} {shape:?}");
        converting += usize::from(converted > 0);
    }
    converting
}

#[test]
fn every_loop_has_the_answer_of_a_machine_without_time() {
    for mechanism in ALL {
        // What two mechanisms share is tried with one of them in every loop, with the other in a third of them.
        let every = if matches!(mechanism, C_SPREF1 | SPREF) { 1 } else { 3 };
        let shapes: Vec<Shape> = Shape::all().into_iter().step_by(every).collect();
        let names: Vec<String> = (0..shapes.len()).map(|number| format!("k{number}")).collect();
        let chunks = shapes.chunks(360).zip(names.chunks(360));
        let converting: usize =
            chunks.map(|(shapes, names)| hold_to_functional(shapes, names, mechanism)).sum();
        assert!(converting > 1000 / every, "{mechanism:?}: {converting} loops have prefetches");
    }
}

/// A loop over a list that ends with a mark, whose bound says nothing.
const MARKED: &str = r#"
.visible .entry marked(.param .u64 list, .param .u64 out, .param .u32 bound)
{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [list];
    ld.param.u64 %rd2, [out];
    ld.param.u32 %r5, [bound];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd4, %rd1, %rd3;
    add.u64 %rd5, %rd2, %rd3;
    mov.u32 %r2, 0;
LOOP:
    ld.global.nc.u32 %r3, [%rd4];
    setp.eq.u32 %p1, %r3, 99;
    @%p1 bra DONE;
    add.u32 %r2, %r2, 1;
    add.u64 %rd4, %rd4, 4;
    setp.lt.u32 %p2, %r2, %r5;
    @%p2 bra LOOP;
DONE:
    st.global.u32 [%rd5], %r2;
    ret;
}
"#;

#[test]
fn a_prefetch_behind_the_end_of_an_array_is_no_error() {
    let mut bench = Bench::new(spec("fermi", C_SPREF1), RunSettings::default(), MARKED);
    let mut list = vec![1; 128];
    list[127] = 99;
    let (list, out) = (bench.words("list", &list), bench.zeros("out", 64));
    bench.launch("marked", grid(1, 64), &[list.into(), out.into(), u32::MAX.into()]);
    assert!(bench.read(out).into_iter().eq((0..64).map(|thread| 127 - thread)));
    assert!(count(&bench.last(), "injected.converted_loads") > 100);
}

/// The pair of a breadth-first search.
fn pair(settings: &[&str], run: RunSettings) -> (Vec<u32>, LaunchTiming) {
    simple(Tail::Plain, settings, run)
}

/// A loop over a list, with a tail or without.
fn simple(tail: Tail, settings: &[&str], run: RunSettings) -> (Vec<u32>, LaunchTiming) {
    let shape = Shape {
        test: Test::Less,
        before: Before::Comparison,
        update: Update::Behind,
        tail,
        inside: Inside::Nothing,
        pointer: true,
        breaks: false,
        rounds: 1,
    };
    let mut bench = Bench::new(spec("fermi", settings), run, &(TWIST.to_owned() + &shape.ptx("pair")));
    let mut found = answers(&mut bench, &["pair".to_owned()]);
    (found.remove(0), bench.last())
}

fn registers(number: u32) -> RunSettings {
    let registers = [("pair".to_owned(), number)].into_iter().collect();
    RunSettings { registers, ..RunSettings::default() }
}

#[test]
fn the_prefetched_value_is_the_one_that_is_used() {
    for mechanism in [C_SPREF1, C_SPREF, SPREF1, SPREF] {
        let (right, _) = simple(Tail::Nothing, mechanism, RunSettings::default());
        let flipped = || RunSettings { flip_prefetched: Some(0), ..RunSettings::default() };
        let (wrong, timing) = simple(Tail::Nothing, mechanism, flipped());
        assert!(count(&timing, "injected.converted_loads") > 0);
        assert_ne!(right, wrong, "{mechanism:?}: a bit that flips in a spare register is seen in the answer");
        // A tail was prefetched from where the head's value before the flip had pointed to.
        let checked = std::panic::catch_unwind(|| pair(mechanism, flipped()));
        let problem = checked.err().and_then(|problem| problem.downcast::<String>().ok());
        let problem = problem.expect("the address is held to");
        assert!(problem.contains("was prefetched from elsewhere"), "{problem}");
    }
}

/// Counts of the pair of a breadth-first search.
fn counts_of<const N: usize>(settings: &[&str], run: RunSettings, names: [&str; N]) -> [u64; N] {
    let (_, timing) = pair(settings, run);
    names.map(|name| count(&timing, name))
}

#[test]
fn hardware_needs_iterations_before_it_prefetches() {
    let prefetched =
        |mechanism| counts_of(mechanism, RunSettings::default(), ["injected.prefetched_lanes"])[0];
    assert!(prefetched(SPREF1) < prefetched(C_SPREF1));
    assert!(prefetched(SPREF) < prefetched(C_SPREF));
    // Both cores that have a block find the loop.
    assert_eq!(counts_of(SPREF1, RunSettings::default(), ["injected.loops"]), [2]);
}

#[test]
fn distances_follow_from_iterations_and_registers() {
    let names = ["injected.distance_1", "injected.distance_2", "injected.distance_3"];
    // Lanes have 0, 1, 2, 5, 2, 20, 1 and 3 iterations: those that enter have (1 + 2 + 5 + 2 + 15 + 1 + 3) / 7 on
    // average, by counts of four bits.
    assert_eq!(counts_of(C_SPREF, RunSettings::default(), names), [0, 6, 0]);
    // By the time that cores have found the loop, lanes of five and of twenty are left, with eight and a half.
    assert_eq!(counts_of(SPREF, RunSettings::default(), names), [0, 0, 6]);
    // Head and tail at distance two take four, and one more for the tail's address.
    assert_eq!(counts_of(C_SPREF, registers(42 - 5), names), [0, 6, 0]);
    assert_eq!(counts_of(C_SPREF, registers(42 - 4), names), [6, 0, 0]);
}

#[test]
fn spare_registers_come_out_of_a_unified_store() {
    let l1 = |settings: &[&str]| {
        let settings: Vec<&str> = settings.iter().copied().chain(["shared_memory.unified=192KiB"]).collect();
        let (_, timing) = pair(&settings, registers(28));
        (timing.l1_bytes >> 10, timing.resident_warps)
    };
    // 24 warps with 28 registers of a thread take 84 KB; three more for head, tail and an address, given as four, 12 KB.
    assert_eq!((l1(&[]), l1(C_SPREF1), l1(SPREF1)), ((104, 24), (96, 24), (96, 24)));
}

#[test]
fn prefetches_into_caches_leave_the_loads_as_they_are() {
    let names = ["injected.converted_loads", "injected.prefetches", "injected.found_in_l1"];
    let [converted, prefetches, found] = counts_of(SPREF1_C, RunSettings::default(), names);
    let [both] = counts_of(SPREF1, RunSettings::default(), ["injected.converted_loads"]);
    assert!(converted > 0 && 2 * converted <= both, "heads alone: {converted} of {both}");
    assert!(found > 0 && prefetches > converted);
    let (right, timing) = simple(Tail::Nothing, SPREF1_C, RunSettings::default());
    assert_eq!(right, simple(Tail::Nothing, &[], RunSettings::default()).0);
    assert_eq!(count(&timing, "injected.converted_loads"), 0);
    assert!(count(&timing, "injected.prefetches") > 0 && count(&timing, "injected.found_in_l1") > 0);
}

#[test]
fn without_spare_registers_nothing_is_injected_and_that_is_counted() {
    let (expected, base) = pair(&[], registers(12));
    // With 42 registers a core still holds eight blocks of three warps.
    let counts = |used: u32| {
        let (found, timing) = pair(C_SPREF1, registers(used));
        assert_eq!(found, expected);
        let name = |name| count(&timing, name);
        assert_eq!(name("core.warp_instructions"), count(&base, "core.warp_instructions"));
        (
            name("injected.prefetches") > 0,
            name("injected.instructions"),
            name("injected.loads_without_register"),
        )
    };
    // Head, tail, and one more for its address.
    let (prefetches, both, none_left) = counts(42 - 3);
    assert!(prefetches && none_left == 0, "three are enough");
    let (prefetches, head, tail_left) = counts(42 - 2);
    assert!(prefetches && head < both && tail_left > 0, "two are enough for the head alone");
    let (_, nothing, all_left) = counts(42);
    assert_eq!(nothing, 0);
    assert!(all_left > tail_left);
}

#[test]
fn injected_instructions_have_slots_of_their_own() {
    let (_, timing) = pair(C_SPREF1, RunSettings::default());
    let of = |name| count(&timing, name);
    assert_eq!(of("slots.injected"), of("injected.instructions"));
    assert_eq!(of("slots.busy"), of("core.warp_instructions"));
    assert!(of("injected.converted_loads") > 0 && of("injected.executed_loads") > 0);
}

#[test]
fn lists_and_room_for_instructions_bound_what_is_prefetched() {
    let (_, without_room) =
        pair(&["core.prefetch_registers=c-spref1", "core.prefetch_instructions=2"], RunSettings::default());
    assert!(count(&without_room, "injected.loads_without_register") > 0);
    let fermi = Machine::named("fermi").unwrap();
    for key in ["core.prefetch_pairs=0", "core.prefetch_instructions=1", "core.prefetch_registers=all"] {
        let error = fermi.clone().set(&[key]).resolve().unwrap_err().to_string();
        assert!(error.contains(key.split('=').next().unwrap()), "{error}");
    }
}

#[test]
fn mechanisms_cost_what_table_2_has_and_what_was_chosen_beside_it() {
    let fermi = Machine::named("fermi").unwrap();
    let each = |mechanism: &str| added_bits(&fermi, mechanism).unwrap() / 16;
    // MaxReg_s and MaxReg_d; shadow counts; for each of two pairs and 48 warps two registers of 6 bits with a bit for
    // each lane; 16 instructions of 64 bits.
    let limits_and_counts = 2 * 6 + 48 * 32 * 4;
    assert_eq!(each("c-spref1"), limits_and_counts + 48 * 2 * 2 * (6 + 32) + 16 * 64);
    // Lists of three, with pointers, and a distance for each warp.
    let lists = 48 * (2 + 2 * (2 * 3 * 6 + 5 * 2));
    let lanes = 48 * 2 * 2 * 3 * 32;
    assert_eq!(each("c-spref"), limits_and_counts + lists + lanes + 16 * 64);
    // Two tags for each of 63 registers; two loops with three places, a step and their instructions, eight that are
    // passed over, a copy and a counter of writers for each register.
    let tags = 2 * 2 * 63;
    let detection = 2 * (3 * 16 + 16 + 16 * 64) + 8 * 2 * 16 + 63 * (6 + 2);
    assert_eq!(each("spref1"), each("c-spref1") - 16 * 64 + tags + detection);
    assert_eq!(each("spref"), each("c-spref") - 16 * 64 + tags + detection);
    assert_eq!(each("spref1-c"), each("spref1"));
    // Table 2 has 1365 bytes of it.
    assert_eq!((tags + limits_and_counts + lists) / 8, 1365);
}
