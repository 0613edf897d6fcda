//! Illegal accesses and impossible launches.

use super::bench::{Arg, Bench};
use heddle_ptx::exec::LaunchError;

#[test]
fn an_access_past_the_end_names_thread_place_and_allocation() {
    let error = Bench::body("st.global.u32 [%slot+4], %t;").fail(32, 32);
    let text = error.to_string();
    assert!(matches!(error, LaunchError::Access { .. }), "{text}");
    assert!(text.contains("ends 4 bytes past the end of 'out' (128 bytes)"), "{text}");
    assert!(text.contains("kernel k, block (0, 0, 0), thread (31, 0, 0)"), "{text}");
    assert!(text.contains("test.ptx:") && text.contains("st.global.u32"), "{text}");
}

#[test]
fn a_null_pointer_is_said_to_be_one() {
    let text = Bench::body("mov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1+16];").fail(32, 32).to_string();
    assert!(text.contains("a null pointer?"), "{text}");
}

#[test]
fn a_misaligned_access_is_refused_in_every_memory() {
    let functions = ".shared .align 8 .b8 common[64];";
    let bodies = [
        "ld.global.u32 %r1, [%out+2];",
        "ld.shared.u32 %r1, [common+2];",
        ".local .align 8 .b8 own[64]; st.local.u64 [own+4], %out;",
        "atom.global.add.u32 %r1, [%out+1], 1;",
        "ld.global.v2.u32 {%r1, %r2}, [%out+4];",
    ];
    for body in bodies {
        let text = Bench::with_functions(functions, body).fail(32, 32).to_string();
        assert!(text.contains("is not aligned to"), "{body}: {text}");
    }
}

#[test]
fn shared_local_and_parameter_memory_have_ends() {
    let shared = ".shared .align 4 .b8 common[64];";
    let text = Bench::with_functions(shared, "ld.shared.u32 %r1, [common+64];").fail(1, 1).to_string();
    assert!(text.contains("4 bytes past the end of 'shared memory of the block' (64 bytes)"), "{text}");
    let local = ".local .align 4 .b8 own[16]; mov.u64 %rd1, own; ld.local.u32 %r1, [%rd1+1600];";
    let text = Bench::body(local).fail(1, 1).to_string();
    assert!(text.contains("local memory of the thread"), "{text}");
    let text = Bench::body("mov.u64 %rd1, out_address; ld.param.u32 %r1, [%rd1+8];").fail(1, 1).to_string();
    assert!(text.contains("the kernel's parameters"), "{text}");
}

#[test]
fn an_error_in_a_function_names_the_function_and_the_source_line() {
    let functions = "
        .file 3 \"graph.cu\"
        .func broken(.param .b64 where)
        {
            .reg .b64 %rd<2>;
            ld.param.b64 %rd1, [where];
            .loc 3 42 7
            st.global.u64 [%rd1+800], %rd1;
            ret;
        }";
    let body = "{ .param .b64 argument; st.param.b64 [argument], %out; call broken, (argument); }";
    let text = Bench::with_functions(functions, body).fail(1, 1).to_string();
    assert!(text.contains("in function broken") && text.contains("(from graph.cu:42)"), "{text}");
}

#[test]
fn a_trap_stops_the_launch() {
    let error = Bench::body("setp.eq.u32 %p1, %t, 9; @%p1 trap;").fail(32, 1);
    assert!(matches!(&error, LaunchError::Trap { at, .. } if at.thread == [9, 0, 0]), "{error}");
}

#[test]
fn reads_of_what_nobody_wrote_are_noticed_with_the_first_place() {
    let mut bench = Bench::new(
        ".visible .entry k(.param .u64 out, .param .u64 fresh)
         {
             .reg .b32 %r<3>; .reg .b64 %rd<3>;
             ld.param.u64 %rd1, [out];
             ld.param.u64 %rd2, [fresh];
             ld.global.u32 %r1, [%rd2];
             st.global.u32 [%rd1], %r1;
             ret;
         }",
    );
    let out = bench.buffer("out", &[1]);
    let fresh = bench.image.allocate("fresh", 64, heddle_image::RegionKind::Buffer).expect("room");
    let report = bench.launch("k", 1, 8, &[Arg::Buffer(out), Arg::Buffer(fresh)]).expect("runs");
    let [notice] = &report.notices[..] else { panic!("one notice: {:?}", report.notices) };
    assert_eq!(notice.count, 8);
    assert!(notice.text.contains("'fresh'") && notice.text.contains("thread (0, 0, 0)"), "{}", notice.text);
}

fn refusal(bench: &mut Bench, grid: [u32; 3], block: [u32; 3]) -> String {
    let out = bench.buffer("out", &[0]);
    match bench.launch_shaped("k", grid, block, &[Arg::Buffer(out)]) {
        Err(LaunchError::Refused { problem, .. }) => problem,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn impossible_launches_are_refused_with_figures() {
    let mut bench = Bench::body("");
    assert!(refusal(&mut bench, [1, 1, 1], [1025, 1, 1]).contains("1025 threads; 1024 are possible"));
    assert!(refusal(&mut bench, [1, 1, 1], [1, 1, 65]).contains("64"));
    assert!(refusal(&mut bench, [1, 1, 1], [0, 1, 1]).contains("no threads"));
    assert!(refusal(&mut bench, [1, 0, 1], [1, 1, 1]).contains("no blocks"));
    bench.dynamic_shared = 300 << 10;
    let problem = refusal(&mut bench, [1, 1, 1], [1, 1, 1]);
    assert!(problem.contains("307200 bytes") && problem.contains("233472"), "{problem}");
}

#[test]
fn tuning_directives_bound_the_block() {
    let kernel =
        |directive: &str| Bench::new(&format!(".visible .entry k(.param .u64 out) {directive} {{ ret; }}"));
    let problem = refusal(&mut kernel(".maxntid 64, 1, 1"), [1, 1, 1], [65, 1, 1]);
    assert!(problem.contains("65 threads, where .maxntid allows 64"), "{problem}");
    let problem = refusal(&mut kernel(".reqntid 64"), [1, 1, 1], [32, 1, 1]);
    assert!(problem.contains(".reqntid requires 64"), "{problem}");
}
