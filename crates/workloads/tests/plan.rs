//! Launch plans: the examples run and are verified, every kind of step does what it says, and mistakes are named
//! with their place.

use heddle_device::Device;
use heddle_graph::read::ReadOptions;
use heddle_graph::source;
use heddle_workloads::plan::{Plan, PlanError, PlanOutcome};
use std::path::{Path, PathBuf};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans")
}

fn run(plan: &Plan, recipe: Option<&str>) -> Result<PlanOutcome, PlanError> {
    let graph = recipe.map(|recipe| source::load(recipe, &ReadOptions::default()).unwrap().graph);
    plan.run(graph.as_ref(), None, &mut Device::functional(), &|_, _| ())
}

fn run_text(text: &str) -> Result<PlanOutcome, PlanError> {
    run(&Plan::parse("plan.toml", &examples(), text)?, Some("rmat:scale=6,degree=4"))
}

#[test]
fn the_examples_run_and_are_verified() {
    let bfs = Plan::read(&examples().join("bfs.toml")).unwrap();
    let outcome = run(&bfs, bfs.graph()).unwrap();
    assert_eq!(outcome.checks, 1);
    assert_eq!(outcome.launches.len(), 2 * outcome.iterations.len());
    let saxpy = Plan::read(&examples().join("saxpy.toml")).unwrap();
    assert_eq!(run(&saxpy, None).unwrap().checks, 1);
}

#[test]
fn a_wrong_result_is_an_error_that_names_the_element() {
    let bfs = std::fs::read_to_string(examples().join("bfs.toml")).unwrap();
    let wrong = bfs.replace("{ index = \"source\", value = 0 }", "{ index = \"source\", value = 1 }");
    assert_ne!(bfs, wrong);
    let error = run_text(&wrong).unwrap_err();
    assert!(matches!(error, PlanError::Wrong { .. }), "{error}");
}

/// A plan with two buffers, a scalar and these steps; `a` is [1, 2], `b` is [3, 4].
fn steps(steps: &str, expected: &str) -> Result<PlanOutcome, PlanError> {
    run_text(&format!(
        "ptx = []\nstep = [{steps}]\n[scalars]\nn = 2\n[[buffer]]\nname = 'a'\nvalues = [1, 2]\n\
         [[buffer]]\nname = 'b'\nvalues = [3, 4]\n{expected}"
    ))
}

fn check(buffer: &str, values: &str) -> String {
    format!("[[check]]\nbuffer = '{buffer}'\nvalues = {values}\n")
}

