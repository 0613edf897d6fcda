//! Values are taken where and when the machine services a request, never at issue: what another core writes while a
//! load is under way is what the load gets.

use super::common::{Bench, PRESETS, count, grid, spec};
use heddle_gpu::RunSettings;
use heddle_ptx::exec::TextureFormat;
use heddle_ptx::ir::ScalarType;

/// Block 1 reads a word that is in no cache; block 0, on another core, has written it a cycle or two before. When the
/// read issues the write is on its way; when the read is serviced it is there.
fn program(read: &str) -> String {
    format!(
        r#"
.visible .entry race(.param .u64 word, .param .u64 texture, .param .u64 out)
{{
    .reg .pred %p<2>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<6>;
    .shared .align 16 .b8 place[16];
    ld.param.u64 %rd1, [word];
    ld.param.u64 %rd2, [texture];
    ld.param.u64 %rd3, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, 0;
    mov.u32 %r3, 7;
    mov.u32 %r8, place;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 st.global.u32 [%rd1], %r3;
    {read}
    @!%p1 st.global.u32 [%rd3], %r4;
    ret;
}}
"#
    )
}

const LOAD: &str = "@!%p1 ld.global.u32 %r4, [%rd1];";
const TEXTURE: &str = "@!%p1 tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%rd2, {%r2}];
    mov.u64 %rd2, 0;";
const COPY: &str = "@!%p1 cp.async.ca.shared.global [%r8], [%rd1], 4;
    mov.u32 %r8, 0;
    cp.async.commit_group;
    cp.async.wait_all;
    ld.shared.u32 %r4, [place];";

/// What block 1 read.
fn read_in(preset: &str, read: &str) -> u32 {
    let mut bench = Bench::new(spec(preset, &[]), RunSettings::default(), &program(read));
    let word = bench.words("word", &[5]);
    let out = bench.zeros("out", 1);
    let format = TextureFormat { components: 1, ty: ScalarType::U32, normalised: false };
    let texture = bench.device.texture_object(word, format);
    bench.launch("race", grid(2, 1), &[word.into(), texture.into(), out.into()]);
    bench.read(out)[0]
}

#[test]
fn loads_textures_and_copies_take_their_values_when_they_are_serviced() {
    for preset in PRESETS {
        for read in [LOAD, TEXTURE, COPY] {
            assert_eq!(read_in(preset, read), 7, "{preset}: {read}");
        }
    }
}

/// Lanes of one fetch from textures of different formats, some outside; the registers with handles and coordinates are
/// overwritten before the data come.
const LANES: &str = r#"
.visible .entry lanes(.param .u64 words, .param .u64 bytes, .param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [words];
    ld.param.u64 %rd2, [bytes];
    ld.param.u64 %rd3, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 0;
    selp.b64 %rd4, %rd1, %rd2, %p1;
    sub.u32 %r3, %r1, 2;
    tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%rd4, {%r3}];
    mov.u64 %rd4, 99;
    mov.u32 %r3, 99;
    mul.wide.u32 %rd5, %r1, 4;
    add.u64 %rd5, %rd3, %rd5;
    st.global.u32 [%rd5], %r4;
    ret;
}
"#;

#[test]
fn a_texture_is_the_one_that_was_named_at_issue_and_zero_outside() {
    let mut bench = Bench::new(spec("gtx480", &[]), RunSettings::default(), LANES);
    let data = bench.words("data", &[0x0403_0201, 0x0807_0605, 0x0c0b_0a09, 0x100f_0e0d]);
    let out = bench.zeros("out", 32);
    let mut object = |ty| {
        let format = TextureFormat { components: 1, ty, normalised: false };
        bench.device.texture_object(data, format)
    };
    let (words, bytes) = (object(ScalarType::U32), object(ScalarType::U8));
    bench.launch("lanes", grid(1, 32), &[words.into(), bytes.into(), out.into()]);
    let expected: Vec<u32> = (0..32)
        .map(|lane: u32| match (lane % 2, lane.checked_sub(2)) {
            (0, Some(index @ 0..4)) => 0x0403_0201 + 0x0404_0404 * index,
            (1, Some(index @ 0..16)) => index + 1,
            _ => 0,
        })
        .collect();
    assert_eq!(bench.read(out), expected);
}

/// One thread copies 16 bytes, waits, and stores the last word.
fn copied(copy: &str) -> (u32, [u64; 3]) {
    let ptx = format!(
        r#"
.visible .entry copy(.param .u64 words, .param .u64 out)
{{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    .shared .align 16 .b8 place[16];
    ld.param.u64 %rd1, [words];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, 9;
    st.shared.u32 [place+12], %r1;
    {copy}
    cp.async.wait_all;
    ld.shared.u32 %r2, [place+12];
    st.global.u32 [%rd2], %r2;
    ret;
}}
"#
    );
    let mut bench = Bench::new(spec("fermi", &[]), RunSettings::default(), &ptx);
    let (words, out) = (bench.words("words", &[1, 2, 3, 4]), bench.zeros("out", 1));
    bench.launch("copy", grid(1, 1), &[words.into(), out.into()]);
    let counts = ["l1.reads", "l1.passed_reads", "l1.fills"].map(|name| count(&bench.last(), name));
    (bench.read(out)[0], counts)
}

#[test]
fn copies_request_what_they_read_and_only_that() {
    assert_eq!(copied("cp.async.ca.shared.global [place], [%rd1], 16;"), (4, [1, 0, 1]));
    assert_eq!(copied("cp.async.cg.shared.global [place], [%rd1], 16;"), (4, [0, 1, 0]));
    assert_eq!(copied("cp.async.ca.shared.global [place], [%rd1], 16, 8;"), (0, [1, 0, 1]));
    // Nothing is read, wherever it would be.
    assert_eq!(copied("cp.async.ca.shared.global [place], [%rd1+65536], 16, 0;"), (0, [0, 0, 0]));
}
