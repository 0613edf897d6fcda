//! The build id of an executable: a hash of its contents that linkers leave in a note (`readelf -n`).
//!
//! Only what the note needs is read of the file, of 64-bit little-endian ELF as the System V ABI describes it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// The beginning of such a file: magic number, 64 bits, little-endian.
const MAGIC: [u8; 6] = [0x7f, b'E', b'L', b'F', 2, 1];
const HEADER_BYTES: usize = 64;
const SEGMENT_BYTES: usize = 56;
/// `PT_NOTE`: a segment of notes.
const NOTES: u32 = 4;
/// `NT_GNU_BUILD_ID`: a note of the owner `GNU`.
const BUILD_ID: u32 = 3;
/// Notes are short; more is no segment of them.
const NOTES_BYTES_MAX: u64 = 1 << 16;
/// Linkers hash to 16 or 20 bytes; names that people gave may be shorter, and say nothing.
const ID_BYTES_LEAST: usize = 16;

/// The build id of an executable; none where there is none.
pub(super) fn of(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut file = File::open(path)?;
    let Some(header) = read(&mut file, 0, HEADER_BYTES as u64)? else { return Ok(None) };
    if !header.starts_with(&MAGIC) {
        return Ok(None);
    }
    let (first, count) = (number(&header, 32, 8), number(&header, 56, 2));
    let Some(segments) = read(&mut file, first, count * SEGMENT_BYTES as u64)? else { return Ok(None) };
    for segment in segments.chunks_exact(SEGMENT_BYTES) {
        let (at, bytes) = (number(segment, 8, 8), number(segment, 32, 8));
        if number(segment, 0, 4) == u64::from(NOTES)
            && bytes <= NOTES_BYTES_MAX
            && let Some(notes) = read(&mut file, at, bytes)?
            && let Some(id) = among(&notes)
        {
            return Ok(Some(id.to_vec()));
        }
    }
    Ok(None)
}

/// The build id among notes: each has the sizes of its owner's name and of what it says, its kind, and both, padded to
/// words.
fn among(mut notes: &[u8]) -> Option<&[u8]> {
    while notes.len() >= 12 {
        let sizes = [number(notes, 0, 4) as usize, number(notes, 4, 4) as usize];
        let kind = number(notes, 8, 4);
        let (owner, rest) = notes[12..].split_at_checked(sizes[0].next_multiple_of(4))?;
        let says = rest.get(..sizes[1])?;
        if owner.starts_with(b"GNU\0") && kind == u64::from(BUILD_ID) && says.len() >= ID_BYTES_LEAST {
            return Some(says);
        }
        notes = rest.get(sizes[1].next_multiple_of(4)..)?;
    }
    None
}

/// Bytes of a file; none where it ends before.
fn read(file: &mut File, from: u64, bytes: u64) -> io::Result<Option<Vec<u8>>> {
    // What lies beyond the end is not even looked for: file systems refuse places that no file of theirs has.
    if from.checked_add(bytes).is_none_or(|end| end > file.metadata().map_or(0, |about| about.len())) {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(from))?;
    let mut found = Vec::new();
    file.take(bytes).read_to_end(&mut found)?;
    Ok((found.len() as u64 == bytes).then_some(found))
}

/// A little-endian number of so many bytes.
fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    bytes[at..at + size].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn note(owner: &[u8], kind: u32, says: &[u8]) -> Vec<u8> {
        let mut note = Vec::new();
        for size in [owner.len() as u32, says.len() as u32, kind] {
            note.extend(size.to_le_bytes());
        }
        for part in [owner, says] {
            note.extend(part);
            note.resize(note.len().next_multiple_of(4), 0);
        }
        note
    }

    #[test]
    fn the_id_is_found_among_other_notes() {
        let id = [5; 20];
        let notes =
            [note(b"GNU\0", 1, b"abi"), note(b"go\0", BUILD_ID, &[1; 20]), note(b"GNU\0", BUILD_ID, &id)];
        assert_eq!(among(&notes.concat()), Some(&id[..]));
        assert_eq!(among(&notes[..2].concat()), None);
        assert_eq!(among(&note(b"GNU\0", BUILD_ID, b"release")), None, "a name that somebody gave");
    }

    #[test]
    fn torn_notes_and_files_have_none() {
        let whole = note(b"GNU\0", BUILD_ID, &[5; 20]);
        for end in 0..whole.len() {
            assert_eq!(among(&whole[..end]), None, "{end}");
        }
        let huge = [&u32::MAX.to_le_bytes()[..], &u32::MAX.to_le_bytes(), &[3, 0, 0, 0], &[0; 40]].concat();
        assert_eq!(among(&huge), None);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let own = fs::read(std::env::current_exe().unwrap()).unwrap();
        for end in [0, 5, 63, 64, 100, 300] {
            fs::write(&file, &own[..end]).unwrap();
            assert_eq!(of(&file).unwrap(), None, "{end}");
        }
        let mut far = own[..HEADER_BYTES].to_vec();
        far[32..40].fill(0x7f);
        fs::write(&file, far).unwrap();
        assert_eq!(of(&file).unwrap(), None);
    }
}
