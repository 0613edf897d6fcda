//! The `key=value,key=value` part of a generator's recipe, checked against what the generator declares.

use crate::error::nearest;

/// A key that a generator understands.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The key.
    pub name: &'static str,
    /// What values it takes.
    pub kind: ParameterKind,
    /// The value if none is given, as a user would write it; empty where it then follows from other keys.
    pub default: &'static str,
    /// One line for the list.
    pub summary: &'static str,
}

impl Parameter {
    /// An integer that does not follow the size of the graph.
    pub const fn integer(
        name: &'static str,
        (min, max): (u64, u64),
        default: &'static str,
        summary: &'static str,
    ) -> Parameter {
        Parameter { name, kind: ParameterKind::Integer { min, max }, default, summary }
    }

    /// An integer that says how large the graph is.
    pub const fn size(
        name: &'static str,
        (min, max): (u64, u64),
        shrinks: Shrinks,
        default: &'static str,
        summary: &'static str,
    ) -> Parameter {
        Parameter { name, kind: ParameterKind::Size { min, max, shrinks }, default, summary }
    }

    /// A real number.
    pub const fn real(
        name: &'static str,
        (min, max): (f64, f64),
        default: &'static str,
        summary: &'static str,
    ) -> Parameter {
        Parameter { name, kind: ParameterKind::Real { min, max }, default, summary }
    }

    /// One of some words.
    pub const fn word(
        name: &'static str,
        words: &'static [&'static str],
        default: &'static str,
        summary: &'static str,
    ) -> Parameter {
        Parameter { name, kind: ParameterKind::Word(words), default, summary }
    }
}

/// What values a key takes. Bounds are inclusive.
#[derive(Clone, Copy, Debug)]
pub enum ParameterKind {
    /// An unsigned integer; `k`, `M`, `Ki` and `Mi` may follow.
    Integer {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// An integer that says how large the graph is; a surrogate's `shrink` divides it. Zero, where it is
    /// allowed, means that the size follows from other keys.
    Size {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
        /// How it follows `shrink`.
        shrinks: Shrinks,
    },
    /// A real number.
    Real {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
}

/// How a size follows a surrogate's `shrink` factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shrinks {
    /// Divided by the factor: vertices, arcs, edges.
    Linearly,
    /// Divided by the square root of the factor: lengths across a plane, largest degrees of heavy tails.
    AsLength,
    /// Divided by the factor and rounded down to an even number: arcs of graphs that hold each edge twice.
    ToEven,
    /// The end of a heavy tail: divided by the square root of the factor, which keeps the average and the
    /// quantiles of the degrees together better than the factor itself, but not below
    /// [`DEGREE_KEPT`](Shrinks::DEGREE_KEPT); and what is below that at first stays.
    AsDegree,
}

impl Shrinks {
    /// Largest degrees up to this belong to the bulk of the vertices, whose degrees do not shrink.
    pub const DEGREE_KEPT: u64 = 64;

    /// `value` of a graph that is `factor` times smaller, rounded to nearest.
    fn apply(self, value: u64, factor: u64) -> u64 {
        match self {
            Shrinks::Linearly => value / factor + u64::from(value % factor >= factor.div_ceil(2)),
            Shrinks::AsLength => (value as f64 / (factor as f64).sqrt() + 0.5) as u64,
            Shrinks::ToEven => value / factor / 2 * 2,
            Shrinks::AsDegree => Shrinks::AsLength.apply(value, factor).max(value.min(Shrinks::DEGREE_KEPT)),
        }
    }
}

/// Values for all keys of one generator.
#[derive(Clone, Debug)]
pub struct Parameters {
    entries: Vec<(Parameter, Value)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Integer(u64),
    Real(f64),
    Word(&'static str),
    /// Not given, and without a default.
    Absent,
}

impl Parameters {
    /// Reads `values` (`key=value,…`) against what is `declared`.
    pub fn parse(declared: &'static [Parameter], values: &str) -> Result<Parameters, String> {
        let mut entries = Vec::with_capacity(declared.len());
        for parameter in declared {
            let value = match parameter.default {
                "" => Value::Absent,
                default => parse_value(parameter, default).expect("a declared default is valid"),
            };
            entries.push((*parameter, value));
        }
        let mut given: Vec<&str> = Vec::new();
        for item in values.split(',').filter(|item| !item.is_empty()) {
            let (key, text) = item.split_once('=').ok_or_else(|| format!("`{item}`: expected key=value"))?;
            let (key, text) = (key.trim(), text.trim());
            let entry = entries
                .iter_mut()
                .find(|(parameter, _)| parameter.name == key)
                .ok_or_else(|| unknown_key(declared, key))?;
            if given.contains(&key) {
                return Err(format!("`{key}` is given twice"));
            }
            entry.1 = parse_value(&entry.0, text)?;
            given.push(key);
        }
        Ok(Parameters { entries })
    }

