//! Instructions of the ISA that are not supported, each with why or what to do instead.

const TENSOR: &str = "tensor units are not modelled; multiply with fma";
const SURFACE: &str = "surfaces are not modelled; use ld.global and st.global";
const TEXTURE: &str = "only linear 1-D textures are modelled; use ld.global.nc";
const VIDEO: &str = "video instructions are not modelled; use ordinary integer instructions";
const CLUSTER: &str = "blocks are not launched in clusters; address shared memory of the block itself";
const TRANSACTION: &str =
    "transaction barriers are not modelled; use bar.sync, or cp.async with cp.async.wait_all";
const STACK: &str = "dynamic stack allocation is not modelled; declare a .local array";

/// Opcode and reason, in the order of the ISA.
pub(super) const UNSUPPORTED: &[(&str, &str)] = &[
    ("tld4", TEXTURE),
    ("txq", TEXTURE),
    ("istypep", TEXTURE),
    ("suld", SURFACE),
    ("sust", SURFACE),
    ("sured", SURFACE),
    ("suq", SURFACE),
    ("mapa", CLUSTER),
    ("getctarank", CLUSTER),
    ("clusterlaunchcontrol", CLUSTER),
    ("mbarrier", TRANSACTION),
    ("multimem", "several devices behind one address are not modelled"),
    ("tensormap", TENSOR),
    ("wmma", TENSOR),
    ("mma", TENSOR),
    ("ldmatrix", TENSOR),
    ("stmatrix", TENSOR),
    ("movmatrix", TENSOR),
    ("wgmma", TENSOR),
    ("tcgen05", TENSOR),
    ("alloca", STACK),
    ("stacksave", STACK),
    ("stackrestore", STACK),
    ("vadd", VIDEO),
    ("vsub", VIDEO),
    ("vabsdiff", VIDEO),
    ("vmin", VIDEO),
    ("vmax", VIDEO),
    ("vshl", VIDEO),
    ("vshr", VIDEO),
    ("vmad", VIDEO),
    ("vset", VIDEO),
    ("vadd2", VIDEO),
    ("vsub2", VIDEO),
    ("vavrg2", VIDEO),
    ("vabsdiff2", VIDEO),
    ("vmin2", VIDEO),
    ("vmax2", VIDEO),
    ("vset2", VIDEO),
    ("vadd4", VIDEO),
    ("vsub4", VIDEO),
    ("vavrg4", VIDEO),
    ("vabsdiff4", VIDEO),
    ("vmin4", VIDEO),
    ("vmax4", VIDEO),
    ("vset4", VIDEO),
];
