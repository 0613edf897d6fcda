//! Transforms by name.

use super::{Order, Transform};
use crate::error::nearest;
use std::fmt;

/// A transform as the user writes it.
pub struct Entry {
    /// What stands before the `=`.
    pub name: &'static str,
    /// The whole form, optional parts in brackets.
    pub form: &'static str,
    /// One line for the list.
    pub summary: &'static str,
    parse: fn(&Values<'_>) -> Result<Transform, String>,
}

/// All transforms. To add one: a file beside this one, a variant of [`Transform`], and an entry here.
pub const TRANSFORMS: &[Entry] = &[
    Entry {
        name: "transpose",
        form: "transpose",
        summary: "turn every arc round",
        parse: |values| values.none(Transform::Transpose),
    },
    Entry {
        name: "symmetrise",
        form: "symmetrise[=union|double]",
        summary: "add opposite arcs, each pair once, or keeping reciprocal duplicates",
        parse: symmetrise,
    },
    Entry {
        name: "drop-self-loops",
        form: "drop-self-loops",
        summary: "drop arcs from a vertex to itself",
        parse: |values| values.none(Transform::DropSelfLoops),
    },
    Entry {
        name: "drop-duplicates",
        form: "drop-duplicates",
        summary: "drop all but the first of parallel arcs",
        parse: |values| values.none(Transform::DropDuplicates),
    },
    Entry {
        name: "weights",
        form: "weights=MIN..MAX[,seed=1]",
        summary: "random weights, both ends of the range included",
        parse: weights,
    },
    Entry {
        name: "relabel",
        form: "relabel=degree|hub-sort|bfs|random[,seed=1]",
        summary: "renumber the vertices",
        parse: relabel,
    },
    Entry {
        name: "largest-component",
        form: "largest-component",
        summary: "keep the largest weakly connected component",
        parse: |values| values.none(Transform::LargestComponent),
    },
];

/// Parses what a user types: `transpose`, `symmetrise`, `symmetrise=double`, `drop-self-loops`,
/// `drop-duplicates`, `weights=1..100[,seed=1]`, `relabel=degree|hub-sort|bfs|random[,seed=1]`,
/// `largest-component`. Both ends of the range of weights are included.
pub fn parse(text: &str) -> Result<Transform, String> {
    let text = text.trim();
    let (head, seed) = match text.split_once(',') {
        Some((head, seed)) => (head, Some(seed)),
        None => (text, None),
    };
    let (name, value) = match head.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (head, None),
    };
    let names = || TRANSFORMS.iter().map(|entry| entry.name);
    let Some(entry) = TRANSFORMS.iter().find(|entry| entry.name == name) else {
        let known = names().collect::<Vec<_>>().join(", ");
        let near = nearest(name, names()).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(format!("`{name}` is not a transform{near} (known: {known})"));
    };
    (entry.parse)(&Values { text, form: entry.form, value, rest: seed })
}

/// What follows a name.
struct Values<'a> {
    text: &'a str,
    form: &'static str,
    value: Option<&'a str>,
    rest: Option<&'a str>,
}

const SEED_DEFAULT: u64 = 1;

impl Values<'_> {
    fn error(&self, problem: impl fmt::Display) -> String {
        format!("`{}`: {problem}; expected `{}`", self.text, self.form)
    }

    fn none(&self, transform: Transform) -> Result<Transform, String> {
        if self.value.is_some() || self.rest.is_some() {
            return Err(self.error("nothing may follow the name"));
        }
        Ok(transform)
    }

    fn without_seed(&self) -> Result<(), String> {
        self.rest.map_or(Ok(()), |rest| Err(self.error(format_args!("`{rest}` has no meaning here"))))
    }

    fn seed(&self) -> Result<u64, String> {
        let Some(rest) = self.rest else { return Ok(SEED_DEFAULT) };
        let number = rest.trim().strip_prefix("seed=").and_then(|number| number.parse().ok());
        number.ok_or_else(|| self.error(format_args!("`{rest}` is not a seed such as `seed=1`")))
    }

    /// The error for a word that is none of these.
    fn unknown(&self, what: &str, known: &[&'static str]) -> String {
        let Some(value) = self.value else {
            return self.error(format_args!("the {what} is missing"));
        };
        let near = nearest(value, known.iter().copied());
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        self.error(format_args!("`{value}` is not {what}{near} (known: {})", known.join(", ")))
    }
}

