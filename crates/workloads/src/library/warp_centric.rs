//! Kernels that give each warp 32 consecutive vertices.

/// Vertices for each warp, and threads of a warp.
const WARP: u64 = 32;

/// Threads that such a kernel needs: whole warps, because the lanes of a warp share the edges of each of its
/// vertices, those of the last few vertices too.
pub(super) fn threads(vertices: u32) -> u64 {
    u64::from(vertices).next_multiple_of(WARP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_vertices_have_a_whole_warp() {
        assert_eq!([1, 32, 33, 64].map(threads), [32, 32, 64, 64]);
        assert_eq!(threads(u32::MAX), 1 << 32);
    }
}
