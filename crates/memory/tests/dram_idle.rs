//! Latencies without load equal the formulas to the cycle, for every part.

use crate::dram_common::{latencies, parts, place, spec};

/// Far enough from everything before, and before the first refresh.
const APART: u64 = 300;

#[test]
fn reads_of_an_open_a_closed_and_another_row_take_what_the_formulas_say() {
    for (name, spec) in parts() {
        let t = &spec.timing;
        let data = u64::from(t.tCL) + spec.burst_clocks() + u64::from(spec.extra_latency);
        let requests = [
            (10, place(3, 7, 0), false),
            (10 + APART, place(3, 7, 5), false),
            (10 + 2 * APART, place(3, 8, 5), false),
        ];
        let (activate, precharge) = (u64::from(t.tRCD), u64::from(t.tRP));
        assert_eq!(
            latencies(&spec, &requests),
            [activate + data, data, precharge + activate + data],
            "{name}"
        );
    }
}

#[test]
fn writes_of_an_open_a_closed_and_another_row_take_what_the_formulas_say() {
    for (name, spec) in parts() {
        let t = &spec.timing;
        let data = u64::from(t.tWL) + spec.burst_clocks();
        let requests = [
            (10, place(3, 7, 0), true),
            (10 + APART, place(3, 7, 5), true),
            (10 + 2 * APART, place(3, 8, 5), true),
        ];
        let (activate, precharge) = (u64::from(t.tRCDWR.unwrap_or(t.tRCD)), u64::from(t.tRP));
        assert_eq!(
            latencies(&spec, &requests),
            [activate + data, data, precharge + activate + data],
            "{name}"
        );
    }
}

#[test]
fn with_closed_pages_every_read_finds_its_bank_closed() {
    let spec = spec("ddr4-2400", &[("page_policy", "closed")]);
    let requests = [(10, place(3, 7, 0), false), (310, place(3, 7, 1), false), (610, place(3, 8, 1), false)];
    assert_eq!(latencies(&spec, &requests), [17 + 17 + 4; 3]);
}
