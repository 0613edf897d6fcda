//! Calls of functions.

use super::bench::Bench;
use heddle_ptx::exec::LaunchError;

const FACTORIAL: &str = "
    .func (.param .b32 result) factorial(.param .b32 n)
    {
        .reg .pred %p<2>; .reg .b32 %r<5>;
        ld.param.b32 %r1, [n];
        mov.u32 %r3, 1;
        setp.le.u32 %p1, %r1, 1;
        @%p1 bra DONE;
        sub.u32 %r2, %r1, 1;
        {
            .param .b32 argument;
            .param .b32 back;
            st.param.b32 [argument], %r2;
            call (back), factorial, (argument);
            ld.param.b32 %r3, [back];
        }
        mul.lo.u32 %r3, %r3, %r1;
        DONE: st.param.b32 [result], %r3;
        ret;
    }";

const CALL_FACTORIAL: &str = "
    and.b32 %r1, %t, 7;
    {
        .param .b32 argument;
        .param .b32 back;
        st.param.b32 [argument], %r1;
        call (back), factorial, (argument);
        ld.param.b32 %r2, [back];
    }
    activemask.b32 %r3;
    popc.b32 %r3, %r3;
    mad.lo.u32 %r2, %r3, 100000, %r2;
    st.global.u32 [%slot], %r2;";

#[test]
fn recursion_of_different_depth_in_each_lane_gives_each_its_result() {
    let mut bench = Bench::with_functions(FACTORIAL, CALL_FACTORIAL);
    let factorial = |n: u32| (1..=n).product::<u32>();
    let expected: Vec<u32> = (0..32).map(|t| 3_200_000 + factorial(t % 8)).collect();
    assert_eq!(bench.run(32, 32), expected);
}

#[test]
fn recursion_without_an_end_is_stopped_by_the_size_of_local_memory() {
    let endless = "
        .func endless()
        {
            call endless;
            ret;
        }";
    let error = Bench::with_functions(endless, "call endless;").fail(32, 1);
    assert!(
        matches!(&error, LaunchError::Exhausted { problem, .. } if problem.contains("local memory")),
        "{error}"
    );
    let text = error.to_string();
    assert!(text.contains("in function endless") && text.ends_with(": call"), "{text}");
}

#[test]
fn local_variables_of_each_call_are_its_own() {
    let sum = "
        .func (.param .b32 result) sum(.param .b32 n)
        {
            .local .align 4 .b8 own[4];
            .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<3>;
            ld.param.b32 %r1, [n];
            mov.u64 %rd1, own;
            cvta.local.u64 %rd2, %rd1;
            st.u32 [%rd2], %r1;
            mov.u32 %r3, 0;
            setp.eq.u32 %p1, %r1, 0;
            @%p1 bra DONE;
            sub.u32 %r2, %r1, 1;
            {
                .param .b32 argument;
                .param .b32 back;
                st.param.b32 [argument], %r2;
                call (back), sum, (argument);
                ld.param.b32 %r3, [back];
            }
            DONE: ld.local.u32 %r4, [own];
            add.u32 %r3, %r3, %r4;
            st.param.b32 [result], %r3;
            ret;
        }";
    let body = "
        {
            .param .b32 argument;
            .param .b32 back;
            st.param.b32 [argument], %t;
            call (back), sum, (argument);
            ld.param.b32 %r2, [back];
        }
        st.global.u32 [%slot], %r2;";
    let expected: Vec<u32> = (0..32).map(|t| t * (t + 1) / 2).collect();
    assert_eq!(Bench::with_functions(sum, body).run(32, 32), expected);
}

#[test]
fn lanes_with_different_targets_meet_behind_an_indirect_call() {
    let functions = "
        .func (.param .b32 result) one(.param .b32 n)
        {
            .reg .b32 %r<3>;
            ld.param.b32 %r1, [n];
            add.u32 %r2, %r1, 1000;
            st.param.b32 [result], %r2;
            ret;
        }
        .func (.param .b32 result) two(.param .b32 n)
        {
            .local .align 8 .b8 large[64];
            .reg .b32 %r<3>;
            ld.param.b32 %r1, [n];
            st.local.u32 [large+60], %r1;
            ld.local.u32 %r1, [large+60];
            add.u32 %r2, %r1, 2000;
            st.param.b32 [result], %r2;
            ret;
        }";
    let body = "
        and.b32 %r1, %t, 1;
        setp.eq.u32 %p1, %r1, 0;
        mov.u64 %rd1, one;
        mov.u64 %rd2, two;
        selp.b64 %rd3, %rd1, %rd2, %p1;
        {
            .param .b32 argument;
            .param .b32 back;
            st.param.b32 [argument], %t;
            SIGNATURE: .callprototype (.param .b32 _) _ (.param .b32 _);
            call (back), %rd3, (argument), SIGNATURE;
            ld.param.b32 %r2, [back];
        }
        activemask.b32 %r3;
        popc.b32 %r3, %r3;
        mad.lo.u32 %r2, %r3, 10000, %r2;
        st.global.u32 [%slot], %r2;";
    let expected: Vec<u32> = (0..32).map(|t| 320_000 + t + if t % 2 == 0 { 1000 } else { 2000 }).collect();
    assert_eq!(Bench::with_functions(functions, body).run(32, 32), expected);
}

