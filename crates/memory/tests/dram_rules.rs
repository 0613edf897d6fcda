//! Every timing rule on both sides: illegal one cycle before, legal in the cycle.

use crate::dram_common::{Coming, place, serve, spec};
use heddle_memory::BankId;
use heddle_memory::dram::timing::Timing;
use heddle_memory::dram::{Channel, Command};

use Command::{Activate, Precharge, PrechargeAll, Read, ReadAuto, Refresh, Write, WriteAuto};

/// A rule: settings that single it out, what was issued (cycle, command, bank), and what becomes legal when.
struct Rule {
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
    issued: &'static [(u64, Command, u32)],
    then: (Command, u32),
    legal_at: u64,
}

const fn rule(
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
    issued: &'static [(u64, Command, u32)],
    then: (Command, u32),
    legal_at: u64,
) -> Rule {
    Rule { name, settings, issued, then, legal_at }
}

/// 16 activates from 100 on, all banks closed at 240, 16 activates from 300 on, all banks closed at 440.
const THIRTY_TWO: &[(u64, Command, u32)] = &{
    let mut issued = [(240, PrechargeAll, 0); 34];
    issued[33] = (440, PrechargeAll, 0);
    let mut number = 0;
    while number < 16 {
        let bank = number as u32;
        issued[number] = (100 + 6 * number as u64, Activate, bank);
        issued[17 + number] = (300 + 6 * number as u64, Activate, bank);
        number += 1;
    }
    issued
};

/// Banks 0 to 3 are one group, 4 to 7 the next. The part is ddr4-2400: tCL 17, tWL 12, tRCD 17, tRP 17, tRAS 39,
/// tRC 56, tRRD 4/6, tFAW 26, tCCD 4/6, tWTR 3/9, tWR 18, tRTP 9, tRFC 420, burst 4.
const RULES: &[Rule] = &[
    rule("tRCD to read", &[], &[(100, Activate, 0)], (Read, 0), 117),
    rule("tRCD to write", &[], &[(100, Activate, 0)], (Write, 0), 117),
    rule("tRCDWR", &[("timing.tRCDWR", "9")], &[(100, Activate, 0)], (Write, 0), 109),
    rule("tRCD beside tRCDWR", &[("timing.tRCDWR", "9")], &[(100, Activate, 0)], (Read, 0), 117),
    rule("tRAS", &[], &[(100, Activate, 0)], (Precharge, 0), 139),
    rule("tRAS to precharge all", &[], &[(100, Activate, 0)], (PrechargeAll, 0), 139),
    rule("tRC", &[("timing.tRC", "70")], &[(100, Activate, 0), (139, Precharge, 0)], (Activate, 0), 170),
    rule("tRP", &[], &[(100, Activate, 0), (160, Precharge, 0)], (Activate, 0), 177),
    rule("tRP after precharge all", &[], &[(100, Activate, 0), (160, PrechargeAll, 0)], (Activate, 0), 177),
    rule("tRP to refresh", &[], &[(100, Activate, 0), (160, Precharge, 0)], (Refresh, 0), 177),
    rule("tRRD_L", &[], &[(100, Activate, 0)], (Activate, 3), 106),
    rule("tRRD_S", &[], &[(100, Activate, 0)], (Activate, 4), 104),
    rule(
        "tFAW",
        &[],
        &[(100, Activate, 0), (104, Activate, 4), (108, Activate, 8), (112, Activate, 12)],
        (Activate, 1),
        126,
    ),
    rule(
        "tFAW slides",
        &[],
        &[
            (100, Activate, 0),
            (104, Activate, 4),
            (108, Activate, 8),
            (112, Activate, 12),
            (126, Activate, 1),
        ],
        (Activate, 5),
        130,
    ),
    rule("tCCD_L, reads of one bank", &[], &[(100, Activate, 0), (200, Read, 0)], (Read, 0), 206),
    rule(
        "tCCD_L, reads of one group",
        &[],
        &[(100, Activate, 0), (106, Activate, 1), (200, Read, 0)],
        (Read, 1),
        206,
    ),
    rule("tCCD_S, reads", &[], &[(100, Activate, 0), (104, Activate, 4), (200, Read, 0)], (Read, 4), 204),
    rule("tCCD_L, writes", &[], &[(100, Activate, 0), (106, Activate, 1), (200, Write, 0)], (Write, 1), 206),
    rule("tCCD_S, writes", &[], &[(100, Activate, 0), (104, Activate, 4), (200, Write, 0)], (Write, 4), 204),
    rule(
        "a burst, where tCCD is shorter",
        &[("timing.tCCD_S", "1")],
        &[(100, Activate, 0), (104, Activate, 4), (200, Read, 0)],
        (Read, 4),
        204,
    ),
    rule("read to write, derived", &[], &[(100, Activate, 0), (200, Read, 0)], (Write, 0), 211),
    rule(
        "tRTW, other group",
        &[("timing.tRTW", "15")],
        &[(100, Activate, 0), (104, Activate, 4), (200, Read, 0)],
        (Write, 4),
        215,
    ),
    rule("tWTR_L", &[], &[(100, Activate, 0), (106, Activate, 1), (200, Write, 0)], (Read, 1), 225),
    rule("tWTR_S", &[], &[(100, Activate, 0), (104, Activate, 4), (200, Write, 0)], (Read, 4), 219),
    rule("tWR", &[], &[(100, Activate, 0), (200, Write, 0)], (Precharge, 0), 234),
    rule("tRTP", &[], &[(100, Activate, 0), (200, Read, 0)], (Precharge, 0), 209),
    rule("tRFC to activate", &[], &[(300, Refresh, 0)], (Activate, 5), 720),
    rule("tRFC to refresh", &[], &[(300, Refresh, 0)], (Refresh, 0), 720),
    rule("auto-precharge of a read", &[], &[(100, Activate, 0), (200, ReadAuto, 0)], (Activate, 0), 226),
    rule("auto-precharge after tRAS", &[], &[(100, Activate, 0), (117, ReadAuto, 0)], (Activate, 0), 156),
    rule("auto-precharge of a write", &[], &[(100, Activate, 0), (200, WriteAuto, 0)], (Activate, 0), 251),
    rule("auto-precharge to refresh", &[], &[(100, Activate, 0), (200, ReadAuto, 0)], (Refresh, 0), 226),
    rule("t32AW", &[("timing.t32AW", "400"), ("timing.tFAW", "0")], THIRTY_TWO, (Activate, 0), 500),
    rule(
        "tPPD",
        &[("timing.tPPD", "5")],
        &[(100, Activate, 0), (104, Activate, 4), (200, Precharge, 0)],
        (Precharge, 4),
        205,
    ),
    rule(
        "tPPD to precharge all",
        &[("timing.tPPD", "5")],
        &[(100, Activate, 0), (104, Activate, 4), (200, Precharge, 0)],
        (PrechargeAll, 0),
        205,
    ),
];

