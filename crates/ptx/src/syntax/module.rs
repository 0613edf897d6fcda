//! A PTX file: its head, and what stands at module level (PTX ISA 8.5, chapter 11).

use super::declaration::starts_declaration;
use super::parser::{Parsed, Parser};
use super::token::Kind;
use super::tree::{DirectiveWords, FunctionDeclaration, TopLevel, Tree};
use crate::Place;

impl Parser<'_> {
    /// The whole file.
    pub(super) fn tree(&mut self) -> Tree {
        let mut tree = Tree::default();
        let (mut version, mut target) = (false, false);
        while !self.is_end() {
            let start = self.peek();
            let result = match self.dotted() {
                Some("version") => {
                    version = true;
                    self.version(&mut tree)
                }
                Some("target") => {
                    target = true;
                    self.target(&mut tree)
                }
                Some("address_size") => self.address_size(&mut tree),
                _ => self.top_level(&mut tree.items),
            };
            if result.is_err() {
                // The token that was wrong is passed over if nothing else is.
                let stuck = self.peek().start == start.start;
                if stuck || !self.starts_function() {
                    self.recover_at_module_level(stuck);
                }
            }
        }
        self.demand(version, "`.version`, such as `.version 7.5`");
        self.demand(target, "`.target`, such as `.target sm_70`");
        tree
    }

    fn demand(&mut self, found: bool, expected: &str) {
        if !found {
            let place = Place { line: 1, column: 1 };
            self.note(place, format!("the file has no directive {expected}"), None);
        }
    }

    /// After an error behind the next `;` or block, or in front of a function.
    fn recover_at_module_level(&mut self, stuck: bool) {
        if stuck {
            self.take();
        }
        while !self.is_end() && !self.starts_function() {
            match self.peek().kind {
                Kind::Mark([b'{', _]) => {
                    // A block that is not closed is reported there, and ends the file.
                    return self.skip_balanced(b'{', b'}').unwrap_or(());
                }
                Kind::Mark([b';', _]) | Kind::Mark([b'}', _]) => {
                    self.take();
                    return;
                }
                _ => self.take(),
            };
        }
    }

    fn version(&mut self, tree: &mut Tree) -> Parsed<()> {
        self.take();
        let token = self.expect_kind(Kind::Decimal, "a version such as 7.5")?;
        let parts = self.text(token).split_once('.');
        let number = |text: &str| text.parse::<u32>().ok();
        match parts.and_then(|(major, minor)| Some((number(major)?, number(minor)?))) {
            Some(version) => tree.version = version,
            None => return self.report(token.place, "expected a version such as 7.5".to_string(), None),
        }
        Ok(())
    }

    fn target(&mut self, tree: &mut Tree) -> Parsed<()> {
        self.take();
        loop {
            tree.target.push(self.name("a target such as sm_70")?.1);
            if !self.eat(b',') {
                return Ok(());
            }
        }
    }

    fn address_size(&mut self, tree: &mut Tree) -> Parsed<()> {
        self.take();
        let place = self.peek().place;
        match self.size("32 or 64")? {
            size @ (32 | 64) => tree.address_size = Some(size as u32),
            other => {
                return self.report(
                    place,
                    format!("expected an address size of 32 or 64, found {other}"),
                    None,
                );
            }
        }
        Ok(())
    }

    fn top_level(&mut self, items: &mut Vec<TopLevel>) -> Parsed<()> {
        if self.starts_function() {
            let start = self.peek().place;
            let function = self.function()?;
            let end = if self.is_end() { self.peek().place } else { self.behind().place };
            self.functions.push((items.len(), start, end));
            items.push(TopLevel::Function(function));
            return Ok(());
        }
        let place = self.peek().place;
        match self.dotted() {
            Some("file") => items.push(TopLevel::Directive(self.file()?)),
            Some("pragma") => items.push(TopLevel::Directive(self.pragma()?)),
            Some("alias") => items.push(TopLevel::Directive(self.alias()?)),
            Some("section") => self.section()?,
            // Old compilers repeat the line of a declaration in front of it.
            Some("loc") => {
                self.loc()?;
            }
            Some(word) if starts_declaration(word) => items.push(TopLevel::Variable(self.declaration()?)),
            Some(word) => {
                let problem = format!("unknown directive `.{word}` at module level");
                let help =
                    "expected a kernel, a function, a variable, `.file`, `.section`, `.pragma` or `.alias`";
                return self.report(place, problem, Some(help));
            }
            None if self.eat(b';') => {}
            None => return self.fail("a directive such as `.visible .entry` or `.global` at module level"),
        }
        Ok(())
    }

    /// `.file 1 "x.cu"`, `.file 1 "x.cu", 12345, 678`.
    pub(super) fn file(&mut self) -> Parsed<DirectiveWords> {
        let place = self.take().place;
        let mut words = vec![self.plain_integer("the number of a file")?];
        let name = self.expect_kind(Kind::Text, "the name of a file in quotes")?;
        words.push(self.text(name).to_string());
        while self.eat(b',') {
            words.push(self.plain_integer("a time or size of a file")?);
        }
        Ok(DirectiveWords { place, name: "file".to_string(), words })
    }

    /// `.pragma "nounroll";`
    pub(super) fn pragma(&mut self) -> Parsed<DirectiveWords> {
        let place = self.take().place;
        let mut words = Vec::new();
        loop {
            let text = self.expect_kind(Kind::Text, "a string after `.pragma`")?;
            words.push(self.text(text).to_string());
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b';', "after `.pragma`")?;
        Ok(DirectiveWords { place, name: "pragma".to_string(), words })
    }

    /// `.alias name, function;`
    fn alias(&mut self) -> Parsed<DirectiveWords> {
        let place = self.take().place;
        let (_, name) = self.name("the name of the alias")?;
        self.expect(b',', "after the name of an alias")?;
        let (_, function) = self.name("the name of a function")?;
        self.expect(b';', "after `.alias`")?;
        Ok(DirectiveWords { place, name: "alias".to_string(), words: vec![name, function] })
    }

    /// `.section .debug_info { … }`: of no use to us, and not kept.
    pub(super) fn section(&mut self) -> Parsed<()> {
        self.take();
        match self.peek().kind {
            Kind::Dotted | Kind::Name => self.take(),
            _ => return self.fail("the name of a section"),
        };
        self.skip_balanced(b'{', b'}')
    }

    /// `.loc 1 5 3, function_name $L+4, inlined_at 1 6 2`
    pub(super) fn loc(&mut self) -> Parsed<DirectiveWords> {
        let place = self.take().place;
        let mut words = Vec::new();
        self.three_numbers(&mut words)?;
        while self.eat(b',') {
            let (at, key) = self.name("`function_name` or `inlined_at`")?;
            words.push(key.clone());
            match key.as_str() {
                "function_name" => {
                    let (_, mut name) = self.name("a label of the names of functions")?;
                    super::print::offset(&mut name, self.addend()?);
                    words.push(name);
                }
                "inlined_at" => self.three_numbers(&mut words)?,
                _ => {
                    let problem =
                        format!("expected `function_name` or `inlined_at` in `.loc`, found `{key}`");
                    return self.report(at, problem, None);
                }
            }
        }
        Ok(DirectiveWords { place, name: "loc".to_string(), words })
    }

    fn three_numbers(&mut self, words: &mut Vec<String>) -> Parsed<()> {
        for what in ["the number of a file", "a line", "a column"] {
            words.push(self.plain_integer(what)?);
        }
        Ok(())
    }

    /// An integer by itself, in decimal: what follows may be anything.
    fn plain_integer(&mut self, what: &str) -> Parsed<String> {
        let token = self.expect_kind(Kind::Integer, what)?;
        match super::expression::integer(self.text(token)) {
            Some((value, _)) => Ok(value.to_string()),
            None => self.report(token.place, format!("expected {what} below 2^64"), None),
        }
    }

    /// A kernel or a function, with or without body.
    fn function(&mut self) -> Parsed<FunctionDeclaration> {
        let mut function = self.function_start()?;
        self.head_directives(&mut function.directives)?;
        if self.is(b'(') {
            function.results = self.parameters()?;
            self.head_directives(&mut function.directives)?;
        }
        (function.place, function.name) = self.name("the name of a kernel or function")?;
        if self.is(b'(') {
            function.parameters = self.parameters()?;
        }
        self.head_directives(&mut function.directives)?;
        if self.is(b'{') {
            function.body = Some(self.body(&function.name)?);
            return Ok(function);
        }
        self.expect(b';', "or a body in `{}` after the head of a function")?;
        Ok(function)
    }

    fn function_start(&mut self) -> Parsed<FunctionDeclaration> {
        let mut linkage = Vec::new();
        loop {
            let token = self.take();
            match self.text(token) {
                word @ ("entry" | "func") => {
                    return Ok(FunctionDeclaration {
                        place: token.place,
                        linkage,
                        is_entry: word == "entry",
                        name: String::new(),
                        results: Vec::new(),
                        parameters: Vec::new(),
                        directives: Vec::new(),
                        body: None,
                    });
                }
                word => linkage.push(word.to_string()),
            }
        }
    }

    /// `.maxntid 256, 1, 1`, `.noreturn`, `.pragma "…";` around the name of a function.
    pub(super) fn head_directives(&mut self, directives: &mut Vec<DirectiveWords>) -> Parsed<()> {
        while let Some(word) = self.dotted().filter(|_| !self.starts_function()) {
            if word == "pragma" {
                directives.push(self.pragma()?);
                continue;
            }
            let place = self.take().place;
            if word == "attribute" {
                self.skip_balanced(b'(', b')')?;
                continue;
            }
            let mut words = Vec::new();
            while self.peek().kind == Kind::Integer {
                words.push(self.plain_integer("a number")?);
                if !self.eat(b',') {
                    break;
                }
            }
            directives.push(DirectiveWords { place, name: word.to_string(), words });
        }
        Ok(())
    }
}
