//! The parser's state: where it is, what was wrong so far, how it goes on after an error.
//!
//! Every production returns [`Parsed`]; when it fails the problem is in the list already, and the statement or
//! declaration around it is left at its end. Nesting is bounded, so that no input overflows the stack.

use super::lexer;
use super::token::{Kind, Token};
use super::tree::{TopLevel, Tree};
use crate::{Diagnostic, Place};

/// The most errors that are looked for; a file with more is not PTX.
pub(super) const MAX_ERRORS: usize = crate::diagnostic::MOST_ERRORS + 1;

/// The deepest nesting of scopes, lists and parentheses that is read.
const MAX_DEPTH: u32 = 100;

/// A production has failed and said why.
#[derive(Debug)]
pub(super) struct Reported;

/// What a production gives.
pub(super) type Parsed<T> = Result<T, Reported>;

/// What could be read of a file.
pub(crate) struct Partial {
    /// Bodies of functions with errors are empty in it.
    pub(crate) tree: Tree,
    pub(crate) errors: Vec<Diagnostic>,
    /// Whether the tree has everything that stands at module level.
    pub(crate) whole: bool,
}

pub(super) struct Parser<'a> {
    file: &'a str,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    errors: Vec<Diagnostic>,
    depth: u32,
    /// Nothing more is read nor reported.
    halted: bool,
    /// For each function that was read its number among the items, where it starts and where it ends.
    pub(super) functions: Vec<(usize, Place, Place)>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Parser<'a> {
        let (tokens, flaws) = lexer::tokens(text);
        let errors = flaws.into_iter().map(|flaw| Diagnostic {
            file: file.to_string(),
            place: flaw.place,
            problem: flaw.problem,
            help: None,
        });
        Parser {
            file,
            text,
            tokens,
            at: 0,
            errors: errors.collect(),
            depth: 0,
            halted: false,
            functions: Vec::new(),
        }
    }

    /// What was read, without the bodies of functions in which something was wrong, and all that was wrong.
    pub(super) fn finish(self, mut tree: Tree) -> Partial {
        let mut inside = vec![false; self.errors.len()];
        for &(item, start, end) in &self.functions {
            let mut flawed = false;
            for (error, inside) in self.errors.iter().zip(&mut inside) {
                let here = start <= error.place && error.place <= end;
                *inside |= here;
                flawed |= here;
            }
            if let (true, Some(TopLevel::Function(function))) = (flawed, tree.items.get_mut(item)) {
                function.body = function.body.as_ref().map(|_| Vec::new());
            }
        }
        let whole = inside.iter().all(|&inside| inside) && !self.halted;
        Partial { tree, errors: self.errors, whole }
    }

    /// The token `distance` ahead.
    pub(super) fn ahead(&self, distance: usize) -> Token {
        let end = Token { kind: Kind::End, start: 0, end: 0, place: Place::default() };
        self.tokens.get(self.at + distance).or(self.tokens.last()).copied().unwrap_or(end)
    }

    /// The token that was taken last.
    pub(super) fn behind(&self) -> Token {
        self.tokens.get(self.at.saturating_sub(1)).copied().unwrap_or(self.peek())
    }

    pub(super) fn peek(&self) -> Token {
        self.ahead(0)
    }

    pub(super) fn text(&self, token: Token) -> &'a str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    pub(super) fn take(&mut self) -> Token {
        let token = self.peek();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    /// Whether the next token is this mark.
    pub(super) fn is(&self, mark: u8) -> bool {
        self.peek().kind == Kind::one(mark)
    }

    pub(super) fn is_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    /// The next token's word, if it is a directive or a type.
    pub(super) fn dotted(&self) -> Option<&'a str> {
        // Apart from the word in front of it, `.5e3` is a number.
        self.modifier().filter(|word| !word.starts_with(|first: char| first.is_ascii_digit()))
    }

    /// The next token's word, if it has a dot; only one of an instruction may start with a digit (`.2d`).
    pub(super) fn modifier(&self) -> Option<&'a str> {
        let token = self.peek();
        (token.kind == Kind::Dotted).then(|| self.text(token))
    }

    /// Takes the mark if it is next.
    pub(super) fn eat(&mut self, mark: u8) -> bool {
        let found = self.is(mark);
        if found {
            self.take();
        }
        found
    }

    pub(super) fn expect(&mut self, mark: u8, purpose: &str) -> Parsed<Token> {
        match self.is(mark) {
            true => Ok(self.take()),
            false => self.fail(&format!("`{}` {purpose}", char::from(mark))),
        }
    }

    pub(super) fn expect_kind(&mut self, kind: Kind, expected: &str) -> Parsed<Token> {
        match self.peek().kind == kind {
            true => Ok(self.take()),
            false => self.fail(expected),
        }
    }

    pub(super) fn name(&mut self, expected: &str) -> Parsed<(Place, String)> {
        let token = self.expect_kind(Kind::Name, expected)?;
        Ok((token.place, self.text(token).to_string()))
    }

    /// Reports that something else was expected here.
    pub(super) fn fail<T>(&mut self, expected: &str) -> Parsed<T> {
        let token = self.peek();
        let text: String = self.text(token).chars().take(40).collect();
        let found = match token.kind {
            Kind::Bad => return Err(Reported),
            Kind::End => "the end of the file".to_string(),
            Kind::Dotted => format!("`.{text}`"),
            Kind::Text => format!("the string \"{text}\""),
            _ => format!("`{text}`"),
        };
        self.report(token.place, format!("expected {expected}, found {found}"), None)
    }

    /// Reports a problem.
    pub(super) fn report<T>(&mut self, place: Place, problem: String, help: Option<&str>) -> Parsed<T> {
        self.note(place, problem, help);
        Err(Reported)
    }

    /// The same, for a problem that stops no production.
    pub(super) fn note(&mut self, place: Place, problem: String, help: Option<&str>) {
        // What stands at the same place has the same cause: every scope around a missing `}` misses one.
        let repeated = self.errors.last().is_some_and(|last| last.place == place);
        if !self.halted && !repeated {
            let help = help.map(str::to_string);
            self.errors.push(Diagnostic { file: self.file.to_string(), place, problem, help });
        }
        if self.errors.len() >= MAX_ERRORS {
            self.halt();
        }
    }

    /// Reads no further: every production sees the end of the file.
    fn halt(&mut self) {
        self.halted = true;
        self.at = self.tokens.len().saturating_sub(1);
    }

    /// Reads something that can hold itself.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let place = self.peek().place;
            let problem = format!("nested too deeply; expected at most {MAX_DEPTH} levels");
            let reported = self.report(place, problem, None);
            self.halt();
            return reported;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Goes on after an error: behind the next `;`, or in front of a `}` that closes what is around.
    pub(super) fn recover(&mut self) {
        let mut depth = 0u32;
        while !self.is_end() && !self.starts_function() {
            let kind = self.peek().kind;
            if kind == Kind::one(b'}') && depth == 0 {
                return;
            }
            self.take();
            match kind {
                Kind::Mark([b'{', _]) => depth += 1,
                Kind::Mark([b'}', _]) => depth -= 1,
                Kind::Mark([b';', _]) if depth == 0 => return,
                _ => {}
            }
        }
    }

    /// Whether a kernel or function starts here, which cannot be inside another.
    pub(super) fn starts_function(&self) -> bool {
        // Linkage is one word; two are refused later, more are not looked at.
        (0..3).map(|distance| self.ahead(distance)).find_map(|token| match self.text(token) {
            _ if token.kind != Kind::Dotted => Some(false),
            "visible" | "extern" | "weak" => None,
            word => Some(word == "entry" || word == "func"),
        }) == Some(true)
    }

    /// Passes over `open … close` with everything in it, if it is next.
    pub(super) fn skip_balanced(&mut self, open: u8, close: u8) -> Parsed<()> {
        let start = self.expect(open, "here")?;
        let mut depth = 1u32;
        while depth > 0 {
            match self.peek().kind {
                Kind::End => {
                    let problem =
                        format!("`{}` is not closed; expected `{}`", char::from(open), char::from(close));
                    return self.report(start.place, problem, None);
                }
                kind if kind == Kind::one(open) => depth += 1,
                kind if kind == Kind::one(close) => depth -= 1,
                _ => {}
            }
            self.take();
        }
        Ok(())
    }
}
