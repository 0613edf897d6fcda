//! The scopes of a function body: what names stand for, innermost scope first.
//!
//! Registers get their number when they are first used, so that the numbers are dense and that a declaration
//! of a million registers costs nothing. `%r<10>` is kept as a family: a name of it is its prefix and a number.

use crate::ir::{RegisterId, ScalarType};
use crate::resolve::scope::Named;
use std::collections::BTreeMap;

/// What a declaration of registers says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Kind {
    /// Type of an element.
    pub(super) ty: ScalarType,
    /// Elements of a vector register; 1 for a scalar.
    pub(super) elements: u64,
}

/// What a name in a body stands for.
#[derive(Clone, Debug)]
pub(super) enum Local {
    /// A register, with its numbers (as many as elements) once it was used.
    Register(Kind, Vec<RegisterId>),
    /// Anything else.
    Named(Named),
    /// Something whose declaration was refused: its uses are not refused again.
    Refused,
}

struct Family {
    count: u64,
    kind: Option<Kind>,
    used: BTreeMap<u64, Local>,
}

#[derive(Default)]
struct Names<'t> {
    single: BTreeMap<&'t str, Local>,
    families: BTreeMap<&'t str, Family>,
}

/// The scopes around a statement.
#[derive(Default)]
pub(super) struct Scopes<'t> {
    stack: Vec<Names<'t>>,
}

/// Every way to take a name as prefix and number, longest number first.
fn splits(name: &str) -> impl Iterator<Item = (&str, u64)> {
    let digits = name.bytes().rev().take(20).take_while(u8::is_ascii_digit).count();
    (1..=digits).rev().filter_map(move |length| {
        let (prefix, number) = name.split_at_checked(name.len() - length)?;
        let plain = !number.starts_with('0') || number == "0";
        Some((prefix, number.parse().ok().filter(|_| plain)?))
    })
}

impl<'t> Names<'t> {
    fn family(&self, name: &str) -> Option<(&Family, u64)> {
        if self.families.is_empty() {
            return None;
        }
        splits(name).find_map(|(prefix, number)| {
            self.families.get(prefix).filter(|family| number < family.count).map(|family| (family, number))
        })
    }
}

impl<'t> Scopes<'t> {
    pub(super) fn enter(&mut self) {
        self.stack.push(Names::default());
    }

    pub(super) fn leave(&mut self) {
        self.stack.pop();
    }

    /// Declares a name in the innermost scope; `false` if that has it already.
    pub(super) fn declare(&mut self, name: &'t str, local: Local) -> bool {
        let Some(scope) = self.stack.last_mut() else { return false };
        if scope.single.contains_key(name) || scope.family(name).is_some() {
            return false;
        }
        scope.single.insert(name, local);
        true
    }

    /// Declares `prefix<count>` in the innermost scope; `false` if that has it already.
    pub(super) fn declare_family(&mut self, prefix: &'t str, count: u64, kind: Option<Kind>) -> bool {
        let Some(scope) = self.stack.last_mut() else { return false };
        let is_member = |name: &str| splits(name).any(|split| split.0 == prefix && split.1 < count);
        let mut alike = scope.single.range(prefix..).take_while(|(name, _)| name.starts_with(prefix));
        if scope.families.contains_key(prefix) || alike.any(|(name, _)| is_member(name)) {
            return false;
        }
        scope.families.insert(prefix, Family { count, kind, used: BTreeMap::new() });
        true
    }

    /// What a name stands for; a register that was not used yet stands for nothing.
    pub(super) fn get(&self, name: &str) -> Option<&Local> {
        self.stack.iter().rev().find_map(|scope| {
            scope.single.get(name).or_else(|| {
                let (family, number) = scope.family(name)?;
                family.used.get(&number)
            })
        })
    }

    /// What a name stands for, to be given numbers if it is a register.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Local> {
        let scope = self
            .stack
            .iter_mut()
            .rev()
            .find(|scope| scope.single.contains_key(name) || scope.family(name).is_some())?;
        if scope.single.contains_key(name) {
            return scope.single.get_mut(name);
        }
        let (prefix, number) = splits(name).find(|(prefix, number)| {
            scope.families.get(prefix).is_some_and(|family| *number < family.count)
        })?;
        let family = scope.families.get_mut(prefix)?;
        let unused = family.kind.map_or(Local::Refused, |kind| Local::Register(kind, Vec::new()));
        Some(family.used.entry(number).or_insert(unused))
    }

    /// What a label of the innermost scope stands for.
    pub(super) fn innermost(&self, name: &str) -> Option<&Local> {
        self.stack.last().and_then(|scope| scope.single.get(name))
    }

    /// The name of a family whose prefix a name has, if its number is too large.
    pub(super) fn last_of_family(&self, name: &str) -> Option<String> {
        self.stack.iter().rev().find_map(|scope| {
            splits(name).find_map(|(prefix, number)| {
                let family = scope.families.get(prefix)?;
                (family.count > 0 && number >= family.count).then(|| format!("{prefix}{}", family.count - 1))
            })
        })
    }

    /// Every declared name, innermost scope first; families by their prefix.
    pub(super) fn names(&self) -> impl Iterator<Item = &'t str> {
        self.stack.iter().rev().flat_map(|scope| scope.single.keys().chain(scope.families.keys()).copied())
    }
}
