//! Message classes are data: whatever list a network has, everything is answered once and nothing is lost.

use super::driver::{drive, mixed};
use super::machines::{fermi, gtx480, one_clock, tiny};
use heddle_engine::Statistics;
use heddle_memory::crossbar::{ClassSpec, CrossbarSpec, PacketKind};
use heddle_memory::fabric::Fabric;
use proptest::prelude::*;

fn class(name: &str, carries: &[PacketKind]) -> ClassSpec {
    let (name, carries) = (name.to_owned(), carries.to_vec());
    ClassSpec { name, carries, input_queue: None, output_queue: None, interleave: None, speedup: None }
}

fn accesses() -> Vec<PacketKind> {
    use PacketKind::*;
    vec![Read, Prefetch, Write, Atomic, WriteBack, Victim]
}

/// Every way to part what may be parted: commands from accesses, and the three kinds that come back from each other.
fn lists() -> Vec<Vec<ClassSpec>> {
    use PacketKind::*;
    let down = [
        vec![class("requests", &[accesses(), vec![Command]].concat())],
        vec![class("commands", &[Command]), class("accesses", &accesses())],
    ];
    let back = [
        vec![class("replies", &[Data, Acknowledgement, Answer])],
        vec![class("data", &[Data, Answer]), class("acknowledgements", &[Acknowledgement])],
        vec![class("acknowledgements", &[Acknowledgement, Answer]), class("data", &[Data])],
        vec![
            class("answers", &[Answer]),
            class("acknowledgements", &[Acknowledgement]),
            class("data", &[Data]),
        ],
    ];
    down.iter().flat_map(|down| back.iter().map(move |back| [down.clone(), back.clone()].concat())).collect()
}

fn counts(spec: &heddle_memory::fabric::FabricSpec, lines: u64) -> (u64, Statistics) {
    let mut fabric = Fabric::new(spec, &one_clock(), 5).unwrap_or_else(|error| panic!("{error}"));
    let cycles = drive(&mut fabric, &one_clock(), mixed(5, 300, lines, 7)).cycles;
    let mut counts = Statistics::default();
    fabric.add_statistics(fabric.now(), &mut counts);
    (cycles, counts)
}

#[test]
fn requests_and_replies_by_a_list_are_those_without_one() {
    for figures in [fermi(), gtx480(), tiny(fermi())] {
        let plain = figures.fabric();
        let mut listed = plain.clone();
        listed.networks[0].crossbar.classes = plain.networks[0].crossbar.message_classes();
        let (one, other) = (counts(&plain, 500), counts(&listed, 500));
        assert_eq!(one.0, other.0);
        assert!(one.1.iter().eq(other.1.iter()));
    }
}

#[test]
fn acknowledgements_in_a_class_of_their_own_are_counted_there_and_wait_behind_no_data() {
    use PacketKind::*;
    let mut spec = fermi().fabric();
    let down = [accesses(), vec![Command]].concat();
    let (data, acknowledgements) =
        (class("data", &[Data, Answer]), class("acknowledgements", &[Acknowledgement]));
    spec.networks[0].crossbar.classes = vec![class("requests", &down), data, acknowledgements];
    let (_, parted) = counts(&spec, 500);
    let of = |counts: &Statistics, name: &str| counts.get(&format!("interconnect.{name}")).unwrap();
    assert!(of(&parted, "acknowledgements.address_packets") > 0);
    assert_eq!(of(&parted, "acknowledgements.address_packets"), parted.get("latency.writes").unwrap());
    assert_eq!((of(&parted, "acknowledgements.data_packets"), of(&parted, "data.address_packets")), (0, 0));
    // Traffic is that of all classes.
    let flits =
        ["requests", "data", "acknowledgements"].map(|name| of(&parted, &format!("{name}.address_flits")));
    assert_eq!(parted.get("traffic.l1_l2_address_flits"), Some(flits.iter().sum()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_list_of_classes_hangs_or_loses_anything(
        list in 0usize..8, machine in 0usize..2, queues in (1u32..3, 1u32..3), interleave in 0u32..3,
        speedup in 1u32..3, lines in 1u64..300, seed in 0u64..1000, cores in 1u16..6,
    ) {
        let mut spec = tiny([fermi, gtx480][machine]()).fabric();
        let mut classes = lists().swap_remove(list);
        let last = classes.last_mut().unwrap();
        (last.input_queue, last.output_queue) = (Some(queues.0), Some(queues.1));
        last.interleave = Some(interleave);
        classes[0].speedup = Some(speedup);
        spec.networks[0].crossbar.classes = classes;
        let mut fabric = Fabric::new(&spec, &one_clock(), cores.into()).unwrap_or_else(|error| panic!("{error}"));
        drive(&mut fabric, &one_clock(), mixed(cores, 150, lines, seed));
    }
}

#[test]
fn lists_that_no_network_can_have_are_refused_with_the_reason() {
    use PacketKind::*;
    let crossbar = |classes: Vec<ClassSpec>| CrossbarSpec { classes, ..fermi().interconnect };
    let refused = |classes: Vec<ClassSpec>, words: &str| {
        let (key, problem) = crossbar(classes).problem().expect("it must be refused");
        assert_eq!(key, "classes");
        assert!(problem.contains(words), "{problem}");
    };
    let whole = || lists().swap_remove(0);
    let without = |kind: PacketKind| {
        let mut classes = whole();
        classes.iter_mut().for_each(|class| class.carries.retain(|other| *other != kind));
        classes
    };
    refused(without(Atomic), "no class carries \"atomic\"");
    refused([whole(), vec![class("more", &[Data])]].concat(), "\"data\" is carried twice");
    refused(
        [without(Write), vec![class("writes", &[Write])]].concat(),
        "keeps a read from overtaking a write",
    );
    refused([without(Answer), vec![class("replies", &[Answer])]].concat(), "two classes \"replies\"");
    refused(vec![class("all", &PacketKind::ALL)], "which go opposite ways");
    refused([whole(), vec![class("none", &[])]].concat(), "carries nothing");
    refused(vec![class("a.b", &[Data])], "cannot be a name");
    let mut long = whole();
    long[1].input_queue = Some(0);
    refused(long, "input_queue of \"replies\": 0 is not between");
    let mut both = whole();
    (both[0].interleave, both[0].speedup) = (Some(2), Some(2));
    refused(both, "need packets that are sent whole");
    for classes in lists() {
        assert_eq!(crossbar(classes).problem(), None);
    }
}