#[test]
fn a_guarded_call_and_a_guarded_return_concern_only_their_lanes() {
    let functions = "
        .func (.reg .b32 result) half(.reg .b32 n)
        {
            .reg .pred %p<2>;
            mov.u32 result, 1;
            setp.lt.u32 %p1, n, 8;
            @%p1 ret;
            mov.u32 result, 2;
            ret;
        }";
    let body = "
        mov.u32 %r2, 0;
        setp.lt.u32 %p1, %t, 16;
        @%p1 call (%r2), half, (%t);
        st.global.u32 [%slot], %r2;";
    let expected: Vec<u32> = (0..32)
        .map(|t| {
            if t < 8 {
                1
            } else if t < 16 {
                2
            } else {
                0
            }
        })
        .collect();
    assert_eq!(Bench::with_functions(functions, body).run(32, 32), expected);
}

#[test]
fn a_struct_is_passed_by_value() {
    let functions = "
        .func (.param .align 4 .b8 result[8]) swap(.param .align 4 .b8 pair[8])
        {
            .reg .b32 %r<3>;
            ld.param.b32 %r1, [pair];
            ld.param.b32 %r2, [pair+4];
            st.param.b32 [result], %r2;
            st.param.b32 [result+4], %r1;
            ret;
        }";
    let body = "
        {
            .param .align 4 .b8 argument[8];
            .param .align 4 .b8 back[8];
            add.u32 %r1, %t, 50;
            st.param.v2.b32 [argument], {%t, %r1};
            call (back), swap, (argument);
            ld.param.b32 %r2, [back];
        }
        st.global.u32 [%slot], %r2;";
    let expected: Vec<u32> = (50..82).collect();
    assert_eq!(Bench::with_functions(functions, body).run(32, 32), expected);
}

/// A lock that is tried in a function that a function calls. The registers of all three have different widths
/// in the same places.
const NESTED_LOCK: &str = "
    .func (.param .b32 old) inner(.param .b64 lock, .param .b32 expected, .param .b32 wanted)
    {
        .reg .b32 %r<4>; .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [lock];
        ld.param.b32 %r1, [expected];
        ld.param.b32 %r2, [wanted];
        atom.cas.b32 %r3, [%rd1], %r1, %r2;
        st.param.b32 [old], %r3;
        ret;
    }
    .func (.param .b32 old) exchange(.param .b32 value, .param .b64 lock)
    {
        .reg .b32 %r<3>; .reg .b64 %rd<2>;
        ld.param.b32 %r1, [value];
        ld.param.b64 %rd1, [lock];
        atom.exch.b32 %r2, [%rd1], %r1;
        st.param.b32 [old], %r2;
        ret;
    }
    .func (.param .b32 old) outer(.param .b64 lock, .param .b32 wanted)
    {
        .reg .b32 %r<4>; .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [lock];
        ld.param.b32 %r2, [wanted];
        mov.b32 %r1, 0;
        {
            .param .b64 a; .param .b32 b; .param .b32 c; .param .b32 back;
            st.param.b64 [a], %rd1;
            st.param.b32 [b], %r1;
            st.param.b32 [c], %r2;
            call (back), inner, (a, b, c);
            ld.param.b32 %r3, [back];
        }
        // Nothing is added, unless the register has changed meanwhile.
        ld.param.b32 %r1, [wanted];
        sub.u32 %r1, %r2, %r1;
        add.u32 %r3, %r3, %r1;
        st.param.b32 [old], %r3;
        ret;
    }
    .func (.param .b32 old) release(.param .b32 value, .param .b64 lock)
    {
        .reg .b32 %r<7>; .reg .b64 %rd<2>;
        ld.param.b32 %r1, [value];
        ld.param.b64 %rd1, [lock];
        {
            .param .b32 a; .param .b64 b; .param .b32 back;
            st.param.b32 [a], %r1;
            st.param.b64 [b], %rd1;
            call (back), exchange, (a, b);
            ld.param.b32 %r2, [back];
        }
        st.param.b32 [old], %r2;
        ret;
    }";

