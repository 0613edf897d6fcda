//! Text to tree, by recursive descent.
//!
//! ```text
//! any        = all { "or" all }
//! all        = truth { "and" truth }
//! truth      = "not" truth | comparison
//! comparison = range [ ("<" | "<=" | ">" | ">=" | "==" | "!=" | "in") range ]
//! range      = sum [ ".." sum ]
//! sum        = product { ("+" | "-") product }
//! product    = factor { ("*" | "/") factor }
//! factor     = "-" factor | number | text | "(" any ")" | "[" any { "," any } "]"
//!            | word | word "(" any { "," any } ")" | word "{" filter { "," filter } "}"
//! filter     = word ("=" | "!=") value { "|" value }
//! ```

use super::Problem;
use super::tree::{Filter, Kind, Node, Operator, Selection};

/// Longest text of an expression.
const BYTES_MAX: usize = 4096;
/// Deepest nesting of brackets and signs.
const DEPTH_MAX: usize = 48;
/// Most operators in chains: `1 + 1 + …` makes a tree as deep as it is long.
const OPERATORS_MAX: usize = 200;

/// Reads an expression.
pub fn parse(text: &str) -> Result<Node, Problem> {
    if text.len() > BYTES_MAX {
        return Err(Problem::at(1, format!("the expression is longer than {BYTES_MAX} bytes")));
    }
    let mut parser = Parser { characters: text.chars().collect(), at: 0, depth: 0, operators: 0 };
    let node = parser.any()?;
    match parser.peek() {
        None => Ok(node),
        Some(c) => Err(parser.problem(format!("`{c}` is not expected here"))),
    }
}

struct Parser {
    characters: Vec<char>,
    at: usize,
    depth: usize,
    operators: usize,
}

type Parsed = Result<Node, Problem>;

/// Operators that are words, and signs, longest first.
const COMPARISONS: [(&str, Operator); 7] = [
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("==", Operator::Equal),
    ("!=", Operator::Unequal),
    ("<", Operator::Less),
    (">", Operator::Greater),
    ("in", Operator::Within),
];

