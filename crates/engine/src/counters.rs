//! Statistics: declared once with unit and description, counted in plain integers, read by name.
//!
//! A component owns a struct of counters made by [`counters!`](crate::counters!). Its owner gives the struct a
//! prefix when it declares it in a [`Catalogue`] and when it adds it to [`Statistics`]; several components
//! under one prefix add up. Ratios are left to reports.

use std::borrow::{Borrow, Cow};
use std::collections::BTreeMap;

/// What a counter of a group means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name inside its group.
    pub name: &'static str,
    /// What is counted: `cycles`, `bytes`, `accesses` …
    pub unit: &'static str,
    /// One sentence.
    pub description: &'static str,
}

/// A struct of counters.
pub trait CounterGroup: Clone + Default {
    /// What its counters mean, in the order of [`CounterGroup::values`].
    const DECLARATIONS: &'static [Declaration];

    /// The counts.
    fn values(&self) -> Vec<u64>;

    /// Adds another's counts.
    fn add(&mut self, other: &Self);

    /// Takes an earlier state's counts off.
    fn subtract(&mut self, earlier: &Self);

    /// The counts of several together.
    fn sum<G: Borrow<Self>>(groups: impl IntoIterator<Item = G>) -> Self {
        let mut total = Self::default();
        groups.into_iter().for_each(|group| total.add(group.borrow()));
        total
    }
}

/// Declares a struct of counters:
///
/// ```
/// heddle_engine::counters! {
///     /// What a gate saw.
///     pub struct GateCounters {
///         opened: "times", "How often the gate was opened.";
///         waited: "cycles", "Cycles that somebody waited before it.";
///     }
/// }
/// let mut gate = GateCounters::default();
/// gate.opened += 1;
/// let mut statistics = heddle_engine::Statistics::default();
/// statistics.add_group("gate", &gate);
/// assert_eq!(statistics.get("gate.opened"), Some(1));
/// ```
#[macro_export]
macro_rules! counters {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident {
        $($field:ident: $unit:literal, $description:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        $visibility struct $name {
            $(#[doc = $description] pub $field: u64,)*
        }

        impl $crate::CounterGroup for $name {
            const DECLARATIONS: &'static [$crate::Declaration] = &[
                $($crate::Declaration {
                    name: stringify!($field), unit: $unit, description: $description,
                },)*
            ];

            fn values(&self) -> Vec<u64> {
                vec![$(self.$field),*]
            }

            fn add(&mut self, other: &Self) {
                $(self.$field += other.$field;)*
            }

            fn subtract(&mut self, earlier: &Self) {
                $(self.$field -= earlier.$field;)*
            }
        }
    };
}

/// What a statistic means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// What is counted.
    pub unit: Cow<'static, str>,
    /// One sentence.
    pub description: Cow<'static, str>,
}

/// Every statistic of a machine, by full name.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    entries: BTreeMap<String, Meaning>,
}

impl Catalogue {
    /// Declares a group under a prefix.
    pub fn declare<G: CounterGroup>(&mut self, prefix: &str) {
        self.declare_part::<G>(prefix, |_| true);
    }

    /// Declares those counters of a group that a component can move, by name.
    pub fn declare_part<G: CounterGroup>(&mut self, prefix: &str, can_move: impl Fn(&str) -> bool) {
        for declaration in G::DECLARATIONS.iter().filter(|declaration| can_move(declaration.name)) {
            let name = format!("{prefix}.{}", declaration.name);
            self.declare_one(name, declaration.unit, declaration.description);
        }
    }

    /// Declares a group of which some units follow from the shape of a machine: those that `unit` gives another for.
    pub fn declare_in<G: CounterGroup>(
        &mut self,
        prefix: &str,
        unit: impl Fn(&'static str) -> Option<String>,
    ) {
        for &Declaration { name, unit: declared, description } in G::DECLARATIONS {
            let unit = unit(declared).map_or(Cow::Borrowed(declared), Cow::Owned);
            self.declare_one(format!("{prefix}.{name}"), unit, description);
        }
    }

    /// Declares one statistic, by its full name: one whose name follows from the shape of a machine.
    pub fn declare_one(
        &mut self,
        name: String,
        unit: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) {
        self.entries.insert(name, Meaning { unit: unit.into(), description: description.into() });
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Meaning)> {
        self.entries.iter().map(|(name, meaning)| (name.as_str(), meaning))
    }

    /// Those of them that have a property, by name.
    pub fn filtered(&self, keep: impl Fn(&str) -> bool) -> Catalogue {
        let kept = self.entries.iter().filter(|(name, _)| keep(name));
        Catalogue { entries: kept.map(|(name, meaning)| (name.clone(), meaning.clone())).collect() }
    }

    /// One of them.
    pub fn get(&self, name: &str) -> Option<&Meaning> {
        self.entries.get(name)
    }
}

/// Counts by full name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    counts: BTreeMap<String, u64>,
}

