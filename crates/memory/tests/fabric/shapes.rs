//! Shapes of the memory system: whatever levels are listed, everything that is asked is answered once, and nothing is lost.

use super::driver::{drive, mixed, walks};
use super::machines::{Figures, fermi, gtx480, one_clock, tiny};
use heddle_engine::Statistics;
use heddle_engine::units::Bytes;
use heddle_memory::cache::{InclusionKind, PrefetchKind, WriteHit, WriteMiss};
use heddle_memory::fabric::{Fabric, FabricSpec, LevelSpec, NetworkSpec, draw};
use proptest::prelude::*;

/// A level between L1 and L2 with L2's figures.
fn between(figures: &Figures, shared_by: u32, by_network: bool) -> LevelSpec {
    let l2 = &figures.l2;
    LevelSpec {
        name: "middle".to_owned(),
        below: "l2".to_owned(),
        link: if by_network { "interconnect" } else { "direct" }.to_owned(),
        link_latency: if by_network { 0 } else { 2 },
        shared_by,
        slices: 2,
        map: Default::default(),
        interleave: Bytes(256),
        size: Bytes(l2.line.0 * 4 * 2 * u64::from(l2.ways)),
        miss_queue: 2,
        dram_queue: 0,
        atomic_cycles: 0,
        latency: 3,
        ..l2.clone()
    }
}

/// A memory system with that level, which L1 reaches over a network of its own or directly.
pub(crate) fn with_middle(
    mut figures: Figures,
    shared_by: u32,
    upper: &str,
    lower_by_network: bool,
) -> FabricSpec {
    let middle = between(&figures, shared_by, lower_by_network);
    figures.l1.below = "middle".to_owned();
    figures.l1.link = upper.to_owned();
    let second = NetworkSpec { name: "cluster".to_owned(), crossbar: figures.interconnect.clone() };
    let mut spec = figures.fabric();
    spec.caches.insert(4, middle);
    if upper == "cluster" {
        spec.networks.push(second);
    }
    spec
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_shape_hangs_or_loses_anything(
        machine in 0usize..2, cores in 1u16..7, shared_by in 1u32..4, halves in 1u32..3, upper in 0usize..3,
        lower_by_network: bool, write in 0usize..3, exclusive: bool, lines in 1u64..300, seed in 0u64..1000,
        slices in 1u32..4, miss_queue in 1u32..4, prefetch in 0usize..4,
    ) {
        let mut figures = tiny([fermi, gtx480][machine]());
        figures.l1.sector = figures.l2.sector;
        let upper = ["direct", "interconnect", "cluster"][upper];
        let mut spec = with_middle(figures, shared_by, upper, lower_by_network);
        spec.cache_mut("l2").unwrap().shared_by = shared_by * halves * 2;
        let middle = spec.cache_mut("middle").unwrap();
        middle.size = Bytes(middle.size.0 / u64::from(middle.slices) * u64::from(slices));
        (middle.slices, middle.miss_queue) = (slices, miss_queue);
        middle.prefetch =
            [PrefetchKind::None, PrefetchKind::Stride, PrefetchKind::Ghb, PrefetchKind::Stream][prefetch];
        (middle.write_hit, middle.write_miss) = [
            (WriteHit::Evict, WriteMiss::NoAllocate),
            (WriteHit::Through, WriteMiss::NoAllocate),
            (WriteHit::Back, WriteMiss::Allocate),
        ][write];
        if exclusive {
            middle.inclusion = InclusionKind::Exclusive;
        }
        let mut fabric = Fabric::new(&spec, &one_clock(), cores.into()).unwrap_or_else(|error| panic!("{error}"));
        let data = spec.cache("l1").unwrap().slice();
        for launch in 0..2 {
            drive(&mut fabric, &one_clock(), mixed(cores, 120, lines, seed + launch));
            // What comes in order is what prefetchers wish to go on with, in other slices as well.
            drive(&mut fabric, &one_clock(), walks(cores, 60));
            fabric.begin_launch(&data, false);
        }
    }
}

