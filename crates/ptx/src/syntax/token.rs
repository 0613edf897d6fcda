//! Tokens of PTX text.

use crate::Place;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, an opcode, a register.
    Name,
    /// `.word`, `.L2::128B`; the text is without the dot.
    Dotted,
    /// `12`, `0x1F`, `017`, `0b11`, with or without `U`.
    Integer,
    /// `0f3F800000`.
    Single,
    /// `0d3FF0000000000000`.
    Double,
    /// `1.5`, `1e-3`.
    Decimal,
    /// `"…"`; the text is without the quotes.
    Text,
    /// Punctuation of one or two characters; the second is 0 for one.
    Mark([u8; 2]),
    /// Something that the lexer has reported already.
    Bad,
    /// The end of the text.
    End,
}

impl Kind {
    /// Punctuation of one character.
    pub(super) const fn one(mark: u8) -> Kind {
        Kind::Mark([mark, 0])
    }
}

/// A token: what it is and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// First byte of its text.
    pub(super) start: u32,
    /// The byte after its text.
    pub(super) end: u32,
    pub(super) place: Place,
}

/// Whether a byte may follow in a name (PTX ISA 8.5, section 4.4).
pub(super) fn follows(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}
