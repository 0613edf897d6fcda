//! Tables that policies of several caches share: those above and below each other, and slices of one.
//!
//! A policy makes its own ([`Policy::share`](super::Policy::share)) and finds it again by its type, so that nothing here
//! knows any of them.

use crate::ids::CoreId;
use std::any::{Any, TypeId};
use std::fmt::Debug;

/// Anything that policies can share.
trait Shared: Any + Debug + Send + Sync {
    fn copy(&self) -> Box<dyn Shared>;
}

impl<T: Any + Clone + Debug + Send + Sync> Shared for T {
    fn copy(&self) -> Box<dyn Shared> {
        Box::new(self.clone())
    }
}

/// A table, by its type.
#[derive(Debug)]
struct Table {
    of: TypeId,
    table: Box<dyn Shared>,
}

impl Clone for Table {
    fn clone(&self) -> Table {
        Table { of: self.of, table: self.table.as_ref().copy() }
    }
}

/// The tables of a machine. The owner of the caches keeps them and passes them in; without a policy that shares any
/// there are none.
#[derive(Clone, Debug, Default)]
pub struct CoreTables {
    tables: Vec<Table>,
    /// Of a policy with modes: whether the exclusive one is on.
    mode: Option<bool>,
    /// It has changed, and nobody has asked since.
    switched: bool,
}

impl CoreTables {
    /// Adds a table that is one for all. A description that is checked asks for each once.
    pub fn share<T: Any + Clone + Debug + Send + Sync>(&mut self, table: T) {
        assert!(self.get::<T>().is_none(), "two policies share a table of one type");
        self.tables.push(Table { of: TypeId::of::<T>(), table: Box::new(table) });
    }

    /// Adds a table that each of so many cores has one of.
    pub fn share_by_core<T: Any + Clone + Debug + Send + Sync>(&mut self, table: T, cores: u32) {
        self.share(vec![table; cores as usize]);
    }

    /// The table of a type that is one for all.
    #[inline(always)]
    pub fn get<T: Any>(&self) -> Option<&T> {
        let found = self.tables.iter().find(|table| table.of == TypeId::of::<T>())?;
        let table: &dyn Any = found.table.as_ref();
        table.downcast_ref()
    }

    /// The same, to be changed.
    #[inline(always)]
    pub fn get_mut<T: Any>(&mut self) -> Option<&mut T> {
        let found = self.tables.iter_mut().find(|table| table.of == TypeId::of::<T>())?;
        let table: &mut dyn Any = found.table.as_mut();
        table.downcast_mut()
    }

    /// The table of a type that a core has.
    #[inline(always)]
    pub fn of_core<T: Any>(&self, core: CoreId) -> Option<&T> {
        self.get::<Vec<T>>()?.get(core.index())
    }

    /// The same, to be changed.
    #[inline(always)]
    pub fn of_core_mut<T: Any>(&mut self, core: CoreId) -> Option<&mut T> {
        self.get_mut::<Vec<T>>()?.get_mut(core.index())
    }

    /// A policy with modes has this one from now on: the exclusive one, or not.
    #[inline(always)]
    pub fn set_mode(&mut self, exclusive: bool) {
        // An even number of changes that nobody has seen is none.
        self.switched ^= self.mode.is_some_and(|mode| mode != exclusive);
        self.mode = Some(exclusive);
    }

    /// Whether the mode has changed since it was asked for last.
    #[inline(always)]
    pub fn has_switched(&self) -> bool {
        self.switched
    }

    /// The mode of a policy that has modes: whether it is the exclusive one.
    pub fn take_mode(&mut self) -> Option<bool> {
        self.switched = false;
        self.mode
    }
}
