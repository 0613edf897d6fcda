//! A tree as PTX text.
//!
//! The text parses to the same tree. Comments, attributes and debugging sections are not in the tree and so not
//! in the text; constant expressions are printed as their value.

use super::tree::{
    Array, Declaration, DirectiveWords, Expression, FunctionDeclaration, InitialValue, InstructionWords,
    Operand, Statement, TopLevel, Tree,
};

/// Prints a tree as PTX text that parses to the same tree (places aside).
pub fn print(tree: &Tree) -> String {
    let mut text = format!(".version {}.{}\n", tree.version.0, tree.version.1);
    if !tree.target.is_empty() {
        text.push_str(&format!(".target {}\n", tree.target.join(", ")));
    }
    if let Some(size) = tree.address_size {
        text.push_str(&format!(".address_size {size}\n"));
    }
    for item in &tree.items {
        match item {
            TopLevel::Variable(variable) => {
                declaration(&mut text, variable);
                text.push_str(";\n");
            }
            TopLevel::Function(item) => function(&mut text, item),
            TopLevel::Directive(item) => directive(&mut text, item),
        }
    }
    text
}

/// Puts the text of each item, with a comma and a blank between them.
fn list<T>(text: &mut String, items: &[T], each: impl Fn(&mut String, &T)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        each(text, item);
    }
}

fn put(text: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| text.push_str(part));
}

fn directive(text: &mut String, item: &DirectiveWords) {
    let words = &item.words;
    match (item.name.as_str(), words.as_slice()) {
        ("file", [number, name, rest @ ..]) => {
            put(text, &[".file ", number, " \"", name, "\""]);
            rest.iter().for_each(|word| put(text, &[", ", word]));
            text.push('\n');
        }
        ("loc", words) => {
            text.push_str(".loc");
            // Three numbers; then the name of a key and its values, one or three.
            let mut values = 3;
            for word in words {
                match values {
                    0 => values = if word == "function_name" { 1 } else { 3 },
                    _ => {
                        values -= 1;
                        put(text, &[" ", word]);
                        continue;
                    }
                }
                put(text, &[", ", word]);
            }
            text.push('\n');
        }
        ("pragma", words) => {
            text.push_str(".pragma ");
            list(text, words, |text, word| put(text, &["\"", word, "\""]));
            text.push_str(";\n");
        }
        ("branchtargets" | "calltargets", [label, targets @ ..]) => {
            put(text, &[label, ": .", &item.name, " ", &targets.join(", "), ";\n"]);
        }
        ("alias", words) => put(text, &[".alias ", &words.join(", "), ";\n"]),
        (name, words) => put(text, &[".", name, " ", &words.join(", "), "\n"]),
    }
}

fn declaration(text: &mut String, item: &Declaration) {
    let pointer = item.words.iter().position(|word| word == "ptr").unwrap_or(item.words.len());
    let (before, after) = item.words.split_at(pointer);
    before.iter().for_each(|word| put(text, &[".", word, " "]));
    if let Some(alignment) = item.alignment {
        put(text, &[".align ", &alignment.to_string(), " "]);
    }
    put(text, &[".", &item.ty, " "]);
    after.iter().for_each(|word| put(text, &[".", word, " "]));
    if let Some(alignment) = item.pointer_alignment {
        put(text, &[".align ", &alignment.to_string(), " "]);
    }
    list(text, &item.names, array);
}

fn array(text: &mut String, item: &Array) {
    text.push_str(&item.name);
    if let Some(count) = item.count {
        put(text, &["<", &count.to_string(), ">"]);
    }
    for dimension in &item.dimensions {
        put(text, &["[", &dimension.map(|size| size.to_string()).unwrap_or_default(), "]"]);
    }
    if let Some(initial) = &item.initial {
        text.push_str(" = ");
        initial_value(text, initial);
    }
}

fn initial_value(text: &mut String, value: &InitialValue) {
    match value {
        InitialValue::Value(value) => expression(text, value),
        InitialValue::List(values) => {
            text.push('{');
            list(text, values, initial_value);
            text.push('}');
        }
        InitialValue::Field(name, value) => {
            put(text, &[name, " = "]);
            initial_value(text, value);
        }
    }
}

