//! The table of launches in time.

use crate::ratio::Levels;
use crate::result::LaunchRow;
use crate::view::page::Page;
use crate::view::run::shown;
use crate::view::text;
use heddle_memory::fabric::in_prose;

/// Adds the table.
pub(in crate::view) fn launches(page: &mut Page, launches: &[LaunchRow], levels: &Levels, all: bool) {
    page.section("Launches");
    let head = ["launch", "kernel", "blocks", "threads", "cycles", "IPC", "warp instr.", "thread instr."];
    let hits = levels.of_data().map(|level| format!("{} hits", in_prose(level)));
    let head = head.map(str::to_owned).into_iter().chain(hits).chain(["DRAM bytes".to_owned()]);
    let head: Vec<String> = head.collect();
    let row = |row: &LaunchRow| {
        let product = |[x, y, z]: [u32; 3]| u64::from(x) * u64::from(y) * u64::from(z);
        let time = row.time.as_ref();
        let count = |name: &str| time.and_then(|time| time.stats.get(name).copied());
        let hits = |group: &str| {
            let (hits, reads) = (count(&format!("{group}.read_hits")), count(&format!("{group}.reads")));
            text::or_dash(hits.zip(reads).filter(|(_, reads)| *reads > 0).map(|(h, r)| text::share(h, r)))
        };
        let bytes =
            count("dram.bytes_read").zip(count("dram.bytes_written")).map(|(read, written)| read + written);
        let mut cells = vec![
            row.launch.to_string(),
            row.kernel.clone(),
            text::thousands(product(row.grid)),
            text::thousands(product(row.block)),
            text::or_dash(time.map(|time| text::thousands(time.cycles))),
            text::or_dash(time.and_then(|time| time.ipc).map(|ipc| format!("{ipc:.3}"))),
            text::thousands(row.warp_instructions),
            text::thousands(row.thread_instructions),
        ];
        cells.extend(levels.of_data().map(hits));
        cells.push(text::or_dash(bytes.map(text::bytes)));
        cells
    };
    page.table(
        &head.iter().map(String::as_str).collect::<Vec<_>>(),
        &[1],
        &shown(launches.iter().map(row).collect(), all),
    );
}