impl Statistics {
    /// Adds the counts of a group under a prefix. Names are made here: components that share a prefix are summed
    /// before ([`CounterGroup::sum`]).
    pub fn add_group<G: CounterGroup>(&mut self, prefix: &str, group: &G) {
        self.add_part(prefix, group, |_| true);
    }

    /// Adds the counts of a group of which only some counters were declared ([`Catalogue::declare_part`]). Panics if
    /// another has moved: a component did what it was declared never to do.
    pub fn add_part<G: CounterGroup>(&mut self, prefix: &str, group: &G, can_move: impl Fn(&str) -> bool) {
        for (declaration, value) in G::DECLARATIONS.iter().zip(group.values()) {
            if can_move(declaration.name) {
                *self.counts.entry(format!("{prefix}.{}", declaration.name)).or_default() += value;
            } else {
                assert_eq!(value, 0, "{prefix}.{} has moved and was not declared", declaration.name);
            }
        }
    }

    /// Adds one count, by its full name ([`Catalogue::declare_one`]).
    pub fn add_one(&mut self, name: String, value: u64) {
        *self.counts.entry(name).or_default() += value;
    }

    /// Adds all counts of others.
    pub fn add(&mut self, other: &Statistics) {
        for (name, value) in &other.counts {
            *self.counts.entry(name.clone()).or_default() += value;
        }
    }

    /// The counts since an earlier state of the same machine.
    pub fn since(&self, earlier: &Statistics) -> Statistics {
        let difference = |(name, value): (&String, &u64)| {
            (name.clone(), value - earlier.counts.get(name).copied().unwrap_or_default())
        };
        Statistics { counts: self.counts.iter().map(difference).collect() }
    }

    /// One count.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.counts.get(name).copied()
    }

    /// All counts, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().map(|(name, value)| (name.as_str(), *value))
    }
}

impl FromIterator<(String, u64)> for Statistics {
    fn from_iter<I: IntoIterator<Item = (String, u64)>>(counts: I) -> Statistics {
        Statistics { counts: counts.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::counters! {
        struct Doors {
            opened: "times", "How often a door was opened.";
            shut: "times", "How often a door was shut.";
        }
    }

    #[test]
    fn groups_under_one_prefix_add_up_and_launches_are_differences() {
        let mut doors = Doors { opened: 2, shut: 1 };
        let mut before = Statistics::default();
        before.add_group("house", &doors);
        doors.opened += 5;
        let mut after = Statistics::default();
        after.add_group("house", &doors);
        assert_eq!(after.since(&before).get("house.opened"), Some(5));
        after.add_group("house", &Doors { opened: 1, shut: 1 });
        assert_eq!(after.get("house.opened"), Some(8));
        let mut catalogue = Catalogue::default();
        catalogue.declare::<Doors>("house");
        assert_eq!(catalogue.get("house.shut").unwrap().unit, "times");
        catalogue.declare_one("house.windows".to_owned(), "windows", format!("Windows of {} walls.", 4));
        assert_eq!(catalogue.get("house.windows").unwrap().description, "Windows of 4 walls.");
        after.add_one("house.windows".to_owned(), 3);
        assert!(catalogue.iter().map(|(name, _)| name).eq(after.iter().map(|(name, _)| name)));
    }

    #[test]
    fn a_part_of_a_group_is_declared_and_added_alone() {
        let opened = |name: &str| name == "opened";
        let mut catalogue = Catalogue::default();
        catalogue.declare_part::<Doors>("wall", opened);
        let mut statistics = Statistics::default();
        let doors = [Doors { opened: 2, shut: 0 }, Doors { opened: 3, shut: 0 }];
        statistics.add_part("wall", &Doors::sum(&doors), opened);
        assert_eq!(statistics.iter().collect::<Vec<_>>(), [("wall.opened", 5)]);
        assert!(catalogue.get("wall.shut").is_none());
    }

    #[test]
    #[should_panic(expected = "wall.shut has moved")]
    fn what_was_not_declared_must_not_move() {
        let shut = Doors { opened: 0, shut: 1 };
        Statistics::default().add_part("wall", &shut, |name| name == "opened");
    }
}
