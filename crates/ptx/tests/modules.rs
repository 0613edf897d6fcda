//! What module-level resolution makes of declarations: sizes, offsets, contents, numbers, scopes.

use heddle_ptx::ir::{
    CallTarget, FunctionId, Initialiser, Linkage, Module, Operand, Operation, ParameterPlace, ScalarType,
    SourceLine, StateSpace, Symbol, Variable, VariableId,
};

fn load(text: &str) -> Module {
    heddle_ptx::load("sample.ptx", text, &["vprintf"]).unwrap_or_else(|errors| panic!("{errors}"))
}

fn variable<'m>(module: &'m Module, name: &str) -> &'m Variable {
    module.variables.iter().find(|variable| variable.name == name).expect("the variable is there")
}

fn bytes(variable: &Variable) -> Vec<u8> {
    let mut contents = vec![0; variable.bytes as usize];
    for part in &variable.initialisers {
        if let Initialiser::Bytes { offset, bytes } = part {
            contents[*offset as usize..][..bytes.len()].copy_from_slice(bytes);
        }
    }
    contents
}

#[test]
fn variables_have_the_size_alignment_and_contents_that_they_are_declared_with() {
    let module = load(include_str!("samples/variables.ptx"));
    assert_eq!((module.version, module.target.as_str(), module.address_bytes), ((7, 1), "sm_60, debug", 8));
    let answers = variable(&module, "answers");
    assert_eq!((answers.bytes, answers.alignment, answers.space), (20, 4, StateSpace::Global));
    assert_eq!(bytes(answers), [42u32; 5].map(u32::to_le_bytes).concat());
    assert_eq!(bytes(variable(&module, "bytes")), [1, 2, 255, 255]);
    let grid = [1i32, 2, 0, 4, 5, 6].map(i32::to_le_bytes).concat();
    assert_eq!(bytes(variable(&module, "grid")), grid);
    let coefficients = variable(&module, "coefficients");
    assert_eq!((coefficients.space, coefficients.alignment), (StateSpace::Constant, 16));
    assert_eq!(bytes(coefficients), [1.0f32, 0.5, 2.0, -1e-3].map(f32::to_le_bytes).concat());
    let direction = variable(&module, "direction");
    assert_eq!((direction.bytes, direction.alignment, direction.ty), (8, 8, ScalarType::F32));
    assert_eq!(bytes(direction), [1.0f32, 2.0].map(f32::to_le_bytes).concat());
    assert_eq!(bytes(variable(&module, "half")), 0.5f64.to_le_bytes());
    assert_eq!(bytes(variable(&module, "managed_counter")), 15u32.to_le_bytes());
    let dynamic = variable(&module, "dynamic");
    assert_eq!((dynamic.bytes, dynamic.is_extern, dynamic.space), (0, true, StateSpace::Shared));
    assert!(variable(&module, "image").is_texture && variable(&module, "filter").is_texture);
    assert!(module.variables.iter().all(|variable| variable.name != "never_used"));
}

#[test]
fn addresses_in_initial_values_know_symbol_addend_and_whether_they_are_generic() {
    let module = load(include_str!("samples/variables.ptx"));
    let number =
        |name| VariableId(module.variables.iter().position(|v| v.name == name).expect("known") as u32);
    let address = |offset, symbol, addend, generic| Initialiser::Address {
        offset,
        bytes: 8,
        symbol: Symbol::Variable(number(symbol)),
        addend,
        generic,
    };
    let pointers = variable(&module, "pointers");
    assert_eq!(
        pointers.initialisers,
        [address(0, "answers", 8, false), address(8, "bytes", 0, true), address(16, "grid", 4, true)]
    );
    let packed = variable(&module, "packed");
    let first = Initialiser::Bytes { offset: 0, bytes: vec![7] };
    assert_eq!(packed.initialisers, [first, address(1, "counter", 0, false)]);
}

