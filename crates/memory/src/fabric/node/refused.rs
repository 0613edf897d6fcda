//! Requests that a core's cache has refused, and what lets them try again.
//!
//! A core is woken by what can let its request pass: room in the miss queue; any fill for one that found no MSHR;
//! the fill of its line for one that was too many; a fill of its set for one that found all ways reserved.

use crate::cache::Cache;
use crate::fabric::Obstacle;
use crate::ids::CoreId;
use crate::request::{LineAddress, Notice, Path, Request};

/// What a path was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refused {
    Nothing,
    /// Requests for one line, for one reason.
    One(Obstacle, LineAddress),
    Several,
}

/// What may let a request pass that was refused.
#[derive(Clone, Copy, Debug)]
pub(super) enum Chance {
    /// The miss queue has room.
    Room,
    /// This line was filled.
    Fill(LineAddress),
}

impl Refused {
    /// Whether a request might pass now.
    #[inline(always)]
    fn might_pass(self, chance: Chance, cache: &Cache) -> bool {
        match (self, chance) {
            (Refused::Nothing, _) => false,
            (Refused::Several, _) | (Refused::One(Obstacle::MissQueue, _), Chance::Room) => true,
            (Refused::One(Obstacle::MissQueue, _), _) | (_, Chance::Room) => false,
            (Refused::One(Obstacle::Mshrs, _), Chance::Fill(_)) => true,
            (Refused::One(Obstacle::Merges, wanted), Chance::Fill(filled)) => wanted == filled,
            (Refused::One(Obstacle::Ways, wanted), Chance::Fill(filled)) => cache.same_set(wanted, filled),
        }
    }
}

/// What the paths of a core were refused by one of its caches, and have not been told about since.
#[derive(Clone, Debug)]
pub(in crate::fabric) struct Refusals {
    paths: [Refused; Path::ALL.len()],
    core: CoreId,
    any: bool,
}

impl Default for Refusals {
    fn default() -> Refusals {
        Refusals { paths: [Refused::Nothing; Path::ALL.len()], core: CoreId(0), any: false }
    }
}

impl Refusals {
    /// Whether a core waits to be told.
    pub(super) fn any(&self) -> bool {
        self.any
    }

    /// A request was refused.
    pub(super) fn add(&mut self, request: &Request, why: Obstacle) {
        self.any = true;
        self.core = request.core;
        let refused = &mut self.paths[request.path as usize];
        let one = Refused::One(why, request.line);
        *refused = if *refused == Refused::Nothing || *refused == one { one } else { Refused::Several };
    }

    /// Tells a core that paths to which something was refused can try again.
    #[inline(always)]
    pub(super) fn wake(&mut self, cache: &Cache, chance: Chance, notices: &mut Vec<Notice>) {
        if !self.any {
            return;
        }
        for path in Path::ALL {
            let refused = &mut self.paths[path as usize];
            if refused.might_pass(chance, cache) {
                *refused = Refused::Nothing;
                notices.push(Notice::Ready(self.core, path));
            }
        }
        self.any = self.paths.iter().any(|refused| *refused != Refused::Nothing);
    }
}
