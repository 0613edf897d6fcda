//! Several frames, frames to skip, damage of every kind, and windows that are too large.

use super::*;
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

fn frame(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

fn expand(stored: &[u8]) -> Result<Vec<u8>, io::Error> {
    let mut expanded = Vec::new();
    Frames::new(stored).read_to_end(&mut expanded).map(|_| expanded)
}

const SKIPPED: &[u8] = b"\x5A\x2A\x4D\x18\x05\0\0\0seven";

/// A frame of the reference encoder (level 19, with checksum and size) of [`reference_text`].
const REFERENCE: &[u8] = include_bytes!("../../../tests/fixtures/reference.zst");

fn reference_text() -> Vec<u8> {
    let line = |vertex: u64| format!("{vertex}\t{}\n", vertex * 2_654_435_761 % 997);
    (0..600).map(line).collect::<String>().into_bytes()
}

#[test]
fn frames_and_frames_to_skip_are_one_text() {
    let stored = [SKIPPED, &frame(b"0 1\n"), SKIPPED, &frame(b""), &frame(b"1 2\n"), SKIPPED].concat();
    assert_eq!(expand(&stored).unwrap(), b"0 1\n1 2\n");
    assert_eq!(expand(SKIPPED).unwrap(), b"");
}

#[test]
fn a_frame_of_the_reference_encoder_expands_to_its_text() {
    assert_eq!(expand(REFERENCE).unwrap(), reference_text());
}

#[test]
fn every_cut_is_an_incomplete_frame() {
    let stored = [SKIPPED, &frame(b"0 1\n1 2\n"), SKIPPED].concat();
    let boundaries = [0, SKIPPED.len(), stored.len() - SKIPPED.len(), stored.len()];
    for cut in 0..=stored.len() {
        let result = expand(&stored[..cut]);
        match boundaries.contains(&cut) {
            true => assert!(result.is_ok(), "{cut}"),
            false => assert_eq!(result.unwrap_err().kind(), ErrorKind::UnexpectedEof, "{cut}"),
        }
    }
}

#[test]
fn what_a_frame_says_of_its_content_is_checked() {
    let mut stored = frame(b"0 1\n1 2\n");
    *stored.last_mut().unwrap() ^= 1;
    assert_eq!(expand(&stored).unwrap_err().to_string(), "the checksum does not match");
    // A raw block of four bytes, where the header promises five.
    let promised = b"\x28\xB5\x2F\xFD\x20\x05\x21\0\x000 1\n";
    assert_eq!(expand(promised).unwrap_err().to_string(), "a frame of 5 bytes has 4");
    let honest = b"\x28\xB5\x2F\xFD\x20\x04\x21\0\x000 1\n";
    assert_eq!(expand(honest).unwrap(), b"0 1\n");
    let error = expand(&[&honest[..], b"0 1\n"].concat()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
}

#[test]
fn windows_and_dictionaries_beyond_what_is_kept_are_refused() {
    // Exponents of the window: 2^27 is the last; 2^28, and then the largest that there is.
    let window = |descriptor: u8| [&b"\x28\xB5\x2F\xFD\0"[..], &[descriptor], b"\x21\0\x000 1\n"].concat();
    assert_eq!(expand(&window(17 << 3)).unwrap(), b"0 1\n");
    let error = expand(&window(18 << 3)).unwrap_err();
    assert_eq!(error.to_string(), "the frame needs a window of 268435456 bytes; at most 134217728 are kept");
    assert!(expand(&window(0xFF)).is_err());
    // A frame in one segment has its size as its window.
    let segment = b"\x28\xB5\x2F\xFD\xE0\0\0\0\0\0\0\0\x40\x21\0\x000 1\n";
    assert!(expand(segment).unwrap_err().to_string().contains("a window of 4611686018427387904 bytes"));
    let dictionary = b"\x28\xB5\x2F\xFD\x21\x07\x04\x21\0\x000 1\n";
    assert!(expand(dictionary).unwrap_err().to_string().contains("the dictionary 7"));
}

/// Magic number, descriptor, window or dictionary, and size.
const HEADER_BYTES_MAX: usize = 18;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn damaged_frames_give_an_error_or_the_text(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let text = reference_text();
        for whole in [REFERENCE.to_vec(), frame(&text)] {
            let mut stored = whole;
            let mut is_header_damaged = false;
            for (index, bits) in &damage {
                is_header_damaged |= index.index(stored.len()) < HEADER_BYTES_MAX;
                *index.get_mut(&mut stored) ^= bits;
            }
            for stored in [&stored[..], &stored[..cut.index(stored.len())]] {
                // A damaged header may say that there is no checksum, or that the frame is to be skipped.
                if let Ok(expanded) = expand(stored) && !is_header_damaged {
                    prop_assert!(expanded == text || stored.is_empty());
                }
            }
        }
    }

    #[test]
    fn arbitrary_blocks_are_no_reason_to_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let stored = [&b"\x28\xB5\x2F\xFD\0\x38"[..], &bytes].concat();
        drop(expand(&stored));
        let length = (bytes.len() as u32) << 3 | 5;
        let block = [&b"\x28\xB5\x2F\xFD\0\x38"[..], &length.to_le_bytes()[..3], &bytes].concat();
        drop(expand(&block));
    }
}
