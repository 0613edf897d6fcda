//! Ratios of the rows of a table, each by the formulas of the machine that the row is of.

use super::{Ratio, Ratios};
use crate::arguments::DEFAULT_MACHINE;
use crate::failure::Failure;
use crate::timing::explained;
use heddle_lab::results::{Table, Values};
use std::collections::{BTreeMap, BTreeSet};

/// The ratios of rows. Machines with other levels have other ratios, and other formulas for some of the same name.
pub(crate) struct RowRatios {
    machines: Vec<Ratios>,
    /// By row: its machine.
    of_rows: Vec<usize>,
}

impl RowRatios {
    /// By the labels of rows that say what machine they are of. A machine whose file is not at hand, or is not what it was,
    /// is taken for one with the levels of the default machine.
    pub(crate) fn new(table: &Table) -> Result<RowRatios, Failure> {
        let mut machines = vec![explained(DEFAULT_MACHINE, &[], &[])?.0.ratios];
        let mut known: BTreeMap<[&str; 3], usize> = BTreeMap::new();
        let mut of_rows = Vec::new();
        for row in 0..table.rows {
            let labels = ["machine", "with", "set"].map(|name| label(table, row, name));
            let place = *known.entry(labels).or_insert_with(|| match of_machine(labels) {
                Some(ratios) => {
                    machines.push(ratios);
                    machines.len() - 1
                }
                None => 0,
            });
            of_rows.push(place);
        }
        Ok(RowRatios { machines, of_rows })
    }

    /// The names that ratios of any row have, once each, in the order of the machines' lists.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let mut seen = BTreeSet::new();
        let all = self.machines.iter().flat_map(Ratios::iter).map(|ratio| &*ratio.name);
        all.filter(move |name| seen.insert(*name))
    }

    /// The ratio of this name, as the first machine that has it explains it.
    pub(crate) fn find(&self, name: &str) -> Option<&Ratio> {
        self.machines.iter().find_map(|ratios| ratios.named(name))
    }

    /// By row: the ratio of this name that its machine has.
    pub(crate) fn of_rows(&self, name: &str) -> impl Iterator<Item = Option<&Ratio>> {
        let by_machine: Vec<Option<&Ratio>> = self.machines.iter().map(|ratios| ratios.named(name)).collect();
        self.of_rows.iter().map(move |&machine| by_machine[machine])
    }
}

fn label<'a>(table: &'a Table, row: usize, name: &str) -> &'a str {
    match table.column(name).map(|column| &column.values) {
        Some(Values::Text(values)) => values[row].as_deref().unwrap_or_default(),
        _ => "",
    }
}

/// The ratios of a machine by the labels of a row, in which mechanisms are joined by `+` and settings by blanks.
fn of_machine([machine, with, set]: [&str; 3]) -> Option<Ratios> {
    let words = |list: &str, separator: char| -> Vec<String> {
        let words = list.split(separator).filter(|word| !word.is_empty() && *word != "none");
        words.map(str::to_owned).collect()
    };
    Some(explained(machine, &words(with, '+'), &words(set, ' ')).ok()?.0.ratios)
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_lab::results::{Column, Meaning, Role, TableKind};

    #[test]
    fn rows_have_the_ratios_of_their_machine_and_those_of_unknown_ones_the_usual() {
        let cluster = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/machines/cluster-cache.toml");
        let machines = ["gtx480", cluster, "gone.toml"].map(|name| Some(name.to_owned()));
        let column = Column {
            name: "machine".to_owned(),
            role: Role::Label,
            meaning: Meaning::new("", ""),
            values: Values::Text(machines.into()),
        };
        let table = Table { kind: TableKind::Runs, columns: vec![column], rows: 3 };
        let ratios = RowRatios::new(&table).unwrap();
        let has = |name: &str| ratios.of_rows(name).map(|ratio| ratio.is_some()).collect::<Vec<_>>();
        assert_eq!(has("cluster.hit_rate"), [false, true, false]);
        assert_eq!(has("l2.hit_rate"), [true, true, true]);
        assert_eq!(ratios.names().filter(|name| *name == "l2.hit_rate").count(), 1);
    }
}
