//! The rule that nothing is forgotten silently.
//!
//! A statistic whose unit is one of [`ACTION_UNITS`] counts things done that move or change data. A table that
//! is used for a machine must price each of them, in a row, or list it under `[[free]]` with the reason:
//! because it is a part or the sum of others, or because the source has no price for it. Statistics in other
//! units (cycles, bytes, lines, times …) may be priced and need not be.
//!
//! The other direction holds for every run that is priced: each statistic that a row names must be there, unless the name
//! is a pattern.

use crate::error::{EnergyError, nearest};
use crate::table::{Table, fits};
use heddle_engine::Catalogue;
use std::collections::BTreeSet;

/// Units of statistics that must be covered.
pub const ACTION_UNITS: &[&str] =
    &["accesses", "operations", "operands", "instructions", "flits", "commands"];

/// Checks a table against everything that a machine counts, both ways.
pub fn check(table: &Table, catalogue: &Catalogue) -> Result<(), EnergyError> {
    let names = || catalogue.iter().map(|(name, _)| name);
    let free = table.free_counts().map(|count| ("[[free]]", count));
    for (row, statistic) in table.counted().chain(free) {
        // A pattern is for names that follow from the shape of a machine, which may have none of them.
        if !statistic.contains('*') && !names().any(|name| fits(statistic, name)) {
            return Err(EnergyError::MissingStatistic {
                table: table.name.clone(),
                row: row.to_owned(),
                statistic: statistic.to_owned(),
                nearest: nearest(statistic, names()),
            });
        }
    }
    check_actions(table, catalogue, |_| true)
}

/// Checks that a table covers the actions among the statistics that a finished run has.
pub fn check_actions(
    table: &Table,
    catalogue: &Catalogue,
    has: impl Fn(&str) -> bool,
) -> Result<(), EnergyError> {
    let covered: BTreeSet<&str> = table.counted().map(|(_, count)| count).collect();
    let is_covered = |name: &str| covered.contains(name) || table.free_counts().any(|free| fits(free, name));
    let open = catalogue.iter().filter(|(name, declaration)| {
        ACTION_UNITS.contains(&&*declaration.unit) && !is_covered(name) && has(name)
    });
    let statistics: Vec<String> = open.map(|(name, of)| format!("`{name}` ({})", of.unit)).collect();
    match statistics.is_empty() {
        true => Ok(()),
        false => Err(EnergyError::Uncovered { table: table.name.clone(), statistics }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    heddle_engine::counters! {
        struct Doors {
            opened: "operations", "How often a door was opened.";
            shut: "operations", "How often a door was shut.";
            ajar: "cycles", "How long a door was ajar.";
        }
    }

    const PRICED: &str = r#"
        name = "house"
        description = "A house."
        [technology]
        [[action]]
        name = "open"
        component = "door"
        count = "house.opened"
        energy = "1pJ"
        source = "a guess"
    "#;

    fn check_text(text: &str) -> Result<(), EnergyError> {
        let mut catalogue = Catalogue::default();
        catalogue.declare::<Doors>("house");
        check(&load::parse("house.toml", text).unwrap(), &catalogue)
    }

    #[test]
    fn an_action_must_be_priced_or_free_and_cycles_need_not() {
        let error = check_text(PRICED).unwrap_err();
        let EnergyError::Uncovered { statistics, .. } = &error else { panic!("{error}") };
        assert_eq!(statistics, &["`house.shut` (operations)"]);
        let free = format!("{PRICED}\n[[free]]\ncounts = [\"house.shut\"]\nreason = \"It falls shut.\"\n");
        assert_eq!(check_text(&free), Ok(()));
    }

    #[test]
    fn a_name_that_is_not_counted_is_refused_with_the_nearest() {
        let error = check_text(&PRICED.replace("house.opened", "house.openned")).unwrap_err();
        assert_eq!(error.help("--table").as_deref(), Some("did you mean `house.opened`?"));
        let free = format!("{PRICED}\n[[free]]\ncounts = [\"house.shutt\"]\nreason = \"It falls shut.\"\n");
        assert_eq!(
            check_text(&free).unwrap_err().help("--table").as_deref(),
            Some("did you mean `house.shut`?")
        );
    }
}
