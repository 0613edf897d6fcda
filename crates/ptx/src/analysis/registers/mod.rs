//! Registers per thread, by an allocation of our own.
//!
//! PTX has as many registers as the compiler likes; a machine has few, and how many a thread takes decides how
//! many threads a core holds. NVIDIA's assembler is not public, so this is a model of what an assembler must at
//! least provide, not a forecast of its output:
//!
//! - values are the PTX registers, one live range each (not split); what is never read again still takes a
//!   register where it is written; a guarded write keeps the old value;
//! - units are 32 bits; narrower values take one, 64-bit values two at an even number, 128-bit values four at a
//!   multiple of four; predicates have a file of their own and are counted apart;
//! - kernel parameters are in constant memory and take no register before their `ld.param`, then they are values
//!   like others;
//! - constants, addresses of variables and special registers are brought into registers for each instruction that
//!   needs them there, and live no longer. An arithmetic operation takes one constant as it is and zero is free;
//!   a stored value, the base of a global address and a special register must be in registers;
//! - a 32-bit index that is widened and scaled (`mul.wide` by a constant, `cvt.u64.u32`, also shifted) only to be
//!   added to addresses is folded into the additions; `cvta` of global addresses is a copy;
//! - copies are coalesced where the two live ranges do not interfere, then the ranges are coloured in the order of
//!   their first write, each with the lowest registers that are free;
//! - a function with local memory or calls has a stack pointer; a call needs the callee's registers above what
//!   lives across it (recursion counted once).
//!
//! Not modelled: instruction scheduling (an assembler spends free registers to load early, so that its figure is
//! often higher), temporaries of operations that take several machine instructions (division, 64-bit
//! multiplication), neighbouring registers for vector accesses. What a cap leaves no room for would be spilled; that
//! is counted and costs nothing ([`granted_registers`]).

mod cap;
mod colouring;
mod demand;
mod overrides;
mod placement;

pub use cap::{GrantedRegisters, RegisterCap, granted_registers};
pub use overrides::RegisterOverride;

use super::cfg::Cfg;
use crate::ir::{CallTarget, Function, FunctionId, Module, Operation, StateSpace};
use colouring::{Allocation, allocate};
use demand::Demand;

/// The method in one line, for reports.
pub const METHOD: &str =
    "colouring of live ranges after coalescing; constants made where used; no scheduling";

/// What a function needs of the register file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterDemand {
    /// 32-bit registers per thread, those of called functions included.
    pub registers: u32,
    /// Most 32-bit units that live at once in the function itself: no allocation of it needs fewer.
    pub live: u32,
    /// Most predicates that live at once in the function itself.
    pub predicates: u32,
}

/// The demand of every function of a module.
pub fn register_demands(module: &Module) -> Vec<RegisterDemand> {
    let count = module.functions.len();
    let functions: Vec<FunctionId> = (0..count as u32).map(FunctionId).collect();
    let allocations: Vec<Own> = functions.iter().map(|&id| Own::new(module, id)).collect();
    let mut demands: Vec<RegisterDemand> = allocations.iter().map(Own::demand).collect();
    // Callees come before their callers, but for a recursion, which so counts once.
    for function in post_order(module) {
        let calls = allocations[function].calls.iter();
        let with_callee = calls.map(|&(kept, callee)| kept + demands[callee.0 as usize].registers);
        let most = with_callee.max().unwrap_or(0);
        demands[function].registers = demands[function].registers.max(most);
    }
    demands
}

/// One function by itself.
struct Own {
    registers: u32,
    live: u32,
    predicates: u32,
    /// Units that live across each call, and whom it calls.
    calls: Vec<(u32, FunctionId)>,
}

impl Own {
    fn new(module: &Module, id: FunctionId) -> Own {
        let function = &module.functions[id.0 as usize];
        let cfg = Cfg::new(function);
        let calls: Vec<Vec<FunctionId>> =
            function.instructions.iter().map(|i| callees(&i.operation)).collect();
        let is_call: Vec<bool> = calls.iter().map(|callees| !callees.is_empty()).collect();
        let Allocation { live, predicates, units, kept } =
            allocate(function, &cfg, &Demand::new(function), &is_call);
        let stack = u32::from(needs_stack(module, id, function));
        let kept =
            kept.into_iter().flat_map(|(call, kept)| calls[call].iter().map(move |&f| (kept + stack, f)));
        Own { registers: units.unwrap_or(live) + stack, live, predicates, calls: kept.collect() }
    }

    fn demand(&self) -> RegisterDemand {
        RegisterDemand { registers: self.registers, live: self.live, predicates: self.predicates }
    }
}

fn callees(operation: &Operation) -> Vec<FunctionId> {
    match operation {
        Operation::Call(call) => match &call.target {
            CallTarget::Function(id) => vec![*id],
            CallTarget::Indirect(_, candidates) => candidates.clone(),
            CallTarget::External(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn needs_stack(module: &Module, id: FunctionId, function: &Function) -> bool {
    let local = |variable: &crate::ir::Variable| {
        variable.space == StateSpace::Local && variable.function.is_none_or(|owner| owner == id)
    };
    let calls = function.instructions.iter().any(|i| matches!(i.operation, Operation::Call(_)));
    calls || module.variables.iter().any(local)
}

/// The functions, callees before callers wherever there is no recursion.
fn post_order(module: &Module) -> Vec<usize> {
    let callees: Vec<Vec<FunctionId>> = module
        .functions
        .iter()
        .map(|function| function.instructions.iter().flat_map(|i| callees(&i.operation)).collect())
        .collect();
    let mut seen = vec![false; callees.len()];
    let mut order = Vec::with_capacity(callees.len());
    for start in 0..callees.len() {
        let mut open = vec![(start, false)];
        while let Some((function, done)) = open.pop() {
            if done {
                order.push(function);
            } else if !std::mem::replace(&mut seen[function], true) {
                open.push((function, true));
                open.extend(callees[function].iter().map(|id| (id.0 as usize, false)));
            }
        }
    }
    order
}