impl Parser {
    fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::at(self.at + 1, message)
    }

    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        while self.characters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.characters.get(self.at).copied()
    }

    /// Takes a sign or a word, if it is next. A word ends where no letter follows.
    fn take(&mut self, sign: &str) -> bool {
        self.peek();
        let end = self.at + sign.chars().count();
        let is_next =
            sign.chars().enumerate().all(|(index, c)| self.characters.get(self.at + index) == Some(&c));
        let is_word = sign.chars().all(char::is_alphabetic);
        let goes_on = is_word && self.characters.get(end).is_some_and(|&c| is_word_part(c));
        if is_next && !goes_on {
            self.at = end;
        }
        is_next && !goes_on
    }

    fn expect(&mut self, sign: &str) -> Result<(), Problem> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(self.problem(format!("`{sign}` is missing"))),
        }
    }

    /// Operands between operators of one rank, from the left.
    fn chain(&mut self, operand: fn(&mut Parser) -> Parsed, operators: &[(&str, Operator)]) -> Parsed {
        let mut left = operand(self)?;
        while let Some(&(_, operator)) = operators.iter().find(|(sign, _)| self.take(sign)) {
            self.operators += 1;
            if self.operators > OPERATORS_MAX {
                return Err(self.problem(format!("there are more than {OPERATORS_MAX} operators")));
            }
            let right = operand(self)?;
            let column = left.column;
            left = Node { column, kind: Kind::Binary(operator, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn any(&mut self) -> Parsed {
        self.chain(Parser::all, &[("or", Operator::Or)])
    }

    fn all(&mut self) -> Parsed {
        self.chain(Parser::truth, &[("and", Operator::And)])
    }

    fn truth(&mut self) -> Parsed {
        self.peek();
        let column = self.at + 1;
        match self.take("not") {
            true => self.nested(|parser| Ok(Node { column, kind: Kind::Not(Box::new(parser.truth()?)) })),
            false => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Parsed {
        let left = self.range()?;
        let Some(&(_, operator)) = COMPARISONS.iter().find(|(sign, _)| self.take(sign)) else {
            return Ok(left);
        };
        let right = self.range()?;
        Ok(Node { column: left.column, kind: Kind::Binary(operator, Box::new(left), Box::new(right)) })
    }

    fn range(&mut self) -> Parsed {
        let low = self.sum()?;
        match self.take("..") {
            true => Ok(Node { column: low.column, kind: Kind::Range(Box::new(low), Box::new(self.sum()?)) }),
            false => Ok(low),
        }
    }

    fn sum(&mut self) -> Parsed {
        self.chain(Parser::product, &[("+", Operator::Add), ("-", Operator::Subtract)])
    }

    fn product(&mut self) -> Parsed {
        self.chain(Parser::factor, &[("*", Operator::Multiply), ("/", Operator::Divide)])
    }

    /// Goes one level down, which hostile text could do without end.
    fn nested(&mut self, inner: impl FnOnce(&mut Parser) -> Parsed) -> Parsed {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.problem(format!("brackets and signs are nested deeper than {DEPTH_MAX}")));
        }
        let parsed = inner(self);
        self.depth -= 1;
        parsed
    }

    fn factor(&mut self) -> Parsed {
        let next = self.peek();
        let column = self.at + 1;
        let kind = match next {
            None => return Err(self.problem("the expression ends where an operand is expected")),
            Some('-') => {
                self.at += 1;
                return self
                    .nested(|parser| Ok(Node { column, kind: Kind::Negate(Box::new(parser.factor()?)) }));
            }
            Some('(') => {
                self.at += 1;
                let inner = self.nested(Parser::any)?;
                self.expect(")")?;
                inner.kind
            }
            Some('[') => {
                self.at += 1;
                Kind::List(self.list("]")?)
            }
            Some('"') => Kind::Text(self.quoted()?),
            Some(c) if c.is_ascii_digit() => Kind::Number(self.number()?),
            Some(c) if c.is_alphabetic() => self.word()?,
            Some(c) => return Err(self.problem(format!("`{c}` begins no operand"))),
        };
        Ok(Node { column, kind })
    }

    /// Operands between commas, up to a bracket.
    fn list(&mut self, end: &str) -> Result<Vec<Node>, Problem> {
        let mut parts = Vec::new();
        if self.take(end) {
            return Ok(parts);
        }
        loop {
            parts.push(self.nested(Parser::any)?);
            if self.take(end) {
                return Ok(parts);
            }
            self.expect(",")?;
        }
    }

    fn quoted(&mut self) -> Result<String, Problem> {
        let begin = self.at + 1;
        let length = self.characters[begin..].iter().position(|&c| c == '"');
        let Some(length) = length else { return Err(self.problem("the text has no closing quote")) };
        self.at = begin + length + 1;
        Ok(self.characters[begin..begin + length].iter().collect())
    }

    /// Digits, a point if a digit follows it (two points are a range), an exponent.
    fn number(&mut self) -> Result<f64, Problem> {
        let begin = self.at;
        let digit = |parser: &Parser, at: usize| parser.characters.get(at).is_some_and(char::is_ascii_digit);
        let digits = |parser: &mut Parser| {
            while digit(parser, parser.at) {
                parser.at += 1;
            }
        };
        digits(self);
        if self.characters.get(self.at) == Some(&'.') && digit(self, self.at + 1) {
            self.at += 1;
            digits(self);
        }
        if self.characters.get(self.at) == Some(&'e') && digit(self, self.at + 1) {
            self.at += 1;
            digits(self);
        }
        let text: String = self.characters[begin..self.at].iter().collect();
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| Problem::at(begin + 1, format!("`{text}` is no number")))
    }

    fn name(&mut self) -> Result<String, Problem> {
        self.peek();
        let begin = self.at;
        while self.characters.get(self.at).is_some_and(|&c| is_word_part(c)) {
            // Two points end a word: they are a range.
            if self.characters[self.at] == '.' && self.characters.get(self.at + 1) == Some(&'.') {
                break;
            }
            self.at += 1;
        }
        match begin == self.at {
            true => Err(self.problem("a name is missing")),
            false => Ok(self.characters[begin..self.at].iter().collect()),
        }
    }

    fn word(&mut self) -> Result<Kind, Problem> {
        let column = self.at + 1;
        let name = self.name()?;
        match name.as_str() {
            "true" => return Ok(Kind::Truth(true)),
            "false" => return Ok(Kind::Truth(false)),
            "and" | "or" | "not" | "in" => {
                return Err(Problem::at(column, format!("`{name}` stands where an operand is expected")));
            }
            _ => {}
        }
        match self.peek() {
            Some('(') => {
                self.at += 1;
                Ok(Kind::Call(name, self.list(")")?))
            }
            Some('{') => {
                self.at += 1;
                Ok(Kind::Selection(Selection { metric: name, filters: self.filters()? }))
            }
            _ => Ok(Kind::Name(name)),
        }
    }

    fn filters(&mut self) -> Result<Vec<Filter>, Problem> {
        let mut filters = Vec::new();
        if self.take("}") {
            return Ok(filters);
        }
        loop {
            filters.push(self.filter()?);
            if self.take("}") {
                return Ok(filters);
            }
            self.expect(",")?;
        }
    }

    fn filter(&mut self) -> Result<Filter, Problem> {
        let label = self.name()?;
        let is_equal = !self.take("!=");
        if is_equal {
            self.expect("=")?;
        }
        let mut values = vec![self.label_value()?];
        while self.take("|") {
            values.push(self.label_value()?);
        }
        Ok(Filter { label, values, is_equal })
    }

    /// A value of a label: in quotes, or as it stands up to what ends it.
    fn label_value(&mut self) -> Result<String, Problem> {
        if self.peek() == Some('"') {
            return self.quoted();
        }
        let begin = self.at;
        while self.characters.get(self.at).is_some_and(|c| !"|,}\"".contains(*c)) {
            self.at += 1;
        }
        let value: String = self.characters[begin..self.at].iter().collect();
        match value.trim() {
            "" => Err(Problem::at(begin + 1, "a value of the label is missing")),
            value => Ok(value.to_owned()),
        }
    }
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}
