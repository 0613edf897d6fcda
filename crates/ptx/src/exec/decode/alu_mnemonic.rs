//! What pure operations are called in messages: the opcode of PTX, what distinguishes it, and its types.

use super::mnemonic::space;
use crate::ir::{AluMode, AluOperation, Comparison, FloatProperty, PermuteMode, ScalarType};

/// The mnemonic of a pure operation, without rounding and other modifiers of floating-point numbers.
pub(super) fn alu_mnemonic(operation: AluOperation, ty: ScalarType, mode: AluMode) -> String {
    use AluOperation as A;
    let carry = if mode.carry_out { ".cc" } else { "" };
    let c = if mode.carry_in { "c" } else { "" };
    let ty_name = ty.name();
    let signed = |signed: bool| if signed { "s32" } else { "u32" };
    match operation {
        A::Add => format!("add{c}{carry}.{ty_name}"),
        A::Subtract => format!("sub{c}{carry}.{ty_name}"),
        A::Multiply if ty.is_float() => format!("mul.{ty_name}"),
        A::MultiplyAdd if ty.is_float() => format!("fma.{ty_name}"),
        A::MultiplyAdd => format!("mad{c}.lo{carry}.{ty_name}"),
        A::MultiplyAddHigh => format!("mad{c}.hi{carry}.{ty_name}"),
        A::DotProduct4 { signed: [a, b] } => format!("dp4a.{}.{}", signed(a), signed(b)),
        A::DotProduct2 { signed: [a, b], high } => {
            format!("dp2a.{}.{}.{}", if high { "hi" } else { "lo" }, signed(a), signed(b))
        }
        A::Permute(mode) => format!("prmt.{ty_name}{}", permute(mode)),
        A::SelectBySign { float } => format!("slct.{ty_name}.{}", if float { "f32" } else { "s32" }),
        A::SetValue { comparison, result, .. } => {
            format!("set.{}.{}.{ty_name}", comparison_name(comparison), result.name())
        }
        A::Convert(to) => format!("cvt.{}.{ty_name}", to.name()),
        A::ToGeneric(from) => format!("cvta{}.{ty_name}", space(from)),
        A::FromGeneric(to) => format!("cvta.to{}.{ty_name}", space(to)),
        A::IsInSpace(which) => format!("isspacep{}", space(which)),
        A::TestProperty(property) => format!("testp.{}.{ty_name}", property_name(property)),
        _ => format!("{}.{ty_name}", opcode(operation)),
    }
}

/// The mnemonic of a comparison that gives predicates.
pub(super) fn set_predicate_mnemonic(comparison: Comparison, ty: ScalarType) -> String {
    format!("setp.{}.{}", comparison_name(comparison), ty.name())
}

/// The opcode of an operation, with what comes before the type.
fn opcode(operation: AluOperation) -> &'static str {
    use AluOperation as A;
    let mode = |clamp, wrap, wraps: bool| if wraps { wrap } else { clamp };
    match operation {
        A::Move => "mov",
        A::Add => "add",
        A::Subtract => "sub",
        A::Multiply => "mul.lo",
        A::MultiplyHigh => "mul.hi",
        A::MultiplyWide => "mul.wide",
        A::Multiply24 => "mul24.lo",
        A::Multiply24High => "mul24.hi",
        A::MultiplyAdd => "mad.lo",
        A::MultiplyAddHigh => "mad.hi",
        A::MultiplyAddWide => "mad.wide",
        A::MultiplyAdd24 => "mad24.lo",
        A::MultiplyAdd24High => "mad24.hi",
        A::SumOfDifferences => "sad",
        A::Divide => "div",
        A::Remainder => "rem",
        A::Absolute => "abs",
        A::Negate => "neg",
        A::Minimum => "min",
        A::Maximum => "max",
        A::PopulationCount => "popc",
        A::LeadingZeros => "clz",
        A::FindLeading { shift } => mode("bfind", "bfind.shiftamt", shift),
        A::FindNthSet => "fns",
        A::ReverseBits => "brev",
        A::ExtractField => "bfe",
        A::InsertField => "bfi",
        A::ExtendSign { wrap } => mode("szext.clamp", "szext.wrap", wrap),
        A::MakeMask { wrap } => mode("bmsk.clamp", "bmsk.wrap", wrap),
        A::FunnelLeft { wrap } => mode("shf.l.clamp", "shf.l.wrap", wrap),
        A::FunnelRight { wrap } => mode("shf.r.clamp", "shf.r.wrap", wrap),
        A::Lookup3(_) => "lop3",
        A::CopySign => "copysign",
        A::Reciprocal => "rcp",
        A::SquareRoot => "sqrt",
        A::ReciprocalSquareRoot => "rsqrt",
        A::Sine => "sin",
        A::Cosine => "cos",
        A::LogarithmBase2 => "lg2",
        A::PowerOf2 => "ex2",
        A::HyperbolicTangent => "tanh",
        A::And => "and",
        A::Or => "or",
        A::Xor => "xor",
        A::Not => "not",
        A::LogicalNot => "cnot",
        A::ShiftLeft => "shl",
        A::ShiftRight => "shr",
        A::Select => "selp",
        A::SelectBySign { .. } => "slct",
        A::SetValue { .. } => "set",
        A::Convert(_) => "cvt",
        A::ToGeneric(_) | A::FromGeneric(_) => "cvta",
        A::IsInSpace(_) => "isspacep",
        A::TestProperty(_) => "testp",
        A::Permute(_) => "prmt",
        A::DotProduct4 { .. } => "dp4a",
        A::DotProduct2 { .. } => "dp2a",
    }
}