#[test]
fn every_rule_forbids_the_cycle_before_and_allows_the_cycle() {
    for Rule { name, settings, issued, then: (command, bank), legal_at } in RULES {
        let mut timing = Timing::new(&spec("ddr4-2400", settings));
        for &(at, command, bank) in *issued {
            assert!(timing.is_legal(command, BankId(bank), at), "{name}: {command:?} at {at}");
            timing.issue(command, BankId(bank), 7, at);
        }
        assert!(!timing.is_legal(*command, BankId(*bank), legal_at - 1), "{name}: legal at {}", legal_at - 1);
        assert!(timing.is_legal(*command, BankId(*bank), *legal_at), "{name}: illegal at {legal_at}");
        assert_eq!(timing.earliest(*command, BankId(*bank)), *legal_at, "{name}");
    }
}

#[test]
fn a_rule_that_is_changed_by_one_moves_by_one() {
    // The rules whose cycle is a plain sum of the setting.
    for (key, value, index) in [
        ("timing.tRCD", "18", 0),
        ("timing.tRAS", "40", 4),
        ("timing.tRP", "18", 7),
        ("timing.tRRD_L", "7", 10),
        ("timing.tRRD_S", "5", 11),
        ("timing.tCCD_L", "7", 14),
        ("timing.tCCD_S", "5", 16),
        ("timing.tCL", "18", 20),
        ("timing.tWTR_L", "10", 22),
        ("timing.tWTR_S", "4", 23),
        ("timing.tWR", "19", 24),
        ("timing.tRTP", "10", 25),
        ("timing.tRFC", "421", 26),
    ] {
        let Rule { name, issued, then: (command, bank), legal_at, .. } = &RULES[index];
        let mut timing = Timing::new(&spec("ddr4-2400", &[(key, value), ("timing.tRC", "60")]));
        for &(at, command, bank) in *issued {
            timing.issue(command, BankId(bank), 7, at);
        }
        assert_eq!(timing.earliest(*command, BankId(*bank)), legal_at + 1, "{key}: {name}");
    }
}

#[test]
fn the_state_of_a_bank_forbids_commands_at_any_time() {
    let mut timing = Timing::new(&spec("ddr4-2400", &[]));
    for command in [Read, Write, ReadAuto, WriteAuto, Precharge] {
        assert!(!timing.is_legal(command, BankId(0), 1_000_000), "{command:?} of a closed bank");
    }
    timing.issue(Activate, BankId(0), 7, 100);
    assert!(!timing.is_legal(Activate, BankId(0), 1_000_000), "activate of an open bank");
    assert!(!timing.is_legal(Refresh, BankId(0), 1_000_000), "refresh with an open bank");
    timing.issue(ReadAuto, BankId(0), 7, 200);
    assert!(!timing.is_open(BankId(0)) && timing.is_legal(Activate, BankId(0), 1_000_000));
}

#[test]
fn the_command_bus_carries_one_command_per_clock() {
    // Without any rule between activates, two requests that come together are activated one after the other.
    let settings = [("timing.tRRD_S", "0"), ("timing.tRRD_L", "0"), ("timing.tFAW", "0")];
    let mut channel = Channel::new(&spec("ddr4-2400", &settings));
    channel.keep_log();
    let requests: Vec<Coming> = (0..4).map(|bank| (50, place(bank, 1, 0), false)).collect();
    assert_eq!(serve(&mut channel, &requests).len(), 4);
    let activates = channel.log().iter().filter(|issued| issued.command == Activate);
    assert!(activates.map(|issued| issued.at).eq(50..54));
}
