//! What happens between launches, and what is told about one that does not go on.

use super::driver::{Numbers, drive, mixed, request};
use super::machines::{Figures, fermi, gtx480, one_clock, tiny};
use heddle_engine::units::Bytes;
use heddle_engine::{Catalogue, Statistics, Tick};
use heddle_memory::fabric::{Fabric, LevelSpec, Offer};
use heddle_memory::request::{Access, Answerer, Notice, Path, Request, Token};

fn level_of(fabric: &mut Fabric, request: Request) -> Answerer {
    match drive(fabric, &one_clock(), vec![vec![request]]).notices.last() {
        Some((_, Notice::Replied(_, level))) => *level,
        _ => Answerer::CORE,
    }
}

#[test]
fn a_launch_empties_l1_and_keeps_l2_and_instructions() {
    let spec = fermi();
    let mut fabric = Fabric::new(&spec.fabric(), &one_clock(), 1).unwrap();
    let data = request(0, 4096, 1, Access::Read);
    let code = Request { path: Path::Instruction, ..request(0, 1 << 20, 1, Access::Read) };
    assert_eq!(level_of(&mut fabric, data), Answerer::MEMORY);
    assert_eq!(level_of(&mut fabric, code), Answerer::MEMORY);
    fabric.begin_launch(&spec.l1.slice(), false);
    assert_eq!(level_of(&mut fabric, data), Answerer::shared(0));
    assert_eq!(level_of(&mut fabric, code), Answerer::CORE);
}

#[test]
fn a_launch_may_change_the_size_of_l1_and_counts_go_on() {
    let spec = fermi();
    let mut fabric = Fabric::new(&spec.fabric(), &one_clock(), 1).unwrap();
    // 256 lines fit into 48 KB and not into 16 KB.
    let lines: Vec<Request> = (0..256).map(|line| request(0, line * 128, 1, Access::Read)).collect();
    let twice = || vec![[lines.clone(), lines.clone()].concat()];
    let mut hits = |size, ways| {
        fabric.begin_launch(&LevelSpec { size: Bytes(size), ways, ..spec.l1.clone() }.slice(), false);
        drive(&mut fabric, &one_clock(), vec![lines.clone()]);
        drive(&mut fabric, &one_clock(), vec![lines.clone()]).hits
    };
    assert_eq!(hits(48 << 10, 6), 256);
    assert_eq!(hits(16 << 10, 4), 0);
    fabric.begin_launch(&spec.l1.slice(), false);
    drive(&mut fabric, &one_clock(), twice());
    let mut statistics = Statistics::default();
    fabric.add_statistics(fabric.now(), &mut statistics);
    assert_eq!(statistics.get("l1.reads"), Some(6 * 256));
}

#[test]
fn dirty_lines_of_threads_own_memory_reach_l2_when_a_launch_ends() {
    let mut fabric = Fabric::new(&gtx480().fabric(), &one_clock(), 1).unwrap();
    let own = |access| Request { path: Path::Local, ..request(0, 640, 1, access) };
    drive(&mut fabric, &one_clock(), vec![vec![own(Access::Read)]]);
    let write = drive(&mut fabric, &one_clock(), vec![vec![own(Access::Write)]]);
    assert_eq!(write.hits, 1, "L1 keeps what only its core can read");
    fabric.begin_launch(&gtx480().l1.slice(), false);
    assert_eq!(fabric.outstanding(), 1);
    while fabric.run_to_notice(&mut Vec::new()).is_some() {}
    fabric.assert_drained();
    let mut statistics = Statistics::default();
    fabric.add_statistics(fabric.now(), &mut statistics);
    assert_eq!(statistics.get("l2.writes"), Some(1));
}

#[test]
fn what_the_host_copies_is_in_l2() {
    let mut fabric = Fabric::new(&gtx480().fabric(), &one_clock(), 1).unwrap();
    fabric.touch_last_level(1000..3000);
    fabric.touch_last_level(5..5);
    assert_eq!(level_of(&mut fabric, request(0, 896, 1, Access::Read)), Answerer::shared(0));
    assert_eq!(level_of(&mut fabric, request(0, 2944, 1, Access::Read)), Answerer::shared(0));
    assert_eq!(level_of(&mut fabric, request(0, 3072, 1, Access::Read)), Answerer::MEMORY);
    // More than fits: the end of it is there.
    fabric.touch_last_level(0..u64::MAX);
    let last = !127 - 128;
    assert_eq!(level_of(&mut fabric, request(0, last, 1, Access::Read)), Answerer::shared(0));
}

