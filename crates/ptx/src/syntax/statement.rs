//! Bodies of functions and the statements in them (PTX ISA 8.5, section 4.3).

use super::declaration::starts_declaration;
use super::parser::{Parsed, Parser};
use super::token::Kind;
use super::tree::{DirectiveWords, FunctionDeclaration, InstructionWords, Statement};
use crate::Place;

impl Parser<'_> {
    /// The body of a function, with its braces.
    pub(super) fn body(&mut self, name: &str) -> Parsed<Vec<Statement>> {
        let open = self.expect(b'{', "in front of a body")?;
        self.block(open.place, &format!("the body of `{name}`"))
    }

    /// Statements to the closing brace. What is wrong inside was reported and passed over; what is right is
    /// kept, so that the rest of the file is read in its place.
    fn block(&mut self, open: Place, what: &str) -> Parsed<Vec<Statement>> {
        let mut statements = Vec::new();
        loop {
            if self.eat(b'}') {
                return Ok(statements);
            }
            if self.is_end() || self.starts_function() {
                let help = format!("it was opened at line {}, column {}", open.line, open.column);
                let problem = format!("{what} is not closed; expected `}}`");
                return self.report(self.peek().place, problem, Some(&help));
            }
            if self.statement(&mut statements).is_err() {
                self.recover();
            }
        }
    }

    fn statement(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        let token = self.peek();
        match token.kind {
            Kind::Name if self.ahead(1).kind == Kind::one(b':') => statements.push(self.label()?),
            Kind::Name => statements.push(Statement::Instruction(self.instruction(token.place, None)?)),
            Kind::Mark([b'@', _]) => {
                let guard = self.guard()?;
                statements.push(Statement::Instruction(self.instruction(token.place, Some(guard))?));
            }
            Kind::Mark([b'{', _]) => {
                self.take();
                let inner = self.nested(|parser| parser.block(token.place, "a block"))?;
                statements.push(Statement::Block(token.place, inner));
            }
            Kind::Mark([b';', _]) => {
                self.take();
            }
            Kind::Dotted => self.directive(statements)?,
            _ => return self.fail("an instruction, a label, a declaration or `}`"),
        }
        Ok(())
    }

    fn directive(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        let token = self.peek();
        match self.text(token) {
            "loc" => statements.push(Statement::Directive(self.loc()?)),
            "file" => statements.push(Statement::Directive(self.file()?)),
            "pragma" => statements.push(Statement::Directive(self.pragma()?)),
            "section" => self.section()?,
            word if starts_declaration(word) => statements.push(Statement::Declaration(self.declaration()?)),
            word => {
                let problem = format!("unknown directive `.{word}` in a body");
                let help = "expected a declaration such as `.reg`, or `.loc` or `.pragma`";
                return self.report(token.place, problem, Some(help));
            }
        }
        Ok(())
    }

    fn label(&mut self) -> Parsed<Statement> {
        let (place, label) = self.name("a label")?;
        self.expect(b':', "after a label")?;
        match self.dotted() {
            Some(table @ ("branchtargets" | "calltargets")) => {
                self.take();
                let mut words = vec![label];
                loop {
                    words.push(self.name("a label or function of the table")?.1);
                    if !self.eat(b',') {
                        break;
                    }
                }
                self.expect(b';', "or `,` in a table")?;
                Ok(Statement::Directive(DirectiveWords { place, name: table.to_string(), words }))
            }
            Some("callprototype") => {
                self.take();
                Ok(Statement::Prototype(place, label, Box::new(self.prototype(place)?)))
            }
            _ => Ok(Statement::Label(place, label)),
        }
    }

    /// `(.param .b32 _) _ (.param .b64 _) .noreturn;`
    fn prototype(&mut self, place: Place) -> Parsed<FunctionDeclaration> {
        let mut function = FunctionDeclaration {
            place,
            linkage: Vec::new(),
            is_entry: false,
            name: "_".to_string(),
            results: Vec::new(),
            parameters: Vec::new(),
            directives: Vec::new(),
            body: None,
        };
        if self.is(b'(') {
            function.results = self.parameters()?;
        }
        function.name = self.name("`_` in the place of a function's name")?.1;
        if self.is(b'(') {
            function.parameters = self.parameters()?;
        }
        self.head_directives(&mut function.directives)?;
        self.expect(b';', "after a prototype")?;
        Ok(function)
    }

    fn guard(&mut self) -> Parsed<(String, bool)> {
        self.take();
        let negated = self.eat(b'!');
        Ok((self.name("a predicate after `@`")?.1, negated))
    }

    fn instruction(&mut self, place: Place, guard: Option<(String, bool)>) -> Parsed<InstructionWords> {
        let (_, opcode) = self.name("an instruction")?;
        let mut words = Vec::with_capacity(4);
        words.push(opcode);
        while let Some(word) = self.modifier() {
            words.push(word.to_string());
            self.take();
        }
        let mut operands = Vec::with_capacity(3);
        let in_call = words.first().is_some_and(|opcode| opcode == "call");
        if !self.is(b';') {
            loop {
                operands.push(self.operand(in_call)?);
                if !self.eat(b',') {
                    break;
                }
            }
        }
        if !self.is(b';') {
            let mnemonic = words.join(".");
            return self.fail(&format!("`;` or `,` after an operand of `{mnemonic}`"));
        }
        self.take();
        Ok(InstructionWords { place, guard, words, operands })
    }
}
