//! Loads, stores, atomic operations, textures.

use super::bench::{Arg, Bench};
use heddle_ptx::exec::{Texture, TextureFormat};
use heddle_ptx::ir::ScalarType;

#[test]
fn narrow_loads_extend_by_sign_or_zero_to_the_register() {
    let mut bench = Bench::body(
        "mov.u32 %r1, 0xfffffe80;
         st.global.u32 [%out], %r1;
         ld.global.s8 %r2, [%out];
         ld.global.u8 %r3, [%out];
         ld.global.s16 %r4, [%out];
         ld.global.s8 %rd1, [%out];
         shr.u64 %rd1, %rd1, 32;
         cvt.u32.u64 %r5, %rd1;
         st.global.u32 [%out], %r2;
         st.global.u32 [%out+4], %r3;
         st.global.u32 [%out+8], %r4;
         st.global.u32 [%out+12], %r5;
         st.global.u8 [%out+17], %r3;",
    );
    assert_eq!(bench.run(1, 5), [0xffff_ff80, 0x80, 0xffff_fe80, 0xffff_ffff, 0x8000]);
}

#[test]
fn vectors_are_loaded_and_stored_whole() {
    let mut bench = Bench::body(
        "mul.wide.u32 %rd1, %t, 16;
         add.u64 %rd1, %out, %rd1;
         add.u32 %r1, %t, 1;
         add.u32 %r2, %t, 2;
         add.u32 %r3, %t, 3;
         st.global.v4.u32 [%rd1], {%t, %r1, %r2, %r3};
         ld.global.v2.u32 {%r5, %r6}, [%rd1+8];
         st.global.v2.u32 [%rd1], {%r6, %r5};",
    );
    let expected: Vec<u32> = (0..8).flat_map(|t| [t + 3, t + 2, t + 2, t + 3]).collect();
    assert_eq!(bench.run(8, 32), expected);
}

#[test]
fn a_generic_address_reaches_the_memory_it_means_in_each_lane() {
    let mut bench = Bench::with_functions(
        ".shared .align 4 .b8 common[128];",
        ".local .align 4 .b8 own[4];
         mov.u64 %rd1, common;
         cvta.shared.u64 %rd1, %rd1;
         mov.u64 %rd2, own;
         cvta.local.u64 %rd2, %rd2;
         mul.wide.u32 %rd4, %t, 4;
         add.u64 %rd1, %rd1, %rd4;
         rem.u32 %r1, %t, 3;
         setp.eq.u32 %p1, %r1, 0;
         setp.eq.u32 %p2, %r1, 1;
         selp.b64 %rd3, %rd1, %rd2, %p1;
         selp.b64 %rd3, %slot, %rd3, %p2;
         add.u32 %r2, %t, 500;
         st.u32 [%rd3], %r2;
         ld.u32 %r3, [%rd3];
         st.global.u32 [%slot], %r3;",
    );
    let (output, report) = bench.run_with_report(32, 32);
    assert_eq!(output, (500..532).collect::<Vec<_>>());
    assert_eq!(report.classes.shared_accesses, [2, 22]);
    assert_eq!(report.classes.local_accesses, [2, 20]);
    assert_eq!(report.classes.global_loads, [1, 11]);
}

#[test]
fn atomic_operations_of_one_warp_happen_in_the_order_of_the_lanes() {
    let mut bench = Bench::body(
        "atom.global.add.u32 %r1, [%out], 2;
         add.u64 %slot, %slot, 4;
         st.global.u32 [%slot], %r1;",
    );
    let output = bench.run(32, 33);
    assert_eq!(output[0], 64);
    assert_eq!(output[1..], (0..32).map(|t| 2 * t).collect::<Vec<_>>());
}

#[test]
fn atomic_operations_on_shared_memory_are_counted_and_exact() {
    let mut bench = Bench::with_functions(
        ".shared .align 4 .u32 total;",
        "atom.shared.add.u32 %r1, [total], %t;
         bar.sync 0;
         ld.shared.u32 %r2, [total];
         st.global.u32 [%slot], %r2;",
    );
    let (output, report) = bench.run_with_report(64, 64);
    assert_eq!(output, [2016; 64]);
    assert_eq!(report.classes.atomics, [2, 64]);
}

#[test]
fn a_reduction_and_a_compare_and_swap_act_on_memory() {
    let mut bench = Bench::body(
        "red.global.max.s32 [%out], %t;
         atom.global.cas.b64 %rd1, [%out+8], 0, 7;
         setp.eq.u64 %p1, %rd1, 0;
         @%p1 st.global.u32 [%out+4], %t;",
    );
    assert_eq!(bench.run(32, 4), [31, 0, 7, 0]);
}

#[test]
fn dynamic_shared_memory_follows_the_static_one_aligned() {
    let mut bench = Bench::with_functions(
        ".shared .align 4 .b8 fixed[20];
         .extern .shared .align 16 .b8 dynamic[];",
        "mov.u32 %r1, dynamic;
         mov.u32 %r2, %dynamic_smem_size;
         mov.u32 %r3, fixed;
         st.shared.u32 [fixed+16], %r2;
         st.shared.u32 [dynamic+96], %r1;
         ld.shared.u32 %r5, [dynamic+96];
         st.global.u32 [%out], %r5;
         st.global.u32 [%out+4], %r2;",
    );
    bench.dynamic_shared = 100;
    assert_eq!(bench.run(1, 2), [32, 100]);
}