#[test]
fn every_step_does_what_it_says() {
    let cases = [
        ("{ fill = 'a', value = 'n * 7' }", check("a", "[14, 14]")),
        ("{ fill = 'a', index = 1, value = 9 }", check("a", "[1, 9]")),
        ("{ copy = 'a', to = 'b' }", check("b", "[1, 2]")),
        ("{ swap = ['a', 'b'] }", check("a", "[3, 4]") + &check("b", "[1, 2]")),
        ("{ let = 'n', be = 'n + 40' }, { fill = 'a', value = 'n' }", check("a", "[42, 42]")),
        ("{ let = 'n', be = { element = 'b' } }, { fill = 'a', value = 'n' }", check("a", "[3, 3]")),
        (
            "{ repeat = { times = 3 }, steps = [{ let = 'n', be = 'n + iteration' }] }, { fill = 'a', value = 'n' }",
            check("a", "[5, 5]"),
        ),
        (
            "{ repeat = { times = 2 }, steps = [{ repeat = { times = 5 }, steps = [] }, \
             { fill = 'a', index = 'iteration', value = 'iteration + 10' }] }",
            check("a", "[10, 11]"),
        ),
        (
            "{ repeat = { until = 'n', is = 10, limit = 20 }, steps = [{ let = 'n', be = 'n + 1' }] }, \
             { fill = 'a', value = 'n' }",
            check("a", "[10, 10]"),
        ),
    ];
    for (step, expected) in cases {
        if let Err(error) = steps(step, &expected) {
            panic!("{step}: {error}");
        }
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    let cases = [
        ("{ fill = 'c', value = 0 }", "step 1: there is no buffer 'c'"),
        ("{ fill = 'a', value = 0 }, { fill = 'a' }", "step 2: fill needs value"),
        ("{ fill = 'a', value = 0, swap = ['a', 'b'] }", "found fill and swap"),
        ("{ fill = 'a', value = 0, block = 4 }", "block goes with launch"),
        ("{ let = 'm', be = 1 }", "there is no scalar 'm'"),
        ("{ fill = 'a', value = 'n / 0' }", "division by zero"),
        ("{ fill = 'a', index = 2, value = 0 }", "do not fit into 'a'"),
        ("{ launch = 'k', threads = 1 }", "the plan has no PTX file"),
        (
            "{ repeat = { until = 'n', is = 1, limit = 3 }, steps = [] }",
            "'n' was not 1 after 3 passes, the limit",
        ),
        (
            "{ repeat = { times = 2 }, steps = [{ fill = 'z', value = 0 }] }",
            "step 1, step 1: there is no buffer 'z'",
        ),
        ("{ swap = ['a', 'b', 'a'] }", "swap takes exactly two names"),
        ("{ launc = 'k' }", "unknown field `launc`"),
    ];
    for (step, words) in cases {
        let error = steps(step, "").unwrap_err().to_string();
        assert!(error.contains(words), "{step}: {error}");
    }
}

#[test]
fn a_check_tells_infinity_from_a_number() {
    let plan = |found: &str, expected: &str, tolerance: &str| {
        run_text(&format!(
            "ptx = []\n[[buffer]]\nname = 'x'\ntype = 'f32'\nvalues = [{found}]\n\
             [[check]]\nbuffer = 'x'\nvalues = [{expected}]\ntolerance = {tolerance}\n"
        ))
    };
    assert!(plan("inf", "inf", "0.1").is_ok());
    assert!(plan("1.05", "1.0", "0.1").is_ok());
    assert!(plan("1.0", "inf", "0.1").is_err());
    assert!(plan("inf", "1.0", "0.1").is_err());
    assert!(plan("1.0", "1.0", "-1.0").is_err());
    assert!(plan("1.0", "2.0", "inf").is_err());
}

#[test]
fn every_type_says_not_reached_in_its_own_way() {
    // The second vertex of an arc that leads to the first is not reached from there.
    for (ty, value) in
        [("u8", "-1"), ("u16", "-1"), ("u32", "-1"), ("u64", "-1"), ("s32", "2147483647"), ("f32", "inf")]
    {
        let plan = format!(
            "ptx = []\nsource = 0\n[[buffer]]\nname = 'd'\ntype = '{ty}'\nvalues = [0, {value}]\n\
             [[check]]\nbuffer = 'd'\nreference = 'bfs'\n"
        );
        let plan = Plan::parse("plan.toml", &examples(), &plan).unwrap();
        let arcs: heddle_graph::ArcList = [(1u32, 0u32)].into_iter().collect();
        let graph = heddle_graph::Graph::directed(heddle_graph::build::from_arcs(&arcs, 2).unwrap());
        let outcome = plan.run(Some(&graph), None, &mut Device::functional(), &|_, _| ());
        assert!(outcome.is_ok(), "{ty}: {}", outcome.unwrap_err());
    }
}

#[test]
fn bad_buffers_and_files_are_named() {
    let cases = [
        ("[[buffer]]\nname = 'a'\n", "expected exactly one of length, values, file and graph"),
        ("[[buffer]]\nname = 'a'\nlength = 4\ntype = 'u33'\n", "there is no type 'u33'"),
        ("[[buffer]]\nname = 'a'\nlength = -4\n", "expected a number from 0 to"),
        ("[[buffer]]\nname = 'a'\nlength = 99999999999999\n", "expected a number from 0 to"),
        ("[[buffer]]\nname = 'a'\ngraph = 'ofsets'\n", "did you mean 'offsets'?"),
        ("[[buffer]]\nname = 'a'\ngraph = 'weights'\n", "the graph has no weights"),
        ("[[buffer]]\nname = 'a'\nfile = 'nowhere.bin'\n", "nowhere.bin"),
        ("[[buffer]]\nname = 'a'\nvalues = [1, 300]\ntype = 'u8'\n", "300 does not fit 8 bits"),
        ("[[buffer]]\nname = 'a'\nlength = 2\nset = [{ index = 2, value = 0 }]\n", "there is no element 2"),
        (
            "[[buffer]]\nname = 'a'\nlength = 1\n[[buffer]]\nname = 'a'\nlength = 1\n",
            "'a' is a buffer already",
        ),
    ];
    for (text, words) in cases {
        let error = run_text(&format!("ptx = []\n{text}")).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    for (format, words) in [
        ("components = 3\ntype = 'u32'", "texture 't': components: expected 1, 2 or 4, found 3"),
        ("type = 'f64'", "texture 't': type: expected one of at most 32 bits, found one of 64"),
        ("type = 'u32'", "no PTX file of the plan has a texture of this name"),
    ] {
        let buffer = "[[buffer]]\nname = 'a'\nlength = 4\n";
        let text = format!("ptx = []\n{buffer}[[texture]]\nname = 't'\nbuffer = 'a'\n{format}\n");
        let error = run_text(&text).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    let error = run_text("ptx = ['nowhere.ptx']\n").unwrap_err().to_string();
    assert!(error.contains("nowhere.ptx"), "{error}");
    let error = Plan::parse("plan.toml", Path::new(""), "ptx = []\nx = [\n").unwrap_err().to_string();
    assert!(error.starts_with("plan.toml:"), "{error}");
}