#[test]
fn every_request_under_way_is_described_with_what_it_waits_for() {
    let mut fabric = Fabric::new(&tiny(gtx480()).fabric(), &one_clock(), 3).unwrap();
    let mut numbers = Numbers(5);
    let mut accepted: Vec<(Token, u16, u64)> = Vec::new();
    for cycle in 0..400u64 {
        let mut notices = Vec::new();
        fabric.run_until(Tick(cycle), &mut notices);
        for notice in notices {
            if let Notice::Replied(token, _) = notice {
                accepted.retain(|&(other, ..)| other != token);
            }
        }
        let core = (cycle % 3) as u16;
        let token = Token(cycle as u32);
        let line = numbers.below(1 << 20) * 128;
        let wanted =
            Request { token, pc: heddle_memory::Pc(cycle as u32), ..request(core, line, 1, Access::Write) };
        if fabric.offer(Tick(cycle), wanted) == Offer::Accepted {
            accepted.push((token, core, line));
        }
        let waiting = fabric.describe_waiting();
        for (token, core, line) in &accepted {
            let words = format!("core {core}, warp 0, instruction {}, line {line:#x}: write, ", token.0);
            assert!(waiting.iter().any(|known| known.starts_with(&words)), "{words}: {waiting:#?}");
        }
        assert_eq!(fabric.outstanding(), accepted.len());
    }
    assert!(accepted.len() > 5);
}

#[test]
fn prefetches_of_cores_fill_l1_and_nobody_is_told() {
    let mut fabric = Fabric::new(&fermi().fabric(), &one_clock(), 1).unwrap();
    let ahead = request(0, 512, 1, Access::Prefetch);
    assert_eq!(fabric.offer(Tick(0), ahead), Offer::Accepted);
    assert_eq!(fabric.outstanding(), 1);
    assert_eq!(fabric.run_to_notice(&mut Vec::new()), None);
    assert_eq!(level_of(&mut fabric, request(0, 512, 1, Access::Read)), Answerer::CORE);
}

#[test]
fn all_statistics_are_declared() {
    let mut catalogue = Catalogue::default();
    Fabric::declare(&fermi().fabric(), &mut catalogue);
    let mut fabric = Fabric::new(&gtx480().fabric(), &one_clock(), 2).unwrap();
    drive(&mut fabric, &one_clock(), mixed(2, 50, 100, 1));
    let mut statistics = Statistics::default();
    fabric.add_statistics(fabric.now(), &mut statistics);
    assert!(catalogue.iter().map(|(name, _)| name).eq(statistics.iter().map(|(name, _)| name)));
}

/// A shared level may have a victim cache; what hits there is declared then, and only then.
#[test]
fn the_last_level_counts_hits_of_its_victim_cache_if_it_has_one() {
    let counted = |victim_lines| {
        let mut spec = tiny(fermi());
        (spec.l2.size, spec.l2.ways) = (Bytes(spec.l2.line.0 * 2 * u64::from(spec.l2.slices)), 1);
        spec.l2.victim_lines = victim_lines;
        let mut catalogue = Catalogue::default();
        Fabric::declare(&spec.fabric(), &mut catalogue);
        let mut fabric = Fabric::new(&spec.fabric(), &one_clock(), 2).unwrap();
        drive(&mut fabric, &one_clock(), mixed(2, 400, 40, 1));
        let mut statistics = Statistics::default();
        fabric.add_statistics(fabric.now(), &mut statistics);
        assert!(catalogue.iter().map(|(name, _)| name).eq(statistics.iter().map(|(name, _)| name)));
        statistics.get("l2.victim_hits")
    };
    assert_eq!(counted(0), None);
    assert!(counted(2).is_some_and(|hits| hits > 0));
}

#[test]
fn nonsense_is_refused_with_its_key() {
    let key = |change: &dyn Fn(&mut Figures)| {
        let mut spec = gtx480();
        change(&mut spec);
        Fabric::new(&spec.fabric(), &one_clock(), 4).map(|_| ()).unwrap_err().key
    };
    assert_eq!(key(&|spec| spec.l2.slices = 0), "l2.slices");
    assert_eq!(key(&|spec| spec.l2.slices = 8), "l2.slices");
    assert_eq!(key(&|spec| spec.l2.size = Bytes(1000)), "l2.size");
    assert_eq!(key(&|spec| spec.l2.ways = 0), "l2.ways");
    assert_eq!(key(&|spec| spec.l1.line = Bytes(96)), "l1.line");
    assert_eq!(key(&|spec| (spec.l2.line, spec.l2.sector) = (Bytes(64), Bytes(32))), "l1.line");
    assert_eq!(key(&|spec| spec.l2.reply_queue = 0), "l2.reply_queue");
    assert_eq!(key(&|spec| spec.interconnect.flit = Bytes(0)), "interconnect.flit");
    assert_eq!(key(&|spec| spec.dram.channels = 0), "dram.channels");
}