    fn value(&self, name: &str) -> &Value {
        let entry = self.entries.iter().find(|(parameter, _)| parameter.name == name);
        &entry.unwrap_or_else(|| panic!("generator asks for `{name}`, which it does not declare")).1
    }

    /// The integer of that key.
    pub fn integer(&self, name: &str) -> u64 {
        match self.value(name) {
            Value::Integer(value) => *value,
            other => panic!("`{name}` is {other:?}, not an integer"),
        }
    }

    /// The integer of that key, if it was given.
    pub fn given_integer(&self, name: &str) -> Option<u64> {
        (*self.value(name) != Value::Absent).then(|| self.integer(name))
    }

    /// The real number of that key, if it was given.
    pub fn given_real(&self, name: &str) -> Option<f64> {
        (*self.value(name) != Value::Absent).then(|| self.real(name))
    }

    /// The real number of that key.
    pub fn real(&self, name: &str) -> f64 {
        match self.value(name) {
            Value::Real(value) => *value,
            other => panic!("`{name}` is {other:?}, not a real number"),
        }
    }

    /// The word of that key.
    pub fn word(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Word(value) => value,
            other => panic!("`{name}` is {other:?}, not a word"),
        }
    }

    /// The values of a graph that is `factor` times smaller: every size that is set shrinks by its rule.
    pub(crate) fn shrunk(&self, factor: u64) -> Result<Parameters, String> {
        let mut shrunk = self.clone();
        for (parameter, value) in &mut shrunk.entries {
            if let (ParameterKind::Size { min, shrinks, .. }, Value::Integer(size)) = (parameter.kind, value)
                && *size > 0
            {
                let smaller = shrinks.apply(*size, factor);
                if smaller < min.max(1) {
                    return Err(format!(
                        "`shrink={factor}` leaves {}={smaller} of {size}; at least {} must remain",
                        parameter.name,
                        min.max(1)
                    ));
                }
                *size = smaller;
            }
        }
        shrunk.bound_degrees();
        Ok(shrunk)
    }

    /// Largest degrees shrink more slowly than the graph, but no vertex may come to know more than half of it.
    fn bound_degrees(&mut self) {
        let vertices = self.entries.iter().find(|(parameter, _)| parameter.name == "vertices");
        let Some(&(_, Value::Integer(vertices @ 2..))) = vertices else { return };
        for (parameter, value) in &mut self.entries {
            if let ParameterKind::Size { shrinks: Shrinks::AsDegree, .. } = parameter.kind
                && let Value::Integer(degree) = value
            {
                *degree = (*degree).min(vertices / 2);
            }
        }
    }

