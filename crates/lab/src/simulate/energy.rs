//! Energy of rows, from their counts and the energy table of their machine: nothing is simulated again.
//!
//! What [`heddle_energy::price`] computes row by row of the table, names and all, is prepared here once for a machine: a
//! table of results has thousands of rows.

use crate::record::Row;
use heddle_energy::{Share, Table, component_of, cover, load};
use heddle_engine::Catalogue;
use heddle_gpu::{EnergyChoice, GpuSpec};
use std::collections::{BTreeMap, BTreeSet};

/// The table without what the machine lacks, and what the machine counts by the names of the table.
///
/// A component of the machine itself must have every statistic that the table names, and have prices for all that it
/// does. One that is given the prices of another may count less than that, and more, which costs nothing.
pub fn fitted(table: Table, choice: &EnergyChoice, counted: &Catalogue) -> (Table, Catalogue) {
    let catalogue = choice.catalogue_as_priced(counted);
    let is_own = |name: &str| name == choice.priced_as(name) && counted.get(name).is_some();
    let own = counted.iter().filter(|(name, _)| is_own(name));
    let own: BTreeSet<&str> = own.map(|(name, _)| component_of(name)).collect();
    let table = table.of_statistics(|name| catalogue.get(name).is_some() || own.contains(component_of(name)));
    let catalogue = catalogue.filtered(|name| is_own(name) || table.knows(name));
    (table, catalogue)
}

/// A row of the table.
struct Term {
    /// Place of its component in the list.
    component: usize,
    is_static: bool,
    /// What the sum of its counts is multiplied by, in this order: first the one, then the other.
    factors: [f64; 2],
}

/// What the counts of a machine cost.
pub(super) struct Prices {
    /// Names of columns, by component.
    columns: Vec<String>,
    terms: Vec<Term>,
    /// Counters by name, each with the terms that it is summed into.
    counters: Vec<(String, Vec<usize>)>,
    /// Watts of what lasts as long as the run, by component.
    always: Vec<(usize, f64)>,
}

impl Prices {
    /// The prices of a machine; none where its table does not cover what it counts.
    pub(super) fn new(spec: &GpuSpec) -> Option<Prices> {
        let counted = heddle_gpu::catalogue(spec);
        let table = load::find(&spec.energy.table).ok()?;
        heddle_machine::check_likes(&spec.energy, &spec.memory, &table).ok()?;
        let (table, catalogue) = fitted(table, &spec.energy, &counted);
        cover::check(&table, &catalogue).ok()?;
        let of_actions = table.actions.iter().map(|action| action.component.as_str());
        let charged: BTreeSet<&str> =
            of_actions.chain(table.statics.iter().map(|row| row.component.as_str())).collect();
        let names: Vec<&str> = charged.into_iter().collect();
        let place = |component: &str| names.iter().position(|name| *name == component).unwrap_or_default();
        let (mut terms, mut always) = (Vec::new(), Vec::new());
        let mut by_priced: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for action in &table.actions {
            let factors = [action.picojoules_per_count(), 1e-12];
            action.counts.iter().for_each(|name| by_priced.entry(name).or_default().push(terms.len()));
            terms.push(Term { component: place(&action.component), is_static: false, factors });
        }
        for row in &table.statics {
            let component = place(&row.component);
            match &row.share {
                Share::Machine => always.push((component, row.watts())),
                Share::Cycles { counts, clock } => {
                    let factors = [1.0 / hertz(spec, &table, clock)?, row.watts()];
                    counts.iter().for_each(|name| by_priced.entry(name).or_default().push(terms.len()));
                    terms.push(Term { component, is_static: true, factors });
                }
            }
        }
        let terms_of =
            |raw: &str| Some((raw.to_owned(), by_priced.get(&*spec.energy.priced_as(raw))?.clone()));
        let counters = counted.iter().filter_map(|(raw, _)| terms_of(raw)).collect();
        let columns = names.iter().map(|name| column(name)).collect();
        Some(Prices { columns, terms, counters, always })
    }

    /// Adds energy to the figures of a row; nothing where one of the counts is not there.
    pub(super) fn add_to(&self, row: &mut Row) {
        let Some(sums) = self.sums(&row.counts) else { return };
        let Some(&seconds) = row.reals.get("seconds") else { return };
        let (mut dynamic, mut of_time) = (0.0, 0.0);
        let mut components = vec![0.0; self.columns.len()];
        for (term, sum) in self.terms.iter().zip(sums) {
            let joules = sum as f64 * term.factors[0] * term.factors[1];
            *(if term.is_static { &mut of_time } else { &mut dynamic }) += joules;
            components[term.component] += joules;
        }
        for &(component, watts) in &self.always {
            of_time += watts * seconds;
            components[component] += watts * seconds;
        }
        let total = dynamic + of_time;
        let watts = if seconds > 0.0 { total / seconds } else { 0.0 };
        let figures = [
            ("energy.dynamic_joules", dynamic),
            ("energy.static_joules", of_time),
            ("energy.joules", total),
            ("energy.watts", watts),
        ];
        row.reals.extend(figures.map(|(name, value)| (name.to_owned(), value)));
        row.reals.extend(self.columns.iter().cloned().zip(components));
    }