fn symmetrise(values: &Values<'_>) -> Result<Transform, String> {
    values.without_seed()?;
    match values.value {
        None | Some("union") => Ok(Transform::SymmetriseUnion),
        Some("double") => Ok(Transform::SymmetriseDouble),
        Some(_) => Err(values.unknown("a way to symmetrise", &["union", "double"])),
    }
}

fn weights(values: &Values<'_>) -> Result<Transform, String> {
    let value = values.value.ok_or_else(|| values.error("the range of weights is missing"))?;
    let bounds = value
        .split_once("..")
        .and_then(|(min, max)| Some((min.trim().parse::<u32>().ok()?, max.trim().parse::<u32>().ok()?)));
    let (min, max) = bounds.ok_or_else(|| {
        values.error(format_args!("`{value}` is not a range of whole numbers from 0 to {}", u32::MAX))
    })?;
    if min > max {
        return Err(values.error(format_args!("the range {min}..{max} is empty")));
    }
    Ok(Transform::Weights { min, max, seed: values.seed()? })
}

fn relabel(values: &Values<'_>) -> Result<Transform, String> {
    let order = match values.value {
        Some("degree") => Order::Degree,
        Some("hub-sort") => Order::HubSort,
        Some("bfs") => Order::Bfs,
        Some("random") => return Ok(Transform::Relabel(Order::Random(values.seed()?))),
        _ => return Err(values.unknown("an order", &["degree", "hub-sort", "bfs", "random"])),
    };
    values.without_seed()?;
    Ok(Transform::Relabel(order))
}

/// As [`parse`] reads it, every default spelled out.
impl fmt::Display for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Transform::Transpose => write!(f, "transpose"),
            Transform::SymmetriseUnion => write!(f, "symmetrise=union"),
            Transform::SymmetriseDouble => write!(f, "symmetrise=double"),
            Transform::DropSelfLoops => write!(f, "drop-self-loops"),
            Transform::DropDuplicates => write!(f, "drop-duplicates"),
            Transform::Weights { min, max, seed } => write!(f, "weights={min}..{max},seed={seed}"),
            Transform::Relabel(Order::Degree) => write!(f, "relabel=degree"),
            Transform::Relabel(Order::HubSort) => write!(f, "relabel=hub-sort"),
            Transform::Relabel(Order::Bfs) => write!(f, "relabel=bfs"),
            Transform::Relabel(Order::Random(seed)) => write!(f, "relabel=random,seed={seed}"),
            Transform::LargestComponent => write!(f, "largest-component"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_out_is_read_back() {
        let texts = [
            "transpose",
            "symmetrise=union",
            "symmetrise=double",
            "drop-self-loops",
            "drop-duplicates",
            "weights=0..4294967295,seed=18446744073709551615",
            "relabel=degree",
            "relabel=hub-sort",
            "relabel=bfs",
            "relabel=random,seed=9",
            "largest-component",
        ];
        for text in texts {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn defaults_are_union_and_seed_one() {
        assert_eq!(parse("symmetrise"), Ok(Transform::SymmetriseUnion));
        assert_eq!(parse("weights=1..100"), Ok(Transform::Weights { min: 1, max: 100, seed: 1 }));
        assert_eq!(parse("relabel=random"), Ok(Transform::Relabel(Order::Random(1))));
    }

    #[test]
    fn a_slip_names_the_nearest_and_all_known() {
        let error = parse("symmetrize").unwrap_err();
        assert!(
            error.contains("did you mean `symmetrise`?") && error.contains("largest-component"),
            "{error}"
        );
        let error = parse("relabel=hubsort").unwrap_err();
        assert!(error.contains("did you mean `hub-sort`?"), "{error}");
    }

    #[test]
    fn bad_values_are_refused_with_the_form() {
        let bad = [
            "",
            "weights",
            "weights=",
            "weights=5",
            "weights=9..3",
            "weights=-1..3",
            "weights=1.5..3",
            "weights=1..4294967296",
            "weights=1..2,seed=x",
            "weights=1..2,sed=1",
            "weights=1..2,seed=1,seed=2",
            "relabel",
            "relabel=",
            "relabel=degree,seed=1",
            "symmetrise=half",
            "symmetrise=union,seed=1",
            "transpose=1",
            "transpose,seed=1",
            "largest-component=2",
        ];
        for text in bad {
            let error = parse(text).unwrap_err();
            assert!(error.contains("expected `") || error.contains("known: "), "{text}: {error}");
        }
    }
}
