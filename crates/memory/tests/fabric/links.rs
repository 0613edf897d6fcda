//! Links: a reply goes back by the link that its request came by, whatever else is above its sender, and no order in which
//! a machine file lists levels or networks is a figure of the machine.

use super::driver::{drive, mixed, request};
use super::machines::{Figures, fermi, gtx480, one_clock, tiny};
use super::shapes::with_middle;
use heddle_engine::Statistics;
use heddle_memory::fabric::{Fabric, FabricSpec, NetworkSpec};
use heddle_memory::request::{Access, Path, Request};

/// All that is counted of a run, by name, and its cycles.
fn run(spec: &FabricSpec, streams: Vec<Vec<Request>>) -> (u64, Statistics) {
    let mut fabric = Fabric::new(spec, &one_clock(), streams.len() as u32).unwrap();
    let outcome = drive(&mut fabric, &one_clock(), streams);
    let mut counts = Statistics::default();
    fabric.add_statistics(fabric.now(), &mut counts);
    (outcome.cycles, counts)
}

/// Packets of a class of a network.
fn packets(counts: &Statistics, class: &str) -> u64 {
    ["address_packets", "data_packets"]
        .map(|kind| counts.get(&format!("{class}.{kind}")).unwrap())
        .iter()
        .sum()
}

/// Cycles of one read without load.
fn round_trip(spec: &FabricSpec, path: Path) -> u64 {
    run(spec, vec![vec![Request { path, ..request(0, 0, 1, Access::Read) }]]).0
}

/// No networks; instructions come a long way.
fn all_direct(mut figures: Figures) -> FabricSpec {
    for level in [&mut figures.l1, &mut figures.constant, &mut figures.texture, &mut figures.instruction] {
        (level.link, level.link_latency) = ("direct".to_owned(), 2);
    }
    figures.instruction.link_latency = 1002;
    FabricSpec { networks: Vec::new(), ..figures.fabric() }
}

#[test]
fn the_order_of_the_list_of_caches_changes_nothing() {
    let machines = [
        all_direct(fermi()),
        all_direct(tiny(fermi())),
        tiny(gtx480()).fabric(),
        with_middle(tiny(fermi()), 2, "cluster", true),
        with_middle(tiny(fermi()), 2, "direct", false),
    ];
    for spec in machines {
        let listed = run(&spec, mixed(4, 200, 100, 1));
        for turn in 1..spec.caches.len() {
            let mut other = spec.clone();
            other.caches.rotate_left(turn);
            assert!(run(&other, mixed(4, 200, 100, 1)) == listed, "{turn} levels listed last");
        }
    }
}

#[test]
fn the_order_of_the_list_of_networks_changes_nothing() {
    let mut spec = with_middle(tiny(fermi()), 2, "cluster", true);
    spec.networks[1].crossbar.flit.0 /= 2;
    let listed = run(&spec, mixed(4, 200, 100, 1));
    assert!(listed.1.get("traffic.l2_dram_data_flits").unwrap() > 0);
    spec.networks.reverse();
    assert!(run(&spec, mixed(4, 200, 100, 1)) == listed);
}

#[test]
fn a_direct_link_is_paid_both_ways_by_those_who_have_it() {
    let near = all_direct(fermi());
    let data = round_trip(&near, Path::Global);
    assert_eq!(round_trip(&near, Path::Constant), data);
    assert_eq!(round_trip(&near, Path::Instruction), data + 2 * 1000);
}

#[test]
fn replies_take_the_network_of_those_who_asked_by_it() {
    let mut spec = fermi().fabric();
    let by_network = round_trip(&spec, Path::Constant);
    let data = spec.cache_mut("l1").unwrap();
    (data.link, data.link_latency) = ("direct".to_owned(), 1);
    assert_eq!(round_trip(&spec, Path::Constant), by_network);
    assert!(round_trip(&spec, Path::Global) < by_network);
    let reads =
        |path| (0..20).map(|line| Request { path, ..request(0, line * 128, 1, Access::Read) }).collect();
    let (_, counts) = run(&spec, vec![reads(Path::Constant), reads(Path::Global)]);
    let packets = [packets(&counts, "interconnect.requests"), packets(&counts, "interconnect.replies")];
    assert_eq!(packets, [20, 20], "those of constants alone");
}

/// Two levels above L2 are on networks of their own: whoever is on one is answered by it.
#[test]
fn a_level_can_be_reached_by_several_networks() {
    let mut figures = tiny(fermi());
    figures.texture.link = "textures".to_owned();
    let mut spec = figures.fabric();
    spec.networks.push(NetworkSpec { name: "textures".to_owned(), crossbar: figures.interconnect.clone() });
    let (_, counts) = run(&spec, mixed(3, 300, 100, 1));
    let count = |name: &str| counts.get(name).unwrap();
    assert!(count("texture.read_misses") > 0);
    assert_eq!(packets(&counts, "textures.requests"), count("texture.read_misses"));
    assert_eq!(packets(&counts, "textures.replies"), count("texture.read_misses"));
}
