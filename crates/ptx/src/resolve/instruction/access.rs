//! Loads and stores: PTX ISA 8.5, section 9.7.9, `ld`, `ld.nc`, `ldu`, `st`.

use super::Resolved;
use super::context::{Context, at, place_of};
use super::tables::{SCOPES, SPACES, VECTORS};
use super::types::{IN_MEMORY, Size};
use super::words::{Table, problem, problem_with};
use crate::ir::{
    Access, Address, AddressBase, CacheOperator, Eviction, Operation, Ordering, ScalarType, Scope,
    StateSpace, Symbol,
};
use crate::resolve::scope::Problem;

const LOAD_ORDERINGS: Table<Ordering> = &[
    ("weak", Ordering::Weak),
    ("volatile", Ordering::Volatile),
    ("relaxed", Ordering::Relaxed),
    ("acquire", Ordering::Acquire),
];

const STORE_ORDERINGS: Table<Ordering> = &[
    ("weak", Ordering::Weak),
    ("volatile", Ordering::Volatile),
    ("relaxed", Ordering::Relaxed),
    ("release", Ordering::Release),
];

const LOAD_CACHES: Table<CacheOperator> = &[
    ("ca", CacheOperator::All),
    ("cg", CacheOperator::Global),
    ("cs", CacheOperator::Streaming),
    ("lu", CacheOperator::LastUse),
    ("cv", CacheOperator::Volatile),
];

const STORE_CACHES: Table<CacheOperator> = &[
    ("wb", CacheOperator::WriteBack),
    ("cg", CacheOperator::Global),
    ("cs", CacheOperator::Streaming),
    ("wt", CacheOperator::WriteThrough),
];

const STORE_SPACES: Table<StateSpace> = &[
    ("global", StateSpace::Global),
    ("shared", StateSpace::Shared),
    ("shared::cta", StateSpace::Shared),
    ("shared::cluster", StateSpace::Shared),
    ("local", StateSpace::Local),
    ("param", StateSpace::Parameter),
    ("param::func", StateSpace::Parameter),
];

const EVICTIONS: Table<Eviction> = &[
    ("L1::evict_normal", Eviction::Normal),
    ("L1::evict_unchanged", Eviction::Unchanged),
    ("L1::evict_first", Eviction::First),
    ("L1::evict_last", Eviction::Last),
    ("L1::no_allocate", Eviction::NoAllocate),
];

/// Priorities in the second-level cache; accepted and not kept.
const SECOND_LEVEL: Table<()> = &[("L2::evict_normal", ()), ("L2::evict_first", ()), ("L2::evict_last", ())];

const PREFETCHES: Table<u16> = &[("L2::64B", 64), ("L2::128B", 128), ("L2::256B", 256)];

const TOO_WIDE: Table<&str> = &[("b128", "use .v2.b64, which accesses the same 16 bytes")];

/// `.weak`, `.volatile`, `.relaxed.scope` …, and `.mmio.relaxed.sys`.
fn ordering(
    context: &mut Context<'_>,
    table: Table<Ordering>,
    space: StateSpace,
) -> Result<(Ordering, Option<Scope>), Problem> {
    let mapped = context.words.flag("mmio");
    let ordering = context.words.choice(table).unwrap_or_default();
    if matches!(ordering, Ordering::Weak | Ordering::Volatile) {
        if mapped {
            return Err(problem_with("`.mmio` needs an ordering and a scope", "write .mmio.relaxed.sys"));
        }
        if ordering == Ordering::Volatile && matches!(space, StateSpace::Constant | StateSpace::Parameter) {
            return Err(problem("`.volatile` goes with generic, global, shared and local accesses"));
        }
        return Ok((ordering, None));
    }
    if !matches!(space, StateSpace::Generic | StateSpace::Global | StateSpace::Shared) {
        return Err(problem("ordered accesses are to generic, global or shared memory"));
    }
    let scope = context.words.need("the scope", SCOPES)?;
    match (mapped, scope) {
        (true, Scope::System) => Ok((Ordering::MemoryMapped, Some(scope))),
        (true, _) => Err(problem("`.mmio` goes with the scope `.sys`")),
        (false, _) => Ok((ordering, Some(scope))),
    }
}

/// The cache operator, which goes with weak accesses.
fn cache(
    context: &mut Context<'_>,
    table: Table<CacheOperator>,
    ordering: Ordering,
) -> Result<CacheOperator, Problem> {
    match context.words.choice(table) {
        Some(_) if ordering != Ordering::Weak => {
            Err(problem("a cache operator does not go with .volatile or an ordering"))
        }
        operator => Ok(operator.unwrap_or_default()),
    }
}

