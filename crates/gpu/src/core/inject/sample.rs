//! Instructions for the tests of what a core finds in a program.

use heddle_ptx::ir::{Function, RegisterId};

/// A kernel with these instructions.
pub(super) fn instructions(body: &str) -> Function {
    let text = format!(
        ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .pred %p<8>;\n\
         .reg .b32 %r<24>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<24>;\n{body}\n}}\n"
    );
    let module = heddle_ptx::load("k.ptx", &text, &[]).unwrap_or_else(|problems| panic!("{problems:?}"));
    module.functions[0].clone()
}

/// The register of a name.
pub(super) fn register(kernel: &Function, name: &str) -> RegisterId {
    let place = kernel.registers.iter().position(|register| register.name == name);
    RegisterId(place.unwrap_or_else(|| panic!("{name}")) as u32)
}