fn expression(text: &mut String, item: &Expression) {
    match item {
        Expression::Integer(value, true) => put(text, &[&value.to_string(), "U"]),
        // The magnitude alone would be unsigned.
        Expression::Integer(value, false) if *value == 1 << 63 => text.push_str("-9223372036854775807-1"),
        Expression::Integer(value, false) => text.push_str(&(*value as i64).to_string()),
        Expression::Single(bits) => text.push_str(&format!("0f{bits:08X}")),
        Expression::Double(bits) => text.push_str(&format!("0d{bits:016X}")),
        Expression::Symbol { name, addend, generic } => {
            match generic {
                true => put(text, &["generic(", name, ")"]),
                false => text.push_str(name),
            }
            offset(text, *addend);
        }
        Expression::Mask(mask, symbol) => {
            put(text, &[&format!("0x{mask:X}"), "("]);
            expression(text, symbol);
            text.push(')');
        }
    }
}

/// What is added to a name, with its sign; nothing if that is zero.
pub(super) fn offset(text: &mut String, addend: i64) {
    if addend != 0 {
        put(text, &[if addend < 0 { "-" } else { "+" }, &addend.unsigned_abs().to_string()]);
    }
}

fn parameters(text: &mut String, items: &[Declaration]) {
    text.push('(');
    list(text, items, declaration);
    text.push(')');
}

/// Results, name, parameters and directives.
fn head(text: &mut String, item: &FunctionDeclaration) {
    if !item.results.is_empty() {
        parameters(text, &item.results);
        text.push(' ');
    }
    text.push_str(&item.name);
    parameters(text, &item.parameters);
    text.push('\n');
    item.directives.iter().for_each(|item| directive(text, item));
}

fn function(text: &mut String, item: &FunctionDeclaration) {
    item.linkage.iter().for_each(|word| put(text, &[".", word, " "]));
    text.push_str(if item.is_entry { ".entry " } else { ".func " });
    head(text, item);
    match &item.body {
        None => text.push_str(";\n"),
        Some(body) => block(text, body),
    }
}

fn block(text: &mut String, statements: &[Statement]) {
    text.push_str("{\n");
    for item in statements {
        match item {
            Statement::Label(_, name) => put(text, &[name, ":\n"]),
            Statement::Declaration(item) => {
                declaration(text, item);
                text.push_str(";\n");
            }
            Statement::Block(_, inner) => block(text, inner),
            Statement::Instruction(item) => instruction(text, item),
            Statement::Directive(item) => directive(text, item),
            Statement::Prototype(_, label, item) => {
                put(text, &[label, ": .callprototype "]);
                head(text, item);
                text.push_str(";\n");
            }
        }
    }
    text.push_str("}\n");
}

fn instruction(text: &mut String, item: &InstructionWords) {
    if let Some((register, negated)) = &item.guard {
        put(text, &["@", if *negated { "!" } else { "" }, register, " "]);
    }
    for (index, word) in item.words.iter().enumerate() {
        put(text, &[if index > 0 { "." } else { "" }, word]);
    }
    text.push(' ');
    list(text, &item.operands, operand);
    text.push_str(";\n");
}

fn operand(text: &mut String, item: &Operand) {
    match item {
        Operand::Name(_, name) => text.push_str(name),
        Operand::Not(_, name) => put(text, &["!", name]),
        Operand::Constant(_, value) => expression(text, value),
        Operand::Address(_, base, addend) => {
            text.push('[');
            operand(text, base);
            offset(text, *addend);
            text.push(']');
        }
        Operand::Vector(_, items) => enclosed(text, "{", items, "}"),
        Operand::Pair(first, second) => {
            operand(text, first);
            text.push('|');
            operand(text, second);
        }
        Operand::List(_, items) => enclosed(text, "(", items, ")"),
        Operand::Bracket(_, items) => enclosed(text, "[", items, "]"),
    }
}

fn enclosed(text: &mut String, open: &str, items: &[Operand], close: &str) {
    text.push_str(open);
    list(text, items, operand);
    text.push_str(close);
}
