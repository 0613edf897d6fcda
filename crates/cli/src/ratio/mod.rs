//! Ratios: figures that reports compute from counts, and that no component counts itself.
//!
//! [`Ratios`] is the one place where they are defined, for the levels of caches and the networks that a machine has. A
//! formula is text, evaluated as it stands: what `heddle stats` prints is what every report computes.

mod formula;
mod levels;
mod rows;
mod table;

pub(crate) use formula::{evaluate, names};
pub(crate) use levels::Levels;
pub(crate) use rows::RowRatios;
pub(crate) use table::Ratios;

use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Counts by full name.
pub(crate) type Counts = BTreeMap<String, u64>;

/// One ratio.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Ratio {
    pub(crate) name: Cow<'static, str>,
    pub(crate) unit: &'static str,
    pub(crate) formula: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
}

/// Figures of the machine that formulas may name, after `machine.`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct MachineFigures {
    pub(crate) cores: u32,
    pub(crate) warps_per_core: u32,
    pub(crate) schedulers_per_core: u32,
    pub(crate) core_hertz: u64,
    pub(crate) dram_bytes_per_second: u64,
    /// The levels of caches and the networks that ratios are of.
    #[serde(flatten)]
    pub(crate) levels: Levels,
    /// The ratios that the machine has.
    #[serde(skip)]
    pub(crate) ratios: Ratios,
}

/// Figures of a run or a launch that formulas may name, after `run.`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunFigures {
    pub(crate) cycles: u64,
    pub(crate) seconds: f64,
    pub(crate) warp_instructions: u64,
    pub(crate) thread_instructions: u64,
}

/// What formulas are evaluated over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) counts: &'a Counts,
    pub(crate) machine: &'a MachineFigures,
    pub(crate) run: RunFigures,
}

/// Names that are no counters, with what they mean.
pub(crate) const QUANTITIES: &[(&str, &str)] = &[
    ("run.cycles", "Core cycles of the launch, or of all launches."),
    ("run.seconds", "Simulated seconds."),
    ("run.warp_instructions", "Instructions executed by warps."),
    ("run.thread_instructions", "Instructions executed by lanes whose guard was true."),
    ("machine.cores", "Cores of the machine."),
    ("machine.warps_per_core", "Warps that a core has room for."),
    ("machine.schedulers_per_core", "Warp schedulers of a core."),
    ("machine.core_hertz", "Core clock in hertz."),
    ("machine.dram_bytes_per_second", "Peak bandwidth of all DRAM channels together."),
    ("GROUP.total", "Sum of all counters of a group, such as slots.total."),
];

impl Context<'_> {
    /// A figure by name.
    pub(crate) fn value(&self, name: &str) -> Option<f64> {
        if let Some(&count) = self.counts.get(name) {
            return Some(count as f64);
        }
        Some(match name {
            "run.cycles" => self.run.cycles as f64,
            "run.seconds" => self.run.seconds,
            "run.warp_instructions" => self.run.warp_instructions as f64,
            "run.thread_instructions" => self.run.thread_instructions as f64,
            "machine.cores" => self.machine.cores.into(),
            "machine.warps_per_core" => self.machine.warps_per_core.into(),
            "machine.schedulers_per_core" => self.machine.schedulers_per_core.into(),
            "machine.core_hertz" => self.machine.core_hertz as f64,
            "machine.dram_bytes_per_second" => self.machine.dram_bytes_per_second as f64,
            other => {
                group(self.counts, other.strip_suffix(".total")?).map(|(_, count)| count).sum::<u64>() as f64
            }
        })
    }

    /// A formula's value, where it has one.
    pub(crate) fn evaluate(&self, formula: &str) -> Option<f64> {
        evaluate(formula, &|name| self.value(name))
    }

    /// A ratio of the machine by name.
    pub(crate) fn ratio(&self, name: &str) -> Option<f64> {
        let ratio = self.machine.ratios.named(name)?;
        self.evaluate(&ratio.formula)
    }

    /// All ratios of the machine; those that are undefined here have no value.
    pub(crate) fn ratios(&self) -> BTreeMap<String, Option<f64>> {
        let value = |ratio: &Ratio| (ratio.name.clone().into_owned(), self.evaluate(&ratio.formula));
        self.machine.ratios.iter().map(value).collect()
    }
}

/// The counters of a group, without the group's name.
pub(crate) fn group<'a>(counts: &'a Counts, group: &'a str) -> impl Iterator<Item = (&'a str, u64)> {
    let inside = move |name: &'a str| name.strip_prefix(group)?.strip_prefix('.');
    counts.iter().filter_map(move |(name, &count)| inside(name).map(|name| (name, count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of a preset, and of a machine with further levels.
    fn machines() -> Vec<(MachineFigures, heddle_engine::Catalogue)> {
        let cluster = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/machines/cluster-cache.toml");
        ["gtx480", cluster].map(|name| crate::timing::explained(name, &[], &[]).unwrap()).into()
    }

    #[test]
    fn every_formula_has_a_value_when_all_its_names_do() {
        for (machine, _) in machines() {
            for ratio in machine.ratios.iter() {
                let value = evaluate(&ratio.formula, &|_| Some(1.0));
                assert!(value.is_some(), "{}: {}", ratio.name, ratio.formula);
            }
        }
    }

    #[test]
    fn names_of_ratios_are_unique_and_no_quantity_is_unknown() {
        for (machine, _) in machines() {
            let names: std::collections::BTreeSet<&str> =
                machine.ratios.iter().map(|ratio| &*ratio.name).collect();
            assert_eq!(names.len(), machine.ratios.iter().count());
            let counts = Counts::new();
            let context = Context { counts: &counts, machine: &machine, run: RunFigures::default() };
            for (name, _) in QUANTITIES.iter().filter(|(name, _)| !name.starts_with("GROUP")) {
                assert!(context.value(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn formulas_name_counters_of_the_catalogue() {
        for (machine, catalogue) in machines() {
            let names = machine.ratios.iter().flat_map(|ratio| names(&ratio.formula));
            for name in names {
                let group = name.strip_suffix(".total").map(|group| format!("{group}."));
                let is_total =
                    group.is_some_and(|group| catalogue.iter().any(|(name, _)| name.starts_with(&group)));
                let is_quantity = QUANTITIES.iter().any(|(known, _)| *known == name);
                assert!(catalogue.get(name).is_some() || is_total || is_quantity, "{name}");
            }
        }
    }

    #[test]
    fn every_level_of_a_machine_has_ratios_of_its_own() {
        let [_, (machine, _)] = &machines()[..] else { panic!("two machines") };
        for name in ["l1.hit_rate", "cluster.hit_rate", "cluster.mpki", "l2.mpki", "latency.cluster_read"] {
            assert!(machine.ratios.iter().any(|ratio| ratio.name == name), "{name}");
        }
    }

    #[test]
    fn a_group_has_a_total() {
        let counts =
            Counts::from([("slots.busy".into(), 3), ("slots.idle".into(), 4), ("slotsx.a".into(), 9)]);
        let machine = MachineFigures::default();
        let context = Context { counts: &counts, machine: &machine, run: RunFigures::default() };
        assert_eq!(context.value("slots.total"), Some(7.0));
        assert_eq!(context.value("slots.unknown"), None);
    }
}
