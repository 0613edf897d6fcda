//! Functions that the machine provides.

use super::bench::Bench;
use heddle_ptx::exec::LaunchError;

const PRINT: &str = "
    .extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);
    .global .align 1 .b8 text[16] = {116, 61, 37, 100, 32, 37, 46, 49, 102, 33, 37, 115, 10, 0, 0, 0};
    .global .align 1 .b8 name[4] = {97, 98, 0, 0};";

#[test]
fn printf_prints_its_arguments_in_the_order_of_the_lanes() {
    // t=%d %.1f!%s\n
    let body = "
        .local .align 8 .b8 arguments[24];
        mov.f64 %rd1, 0d3FF8000000000000;
        st.local.u32 [arguments], %t;
        st.local.u64 [arguments+8], %rd1;
        mov.u64 %rd2, name;
        st.local.u64 [arguments+16], %rd2;
        mov.u64 %rd3, arguments;
        cvta.local.u64 %rd3, %rd3;
        mov.u64 %rd4, text;
        {
            .param .b64 format; .param .b64 list; .param .b32 back;
            st.param.b64 [format], %rd4;
            st.param.b64 [list], %rd3;
            call.uni (back), vprintf, (format, list);
            ld.param.b32 %r1, [back];
        }
        st.global.u32 [%slot], %r1;";
    let (output, report) = Bench::with_functions(PRINT, body).run_with_report(3, 3);
    assert_eq!(report.printed, "t=0 1.5!ab\nt=1 1.5!ab\nt=2 1.5!ab\n");
    assert_eq!(output, [3, 3, 3]);
}

#[test]
fn a_failed_assertion_says_what_file_line_and_function_the_program_names() {
    let functions = "
        .extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
        .global .align 1 .b8 message[6] = {120, 32, 62, 32, 48, 0};
        .global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};
        .global .align 1 .b8 function[4] = {98, 102, 115, 0};";
    let body = "
        mov.u64 %rd1, message;
        mov.u64 %rd2, file;
        mov.u32 %r1, 12;
        mov.u64 %rd3, function;
        mov.u64 %rd4, 1;
        setp.eq.u32 %p1, %t, 4;
        @!%p1 bra END;
        {
            .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;
            st.param.b64 [m], %rd1;
            st.param.b64 [f], %rd2;
            st.param.b32 [l], %r1;
            st.param.b64 [n], %rd3;
            st.param.b64 [s], %rd4;
            call.uni __assertfail, (m, f, l, n, s);
        }
        END:";
    let error = Bench::with_functions(functions, body).fail(32, 1);
    let LaunchError::Trap { at, problem } = &error else { panic!("{error}") };
    assert_eq!(problem, "a.cu:12: bfs: assertion `x > 0` failed");
    assert_eq!(at.thread, [4, 0, 0]);
}

const HEAP: &str = "
    .extern .func (.param .b64 result) malloc(.param .b64 bytes);
    .extern .func free(.param .b64 pointer);";

const ALLOCATE: &str = "
    mov.u64 %rd1, 8;
    {
        .param .b64 bytes; .param .b64 back;
        st.param.b64 [bytes], %rd1;
        call.uni (back), malloc, (bytes);
        ld.param.b64 %rd2, [back];
    }
    st.u32 [%rd2+4], %t;
    ld.u32 %r1, [%rd2+4];
    st.global.u32 [%slot], %r1;
    {
        .param .b64 pointer;
        st.param.b64 [pointer], %rd2;
        call.uni free, (pointer);
    }";

#[test]
fn malloc_gives_each_thread_memory_of_its_own() {
    assert_eq!(Bench::with_functions(HEAP, ALLOCATE).run(8, 8), (0..8).collect::<Vec<_>>());
}

#[test]
fn memory_that_was_freed_cannot_be_used() {
    let body = format!("{ALLOCATE} ld.u32 %r1, [%rd2];");
    let text = Bench::with_functions(HEAP, &body).fail(8, 8).to_string();
    assert!(text.contains("'device heap', which was freed"), "{text}");
}

/// Allocates so many bytes again and again until there are no more; `then` stands behind each.
fn allocations(bytes: u32, then: &str) -> String {
    format!(
        "
        mov.u64 %rd1, {bytes};
        AGAIN:
        {{
            .param .b64 bytes; .param .b64 back; .param .b64 pointer;
            st.param.b64 [bytes], %rd1;
            call.uni (back), malloc, (bytes);
            ld.param.b64 %rd2, [back];
            st.param.b64 [pointer], %rd2;
            {then}
        }}
        setp.ne.u64 %p1, %rd2, 0;
        @%p1 bra AGAIN;"
    )
}

#[test]
fn small_allocations_use_up_the_memory_of_the_device() {
    // Two units of 512 bytes each: of a gibibyte there are none left long before the last number is given out.
    Bench::with_functions(HEAP, &allocations(513, "")).run(32, 1);
}

#[test]
fn endless_allocation_ends_with_a_message_that_names_the_place() {
    // The memory is freed, but what is kept to catch late accesses grows.
    let error = Bench::with_functions(HEAP, &allocations(1, "call.uni free, (pointer);")).fail(32, 1);
    let LaunchError::Exhausted { problem, at } = &error else { panic!("{error}") };
    assert!(problem.contains("2097152 allocations"), "{problem}");
    assert!(at.place.line > 1 && error.to_string().contains("call"), "{error}");
}