#[test]
fn each_block_starts_with_its_own_shared_memory_of_zeros() {
    let mut bench = Bench::with_functions(
        ".shared .align 4 .u32 word;",
        "ld.shared.u32 %r1, [word];
         atom.global.or.b32 %r2, [%out], %r1;
         mov.u32 %r3, 5;
         st.shared.u32 [word], %r3;",
    );
    let out = bench.buffer("out", &[0]);
    bench.launch("k", 4, 1, &[Arg::Buffer(out)]).expect("runs");
    assert_eq!(bench.words(out), [0]);
}

#[test]
fn asynchronous_copies_bring_what_is_read_and_zeros() {
    let mut bench = Bench::with_functions(
        ".shared .align 16 .b8 common[16];",
        "mov.u32 %r1, common;
         mov.u32 %r2, 9;
         st.global.v2.u32 [%out], {%r2, %r2};
         cp.async.ca.shared.global [%r1], [%out], 16, 4;
         cp.async.commit_group;
         cp.async.wait_group 0;
         ld.shared.u32 %r3, [common];
         ld.shared.u32 %r4, [common+4];
         st.global.u32 [%out+16], %r3;
         st.global.u32 [%out+20], %r4;",
    );
    assert_eq!(bench.run(1, 6), [9, 9, 0, 0, 9, 0]);
}

#[test]
fn textures_are_read_by_index_and_are_zero_outside() {
    let mut bench = Bench::with_functions(
        ".global .texref values;",
        "sub.u32 %r1, %t, 1;
         tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [values, {%r1}];
         st.global.u32 [%slot], %r2;",
    );
    let data = bench.buffer("values", &[0xff05_04fe]);
    let format = TextureFormat { components: 1, ty: ScalarType::S8, normalised: false };
    let address = bench.image.region(data).start();
    bench.textures.push((0, Texture { address, elements: 4, format }));
    let output = bench.run(6, 6);
    assert_eq!(output, [0, -2i32 as u32, 4, 5, -1i32 as u32, 0]);
}

#[test]
fn parameters_are_read_by_name_by_offset_and_by_address() {
    let mut bench = Bench::new(
        ".visible .entry k(.param .u64 out, .param .u32 first, .param .align 4 .b8 pair[8])
         {
             .reg .b32 %r<6>; .reg .b64 %rd<6>;
             ld.param.u64 %rd1, [out];
             ld.param.u32 %r1, [first];
             ld.param.u32 %r2, [pair+4];
             mov.b64 %rd2, pair;
             ld.param.u32 %r3, [%rd2];
             cvta.param.u64 %rd3, %rd2;
             ld.u32 %r4, [%rd3+4];
             st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};
             ret;
         }",
    );
    let out = bench.buffer("out", &[0; 4]);
    let arguments = [Arg::Buffer(out), Arg::U32(1), Arg::U32(2), Arg::U32(3)];
    bench.launch("k", 1, 32, &arguments).expect("runs");
    assert_eq!(bench.words(out), [1, 3, 2, 3]);
}

#[test]
fn special_registers_of_a_grid_and_block_with_three_axes() {
    let mut bench = Bench::new(
        ".visible .entry k(.param .u64 out)
         {
             .reg .pred %p<2>; .reg .b32 %r<20>; .reg .b64 %rd<4>;
             ld.param.u64 %rd1, [out];
             mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;
             mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
             mov.u32 %r6, %tid.x; mov.u32 %r7, %tid.y; mov.u32 %r8, %tid.z;
             mov.u32 %r9, %ntid.x; mov.u32 %r10, %ntid.y; mov.u32 %r11, %ntid.z;
             mad.lo.u32 %r12, %r3, %r5, %r2;
             mad.lo.u32 %r12, %r12, %r4, %r1;
             mad.lo.u32 %r12, %r12, %r11, %r8;
             mad.lo.u32 %r12, %r12, %r10, %r7;
             mad.lo.u32 %r12, %r12, %r9, %r6;
             mul.wide.u32 %rd2, %r12, 4;
             add.u64 %rd2, %rd1, %rd2;
             st.global.u32 [%rd2], %r12;
             ret;
         }",
    );
    let out = bench.buffer("out", &vec![u32::MAX; 2 * 3 * 2 * 5 * 3 * 4]);
    bench.launch_shaped("k", [2, 3, 2], [5, 3, 4], &[Arg::Buffer(out)]).expect("runs");
    assert_eq!(bench.words(out), (0..720).collect::<Vec<_>>());
}

#[test]
fn the_clock_grows_with_the_instructions_of_the_warp() {
    let mut bench = Bench::body(
        "mov.u64 %rd1, %clock64;
         add.u32 %r1, %t, 1;
         add.u32 %r1, %t, 1;
         mov.u64 %rd2, %clock64;
         sub.u64 %rd2, %rd2, %rd1;
         cvt.u32.u64 %r2, %rd2;
         st.global.u32 [%out], %r2;",
    );
    assert_eq!(bench.run(1, 1), [3]);
}
