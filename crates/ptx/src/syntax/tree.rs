//! The syntax tree.
//!
//! Two trees are equal if they are equal with their places; [`Tree::without_places`] compares the text alone.

use crate::Place;

/// A PTX file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// `.version`.
    pub version: (u32, u32),
    /// The words of `.target`.
    pub target: Vec<String>,
    /// `.address_size`, if it is given.
    pub address_size: Option<u32>,
    /// Everything else at module level, in order.
    pub items: Vec<TopLevel>,
}

/// Something at module level.
#[derive(Clone, Debug, PartialEq)]
pub enum TopLevel {
    /// A variable.
    Variable(Declaration),
    /// A kernel or function, with or without body.
    Function(FunctionDeclaration),
    /// `.file`, `.pragma`, `.alias` and the like; debugging sections are skipped.
    Directive(DirectiveWords),
}

/// A directive with its words and operands as text tokens, without the dot (`file 1 "x.cu"`).
#[derive(Clone, Debug, PartialEq)]
pub struct DirectiveWords {
    /// Where.
    pub place: Place,
    /// Its name (`file`).
    pub name: String,
    /// The tokens after it without commas, strings with their quotes removed (and nothing else of them
    /// changed).
    pub words: Vec<String>,
}

/// A variable, a parameter, or a set of registers.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Where.
    pub place: Place,
    /// Words before the type in order, without dots: linkage (`visible`, `extern`, `weak`, `common`), state space
    /// (`global`, `reg`, `param` …), `v2`/`v4`, `ptr` and its space. Attributes are skipped.
    pub words: Vec<String>,
    /// `.align`, if given.
    pub alignment: Option<u64>,
    /// `.ptr … .align`, if given.
    pub pointer_alignment: Option<u64>,
    /// Type, without the dot (`b8`, `texref`).
    pub ty: String,
    /// Name, dimensions and initial value of each declared thing: `.reg .b32 %r<5>, %x;` has two.
    pub names: Vec<Array>,
}

/// One declared name.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Where.
    pub place: Place,
    /// The name.
    pub name: String,
    /// `%r<5>`: registers %r0 to %r4.
    pub count: Option<u64>,
    /// `x[4][2]`; `None` for an empty pair of brackets.
    pub dimensions: Vec<Option<u64>>,
    /// `= …`
    pub initial: Option<InitialValue>,
}

/// An initial value.
#[derive(Clone, Debug, PartialEq)]
pub enum InitialValue {
    /// One value.
    Value(Expression),
    /// `{ … }`
    List(Vec<InitialValue>),
    /// `filter_mode = nearest`, of a sampler.
    Field(String, Box<InitialValue>),
}

/// A constant or an address, after constant folding of integer expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// An integer; the flag is set for unsigned ones (`U` suffix, or too large for 63 bits).
    Integer(u64, bool),
    /// `0f…`, or a decimal float: single precision bits are derived from the double where needed.
    Single(u32),
    /// `0d…` or a decimal literal.
    Double(u64),
    /// `name`, `name+4`, `generic(name)`, `generic(name)+4`.
    Symbol {
        /// The name.
        name: String,
        /// Added to it.
        addend: i64,
        /// Whether it stood in `generic()`.
        generic: bool,
    },
    /// `0xFF00(name)`: the bytes of an address that the mask selects.
    Mask(u64, Box<Expression>),
}

/// A kernel or a function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDeclaration {
    /// Where its name stands.
    pub place: Place,
    /// `visible`, `extern`, `weak`.
    pub linkage: Vec<String>,
    /// `.entry` rather than `.func`.
    pub is_entry: bool,
    /// Its name.
    pub name: String,
    /// Results, in parentheses before the name.
    pub results: Vec<Declaration>,
    /// Parameters.
    pub parameters: Vec<Declaration>,
    /// `.maxntid 256, 1, 1`, `.noreturn`, `.pragma` … between head and body.
    pub directives: Vec<DirectiveWords>,
    /// The body; none for a declaration.
    pub body: Option<Vec<Statement>>,
}

/// A statement in a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `name:`
    Label(Place, String),
    /// A declaration of registers or variables.
    Declaration(Declaration),
    /// `{ … }`: a scope of its own for names.
    Block(Place, Vec<Statement>),
    /// An instruction.
    Instruction(InstructionWords),
    /// `.loc 1 5 3`, `.pragma`, `name: .branchtargets a, b;`, `name: .callprototype (…) _ (…);`: the label is
    /// the first word for the latter two.
    Directive(DirectiveWords),
    /// `name: .callprototype (.param .b32 _) _ (.param .b64 _);` as a declaration without body.
    Prototype(Place, String, Box<FunctionDeclaration>),
}

/// An instruction as written.
#[derive(Clone, Debug, PartialEq)]
pub struct InstructionWords {
    /// Where its opcode (or guard) starts.
    pub place: Place,
    /// `@p`: the register and whether it is negated.
    pub guard: Option<(String, bool)>,
    /// The opcode and its modifiers, without dots (`ld`, `global`, `u32`; `L2::128B` is one word).
    pub words: Vec<String>,
    /// The operands.
    pub operands: Vec<Operand>,
}

/// An operand as written.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A register, label, variable or special register (`%tid.x` is one name).
    Name(Place, String),
    /// `!p`
    Not(Place, String),
    /// A constant, or a symbol with an addend.
    Constant(Place, Expression),
    /// `[base+offset]`
    Address(Place, Box<Operand>, i64),
    /// `{a, b, _}`, as vector.
    Vector(Place, Vec<Operand>),
    /// `d|p`: two destinations.
    Pair(Box<Operand>, Box<Operand>),
    /// `(a, b)`: arguments of a call.
    List(Place, Vec<Operand>),
    /// `[tex, {x, y}]`, `[a, b]`: several things in brackets.
    Bracket(Place, Vec<Operand>),
}
