//! One instruction, from words to an operation.
//!
//! [`resolve`] looks the opcode up in [`OPCODES`]; the function it finds asks [`context::Context`] for
//! modifiers and operands, in the order of the ISA's syntax boxes. Every spelling that the assembler of the
//! ISA takes is taken (modifiers in any order, types checked by the ISA's rules), and what the ISA has and
//! this program has not is refused by name, with what to do instead. Versions and targets are not checked: an
//! instruction of a newer version in an older file means what it means.
//!
//! Some instructions become several: a special register is moved to a temporary before anything but `mov`
//! reads it, packed arithmetic is done part by part, a variable in a generic access is made generic first.

mod access;
mod address;
mod atomics;
mod bits;
mod call;
mod compare;
mod context;
mod control;
mod convert;
mod copy;
mod extended;
mod floating;
mod hints;
mod immediate;
mod integer;
mod moves;
mod packed;
mod special;
mod synchronise;
mod tables;
mod texture;
mod types;
mod unsupported;
mod vector;
mod warp;
mod words;

#[cfg(test)]
mod tests;

use super::scope::{Problem, Scope};
use crate::ir::{Guard, Instruction, Operation, ScalarType};
use crate::syntax::{self, InstructionWords};
use context::Context;
use words::{nearest, problem, problem_with};

/// What a family of instructions gives.
type Resolved = Result<Operation, Problem>;

/// Resolves what comes after the opcode.
type Family = fn(&mut Context<'_>) -> Resolved;

/// Every opcode that is supported.
const OPCODES: &[(&str, Family)] = &[
    ("abs", integer::absolute),
    ("activemask", warp::active_mask),
    ("add", integer::add),
    ("addc", integer::with_carry),
    ("and", bits::logic),
    ("applypriority", hints::apply_priority),
    ("atom", atomics::atom),
    ("bar", synchronise::barrier),
    ("barrier", synchronise::barrier),
    ("bfe", bits::extract_field),
    ("bfi", bits::insert_field),
    ("bfind", bits::find_leading),
    ("bmsk", bits::make_mask),
    ("bra", control::branch),
    ("brev", bits::reverse),
    ("brkpt", control::breakpoint),
    ("brx", control::branch_indexed),
    ("call", call::call),
    ("clz", bits::count),
    ("cnot", bits::logical_not),
    ("copysign", floating::copy_sign),
    ("cos", floating::transcendental),
    ("cp", copy::copy),
    ("createpolicy", hints::create_policy),
    ("cvt", convert::convert),
    ("cvta", convert::convert_address),
    ("discard", hints::discard),
    ("div", integer::divide),
    ("dp2a", integer::dot_product2),
    ("dp4a", integer::dot_product4),
    ("elect", warp::elect),
    ("ex2", floating::power_of_two),
    ("exit", control::exit),
    ("fence", synchronise::fence),
    ("fma", floating::fused),
    ("fns", bits::find_nth_set),
    ("griddepcontrol", hints::grid_dependency),
    ("isspacep", convert::is_in_space),
    ("ld", access::load),
    ("ldu", access::load_uniform),
    ("lg2", floating::transcendental),
    ("lop3", bits::lookup),
    ("mad", integer::multiply_add),
    ("mad24", integer::multiply_add24),
    ("madc", integer::with_carry),
    ("match", warp::matching),
    ("max", integer::maximum),
    ("membar", synchronise::memory_barrier),
    ("min", integer::minimum),
    ("mov", moves::mov),
    ("mul", integer::multiply),
    ("mul24", integer::multiply24),
    ("nanosleep", control::sleep),
    ("neg", integer::negate),
    ("not", bits::not),
    ("or", bits::logic),
    ("pmevent", control::performance_event),
    ("popc", bits::count),
    ("prefetch", hints::prefetch),
    ("prefetchu", hints::prefetch_uniform),
    ("prmt", bits::permute),
    ("rcp", floating::reciprocal),
    ("red", atomics::red),
    ("redux", warp::reduce),
    ("rem", integer::remainder),
    ("ret", control::ret),
    ("rsqrt", floating::reciprocal_square_root),
    ("sad", integer::sum_of_differences),
    ("selp", compare::select),
    ("set", compare::set),
    ("setmaxnreg", hints::set_registers),
    ("setp", compare::set_predicate),
    ("shf", bits::funnel_shift),
    ("shfl", warp::shuffle),
    ("shl", bits::shift_left),
    ("shr", bits::shift_right),
    ("sin", floating::transcendental),
    ("slct", compare::select_by_sign),
    ("sqrt", floating::square_root),
    ("st", access::store),
    ("sub", integer::subtract),
    ("subc", integer::with_carry),
    ("szext", bits::extend_sign),
    ("tanh", floating::hyperbolic_tangent),
    ("testp", floating::test_property),
    ("tex", texture::texture),
    ("trap", control::trap),
    ("vote", warp::vote),
    ("xor", bits::logic),
];

/// Resolves an instruction. Most give one; a special register as a source of anything but `mov` gives a move
/// to a temporary first.
pub(crate) fn resolve(words: &InstructionWords, scope: &mut dyn Scope) -> Result<Vec<Instruction>, Problem> {
    let opcode = words.words.first().map_or("", String::as_str);
    let family = family(opcode)?;
    let mut context = Context::new(words, scope);
    let guard = guard(&context, words)?;
    let last = family(&mut context)?;
    let operations = context.into_first().into_iter().chain([last]);
    Ok(operations.map(|operation| Instruction { guard, operation }).collect())
}

fn family(opcode: &str) -> Result<Family, Problem> {
    if let Some(&(_, family)) = OPCODES.iter().find(|entry| entry.0 == opcode) {
        return Ok(family);
    }
    if let Some(&(_, why)) = unsupported::UNSUPPORTED.iter().find(|entry| entry.0 == opcode) {
        return Err(problem_with(format!("`{opcode}` is not supported"), why));
    }
    let known =
        OPCODES.iter().map(|entry| entry.0).chain(unsupported::UNSUPPORTED.iter().map(|entry| entry.0));
    let text = format!("unknown instruction `{opcode}`");
    Err(match nearest(opcode, known) {
        Some(known) => problem_with(text, format!("the nearest known one is `{known}`")),
        None => problem(text),
    })
}

/// `@p`, `@!p`
fn guard(context: &Context<'_>, words: &InstructionWords) -> Result<Option<Guard>, Problem> {
    let Some((name, negated)) = &words.guard else { return Ok(None) };
    let operand = syntax::Operand::Name(words.place, name.clone());
    let register = context.register(&operand, ScalarType::Pred, types::Size::Same)?;
    Ok(Some(Guard { register, negated: *negated }))
}
