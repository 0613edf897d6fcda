//! Ordering of a warp's accesses: what it waits for behind an access and at a fence.
//!
//! A policy decides from the kind of an instruction and from what the warp has under way; the core makes the warp wait,
//! and asks again when an access is complete. Each rule is in a file of its own, chosen by the machine's keys. All of
//! them have their fences wait for every access of the warp, and have functions of the machine, which see memory at
//! once, wait before they begin.

use crate::spec::CoreSpec;
use crate::statics::OperationKind;

/// What a warp has under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnderWay {
    /// Accesses, and those of them that are atomics.
    pub(super) accesses: u32,
    pub(super) atomics: u16,
}

/// What a warp waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Nothing but operands.
    Nothing,
    /// Its atomics.
    Atomics,
    /// All of its accesses.
    Accesses,
}

impl Wait {
    /// Whether it is over with this under way.
    #[inline(always)]
    pub(super) fn is_over(self, under_way: UnderWay) -> bool {
        match self {
            Wait::Nothing => true,
            Wait::Atomics => under_way.atomics == 0,
            Wait::Accesses => under_way.accesses == 0,
        }
    }
}

/// Makes, of a line per rule, its module and an enum over all rules that hands on what each of them decides.
macro_rules! rules {
    ($($(#[$meta:meta])* $rule:ident => $file:ident;)*) => {
        $(mod $file;)*

        /// The rule of a core.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum OrderingRule { $($(#[$meta])* $rule,)* }

        impl OrderingRule {
            /// The first rule that the keys of a core choose.
            pub(super) fn new(core: &CoreSpec) -> OrderingRule {
                let rules = [$(($file::is_chosen(core), OrderingRule::$rule)),*];
                let chosen = rules.into_iter().find_map(|(is_chosen, rule)| is_chosen.then_some(rule));
                chosen.expect("the last rule is chosen by every core")
            }

            /// What a warp waits for that has issued an access.
            #[inline(always)]
            pub(super) fn behind_access(self, kind: OperationKind) -> Wait {
                match self { $(OrderingRule::$rule => $file::behind_access(kind),)* }
            }
        }
    };
}

rules! {
    /// Waits for more than the next rule does, so that it comes before it.
    StallOnMemory => stall_on_memory;
    /// By a key of its own.
    WaitForAtomics => wait_for_atomics;
    /// Where no key chooses another.
    StallOnUse => stall_on_use;
}

impl OrderingRule {
    /// What a warp waits for that has issued something else.
    #[inline(always)]
    pub(super) fn behind(self, kind: OperationKind) -> Wait {
        match kind {
            OperationKind::Fence => Wait::Accesses,
            _ => Wait::Nothing,
        }
    }

    /// What a warp waits for before it issues an instruction.
    #[inline(always)]
    pub(super) fn before(self, kind: OperationKind) -> Wait {
        match kind {
            OperationKind::External | OperationKind::MemoryCommand => Wait::Accesses,
            _ => Wait::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use OperationKind as Kind;

    #[test]
    fn each_rule_holds_a_warp_behind_its_own_accesses() {
        let waits =
            |rule: OrderingRule| [Kind::Load, Kind::Store, Kind::Atomic].map(|kind| rule.behind_access(kind));
        assert_eq!(waits(OrderingRule::StallOnUse), [Wait::Nothing; 3]);
        assert_eq!(waits(OrderingRule::WaitForAtomics), [Wait::Nothing, Wait::Nothing, Wait::Atomics]);
        assert_eq!(waits(OrderingRule::StallOnMemory), [Wait::Accesses, Wait::Nothing, Wait::Accesses]);
    }

    #[test]
    fn fences_and_functions_of_the_machine_wait_for_all_accesses() {
        for rule in [OrderingRule::StallOnUse, OrderingRule::WaitForAtomics, OrderingRule::StallOnMemory] {
            assert_eq!(rule.behind(Kind::Fence), Wait::Accesses);
            assert_eq!(rule.before(Kind::External), Wait::Accesses);
            assert_eq!(rule.before(Kind::MemoryCommand), Wait::Accesses);
            assert_eq!(
                (rule.behind(Kind::Compute), rule.before(Kind::Fence)),
                (Wait::Nothing, Wait::Nothing)
            );
        }
        let load = UnderWay { accesses: 1, atomics: 0 };
        assert!(Wait::Atomics.is_over(load) && Wait::Nothing.is_over(load) && !Wait::Accesses.is_over(load));
    }
}