/// A wish for a line of another slice leaves that slice, whatever waits in it.
#[test]
fn a_slice_sends_what_another_wishes_for() {
    let mut spec = with_middle(fermi(), 0, "direct", true);
    let middle = spec.cache_mut("middle").unwrap();
    (middle.interleave, middle.prefetch) = (middle.line, PrefetchKind::Stream);
    for miss_queue in [1, 8] {
        spec.cache_mut("middle").unwrap().miss_queue = miss_queue;
        let mut fabric = Fabric::new(&spec, &one_clock(), 2).unwrap();
        drive(&mut fabric, &one_clock(), walks(2, 64));
        let mut counts = Statistics::default();
        fabric.add_statistics(fabric.now(), &mut counts);
        assert!(counts.get("middle.prefetches_issued").unwrap() > 0, "with a miss queue of {miss_queue}");
    }
}

#[test]
fn a_level_between_answers_what_it_holds_and_passes_the_rest_on() {
    let spec = with_middle(fermi(), 2, "direct", true);
    let mut fabric = Fabric::new(&spec, &one_clock(), 4).unwrap();
    drive(&mut fabric, &one_clock(), mixed(4, 400, 300, 1));
    let mut counts = Statistics::default();
    fabric.add_statistics(fabric.now(), &mut counts);
    let count = |name: &str| counts.get(name).unwrap();
    assert!(count("middle.read_hits") > 0);
    assert_eq!(count("middle.reads"), count("l1.read_misses"));
    assert_eq!(
        count("l2.reads"),
        count("middle.read_misses")
            + count("constant.read_misses")
            + count("texture.read_misses")
            + count("instruction.read_misses")
    );
    assert_eq!(count("l2.writes"), count("middle.writes"));
    assert_eq!((count("middle.atomics"), count("l2.atomics")), (count("l1.atomics"), count("l1.atomics")));
}

#[test]
fn the_tree_of_a_machine_is_drawn_from_memory_up() {
    let spec = with_middle(fermi(), 2, "cluster", true);
    let lines = draw(&spec, 4);
    assert_eq!(lines[0], "dram  8 channels");
    assert!(lines[1].starts_with("└─ l2  768KiB in 6 slices, shared by all 4 cores"), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("   └─ middle  2 × ")), "{lines:#?}");
    assert!(
        lines.iter().any(|line| line.contains("└─ l1  4 × 48KiB") && line.ends_with("(by cluster)")),
        "{lines:#?}"
    );
}

#[test]
fn a_last_instance_that_serves_fewer_cores_is_told() {
    let spec = with_middle(fermi(), 4, "direct", true);
    let line = |cores| draw(&spec, cores).into_iter().find(|line| line.contains("middle  ")).unwrap();
    assert!(line(8).contains(", one for every 4 cores  ("), "{}", line(8));
    assert!(line(9).contains(", one for every 4 cores, the last for 1  ("), "{}", line(9));
}

/// Whatever a level is called: statistics that are named without it say by their unit whose cycles they count.
#[test]
fn units_of_the_last_level_follow_from_its_name() {
    let units = |last: &str| {
        let mut spec = with_middle(fermi(), 2, "direct", true);
        for level in &mut spec.caches {
            for name in [&mut level.name, &mut level.below] {
                *name = if name == "l2" { last.to_owned() } else { name.clone() };
            }
        }
        let mut catalogue = heddle_engine::Catalogue::default();
        Fabric::declare(&spec, &mut catalogue);
        [
            "queueing.slice_input",
            "queueing.dram_queue",
            "latency.dram_fetch_cycles",
            "queueing.middle_slice_input",
        ]
        .map(|name| catalogue.get(name).unwrap().unit.to_string())
    };
    let named = |last: &str| [last, last, last, "cycles of the level"].map(str::to_owned);
    assert_eq!(units("l2"), named("L2 cycles"));
    assert_eq!(units("l3"), named("L3 cycles"));
    assert_eq!(units("shared"), named("shared cycles"));
}

