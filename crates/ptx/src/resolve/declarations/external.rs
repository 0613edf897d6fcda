//! What helps with functions that are neither in the module nor provided by the machine.

use crate::resolve::report::nearest;

/// Beginnings of names of functions that are known to be elsewhere, with what helps.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "__nv_",
        "a function of libdevice: link its bitcode when compiling, as clang does when it finds a CUDA toolkit",
    ),
    ("cudaLaunchDevice", DYNAMIC),
    ("cudaGetParameterBuffer", DYNAMIC),
    ("cudaDeviceSynchronize", DYNAMIC),
    ("__cudaDeviceSynchronize", DYNAMIC),
    ("cudaStream", DYNAMIC),
    ("cudaEvent", DYNAMIC),
    ("cudaGraph", DYNAMIC),
    ("__cudaCDP", DYNAMIC),
    ("cudaMalloc", "buffers are allocated by the host, before the launch"),
    ("cudaFree", "buffers are allocated by the host, before the launch"),
    ("malloc", "there is no heap on the device: allocate a buffer on the host and pass it to the kernel"),
    ("free", "there is no heap on the device: allocate a buffer on the host and pass it to the kernel"),
    ("cuda", "a function of the device runtime library, which is not part of the machine"),
];

const DYNAMIC: &str = "kernels that launch kernels are not supported: launch from the host instead";

/// What would help with a function that is declared here and defined nowhere.
pub(super) fn help<'a>(name: &str, defined: impl Iterator<Item = &'a str>, externals: &[&'a str]) -> String {
    if let Some((_, help)) = ELSEWHERE.iter().find(|(start, _)| name.starts_with(start)) {
        return (*help).to_string();
    }
    if let Some(near) = nearest(name, defined.chain(externals.iter().copied())) {
        return format!("the nearest function that is known is `{near}`");
    }
    match externals.is_empty() {
        true => "link the modules into one file; the machine provides no functions".to_string(),
        false => format!("link the modules into one file; the machine provides {}", externals.join(", ")),
    }
}
