//! Declarations of variables, parameters and registers (PTX ISA 8.5, chapter 5).

use super::expression::integer;
use super::parser::{Parsed, Parser};
use super::token::Kind;
use super::tree::{Array, Declaration, InitialValue};

/// Words that stand in front of the type.
const WORDS: &[&str] = &[
    "visible",
    "extern",
    "weak",
    "common",
    "reg",
    "sreg",
    "const",
    "global",
    "local",
    "param",
    "shared",
    "tex",
    "surf",
    "sampler",
    "shared::cta",
    "v2",
    "v4",
    "v8",
    "ptr",
];

/// Whether a declaration starts with this word.
pub(super) fn starts_declaration(word: &str) -> bool {
    WORDS.contains(&word) && word != "ptr" || word == "align" || word == "attribute"
}

impl Parser<'_> {
    /// `.global .align 4 .b8 a[4], b = 1;`
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let mut declaration = self.declaration_head()?;
        loop {
            let mut array = self.array()?;
            if self.eat(b'=') {
                array.initial = Some(self.initial_value()?);
            }
            declaration.names.push(array);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b';', "or `,` after a declaration")?;
        Ok(declaration)
    }

    /// `(.param .b32 a, .reg .f32 b)`
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Declaration>> {
        self.expect(b'(', "in front of parameters")?;
        let mut parameters = Vec::new();
        if self.eat(b')') {
            return Ok(parameters);
        }
        loop {
            let mut declaration = self.declaration_head()?;
            declaration.names.push(self.array()?);
            parameters.push(declaration);
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')', "or `,` after a parameter")?;
        Ok(parameters)
    }

    fn declaration_head(&mut self) -> Parsed<Declaration> {
        let place = self.peek().place;
        let mut declaration = Declaration {
            place,
            words: Vec::new(),
            alignment: None,
            pointer_alignment: None,
            ty: String::new(),
            names: Vec::new(),
        };
        while let Some(word) = self.dotted() {
            let is_type = !starts_declaration(word) && word != "ptr";
            if is_type && !declaration.ty.is_empty() {
                return self.fail("a name after the type of a declaration");
            }
            self.take();
            match word {
                "align" => {
                    let alignment = Some(self.size("an alignment in bytes")?);
                    match declaration.words.iter().any(|word| word == "ptr") {
                        true => declaration.pointer_alignment = alignment,
                        false => declaration.alignment = alignment,
                    }
                }
                "attribute" => self.skip_balanced(b'(', b')')?,
                word if is_type => declaration.ty = word.to_string(),
                word => declaration.words.push(word.to_string()),
            }
        }
        match declaration.ty.is_empty() {
            true => self.fail("the type of a declaration, such as `.b32`"),
            false => Ok(declaration),
        }
    }

    /// `name`, `name<4>`, `name[4][2]`.
    fn array(&mut self) -> Parsed<Array> {
        let (place, name) = self.name("a name to declare")?;
        let mut array = Array { place, name, count: None, dimensions: Vec::new(), initial: None };
        if self.eat(b'<') {
            let token = self.expect_kind(Kind::Integer, "the number of registers in `<>`")?;
            let Some((count, _)) = integer(self.text(token)) else {
                return self.report(
                    token.place,
                    "the number of registers has more than 64 bits".into(),
                    None,
                );
            };
            array.count = Some(count);
            self.expect(b'>', "after the number of registers")?;
        }
        while self.eat(b'[') {
            let empty = self.is(b']');
            array.dimensions.push(if empty { None } else { Some(self.size("a size")?) });
            self.expect(b']', "after the size of an array")?;
        }
        Ok(array)
    }

    fn initial_value(&mut self) -> Parsed<InitialValue> {
        self.nested(|parser| {
            if parser.peek().kind == Kind::Name && parser.ahead(1).kind == Kind::one(b'=') {
                let (_, name) = parser.name("a field")?;
                parser.take();
                return Ok(InitialValue::Field(name, Box::new(parser.initial_value()?)));
            }
            if !parser.eat(b'{') {
                return Ok(InitialValue::Value(parser.expression()?));
            }
            let mut values = Vec::new();
            while !parser.is(b'}') {
                values.push(parser.initial_value()?);
                if !parser.eat(b',') {
                    break;
                }
            }
            parser.expect(b'}', "or `,` after an initial value")?;
            Ok(InitialValue::List(values))
        })
    }
}