/// Elements and type; 256 bits are the most, and 128 outside of global memory.
fn elements(context: &mut Context<'_>, space: StateSpace) -> Result<(u8, ScalarType), Problem> {
    context.words.refuse(TOO_WIDE)?;
    let vector = context.words.choice(VECTORS).unwrap_or(1);
    let ty = context.words.ty(IN_MEMORY)?;
    let bytes_max = if space == StateSpace::Global { 32 } else { 16 };
    if ty.bytes() * u32::from(vector) > bytes_max {
        return Err(problem(format!("a vector of {vector} elements of type .{} is too wide", ty.name())));
    }
    Ok((vector, ty))
}

/// Hints, which only global memory (or a generic address) has.
fn hints(context: &mut Context<'_>, space: StateSpace) -> Result<(Eviction, bool), Problem> {
    let eviction = context.words.choice(EVICTIONS);
    let second = context.words.choice(SECOND_LEVEL);
    let hint = context.words.flag("L2::cache_hint");
    if (eviction.is_some() || second.is_some() || hint)
        && !matches!(space, StateSpace::Generic | StateSpace::Global)
    {
        return Err(problem("cache hints go with accesses to global memory"));
    }
    Ok((eviction.unwrap_or_default(), hint))
}

/// `ld`
pub(super) fn load(context: &mut Context<'_>) -> Resolved {
    let non_coherent = context.words.flag("nc");
    let space = context.words.choice(SPACES).unwrap_or(StateSpace::Generic);
    let (ordering, scope) = ordering(context, LOAD_ORDERINGS, space)?;
    let cache = cache(context, LOAD_CACHES, ordering)?;
    if non_coherent && matches!(cache, CacheOperator::LastUse | CacheOperator::Volatile) {
        return Err(problem("`.nc` goes with .ca, .cg and .cs alone"));
    }
    if non_coherent && (space != StateSpace::Global || ordering != Ordering::Weak) {
        return Err(problem("`.nc` goes with weak loads from .global"));
    }
    let (eviction, hint) = hints(context, space)?;
    let prefetch = context.words.choice(PREFETCHES).unwrap_or(0);
    if prefetch != 0 && !matches!(space, StateSpace::Generic | StateSpace::Global) {
        return Err(problem("prefetch sizes go with loads from global memory"));
    }
    let (vector, ty) = elements(context, space)?;
    let access = Access { space, ty, vector, ordering, scope, cache, non_coherent, eviction, prefetch };
    finish_load(context, access, hint)
}

/// `ldu`: a weak load that all lanes of a warp do from one address.
pub(super) fn load_uniform(context: &mut Context<'_>) -> Resolved {
    let space = context.words.choice(&[("global", StateSpace::Global)]).unwrap_or(StateSpace::Generic);
    let (vector, ty) = elements(context, space)?;
    let access = Access {
        space,
        ty,
        vector,
        ordering: Ordering::Weak,
        scope: None,
        cache: CacheOperator::Default,
        non_coherent: false,
        eviction: Eviction::Normal,
        prefetch: 0,
    };
    finish_load(context, access, false)
}

fn finish_load(context: &mut Context<'_>, access: Access, hint: bool) -> Resolved {
    context.shape(2 + usize::from(hint))?;
    let destinations = context.vector_destinations(usize::from(access.vector), access.ty, Size::AtLeast)?;
    let address = context.address(access.space)?;
    policy(context, hint)?;
    Ok(Operation::Load { access, destinations, address })
}

/// `st`
pub(super) fn store(context: &mut Context<'_>) -> Resolved {
    context.words.refuse(&[
        ("async", "asynchronous stores signal an mbarrier, which is not modelled"),
        ("bulk", "write the zeros with ordinary stores"),
    ])?;
    let space = context.words.choice(STORE_SPACES).unwrap_or(StateSpace::Generic);
    let (ordering, scope) = ordering(context, STORE_ORDERINGS, space)?;
    let cache = cache(context, STORE_CACHES, ordering)?;
    let (eviction, hint) = hints(context, space)?;
    let (vector, ty) = elements(context, space)?;
    let access =
        Access { space, ty, vector, ordering, scope, cache, non_coherent: false, eviction, prefetch: 0 };
    context.shape(2 + usize::from(hint))?;
    let place = context.peek().map(place_of).unwrap_or_default();
    let address = context.address(space)?;
    if let Address { base: AddressBase::Symbol(Symbol::Parameter(_)), .. } = address {
        return Err(at(place, "a parameter of the function cannot be written"));
    }
    let sources = context.vector_sources(usize::from(vector), ty, Size::AtLeast)?;
    policy(context, hint)?;
    Ok(Operation::Store { access, address, sources })
}

/// The operand of `.L2::cache_hint`: an opaque policy, which is checked and not kept.
pub(super) fn policy(context: &mut Context<'_>, hint: bool) -> Result<(), Problem> {
    if hint {
        context.source(ScalarType::B64)?;
    }
    Ok(())
}
