//! What the runner is told of this host: its name, its memory, and which build this is.

use super::build_id;
use crate::failure::Failure;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Digits of a build's hash that are kept.
const BUILD_DIGITS: usize = 16;

/// Host and process, for people who look at leases.
pub(super) fn name() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| std::env::var("HOSTNAME"));
    let host = host.unwrap_or_default();
    let host = Some(host.trim()).filter(|host| !host.is_empty()).unwrap_or("host");
    format!("{host}-{}", std::process::id())
}

/// Memory that this process may use in all: what it has, and what the host has available or its control group allows.
pub(super) fn memory_bytes() -> u64 {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let own = field_kib(&read("/proc/self/status"), "VmRSS:").unwrap_or(0);
    let available = field_kib(&read("/proc/meminfo"), "MemAvailable:");
    let group = read("/sys/fs/cgroup/memory.max").trim().parse().unwrap_or(u64::MAX);
    available.map_or(u64::MAX, |available| available.saturating_add(own)).min(group)
}

/// A line such as `VmRSS:  1024 kB`, in bytes.
fn field_kib(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// Bytes of the executable that a thread hashes at a time.
const BUILD_BLOCK: u64 = 8 << 20;

/// This build: the first digits of the hash of the executable that its linker has put into it, or of one that is made here.
/// Every sweep waits for it, and with its line tables the executable is large.
pub(crate) fn build() -> Result<String, Failure> {
    let path = std::env::current_exe()
        .map_err(|error| Failure::new(format!("this program cannot be found: {error}")))?;
    let failed = |error| Failure::at_path(&path, &error);
    let hash = match build_id::of(&path).map_err(failed)? {
        Some(id) => id,
        None => hash_of(&path).map_err(failed)?,
    };
    let mut digits = heddle_lab::hash::hexadecimal(&hash);
    digits.truncate(BUILD_DIGITS);
    Ok(digits)
}

/// The SHA-256 of the hashes of a file's blocks, which all threads make.
fn hash_of(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = fs::metadata(path)?.len();
    let blocks: Vec<_> = (0..bytes.div_ceil(BUILD_BLOCK))
        .into_par_iter()
        .map(|block| hash_of_block(path, block * BUILD_BLOCK))
        .collect::<io::Result<_>>()?;
    Ok(Sha256::digest(blocks.concat()).to_vec())
}

fn hash_of_block(path: &Path, from: u64) -> io::Result<[u8; 32]> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let (mut block, mut hash, mut buffer) = (file.take(BUILD_BLOCK), Sha256::new(), vec![0; 1 << 18]);
    loop {
        match block.read(&mut buffer)? {
            0 => return Ok(hash.finalize().into()),
            read => hash.update(&buffer[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_bytes() {
        let text = "MemTotal:       16 kB\nMemAvailable:    1024 kB\n";
        assert_eq!(field_kib(text, "MemAvailable:"), Some(1 << 20));
        assert_eq!(field_kib(text, "VmRSS:"), None);
        assert!(memory_bytes() > 1 << 20);
    }

    #[test]
    fn a_build_is_known_by_its_bytes() {
        let build = build().unwrap();
        assert_eq!((build.len(), &build), (BUILD_DIGITS, &self::build().unwrap()));
    }

    #[test]
    fn an_executable_without_a_hash_of_its_linker_is_hashed() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        fs::write(&one, vec![7; BUILD_BLOCK as usize + 1]).unwrap();
        fs::write(&other, vec![7; BUILD_BLOCK as usize + 2]).unwrap();
        assert_eq!(build_id::of(&one).unwrap(), None);
        assert_eq!(hash_of(&one).unwrap(), hash_of(&one).unwrap());
        assert_ne!(hash_of(&one).unwrap(), hash_of(&other).unwrap());
    }
}