    /// Every key with its value, so that the recipe does not depend on defaults.
    pub fn spelled_out(&self) -> String {
        let spell = |(parameter, value): &(Parameter, Value)| match value {
            Value::Integer(value) => Some(format!("{}={value}", parameter.name)),
            Value::Real(value) => Some(format!("{}={value}", parameter.name)),
            Value::Word(value) => Some(format!("{}={value}", parameter.name)),
            Value::Absent => None,
        };
        self.entries.iter().filter_map(spell).collect::<Vec<_>>().join(",")
    }
}

fn unknown_key(declared: &[Parameter], key: &str) -> String {
    let names = || declared.iter().map(|parameter| parameter.name);
    match nearest(key, names()) {
        Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
        None => format!("unknown key `{key}`; known keys are {}", names().collect::<Vec<_>>().join(", ")),
    }
}

fn parse_value(parameter: &Parameter, text: &str) -> Result<Value, String> {
    let name = parameter.name;
    match parameter.kind {
        ParameterKind::Integer { min, max } | ParameterKind::Size { min, max, .. } => {
            let value = parse_integer(text).ok_or_else(|| format!("`{name}={text}`: expected an integer"))?;
            if !(min..=max).contains(&value) {
                return Err(format!("`{name}={text}`: expected {min} to {max}"));
            }
            Ok(Value::Integer(value))
        }
        ParameterKind::Real { min, max } => {
            let value: f64 = text.parse().map_err(|_| format!("`{name}={text}`: expected a number"))?;
            if !(min..=max).contains(&value) {
                return Err(format!("`{name}={text}`: expected {min} to {max}"));
            }
            Ok(Value::Real(value))
        }
        ParameterKind::Word(words) => match words.iter().find(|&&word| word == text) {
            Some(word) => Ok(Value::Word(word)),
            None => Err(format!("`{name}={text}`: expected one of {}", words.join(", "))),
        },
    }
}

fn parse_integer(text: &str) -> Option<u64> {
    const SUFFIXES: [(&str, u64); 4] = [("Ki", 1 << 10), ("Mi", 1 << 20), ("k", 1000), ("M", 1_000_000)];
    for (suffix, factor) in SUFFIXES {
        if let Some(digits) = text.strip_suffix(suffix) {
            return digits.parse::<u64>().ok()?.checked_mul(factor);
        }
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &[Parameter] = &[
        Parameter {
            name: "scale",
            kind: ParameterKind::Integer { min: 0, max: 31 },
            default: "4",
            summary: "",
        },
        Parameter {
            name: "p",
            kind: ParameterKind::Real { min: 0.0, max: 1.0 },
            default: "0.5",
            summary: "",
        },
        Parameter {
            name: "order",
            kind: ParameterKind::Word(&["random", "space"]),
            default: "random",
            summary: "",
        },
        Parameter {
            name: "vertices",
            kind: ParameterKind::Size { min: 0, max: 1000, shrinks: Shrinks::Linearly },
            default: "0",
            summary: "",
        },
        Parameter {
            name: "diameter",
            kind: ParameterKind::Size { min: 0, max: 1000, shrinks: Shrinks::AsLength },
            default: "0",
            summary: "",
        },
    ];

    fn problem(values: &str) -> String {
        Parameters::parse(DECLARED, values).unwrap_err()
    }

    #[test]
    fn defaults_are_spelled_out() {
        let parameters = Parameters::parse(DECLARED, "p=0.25").unwrap();
        assert_eq!(parameters.spelled_out(), "scale=4,p=0.25,order=random,vertices=0,diameter=0");
    }

    #[test]
    fn slips_are_named() {
        assert_eq!(problem("scal=3"), "unknown key `scal`; did you mean `scale`?");
        assert_eq!(problem("scale=99"), "`scale=99`: expected 0 to 31");
        assert_eq!(problem("scale=x"), "`scale=x`: expected an integer");
        assert_eq!(problem("p=NaN"), "`p=NaN`: expected 0 to 1");
        assert_eq!(problem("scale"), "`scale`: expected key=value");
        assert_eq!(problem("scale=1,scale=2"), "`scale` is given twice");
        assert_eq!(problem("order=up"), "`order=up`: expected one of random, space");
    }

    #[test]
    fn sizes_shrink_and_nothing_else_does() {
        let parameters = Parameters::parse(DECLARED, "scale=9,vertices=100,diameter=30").unwrap();
        let shrunk = parameters.shrunk(8).unwrap();
        assert_eq!(shrunk.spelled_out(), "scale=9,p=0.5,order=random,vertices=13,diameter=11");
        assert_eq!(parameters.shrunk(1).unwrap().spelled_out(), parameters.spelled_out());
        assert_eq!(
            parameters.shrunk(1000).unwrap_err(),
            "`shrink=1000` leaves vertices=0 of 100; at least 1 must remain"
        );
    }

    #[test]
    fn arcs_stay_even_and_only_the_tail_of_degrees_shrinks() {
        assert_eq!(Shrinks::ToEven.apply(163_178, 8), 20_396);
        assert_eq!([4, 38, 343, 2770].map(|degree| Shrinks::AsDegree.apply(degree, 8)), [4, 38, 121, 979]);
    }

    #[test]
    fn integers_may_have_suffixes() {
        assert_eq!(parse_integer("3Ki"), Some(3072));
        assert_eq!(parse_integer("2M"), Some(2_000_000));
        assert_eq!(parse_integer("99999999999999999999M"), None);
    }
}