#[test]
fn what_nothing_uses_is_refused_by_name() {
    let refused = |change: &dyn Fn(&mut FabricSpec)| {
        let mut spec = with_middle(fermi(), 2, "cluster", true);
        change(&mut spec);
        spec.check(4).unwrap_err().to_string()
    };
    let idle = refused(&|spec| spec.cache_mut("l1").unwrap().below = "l2".to_owned());
    assert_eq!(idle, "caches: nothing is above \"middle\": no level and no agent asks it");
    let unused = refused(&|spec| spec.cache_mut("l1").unwrap().link = "interconnect".to_owned());
    assert_eq!(
        unused,
        "networks: nothing is sent over \"cluster\": no level and no agent has it as its link"
    );
}

/// Each level waits under its own name and in its own cycles; what one says of cores' caches is theirs alone.
#[test]
fn waiting_is_counted_by_level() {
    let spec = with_middle(tiny(fermi()), 2, "cluster", true);
    let mut fabric = Fabric::new(&spec, &one_clock(), 4).unwrap();
    drive(&mut fabric, &one_clock(), mixed(4, 300, 300, 1));
    let mut counts = Statistics::default();
    fabric.add_statistics(fabric.now(), &mut counts);
    let mut catalogue = heddle_engine::Catalogue::default();
    Fabric::declare(&spec, &mut catalogue);
    let declared: Vec<&str> =
        catalogue.iter().map(|(name, _)| name).filter(|name| name.starts_with("queueing.")).collect();
    let counted: Vec<&str> =
        counts.iter().map(|(name, _)| name).filter(|name| name.starts_with("queueing.")).collect();
    assert_eq!(counted, declared);
    for queue in ["miss_queue", "slice_input", "dram_queue", "middle_slice_input", "middle_miss_queue"] {
        assert!(counts.get(&format!("queueing.{queue}")).unwrap() > 0, "{queue}");
    }
    // Without cores' caches that wait, nothing waits in their queues, whatever does below.
    let idle = with_middle(fermi(), 2, "cluster", true);
    let mut fabric = Fabric::new(&idle, &one_clock(), 1).unwrap();
    drive(&mut fabric, &one_clock(), walks(1, 1));
    let mut counts = Statistics::default();
    fabric.add_statistics(fabric.now(), &mut counts);
    assert_eq!(counts.get("queueing.miss_queue"), Some(0));
}

/// Two levels that train one set of tables would each learn from what the other sees.
#[test]
fn policies_of_two_levels_that_share_tables_are_refused_by_key() {
    let refused = |upper, lower| {
        let mut spec = with_middle(fermi(), 2, "direct", true);
        spec.cache_mut("middle").unwrap().inclusion = upper;
        spec.cache_mut("l2").unwrap().inclusion = lower;
        spec.check(4).map_err(|error| error.to_string())
    };
    use InclusionKind::{BypassCopyback, Exclusive, Flexclusion, RegionExclusive};
    let tables = "has the Region Tracking Tables of cores already, of which a machine has one set";
    let expected = Err(format!("l2.inclusion: middle.inclusion {tables}"));
    assert_eq!(refused(RegionExclusive, RegionExclusive), expected);
    assert_eq!(refused(BypassCopyback, RegionExclusive), expected);
    let selector = "has the policy selector already, of which a machine has one set";
    assert_eq!(refused(Flexclusion, Flexclusion), Err(format!("l2.inclusion: middle.inclusion {selector}")));
    assert_eq!(refused(RegionExclusive, Flexclusion), Ok(()));
    assert_eq!(refused(Exclusive, RegionExclusive), Ok(()));
}
