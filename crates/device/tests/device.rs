//! The interface as a host program sees it: what works, and what is refused with which words.

use heddle_device::{Argument, Device, DeviceError, Launch, LaunchError, TextureFormat};
use heddle_ptx::ir::ScalarType;
use std::error::Error;

const PTX: &str = r#"
.version 6.0
.target sm_35
.address_size 64
.global .align 4 .u32 counter = 5;
.const .align 4 .b32 table[4] = {10, 20, 30, 40};
.visible .entry add(.param .u64 data, .param .u32 amount, .param .u32 length)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [amount];
    ld.param.u32 %r2, [length];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.u32 %r6, %r3, %r4, %r5;
    setp.ge.u32 %p1, %r6, %r2;
    @%p1 ret;
    mul.wide.u32 %rd2, %r6, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r7, [%rd3];
    add.u32 %r7, %r7, %r1;
    st.global.u32 [%rd3], %r7;
    ret;
}
.visible .entry bump()
{
    .reg .b32 %r<3>;
    ld.const.u32 %r1, [table+8];
    atom.global.add.u32 %r2, [counter], %r1;
    ret;
}
.visible .entry pair(.param .align 4 .b8 both[8], .param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [both];
    ld.param.u32 %r2, [both+4];
    add.u32 %r3, %r1, %r2;
    st.global.u32 [%rd1], %r3;
    ret;
}
"#;

fn device() -> Result<(Device, heddle_device::ModuleHandle), DeviceError> {
    let mut device = Device::functional();
    let module = device.load_module("test.ptx", PTX)?;
    Ok((device, module))
}

#[test]
fn a_kernel_changes_the_buffer_that_it_is_given() -> Result<(), Box<dyn Error>> {
    let (mut device, module) = device()?;
    let add = device.function(module, "add")?;
    let data = device.allocate_with("data", &[1u32, 2, 3, 4, 5])?;
    let arguments = [data.into(), 10u32.into(), 4u32.into()];
    let report = device.launch(add, Launch::linear(4, 32), &arguments)?;
    assert_eq!(device.read::<u32>(data)?, [11, 12, 13, 14, 5]);
    assert_eq!(report.classes.global_stores, [1, 4]);
    assert_eq!(report.kernel, "add");
    Ok(())
}

#[test]
fn an_argument_may_point_into_a_buffer() -> Result<(), Box<dyn Error>> {
    let (mut device, module) = device()?;
    let add = device.function(module, "add")?;
    let data = device.allocate_with("data", &[0u32; 4])?;
    device.launch(add, Launch::linear(1, 32), &[Argument::inside(data, 8), 7u32.into(), 1u32.into()])?;
    assert_eq!(device.read::<u32>(data)?, [0, 0, 7, 0]);
    assert_eq!(device.read_element::<u32>(data, 2)?, 7);
    Ok(())
}

#[test]
fn variables_keep_their_value_between_launches_and_can_be_read_and_written() -> Result<(), Box<dyn Error>> {
    let (mut device, module) = device()?;
    let bump = device.function(module, "bump")?;
    let counter = device.variable(module, "counter")?;
    device.launch(bump, Launch::new([1, 1, 1], [1, 1, 1]), &[])?;
    device.launch(bump, Launch::new([1, 1, 1], [2, 1, 1]), &[])?;
    assert_eq!(device.read::<u32>(counter)?, [5 + 30 * 3]);
    device.write(counter, &[0u32])?;
    assert_eq!(device.read::<u32>(counter)?, [0]);
    Ok(())
}

#[test]
fn a_struct_is_passed_by_value() -> Result<(), Box<dyn Error>> {
    let (mut device, module) = device()?;
    let pair = device.function(module, "pair")?;
    let out = device.allocate("out", 4)?;
    let both: Vec<u8> = [40u32, 2].iter().flat_map(|word| word.to_le_bytes()).collect();
    device.launch(pair, Launch::new([1, 1, 1], [1, 1, 1]), &[both.into(), out.into()])?;
    assert_eq!(device.read::<u32>(out)?, [42]);
    Ok(())
}

