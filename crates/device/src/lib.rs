//! The device interface, in the spirit of the CUDA driver API: load a module, find a function, allocate named
//! buffers, copy, launch, read back.
//!
//! The interface stands above every machine: the functional one of `heddle-ptx` and machines with time execute
//! the same launches on the same memory. The names of buffers are the *regions* that reports and mechanisms
//! speak of.
//!
//! ```
//! use heddle_device::{Argument, Device, Launch};
//!
//! const PTX: &str = r#"
//! .version 6.0
//! .target sm_35
//! .address_size 64
//! .visible .entry scale(.param .u64 data, .param .f32 factor, .param .u32 length)
//! {
//!     .reg .pred %p<2>;
//!     .reg .b32 %r<6>;
//!     .reg .f32 %f<4>;
//!     .reg .b64 %rd<5>;
//!     ld.param.u64 %rd1, [data];
//!     ld.param.f32 %f1, [factor];
//!     ld.param.u32 %r1, [length];
//!     mov.u32 %r2, %ctaid.x;
//!     mov.u32 %r3, %ntid.x;
//!     mov.u32 %r4, %tid.x;
//!     mad.lo.s32 %r5, %r2, %r3, %r4;
//!     setp.ge.u32 %p1, %r5, %r1;
//!     @%p1 bra DONE;
//!     cvta.to.global.u64 %rd2, %rd1;
//!     mul.wide.u32 %rd3, %r5, 4;
//!     add.s64 %rd4, %rd2, %rd3;
//!     ld.global.f32 %f2, [%rd4];
//!     mul.f32 %f3, %f2, %f1;
//!     st.global.f32 [%rd4], %f3;
//! DONE:
//!     ret;
//! }
//! "#;
//!
//! # fn main() -> Result<(), heddle_device::DeviceError> {
//! let mut device = Device::functional();
//! let module = device.load_module("scale.ptx", PTX)?;
//! let scale = device.function(module, "scale")?;
//! let data = device.allocate("data", 1000 * 4)?;
//! device.write(data, &vec![1.5f32; 1000])?;
//! let arguments = [Argument::from(data), Argument::from(2.0f32), Argument::from(1000u32)];
//! let report = device.launch(scale, Launch::linear(1000, 256), &arguments)?;
//! assert_eq!(device.read::<f32>(data)?, vec![3.0; 1000]);
//! assert_eq!(report.classes.global_loads[1], 1000);
//! # Ok(())
//! # }
//! ```

mod argument;
mod device;
mod error;
mod module;

pub use argument::{Argument, ArgumentValue};
pub use device::{Buffer, Device, FunctionHandle, Launch, ModuleHandle};
pub use error::DeviceError;
pub use heddle_ptx::exec::{Dimensions, LaunchError, LaunchReport, Machine, Texture, TextureFormat};
