//! Ordering of a warp's accesses: what it waits for before and behind its accesses, at fences, and before functions that
//! see memory at once.
//!
//! A rule decides from an instruction's kind, and from the order and scope that it demands; the core makes the warp wait,
//! and asks again when an access is complete. What a rule says of an instruction is asked once, when its kernel is
//! launched. Each rule is in a file of its own, and a machine chooses one by its name (`core.ordering`).

use crate::statics::OperationKind;
use crate::visibility::Visibility;
use heddle_memory::request::{Ordering, Scope};

/// What a warp has under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnderWay {
    /// Accesses, and those of them that are atomics.
    pub(super) accesses: u32,
    pub(super) atomics: u16,
}

/// What a warp waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
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

/// What a warp waits for around an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waits {
    /// Before it is issued.
    pub(crate) before: Wait,
    /// Before anything is issued behind it.
    pub(crate) behind: Wait,
}

impl Waits {
    /// For nothing.
    pub(crate) const NOTHING: Waits = Waits { before: Wait::Nothing, behind: Wait::Nothing };
}

/// An access or a fence, as a rule sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Demand {
    /// Load, store, atomic or fence.
    pub(super) kind: OperationKind,
    /// The order that it demands.
    pub(super) ordering: Ordering,
    /// Among whom.
    pub(super) scope: Scope,
}

/// A rule. What most of them do alike is written here.
pub(super) trait Rule {
    /// Before an access is issued.
    fn before_access(_access: Demand) -> Wait {
        Wait::Nothing
    }

    /// Behind an access that was issued.
    fn behind_access(access: Demand) -> Wait;

    /// Behind a fence: everything that the warp has asked for is performed.
    fn behind_fence(_fence: Demand) -> Wait {
        Wait::Accesses
    }

    /// Before a function of the machine, which sees memory as it is when it begins.
    fn before_function() -> Wait {
        Wait::Accesses
    }
}

fn waits_of<R: Rule>(kind: OperationKind, visibility: Visibility) -> Waits {
    let demand = Demand { kind, ordering: visibility.ordering, scope: visibility.scope };
    match kind {
        access if access.is_access() => {
            Waits { before: R::before_access(demand), behind: R::behind_access(demand) }
        }
        OperationKind::Fence => Waits { behind: R::behind_fence(demand), ..Waits::NOTHING },
        OperationKind::External | OperationKind::MemoryCommand => {
            Waits { before: R::before_function(), ..Waits::NOTHING }
        }
        _ => Waits::NOTHING,
    }
}

/// Makes, of a line per rule, its module, its name in machine files, and what hands on what it decides.
macro_rules! rules {
    ($($(#[$meta:meta])* $rule:ident = $name:literal => $file:ident;)*) => {
        $(mod $file;)*

        /// The rule of a core.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum OrderingRule { $($(#[$meta])* #[serde(rename = $name)] $rule,)* }

        impl OrderingRule {
            /// The name that machine files use.
            pub fn name(self) -> &'static str {
                match self { $(OrderingRule::$rule => $name,)* }
            }

            /// What a warp waits for around an instruction of a kind, with this order and scope.
            pub(crate) fn waits(self, kind: OperationKind, visibility: Visibility) -> Waits {
                match self { $(OrderingRule::$rule => waits_of::<$file::$rule>(kind, visibility),)* }
            }
        }
    };
}

rules! {
    /// Nothing waits but what needs the result of an access.
    StallOnUse = "stall-on-use" => stall_on_use;
    /// A warp issues nothing while one of its atomics is outstanding.
    WaitForAtomics = "wait-for-atomics" => wait_for_atomics;
    /// A warp waits for each of its loads and atomics.
    StallOnMemory = "stall-on-memory" => stall_on_memory;
    /// A warp waits before what releases and behind what acquires.
    AcquireRelease = "acquire-release" => acquire_release;
}

#[cfg(test)]
mod tests {
    use super::*;
    use OperationKind as Kind;
    use OrderingRule::{AcquireRelease, StallOnMemory, StallOnUse, WaitForAtomics};

    const ALL: [OrderingRule; 4] = [StallOnUse, WaitForAtomics, StallOnMemory, AcquireRelease];

    #[test]
    fn each_rule_holds_a_warp_behind_its_own_accesses() {
        let waits = |rule: OrderingRule| {
            [Kind::Load, Kind::Store, Kind::Atomic].map(|kind| rule.waits(kind, Visibility::default()).behind)
        };
        assert_eq!(waits(StallOnUse), [Wait::Nothing; 3]);
        assert_eq!(waits(WaitForAtomics), [Wait::Nothing, Wait::Nothing, Wait::Atomics]);
        assert_eq!(waits(StallOnMemory), [Wait::Accesses, Wait::Nothing, Wait::Accesses]);
        assert_eq!(waits(AcquireRelease), [Wait::Nothing; 3]);
    }

    #[test]
    fn fences_and_functions_of_the_machine_wait_for_all_accesses() {
        for rule in ALL {
            let waits = |kind| rule.waits(kind, Visibility::default());
            assert_eq!(waits(Kind::Fence), Waits { behind: Wait::Accesses, ..Waits::NOTHING });
            for function in [Kind::External, Kind::MemoryCommand] {
                assert_eq!(waits(function), Waits { before: Wait::Accesses, ..Waits::NOTHING });
            }
            assert_eq!((waits(Kind::Compute), waits(Kind::Command)), (Waits::NOTHING, Waits::NOTHING));
        }
        let load = UnderWay { accesses: 1, atomics: 0 };
        assert!(Wait::Atomics.is_over(load) && Wait::Nothing.is_over(load) && !Wait::Accesses.is_over(load));
    }

    #[test]
    fn order_and_scope_of_an_access_count_where_a_rule_looks_at_them() {
        let waits = |rule: OrderingRule, kind, ordering, scope| {
            rule.waits(kind, Visibility { ordering, scope, ..Visibility::default() })
        };
        let (acquire, release) = (Ordering::Acquire, Ordering::Release);
        let (before, behind) = (
            Waits { before: Wait::Accesses, ..Waits::NOTHING },
            Waits { behind: Wait::Accesses, ..Waits::NOTHING },
        );
        assert_eq!(waits(AcquireRelease, Kind::Load, acquire, Scope::Device), behind);
        assert_eq!(waits(AcquireRelease, Kind::Store, release, Scope::System), before);
        let both = Waits { before: Wait::Accesses, behind: Wait::Accesses };
        assert_eq!(waits(AcquireRelease, Kind::Atomic, Ordering::AcquireRelease, Scope::Device), both);
        assert_eq!(waits(AcquireRelease, Kind::Load, Ordering::Relaxed, Scope::Device), Waits::NOTHING);
        assert_eq!(waits(AcquireRelease, Kind::Load, acquire, Scope::Block), Waits::NOTHING);
        assert_eq!(waits(StallOnUse, Kind::Load, acquire, Scope::Device), Waits::NOTHING);
    }
}
