//! The tree of an expression.

/// A part of an expression, and the column of the text where it begins, from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it begins.
    pub column: usize,
    /// What it is.
    pub kind: Kind,
}

/// What a part of an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `0.2`, `1e6`.
    Number(f64),
    /// `"h-bfs"`.
    Text(String),
    /// `true`, `false`.
    Truth(bool),
    /// A word that the claim defines (`each`, `value`, `band`), or a figure of all rows.
    Name(String),
    /// `ipc{with=sector}`.
    Selection(Selection),
    /// `[1, 2]`.
    List(Vec<Node>),
    /// `-x`.
    Negate(Box<Node>),
    /// `not x`.
    Not(Box<Node>),
    /// `x + y`, `x < y`, `x and y`, `x in y`.
    Binary(Operator, Box<Node>, Box<Node>),
    /// `0.2..0.6`, both ends included.
    Range(Box<Node>, Box<Node>),
    /// `mean(x)`.
    Call(String, Vec<Node>),
}

/// What stands between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `in`
    Within,
    /// `and`
    And,
    /// `or`
    Or,
}

/// Rows by their labels, and the figure that is taken of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// Name of the figure.
    pub metric: String,
    /// All of them hold for a row that is taken.
    pub filters: Vec<Filter>,
}

/// `workload=h-bfs|ls-bfs`, `workload!=h-sssp`.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// Name of the label.
    pub label: String,
    /// Values of which the label has one, or none.
    pub values: Vec<String>,
    /// Whether it has one of them.
    pub is_equal: bool,
}

impl Filter {
    /// Whether a value of the label passes.
    pub fn admits(&self, value: &str) -> bool {
        self.values.iter().any(|named| named == value) == self.is_equal
    }

    /// Whether all rows that pass have one value of the label.
    pub fn is_single(&self) -> bool {
        self.is_equal && self.values.len() == 1
    }
}

impl Node {
    /// Every selection in this part, in order.
    pub fn selections(&self) -> Vec<&Selection> {
        let mut found = Vec::new();
        self.visit(&mut |node| {
            if let Kind::Selection(selection) = &node.kind {
                found.push(selection);
            }
        });
        found
    }

    /// Every word in this part that is no function.
    pub fn names(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.visit(&mut |node| {
            if let Kind::Name(name) = &node.kind {
                found.push(name.as_str());
            }
        });
        found
    }

    /// Calls a function with this part and all within it.
    pub fn visit<'a>(&'a self, see: &mut impl FnMut(&'a Node)) {
        see(self);
        match &self.kind {
            Kind::List(parts) | Kind::Call(_, parts) => parts.iter().for_each(|part| part.visit(see)),
            Kind::Negate(part) | Kind::Not(part) => part.visit(see),
            Kind::Binary(_, left, right) | Kind::Range(left, right) => {
                left.visit(see);
                right.visit(see);
            }
            _ => {}
        }
    }
}