#[test]
fn mistakes_are_named() -> Result<(), Box<dyn Error>> {
    let (mut device, module) = device()?;
    let words = |error: DeviceError| error.to_string();
    assert_eq!(
        words(device.function(module, "ad").unwrap_err()),
        "test.ptx has no kernel 'ad'; did you mean 'add'?"
    );
    assert!(words(device.variable(module, "countr").unwrap_err()).contains("did you mean 'counter'?"));
    let add = device.function(module, "add")?;
    let data = device.allocate("data", 16)?;
    let launch = Launch::linear(4, 32);
    assert_eq!(
        words(device.launch(add, launch, &[data.into()]).unwrap_err()),
        "kernel add takes 3 arguments (data, amount, length), not 1"
    );
    let error = device.launch(add, launch, &[data.into(), 1.0f32.into(), 4u32.into()]).unwrap_err();
    assert!(words(error).starts_with("argument 1 of kernel add (amount) must be 4 bytes of type .u32"));
    let error = device.launch(add, launch, &[4u32.into(), 1u32.into(), 4u32.into()]).unwrap_err();
    assert!(matches!(error, DeviceError::ArgumentType { position: 0, .. }));
    assert!(matches!(device.write(data, &[0u32; 5]).unwrap_err(), DeviceError::CopySize { given: 20, .. }));
    let odd = device.allocate("odd", 7)?;
    assert!(matches!(device.read::<u32>(odd).unwrap_err(), DeviceError::ElementSize { .. }));
    device.free(odd);
    assert!(matches!(device.read::<u8>(odd).unwrap_err(), DeviceError::Freed { .. }));
    let format = TextureFormat { components: 1, ty: ScalarType::U32, normalised: false };
    assert!(
        words(device.bind_texture(module, "t", data, format).unwrap_err()).contains("has no texture 't'")
    );
    Ok(())
}

#[test]
fn an_access_past_a_buffer_names_thread_line_and_buffer() -> Result<(), Box<dyn Error>> {
    let (mut device, module) = device()?;
    let add = device.function(module, "add")?;
    let data = device.allocate_with("data", &[0u32; 40])?;
    let error = device.launch(add, Launch::linear(64, 64), &[data.into(), 1u32.into(), 64u32.into()]);
    let error = error.unwrap_err();
    assert!(matches!(error, DeviceError::Launch(LaunchError::Access { .. })), "{error}");
    let text = error.to_string();
    for part in ["past the end of 'data' (160 bytes)", "kernel add", "thread (40, 0, 0)", "test.ptx:23:5"] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    Ok(())
}

#[test]
fn a_launch_that_no_machine_can_do_is_refused() -> Result<(), Box<dyn Error>> {
    let (mut device, module) = device()?;
    let bump = device.function(module, "bump")?;
    for launch in [Launch::new([1, 1, 1], [1025, 1, 1]), Launch::new([0, 1, 1], [1, 1, 1])] {
        let error = device.launch(bump, launch, &[]).unwrap_err();
        assert!(matches!(error, DeviceError::Launch(LaunchError::Refused { .. })), "{error}");
    }
    Ok(())
}

#[test]
fn ptx_that_is_not_supported_is_refused_at_load_with_all_places() {
    let mut device = Device::functional();
    let text = PTX.replace(
        "ret;\n}\n.visible .entry pair",
        "wmma.load.a;\nfrobnicate.u32 %r1;\nret;\n}\n.visible .entry pair",
    );
    let error = device.load_module("bad.ptx", &text).unwrap_err();
    let DeviceError::Ptx(diagnostics) = error else { panic!("{error}") };
    assert_eq!(diagnostics.0.len(), 2, "{diagnostics}");
    assert!(diagnostics.0[0].problem.contains("wmma"), "{diagnostics}");
    assert!(diagnostics.0[1].problem.contains("frobnicate"), "{diagnostics}");
}
