//! PTX text to tokens (PTX ISA 8.5, sections 4.1 to 4.5).
//!
//! Works on bytes; everything outside ASCII may stand in comments and strings only. Lines of the old debugging
//! form (`@@DWARF …`) and line markers of a preprocessor (`# 1 "x.cu"`) are skipped like comments. A zero byte is
//! blank, because the runtime compiler ends its text with one.

use super::token::{Kind, Token, follows};
use crate::Place;

/// A problem that the lexer found.
pub(super) struct Flaw {
    pub(super) place: Place,
    pub(super) problem: String,
}

/// Reads all tokens; the last one is [`Kind::End`].
pub(super) fn tokens(text: &str) -> (Vec<Token>, Vec<Flaw>) {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, line: 1, line_start: 0, flaws: Vec::new() };
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 5 + 1);
    loop {
        lexer.skip_blank();
        let after_value = tokens
            .last()
            .is_some_and(|last| matches!(last.kind, Kind::Integer) || last.kind == Kind::one(b')'));
        let token = lexer.token(after_value);
        tokens.push(token);
        if token.kind == Kind::End {
            return (tokens, lexer.flaws);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
    /// Where the line starts, moved on by every byte of it that is no character of its own, so that the
    /// distance to it counts characters.
    line_start: usize,
    flaws: Vec<Flaw>,
}

impl Lexer<'_> {
    fn byte(&self, distance: usize) -> u8 {
        self.bytes.get(self.at + distance).copied().unwrap_or(0)
    }

    fn place(&self) -> Place {
        Place { line: self.line, column: (self.at - self.line_start) as u32 + 1 }
    }

    fn flaw(&mut self, place: Place, problem: String) {
        // The parser keeps fewer than this; a file of noise must not become a list of its bytes.
        if self.flaws.len() < super::parser::MAX_ERRORS {
            self.flaws.push(Flaw { place, problem });
        }
    }

    /// Steps over one byte of a comment, a string or a blank.
    fn step(&mut self) {
        match self.byte(0) {
            b'\n' => {
                self.line = self.line.saturating_add(1);
                self.line_start = self.at + 1;
            }
            // A continuation byte of UTF-8.
            0x80..=0xBF => self.line_start += 1,
            _ => {}
        }
        self.at += 1;
    }

    fn skip_line(&mut self) {
        while self.at < self.bytes.len() && self.byte(0) != b'\n' {
            self.step();
        }
    }

    fn skip_blank(&mut self) {
        while self.at < self.bytes.len() {
            match (self.byte(0), self.byte(1)) {
                (b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C | 0, _) => self.step(),
                (b'/', b'/') | (b'@', b'@') => self.skip_line(),
                (b'/', b'*') => self.skip_comment(),
                (b'#', _) if self.starts_line() => self.skip_marker(),
                (0xEF, 0xBB) if self.at == 0 && self.byte(2) == 0xBF => {
                    self.at = 3;
                    self.line_start = 3;
                }
                _ => return,
            }
        }
    }

    fn starts_line(&self) -> bool {
        self.at == 0 || self.bytes.get(self.at - 1) == Some(&b'\n')
    }

    fn skip_comment(&mut self) {
        let place = self.place();
        self.at += 2;
        while self.at < self.bytes.len() {
            if self.byte(0) == b'*' && self.byte(1) == b'/' {
                self.at += 2;
                return;
            }
            self.step();
        }
        self.flaw(place, "this comment has no end; expected */".to_string());
    }

    /// `# 12 "file"` and `#line` say where text came from; other lines of a preprocessor have a meaning.
    fn skip_marker(&mut self) {
        let (place, start) = (self.place(), self.at + 1);
        self.skip_line();
        let line = self.bytes.get(start..self.at).unwrap_or_default().trim_ascii();
        if !line.is_empty() && !line.starts_with(b"line") && !line[0].is_ascii_digit() {
            self.flaw(
                place,
                "a preprocessor directive; expected text that went through a preprocessor".into(),
            );
        }
    }

    fn token(&mut self, after_value: bool) -> Token {
        let (place, start) = (self.place(), self.at);
        if self.at >= self.bytes.len() {
            let end = self.bytes.len() as u32;
            return Token { kind: Kind::End, start: end, end, place };
        }
        let next = self.byte(1);
        let kind = match self.byte(0) {
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.name(),
            b'$' if follows(next) => self.name(),
            // After a value it is the remainder, in front of one it belongs to a name.
            b'%' if follows(next) && !after_value => self.name(),
            byte if byte.is_ascii_digit() => self.number(place),
            b'.' if next.is_ascii_digit() && self.is_fraction() => self.number(place),
            b'.' if follows(next) => self.dotted(),
            b'"' => self.string(place),
            _ => self.mark(place),
        };
        let (mut start, mut end) = (start, self.at);
        match kind {
            Kind::Dotted => start += 1,
            Kind::Text => (start, end) = (start + 1, end - 1),
            _ => {}
        }
        Token { kind, start: start as u32, end: end as u32, place }
    }

    fn skip_while(&mut self, condition: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.at < self.bytes.len() && condition(self.byte(0)) {
            self.at += 1;
        }
        self.at - start
    }

    fn name(&mut self) -> Kind {
        self.at += 1;
        self.skip_while(follows);
        Kind::Name
    }

    fn dotted(&mut self) -> Kind {
        self.at += 1;
        self.skip_while(follows);
        while self.byte(0) == b':' && self.byte(1) == b':' && follows(self.byte(2)) {
            self.at += 2;
            self.skip_while(follows);
        }
        Kind::Dotted
    }

    /// Whether the dot here starts a number (`.5`) rather than a word (`.2d`).
    fn is_fraction(&self) -> bool {
        let joined = self.at > 0 && self.bytes.get(self.at - 1).is_some_and(|&byte| follows(byte));
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        // No word is as long as this, and no fraction needs more digits to be told from one.
        let digits = rest.iter().take(32).take_while(|byte| byte.is_ascii_digit()).count();
        !joined && !rest.get(digits).is_some_and(|&byte| follows(byte) && byte != b'e' && byte != b'E')
    }

    fn number(&mut self, place: Place) -> Kind {
        let start = self.at;
        let kind = match (self.byte(0), self.byte(1)) {
            (b'0', b'x' | b'X') => self.integer(2, |byte| byte.is_ascii_hexdigit()),
            (b'0', b'b' | b'B') => self.integer(2, |byte| matches!(byte, b'0' | b'1')),
            (b'0', b'f' | b'F') => self.bits(8, Kind::Single),
            (b'0', b'd' | b'D') => self.bits(16, Kind::Double),
            _ => self.decimal(),
        };
        // Whatever follows without a blank belongs to the number, and is wrong there.
        let excess = self.skip_while(follows);
        if excess == 0 && kind != Kind::Bad {
            return kind;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        let shown: String = text.chars().take(40).collect();
        self.flaw(
            place,
            format!(
                "malformed number `{shown}`; expected a decimal, 0x, 0b or octal integer, 0f with 8 or 0d with 16 \
                 hexadecimal digits, or a decimal fraction"
            ),
        );
        Kind::Bad
    }

    fn integer(&mut self, prefix: usize, digit: impl Fn(u8) -> bool) -> Kind {
        self.at += prefix;
        let digits = self.skip_while(digit);
        self.suffix();
        if digits == 0 { Kind::Bad } else { Kind::Integer }
    }

    fn suffix(&mut self) {
        if self.byte(0) == b'U' {
            self.at += 1;
        }
    }

    fn bits(&mut self, digits: usize, kind: Kind) -> Kind {
        self.at += 2;
        if self.skip_while(|byte| byte.is_ascii_hexdigit()) == digits { kind } else { Kind::Bad }
    }

    fn decimal(&mut self) -> Kind {
        let mut kind = Kind::Integer;
        self.skip_while(|byte| byte.is_ascii_digit());
        if self.byte(0) == b'.' && (!follows(self.byte(1)) || self.byte(1).is_ascii_digit()) {
            kind = Kind::Decimal;
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        let signed = usize::from(matches!(self.byte(1), b'+' | b'-'));
        if matches!(self.byte(0), b'e' | b'E') && self.byte(1 + signed).is_ascii_digit() {
            kind = Kind::Decimal;
            self.at += 1 + signed;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        if kind == Kind::Integer {
            self.suffix();
        }
        kind
    }

    fn string(&mut self, place: Place) -> Kind {
        self.step();
        loop {
            match self.byte(0) {
                b'"' => break,
                b'\n' | 0 if self.byte(0) == b'\n' || self.at >= self.bytes.len() => {
                    self.flaw(place, "this string has no end on its line; expected \"".to_string());
                    return Kind::Bad;
                }
                b'\\' if !matches!(self.byte(1), b'\n' | 0) => self.step(),
                _ => {}
            }
            self.step();
        }
        self.at += 1;
        Kind::Text
    }

    fn mark(&mut self, place: Place) -> Kind {
        let pair = [self.byte(0), self.byte(1)];
        if matches!(&pair, b"<<" | b">>" | b"<=" | b">=" | b"==" | b"!=" | b"&&" | b"||") {
            self.at += 2;
            return Kind::Mark(pair);
        }
        if b"()[]{}<>,;:=+-*/%&|^~!?@".contains(&pair[0]) {
            self.at += 1;
            return Kind::one(pair[0]);
        }
        let character = self.text.get(self.at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        self.flaw(place, format!("unexpected character {character:?}"));
        self.step();
        while self.at < self.bytes.len() && !self.text.is_char_boundary(self.at) {
            self.step();
        }
        Kind::Bad
    }
}
