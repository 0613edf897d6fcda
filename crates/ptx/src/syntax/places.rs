//! Trees without their places, to compare what they say.

use super::tree::{Declaration, FunctionDeclaration, Operand, Statement, TopLevel, Tree};
use crate::Place;

impl Tree {
    /// The same tree with every place 0:0.
    pub fn without_places(mut self) -> Tree {
        for item in &mut self.items {
            match item {
                TopLevel::Variable(item) => declaration(item),
                TopLevel::Function(item) => function(item),
                TopLevel::Directive(item) => item.place = Place::default(),
            }
        }
        self
    }
}

fn declaration(item: &mut Declaration) {
    item.place = Place::default();
    item.names.iter_mut().for_each(|name| name.place = Place::default());
}

fn function(item: &mut FunctionDeclaration) {
    item.place = Place::default();
    item.results.iter_mut().chain(&mut item.parameters).for_each(declaration);
    item.directives.iter_mut().for_each(|directive| directive.place = Place::default());
    block(item.body.as_deref_mut().unwrap_or_default());
}

fn block(statements: &mut [Statement]) {
    for statement in statements {
        match statement {
            Statement::Label(place, _) => *place = Place::default(),
            Statement::Declaration(item) => declaration(item),
            Statement::Block(place, inner) => {
                *place = Place::default();
                block(inner);
            }
            Statement::Instruction(item) => {
                item.place = Place::default();
                item.operands.iter_mut().for_each(operand);
            }
            Statement::Directive(item) => item.place = Place::default(),
            Statement::Prototype(place, _, item) => {
                *place = Place::default();
                function(item);
            }
        }
    }
}

fn operand(item: &mut Operand) {
    match item {
        Operand::Name(place, _) | Operand::Not(place, _) | Operand::Constant(place, _) => {
            *place = Place::default()
        }
        Operand::Address(place, base, _) => {
            *place = Place::default();
            operand(base);
        }
        Operand::Vector(place, items) | Operand::List(place, items) | Operand::Bracket(place, items) => {
            *place = Place::default();
            items.iter_mut().for_each(operand);
        }
        Operand::Pair(first, second) => {
            operand(first);
            operand(second);
        }
    }
}
