//! The device's heap and the stacks of threads, in time.

use super::common::{Bench, grid, spec};
use heddle_gpu::RunSettings;

const MACHINES: [&str; 3] = ["fermi", "gtx480", "k40c"];

const HEAP: &str = "
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 pointer);";

/// Every thread allocates, stores, loads and frees; `behind` stands behind the `free`.
fn own_memory(behind: &str) -> String {
    format!(
        "{HEAP}
.visible .entry own(.param .u64 out)
{{
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    mov.u64 %rd2, 8;
    {{
        .param .b64 bytes; .param .b64 back;
        st.param.b64 [bytes], %rd2;
        call.uni (back), malloc, (bytes);
        ld.param.b64 %rd3, [back];
    }}
    st.u32 [%rd3+4], %r4;
    ld.u32 %r5, [%rd3+4];
    {{
        .param .b64 pointer;
        st.param.b64 [pointer], %rd3;
        call.uni free, (pointer);
    }}
    {behind}
    mul.wide.u32 %rd4, %r4, 4;
    add.u64 %rd5, %rd1, %rd4;
    st.global.u32 [%rd5], %r5;
    ret;
}}"
    )
}

#[test]
fn an_access_before_free_is_performed_in_order() {
    for machine in MACHINES {
        let mut bench = Bench::new(spec(machine, &[]), RunSettings::default(), &own_memory(""));
        let out = bench.zeros("out", 128);
        bench.launch("own", grid(2, 64), &[out.into()]);
        assert_eq!(bench.read(out), (0..128).collect::<Vec<_>>(), "{machine}");
    }
}

#[test]
fn an_access_behind_free_is_refused_in_time_too() {
    for machine in MACHINES {
        let ptx = own_memory("ld.u32 %r5, [%rd3];");
        let mut bench = Bench::new(spec(machine, &[]), RunSettings::default(), &ptx);
        let out = bench.zeros("out", 128);
        let error = bench.try_launch("own", grid(2, 64), &[out.into()]).unwrap_err().to_string();
        assert!(error.contains("'device heap', which was freed"), "{machine}: {error}");
    }
}

/// One thread allocates for its block, all store without reading back, and the first frees behind a barrier, which
/// does not wait for stores.
const SHARED_MEMORY: &str = "
.visible .entry together(.param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    .shared .align 8 .b64 pointer_of_block;
    mov.u32 %r3, %tid.x;
    setp.ne.u32 %p1, %r3, 0;
    @%p1 bra ALLOCATED;
    mov.u64 %rd2, 4096;
    {
        .param .b64 bytes; .param .b64 back;
        st.param.b64 [bytes], %rd2;
        call.uni (back), malloc, (bytes);
        ld.param.b64 %rd3, [back];
    }
    st.shared.u64 [pointer_of_block], %rd3;
ALLOCATED:
    bar.sync 0;
    ld.shared.u64 %rd4, [pointer_of_block];
    mul.wide.u32 %rd5, %r3, 4;
    add.u64 %rd6, %rd4, %rd5;
    st.u32 [%rd6], %r3;
    bar.sync 0;
    @%p1 bra END;
    {
        .param .b64 pointer;
        st.param.b64 [pointer], %rd4;
        call.uni free, (pointer);
    }
END:
    ret;
}";

#[test]
fn accesses_of_other_warps_before_a_barrier_come_before_free() {
    for machine in MACHINES {
        let ptx = format!("{HEAP}{SHARED_MEMORY}");
        let mut bench = Bench::new(spec(machine, &[]), RunSettings::default(), &ptx);
        let out = bench.zeros("out", 1);
        bench.launch("together", grid(30, 256), &[out.into()]);
        let heap = bench.device.image().regions().iter().filter(|region| region.name() == "device heap");
        assert_eq!(heap.filter(|region| region.is_freed()).count(), 30, "{machine}");
        assert!(!bench.device.image().has_retired(), "{machine}: all of it was given up");
    }
}

const DEEP: &str = "
.func (.param .b32 result) deeper(.param .b32 value)
{
    .reg .b32 %r<3>;
    .local .align 4 .b8 room[4096];
    ld.param.u32 %r1, [value];
    {
        .param .b32 given; .param .b32 back;
        st.param.b32 [given], %r1;
        call.uni (back), deeper, (given);
        ld.param.b32 %r2, [back];
    }
    st.param.b32 [result], %r2;
    ret;
}
.visible .entry recurse(.param .u64 out)
{
    .reg .b32 %r<3>;
    mov.u32 %r1, 1;
    {
        .param .b32 given; .param .b32 back;
        st.param.b32 [given], %r1;
        call.uni (back), deeper, (given);
        ld.param.b32 %r2, [back];
    }
    ret;
}";

#[test]
fn endless_recursion_ends_with_a_message_that_names_the_place() {
    for machine in MACHINES {
        let mut bench = Bench::new(spec(machine, &[]), RunSettings::default(), DEEP);
        let out = bench.zeros("out", 1);
        let error = bench.try_launch("recurse", grid(256, 256), &[out.into()]).unwrap_err().to_string();
        assert!(error.contains("the calls are too deep"), "{machine}: {error}");
        assert!(error.contains("MiB") && error.contains("test.ptx:13:"), "{machine}: {error}");
    }
}

const LARGE_FRAMES: &str = "
.visible .entry large(.param .u64 out)
{
    .reg .b32 %r<3>;
    .local .align 4 .b8 array[500000];
    mov.u32 %r1, 7;
    st.local.u32 [array+499996], %r1;
    ret;
}";

#[test]
fn local_memory_of_all_resident_threads_must_fit() {
    for machine in MACHINES {
        let mut bench = Bench::new(spec(machine, &[]), RunSettings::default(), LARGE_FRAMES);
        let out = bench.zeros("out", 1);
        bench.launch("large", grid(1, 32), &[out.into()]);
        let error = bench.try_launch("large", grid(256, 256), &[out.into()]).unwrap_err().to_string();
        assert!(error.contains("500000 bytes of local memory for each of"), "{machine}: {error}");
        assert!(error.contains("kernel large") && error.contains("test.ptx:"), "{machine}: {error}");
    }
}