/// Locks `t % 5` and `(7 t + 1) % 5`, or the next if they are the same, are taken with the value `t + 1`, the
/// lower first; then a word of each is counted up, and both are released. What they held must be that value.
const TAKE_NESTED_LOCKS: &str = "
    rem.u32 %r1, %t, 5;
    mad.lo.u32 %r6, %t, 7, 1;
    rem.u32 %r6, %r6, 5;
    add.u32 %r7, %r6, 1;
    rem.u32 %r7, %r7, 5;
    setp.eq.u32 %p3, %r1, %r6;
    selp.b32 %r6, %r7, %r6, %p3;
    min.u32 %r7, %r1, %r6;
    max.u32 %r8, %r1, %r6;
    mul.wide.u32 %rd1, %r7, 4;
    add.u64 %rd1, %out, %rd1;
    mul.wide.u32 %rd2, %r8, 4;
    add.u64 %rd2, %out, %rd2;
    add.u32 %r2, %t, 1;
    AGAIN1:
    {
        .param .b64 a; .param .b32 b; .param .b32 back;
        st.param.b64 [a], %rd1;
        st.param.b32 [b], %r2;
        call (back), outer, (a, b);
        ld.param.b32 %r3, [back];
    }
    setp.ne.u32 %p1, %r3, 0;
    @%p1 bra AGAIN1;
    AGAIN2:
    {
        .param .b64 a; .param .b32 b; .param .b32 back;
        st.param.b64 [a], %rd2;
        st.param.b32 [b], %r2;
        call (back), outer, (a, b);
        ld.param.b32 %r3, [back];
    }
    setp.ne.u32 %p1, %r3, 0;
    @%p1 bra AGAIN2;
    ld.global.u32 %r4, [%rd1+20];
    add.u32 %r4, %r4, 1;
    st.global.u32 [%rd1+20], %r4;
    ld.global.u32 %r4, [%rd2+20];
    add.u32 %r4, %r4, 1;
    st.global.u32 [%rd2+20], %r4;
    {
        .param .b32 a; .param .b64 b; .param .b32 back;
        st.param.b32 [a], 0;
        st.param.b64 [b], %rd2;
        call (back), release, (a, b);
        ld.param.b32 %r5, [back];
    }
    setp.ne.u32 %p2, %r5, %r2;
    @%p2 trap;
    {
        .param .b32 a; .param .b64 b; .param .b32 back;
        st.param.b32 [a], 0;
        st.param.b64 [b], %rd1;
        call (back), release, (a, b);
        ld.param.b32 %r5, [back];
    }
    setp.ne.u32 %p2, %r5, %r2;
    @%p2 trap;";

#[test]
fn locks_that_lanes_of_a_warp_take_in_nested_calls_exclude_each_other() {
    for block in [32, 64, 128] {
        let mut bench = Bench::with_functions(NESTED_LOCK, TAKE_NESTED_LOCKS);
        let mut expected = vec![0; 10];
        for t in 0..block as usize {
            let (one, other) = (t % 5, (7 * t + 1) % 5);
            expected[5 + one] += 1;
            expected[5 + if one == other { (other + 1) % 5 } else { other }] += 1;
        }
        assert_eq!(bench.run(block, 10), expected, "{block} threads");
    }
}

#[test]
fn registers_of_lanes_in_different_functions_do_not_overlap() {
    // Each half of the warp keeps registers across a barrier that the other reaches in another function.
    let functions = "
        .func (.param .b32 result) narrow(.param .b32 t)
        {
            .reg .b32 %r<6>;
            ld.param.b32 %r1, [t];
            add.u32 %r2, %r1, 1;
            add.u32 %r3, %r1, 2;
            add.u32 %r4, %r1, 3;
            bar.sync 0;
            mad.lo.u32 %r1, %r2, 100, %r1;
            mad.lo.u32 %r3, %r4, 100, %r3;
            mad.lo.u32 %r1, %r3, 10000, %r1;
            st.param.b32 [result], %r1;
            ret;
        }
        .func (.param .b32 result) wide(.param .b32 t)
        {
            .reg .b32 %r<2>; .reg .b64 %rd<3>;
            ld.param.b32 %r1, [t];
            mul.wide.u32 %rd1, %r1, 1000;
            mul.wide.u32 %rd2, %r1, 0x70000000;
            bar.sync 0;
            shr.u64 %rd2, %rd2, 28;
            add.u64 %rd1, %rd1, %rd2;
            cvt.u32.u64 %r1, %rd1;
            st.param.b32 [result], %r1;
            ret;
        }";
    let call = |function: &str| {
        format!(
            "{{ .param .b32 a; .param .b32 back; st.param.b32 [a], %t;
               call (back), {function}, (a); ld.param.b32 %r1, [back]; }}"
        )
    };
    let half = |function: &str, other: &str, bit: u32| {
        let (one, two) = (call(function), call(other));
        format!(
            "and.b32 %r2, %t, {bit};
             setp.eq.u32 %p1, %r2, 0;
             @%p1 bra OTHER;
             {one}
             bra END;
             OTHER: {two}
             END: st.global.u32 [%slot], %r1;"
        )
    };
    let expected = |t: u32, wide: bool| {
        if wide { 1007 * t } else { t + 100 * (t + 1) + 10_000 * (t + 2) + 1_000_000 * (t + 3) }
    };
    for bit in [1, 2, 4, 8, 16] {
        for (first, second, wide_first) in [("wide", "narrow", true), ("narrow", "wide", false)] {
            let mut bench = Bench::with_functions(functions, &half(first, second, bit));
            let expected: Vec<u32> = (0..32).map(|t| expected(t, (t & bit != 0) == wide_first)).collect();
            assert_eq!(bench.run(32, 32), expected, "{first} where bit {bit} is set");
        }
    }
}