fn comparison_name(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "eq",
        Comparison::NotEqual => "ne",
        Comparison::Less => "lt",
        Comparison::LessEqual => "le",
        Comparison::Greater => "gt",
        Comparison::GreaterEqual => "ge",
        Comparison::UnorderedEqual => "equ",
        Comparison::UnorderedNotEqual => "neu",
        Comparison::UnorderedLess => "ltu",
        Comparison::UnorderedLessEqual => "leu",
        Comparison::UnorderedGreater => "gtu",
        Comparison::UnorderedGreaterEqual => "geu",
        Comparison::Numbers => "num",
        Comparison::NotNumbers => "nan",
    }
}

fn property_name(property: FloatProperty) -> &'static str {
    match property {
        FloatProperty::Finite => "finite",
        FloatProperty::Infinite => "infinite",
        FloatProperty::Number => "number",
        FloatProperty::NotANumber => "notanumber",
        FloatProperty::Normal => "normal",
        FloatProperty::Subnormal => "subnormal",
    }
}

fn permute(mode: PermuteMode) -> &'static str {
    match mode {
        PermuteMode::Default => "",
        PermuteMode::Forward4 => ".f4e",
        PermuteMode::Backward4 => ".b4e",
        PermuteMode::Replicate8 => ".rc8",
        PermuteMode::EdgeClampLeft => ".ecl",
        PermuteMode::EdgeClampRight => ".ecr",
        PermuteMode::Replicate16 => ".rc16",
    }
}

#[cfg(test)]
mod tests {
    use crate::exec::decode::mnemonic;

    /// The mnemonics of the instructions of a kernel with this body.
    fn mnemonics(body: &str) -> Vec<String> {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {{
                .reg .pred %p<4>; .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .f32 %f<4>;
                {body}
            }}"
        );
        let module = crate::load("test.ptx", &text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
        module.functions[0].instructions.iter().map(|i| mnemonic(&i.operation)).collect()
    }

    #[test]
    fn pure_operations_are_called_what_the_program_calls_them() {
        let instructions = [
            ("mov.u64", "%rd1, 5"),
            ("mul.wide.u32", "%rd1, %r1, %r2"),
            ("mul.lo.s32", "%r1, %r2, %r3"),
            ("mul.f32", "%f1, %f2, %f3"),
            ("mad.lo.u32", "%r1, %r2, %r3, %r4"),
            ("fma.f32", "%f1, %f2, %f3, %f1"),
            ("add.cc.u32", "%r1, %r2, %r3"),
            ("addc.cc.u32", "%r1, %r2, %r3"),
            ("madc.hi.cc.u32", "%r1, %r2, %r3, %r4"),
            ("cvt.u32.u64", "%r1, %rd1"),
            ("cvta.to.global.u64", "%rd1, %rd2"),
            ("setp.geu.f32", "%p1, %f1, %f2"),
            ("selp.b32", "%r1, %r2, %r3, %p1"),
            ("shf.l.wrap.b32", "%r1, %r2, %r3, %r4"),
            ("prmt.b32.f4e", "%r1, %r2, %r3, %r4"),
            ("bfind.shiftamt.u32", "%r1, %r2"),
            ("popc.b32", "%r1, %r2"),
            ("shr.s32", "%r1, %r2, 1"),
            ("set.lt.u32.s32", "%r1, %r2, %r3"),
            ("testp.notanumber.f32", "%p1, %f1"),
        ];
        let spelled = |name: &str| match name {
            // A rounding is demanded here, and not repeated in messages.
            "fma.f32" => "fma.rn.f32".to_owned(),
            other => other.to_owned(),
        };
        for (name, operands) in instructions {
            let found = mnemonics(&format!("{} {operands};", spelled(name)));
            assert_eq!(found.last().map(String::as_str), Some(name));
        }
    }
}