#[test]
fn parameters_are_laid_out_like_the_members_of_a_struct() {
    let module = load(
        ".version 7.0 .target sm_70 .address_size 64
         .entry k(.param .u8 a, .param .u64 b, .param .u16 c, .param .align 16 .b8 d[20], .param .u32 e) { ret; }",
    );
    let kernel = &module.functions[0];
    let places: Vec<_> = kernel.parameters.iter().map(|p| (p.place, p.bytes)).collect();
    let memory = |offset, bytes| (ParameterPlace::Memory(offset), bytes);
    assert_eq!(places, [memory(0, 1), memory(8, 8), memory(16, 2), memory(32, 20), memory(52, 4)]);
}

#[test]
fn frames_of_scopes_beside_each_other_overlap_and_those_of_nested_ones_do_not() {
    let module = load(
        ".version 7.0 .target sm_70 .func f(.param .b32 x) {
           { .param .b64 a; { .param .b32 b; } { .param .b32 c; } }
           { .param .b32 d; }
           ret; }",
    );
    let places: Vec<_> =
        module.functions[0].call_parameters.iter().map(|p| (p.name.as_str(), p.place)).collect();
    let memory = ParameterPlace::Memory;
    assert_eq!(places, [("a", memory(8)), ("b", memory(16)), ("c", memory(16)), ("d", memory(4))]);
}

#[test]
fn calls_find_functions_externals_and_the_functions_whose_address_is_taken() {
    let module = load(include_str!("samples/calls.ptx"));
    let externals: Vec<_> = module.externals.iter().map(|e| (e.name.as_str(), e.result)).collect();
    assert_eq!(externals, [("vprintf", Some(4))]);
    assert_eq!(module.function("twice"), None);
    let caller = &module.functions[module.function("caller").expect("defined").0 as usize];
    assert_eq!(caller.tuning.required_threads, Some([32, 1, 1]));
    let calls = caller.instructions.iter().filter_map(|instruction| match &instruction.operation {
        Operation::Call(call) => Some(&call.target),
        _ => None,
    });
    let targets: Vec<_> = calls.collect();
    let [CallTarget::Function(first), CallTarget::Indirect(_, second), CallTarget::External(_), _] =
        targets.as_slice()
    else {
        panic!("{targets:?}")
    };
    assert_eq!(module.function("double_it"), Some(*first));
    let table: Vec<FunctionId> =
        ["double_it", "negate"].iter().filter_map(|name| module.function(name)).collect();
    assert_eq!(*second, table);
    let negate = &module.functions[table[1].0 as usize];
    assert_eq!((negate.linkage, negate.is_kernel), (Linkage::Weak, false));
}

#[test]
fn an_alias_calls_its_function() {
    let module =
        load(".version 7.0 .target sm_70 .func f { ret; } .func g; .alias g, f; .entry k { call g; ret; }");
    let Operation::Call(call) = &module.functions[1].instructions[0].operation else { panic!("a call") };
    assert_eq!(call.target, CallTarget::Function(FunctionId(0)));
}

#[test]
fn registers_are_numbered_by_first_use_however_many_are_declared() {
    let module = load(
        ".version 7.0 .target sm_70 .entry k {
           .reg .b32 %r<4000000000>; .reg .b32 unused;
           mov.u32 %r3999999999, 1; mov.u32 %r7, %r3999999999; ret; }",
    );
    let names: Vec<_> = module.functions[0].registers.iter().map(|register| register.name.as_str()).collect();
    assert_eq!(names, ["%r3999999999", "%r7"]);
}

