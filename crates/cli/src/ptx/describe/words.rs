//! Accesses in the words of PTX.

use heddle_ptx::analysis::Region;
use heddle_ptx::ir::{
    Access, Atomic, CacheOperator, Function, Module, Ordering, Parameter, StateSpace, Tuning,
};

/// `ld.volatile.global.v2.u32`, scope and hints left out.
pub(super) fn load(access: &Access) -> String {
    let ordering = match access.ordering {
        Ordering::Volatile => ".volatile",
        Ordering::Relaxed => ".relaxed",
        Ordering::Acquire => ".acquire",
        Ordering::MemoryMapped => ".mmio",
        _ => "",
    };
    let cache = match access.cache {
        CacheOperator::All => ".ca",
        CacheOperator::Global => ".cg",
        CacheOperator::Streaming => ".cs",
        CacheOperator::LastUse => ".lu",
        CacheOperator::Volatile => ".cv",
        _ => "",
    };
    let coherence = if access.non_coherent { ".nc" } else { "" };
    let vector = if access.vector > 1 { format!(".v{}", access.vector) } else { String::new() };
    format!("ld{ordering}{}{cache}{coherence}{vector}.{}", space(access.space), access.ty.name())
}

/// `global compare-and-swap, unsigned 32`.
pub(super) fn atomic(atomic: &Atomic) -> String {
    use heddle_ptx::analysis::names::{atomic_operation, atomic_type};
    let vector = if atomic.vector > 1 { format!(".v{}", atomic.vector) } else { String::new() };
    let operation = atomic_operation(atomic.operation);
    format!("atom{}.{operation}{vector}.{}", space(atomic.space), atomic_type(atomic.ty))
}

fn space(space: StateSpace) -> &'static str {
    match space {
        StateSpace::Generic => "",
        StateSpace::Global => ".global",
        StateSpace::Shared => ".shared",
        StateSpace::Local => ".local",
        StateSpace::Constant => ".const",
        StateSpace::Parameter => ".param",
    }
}

/// The type of a parameter: `u64`, or `b8[24]` for a struct.
pub(super) fn parameter_type(parameter: &Parameter) -> String {
    match parameter.bytes == parameter.ty.bytes() {
        true => parameter.ty.name().to_string(),
        false => format!("{}[{}]", parameter.ty.name(), parameter.bytes / parameter.ty.bytes().max(1)),
    }
}

/// The name of a region.
pub(super) fn region(module: &Module, function: &Function, region: Region) -> String {
    match region {
        Region::Variable(id) => module.variables[id.0 as usize].name.clone(),
        Region::Parameter { index, offset } => {
            let name = function.parameters.get(index as usize).map_or("?", |parameter| &parameter.name);
            if offset == 0 { name.to_string() } else { format!("{name}+{offset}") }
        }
    }
}

/// Performance directives, as PTX writes them.
pub(super) fn directives(tuning: &Tuning) -> Vec<String> {
    let sizes = |name: &str, size: Option<[u32; 3]>| size.map(|[x, y, z]| format!(".{name} {x}, {y}, {z}"));
    let number = |name: &str, value: Option<u32>| value.map(|value| format!(".{name} {value}"));
    [
        sizes("maxntid", tuning.max_threads),
        sizes("reqntid", tuning.required_threads),
        number("minnctapersm", tuning.min_blocks_per_core),
        number("maxnreg", tuning.max_registers),
    ]
    .into_iter()
    .flatten()
    .collect()
}