    /// The sum of the counts of each term. Both lists are in the order of names, and walked side by side.
    fn sums(&self, counts: &BTreeMap<String, u64>) -> Option<Vec<u64>> {
        let mut sums = vec![0u64; self.terms.len()];
        let mut found = counts.iter();
        for (name, terms) in &self.counters {
            let (_, &count) =
                found.by_ref().find(|(other, _)| *other >= name).filter(|(other, _)| *other == name)?;
            terms.iter().for_each(|&term| sums[term] = sums[term].saturating_add(count));
        }
        Some(sums)
    }
}

/// The column of a component: in the letters of other columns.
fn column(component: &str) -> String {
    format!("energy.{}.joules", component.to_lowercase().replace(' ', "_"))
}

/// The machine's own frequency goes before the one that the table was made for.
fn hertz(spec: &GpuSpec, table: &Table, clock: &str) -> Option<f64> {
    let own = match clock {
        "dram" => Some(spec.memory.dram.clock.hertz() as f64),
        _ => {
            spec.clocks.all().find(|(name, _)| *name == clock).map(|(_, frequency)| frequency.hertz() as f64)
        }
    };
    own.or_else(|| table.clocks.get(clock).map(|&hertz| hertz as f64)).filter(|&hertz| hertz > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_energy::{Run, price};
    use heddle_engine::Statistics;
    use heddle_machine::{MachineSpec, presets};

    /// A row with another count for everything that the machine counts, and its energy as the tables price it.
    fn both(spec: &GpuSpec) -> (Row, heddle_energy::Energy) {
        let counted = heddle_gpu::catalogue(spec);
        let counts: BTreeMap<String, u64> =
            counted.iter().zip(1u64..).map(|((name, _), n)| (name.to_owned(), 977 * n)).collect();
        let statistics: Statistics = counts.clone().into_iter().collect();
        let table = load::find(&spec.energy.table).unwrap();
        let (table, _) = fitted(table, &spec.energy, &counted);
        let mut run = Run::new(0.25).unwrap();
        for clock in ["core", "interconnect", "l2", "dram"] {
            run = run.with_clock(clock, hertz(spec, &table, clock).unwrap()).unwrap();
        }
        let priced = price(&table, &spec.energy.as_priced(&statistics), &run).unwrap();
        (Row { counts, reals: [("seconds".to_owned(), 0.25)].into(), ..Row::default() }, priced)
    }

    #[test]
    fn a_row_is_priced_as_its_run_would_be() {
        let mut machines = 0;
        for preset in presets().unwrap() {
            let MachineSpec::Gpu(spec) = &preset.spec else { continue };
            let (mut row, energy) = both(spec);
            Prices::new(spec).unwrap().add_to(&mut row);
            let of = |name: &str| row.reals[name];
            let is_close = |one: f64, other: f64| (one - other).abs() <= 1e-9 * other.abs();
            assert!(is_close(of("energy.dynamic_joules"), energy.dynamic_joules), "{}", spec.name);
            assert!(is_close(of("energy.static_joules"), energy.static_joules), "{}", spec.name);
            assert!(is_close(of("energy.joules"), energy.total_joules), "{}", spec.name);
            assert!(is_close(of("energy.watts"), energy.average_watts), "{}", spec.name);
            for part in &energy.components {
                let ours = of(&column(&part.component));
                assert!(is_close(ours, part.dynamic_joules + part.static_joules), "{}", part.component);
            }
            machines += 1;
        }
        assert!(machines >= 3, "{machines}");
    }

    #[test]
    fn a_row_without_a_count_has_no_energy() {
        let preset = presets().unwrap().into_iter().find(|preset| preset.spec.name() == "fermi").unwrap();
        let MachineSpec::Gpu(spec) = &preset.spec else { panic!("fermi is a GPU") };
        let (mut row, _) = both(spec);
        let prices = Prices::new(spec).unwrap();
        let first = prices.counters[3].0.clone();
        row.counts.remove(&first);
        prices.add_to(&mut row);
        assert_eq!(row.reals.len(), 1);
    }
}
