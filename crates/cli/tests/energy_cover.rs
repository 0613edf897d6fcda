//! The tables price all that memory systems count, and nothing that they do not.

use heddle_energy::{Table, cover, fits, load};
use heddle_engine::Catalogue;
use heddle_memory::dram::DramCounters;
use heddle_memory::fabric::Fabric;
use std::collections::BTreeSet;

fn names(table: &Table) -> BTreeSet<&str> {
    table.counted().map(|(_, count)| count).chain(table.free_counts()).collect()
}

#[test]
fn tables_of_dram_cover_a_channel_both_ways() {
    let mut catalogue = Catalogue::default();
    catalogue.declare::<DramCounters>("dram");
    for name in ["gddr5", "gddr5-6gbps", "gddr5-x32", "gddr5-k40c", "gddr5-gpuwattch", "ddr4-2400"] {
        assert_eq!(cover::check(&load::find(name).unwrap(), &catalogue), Ok(()));
    }
}

#[test]
fn tables_of_machines_cover_their_memory_system_both_ways() {
    let mut catalogue = Catalogue::default();
    let fermi = heddle_machine::Machine::named("fermi").unwrap().resolve().unwrap();
    Fabric::declare(&fermi.spec.memory, &mut catalogue);
    for name in ["fermi", "gtx480", "gtx480-raw", "k40c"] {
        let table = load::find(name).unwrap();
        let named = names(&table);
        let actions = catalogue.iter().filter(|(_, of)| cover::ACTION_UNITS.contains(&&*of.unit));
        let open: Vec<&str> = actions.map(|(count, _)| count).filter(|count| !table.knows(count)).collect();
        assert_eq!(open, Vec::<&str>::new(), "{name}");
        // Patterns are for names that other shapes have.
        let memory = named.iter().filter(|count| !count.starts_with("core.") && !count.contains('*'));
        let is_counted = |count: &str| catalogue.iter().any(|(name, _)| fits(count, name));
        let unknown: Vec<_> = memory.filter(|count| !is_counted(count)).collect();
        assert_eq!(unknown, Vec::<&&str>::new(), "{name}");
    }
}