#[test]
fn names_of_an_inner_scope_hide_those_around_it_and_labels_may_come_again() {
    let module = load(include_str!("samples/scopes.ptx"));
    assert_eq!(module.address_bytes, 4, "the file has no .address_size");
    let kernel = &module.functions[0];
    let types: Vec<_> = kernel.registers.iter().filter(|r| r.name == "x").map(|r| r.ty).collect();
    assert_eq!(types, [ScalarType::U32, ScalarType::U64, ScalarType::F32]);
    assert_eq!(kernel.label_names, ["done", "again", "again", "again"]);
    let branches = kernel.instructions.iter().enumerate().filter_map(|(at, i)| match i.operation {
        Operation::Branch { target, .. } => Some((at, kernel.labels[target.0 as usize])),
        _ => None,
    });
    let branches: Vec<_> = branches.collect();
    // Three loops, each to its own label, and the way out of the outer scope.
    let backward = branches.iter().filter(|(at, target)| target <= at).count();
    assert_eq!((branches.len(), backward), (4, 3));
    let names: Vec<_> = kernel.registers.iter().map(|register| register.name.as_str()).collect();
    assert!(names.contains(&"v.x") && names.contains(&"v.w") && names.contains(&"r13"));
}

#[test]
fn lines_of_the_source_go_with_the_instructions_behind_them() {
    let module = load(include_str!("samples/debugging.ptx"));
    assert_eq!(module.source_files, [(1, "/src/main.cu".to_string()), (2, "/src/helper.cuh".to_string())]);
    let line = |file, line| Some(SourceLine { file, line });
    assert_eq!(module.functions[0].source_lines, [line(1, 11), line(2, 3), line(2, 4)]);
    assert_eq!(module.functions[0].places[1].line, 17);
    assert_eq!(module.functions[0].labels, [0, 2, 3]);
}

#[test]
fn a_pure_virtual_function_in_a_table_is_null() {
    let module = load(
        ".version 7.0 .target sm_70 .address_size 64 .extern .func __cxa_pure_virtual; .func f { ret; }
         .global .u64 table[3] = {0, __cxa_pure_virtual, f};",
    );
    let table = variable(&module, "table");
    assert_eq!((table.bytes, table.initialisers.len()), (24, 2));
}

#[test]
fn variables_of_functions_come_after_those_of_the_module() {
    let module = load(
        ".version 7.0 .target sm_70 .address_size 64
         .entry k { .shared .b32 s[4]; .reg .b64 %rd<2>; mov.u64 %rd1, s; ret; } .global .u32 g;",
    );
    let names: Vec<_> = module.variables.iter().map(|v| (v.name.as_str(), v.function)).collect();
    assert_eq!(names, [("g", None), ("s", Some(FunctionId(0)))]);
    let Operation::Alu { sources, .. } = &module.functions[0].instructions[0].operation else {
        panic!("a move")
    };
    assert_eq!(sources[0], Operand::Symbol(Symbol::Variable(VariableId(1)), 0));
}

/// Functions that each call the one before, as compilers write them; no kernel, or every function with one.
fn chain(functions: usize, with_kernels: bool) -> String {
    let mut text = ".version 7.5\n.target sm_80\n.address_size 64\n.func f0() { ret; }\n".to_string();
    for number in 1..functions {
        let called = number - 1;
        text += &format!(".func f{number}() {{ .local .b32 x{number}; call.uni f{called}; ret; }}\n");
        if with_kernels {
            text += &format!(".entry k{number}() {{ call.uni f{number}; ret; }}\n");
        }
    }
    text
}

#[test]
fn checking_takes_time_in_proportion_to_the_number_of_functions() {
    for with_kernels in [false, true] {
        let once = |text: &str| {
            #[expect(clippy::disallowed_types, reason = "what is tested is how the host's time grows")]
            let start = std::time::Instant::now();
            let (module, errors) = heddle_ptx::check("x.ptx", text, &[]);
            assert!(module.is_some() && errors.is_none());
            start.elapsed().as_secs_f64()
        };
        // Both in turn, and the best of each, so that a busy host disturbs them alike.
        let (short, long) = (chain(1000, with_kernels), chain(8000, with_kernels));
        let rounds = (0..5).map(|_| (once(&short), once(&long)));
        let (few, many) = rounds
            .fold((f64::INFINITY, f64::INFINITY), |best, round| (best.0.min(round.0), best.1.min(round.1)));
        // Eight times as many; the square of that, 64, is what it took before.
        assert!(many < 30.0 * few, "{few} s for 1000 functions and {many} s for 8000");
    }
}
