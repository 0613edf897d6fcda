//! From trees to specs: a deserialiser whose errors name the key, its place, and the nearest known name.

use crate::error::MachineError;
use crate::lists;
use crate::nearest::nearest;
use crate::origin::Origin;
use crate::tree::{Node, Table, Value};
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};
use std::fmt;

/// Makes a value of a tree.
pub(crate) fn decode<'de, T: Deserialize<'de>>(tree: &'de Table) -> Result<T, Fault> {
    T::deserialize(TableReader(tree))
}

/// What is wrong with a tree.
#[derive(Debug)]
pub(crate) struct Fault {
    problem: String,
    help: Option<Box<str>>,
    /// The keys that lead to it, the innermost first.
    path: Vec<String>,
    origin: Option<Origin>,
    /// The key is none that is known here, and near none.
    pub(crate) lost: bool,
    /// A key is missing.
    pub(crate) missing: bool,
    /// The key that was probably meant in place of the innermost.
    near: Option<&'static str>,
}

impl Fault {
    fn new(problem: String) -> Fault {
        Fault { problem, help: None, path: Vec::new(), origin: None, lost: false, missing: false, near: None }
    }

    /// A key that is none of those that are known there.
    pub(crate) fn unknown_key(key: &str, node: &Node, known: &[&'static str]) -> Fault {
        let near = nearest(key, known.iter().copied());
        let help = Some(format!("known here: {}", known.join(", ")).into());
        let fault = Fault { help, lost: near.is_none(), near, ..Fault::new("no such key".to_string()) };
        fault.inside(key, &node.key_origin)
    }

    fn inside(mut self, key: &str, origin: &Origin) -> Fault {
        self.path.push(key.to_string());
        self.origin.get_or_insert_with(|| origin.clone());
        self
    }

    /// As the error that users see.
    pub(crate) fn into_error(self) -> MachineError {
        let mut found = self.path;
        lists::in_words(&mut found);
        let mut path: Vec<&str> = found.iter().rev().map(String::as_str).collect();
        let error = MachineError::of_key(path.join("."), self.problem).at(self.origin);
        let meant = self.near.map(|near| {
            path.pop();
            path.push(near);
            format!("did you mean `{}`?", path.join("."))
        });
        MachineError { help: meant.or(self.help.map(String::from)), ..error }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Fault {}

/// The words of the standard deserialisers in those of machine files.
fn in_words(expected: &dyn de::Expected) -> String {
    let expected = expected.to_string();
    match expected.as_str() {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more".to_string(),
        "i8" | "i16" | "i32" | "i64" => "a whole number".to_string(),
        "f32" | "f64" => "a number".to_string(),
        "a boolean" => "true or false".to_string(),
        "a sequence" => "an array".to_string(),
        text if text.starts_with("struct ") => "a table".to_string(),
        text if text.starts_with("enum ") => "a name in quotes".to_string(),
        _ => expected,
    }
}

/// The largest number of a type that is narrower than the numbers of files.
fn most(expected: &dyn de::Expected) -> Option<i64> {
    match expected.to_string().as_str() {
        "u8" => Some(u8::MAX.into()),
        "u16" => Some(u16::MAX.into()),
        "u32" => Some(u32::MAX.into()),
        "i32" => Some(i32::MAX.into()),
        _ => None,
    }
}

/// What to write in place of a name that files had before.
fn former(variant: &str, expected: &[&str]) -> Option<String> {
    let is_index = expected.contains(&"fermi") && expected.contains(&"xor");
    let help = "did you mean `fermi`, which `hashed` was for 32 or 64 sets of lines of 128B, or `xor`, which it was \
                for all others?";
    (variant == "hashed" && is_index).then(|| help.to_string())
}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Fault {
        Fault::new(message.to_string())
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Fault {
        Fault::new(format!("expected {}, found {found}", in_words(expected)))
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Fault {
        match (found, most(expected)) {
            (de::Unexpected::Signed(number), Some(most)) if number > most => {
                Fault::new(format!("{number} is too large: expected at most {most}"))
            }
            _ => Fault::invalid_type(found, expected),
        }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Fault {
        let near = nearest(field, expected.iter().copied());
        let fault = Fault::new("no such key".to_string());
        let help = Some(format!("known here: {}", expected.join(", ")).into());
        Fault { help, lost: near.is_none(), near, ..fault }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Fault {
        let near = nearest(variant, expected.iter().copied()).map(|near| format!("did you mean `{near}`?"));
        let fault = Fault::new(format!("'{variant}' is none of {}", expected.join(", ")));
        Fault { help: former(variant, expected).or(near).map(Into::into), ..fault }
    }

    fn missing_field(field: &'static str) -> Fault {
        let help = "give it, or inherit it: inherits = \"fermi\"".into();
        Fault { help: Some(help), missing: true, ..Fault::new(format!("the key `{field}` is missing")) }
    }
}

struct TableReader<'de>(&'de Table);

impl<'de> de::Deserializer<'de> for TableReader<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_map(Entries { rest: self.0.iter(), value: None })
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Entries<'de> {
    rest: std::collections::btree_map::Iter<'de, String, Node>,
    value: Option<(&'de String, &'de Node)>,
}

impl<'de> de::MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((key, node)) = self.rest.next() else { return Ok(None) };
        self.value = Some((key, node));
        let read = seed.deserialize(key.as_str().into_deserializer());
        read.map(Some).map_err(|fault: Fault| fault.inside(key, &node.key_origin))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let Some((key, node)) = self.value.take() else {
            return Err(de::Error::custom("a value without a key"));
        };
        seed.deserialize(NodeReader(node)).map_err(|fault| fault.inside(key, &node.origin))
    }
}

struct NodeReader<'de>(&'de Node);

impl<'de> de::Deserializer<'de> for NodeReader<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::Table(table) => TableReader(table).deserialize_any(visitor),
            Value::Array(items) => visitor.visit_seq(Items(items.iter().enumerate())),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Integer(number) => visitor.visit_i64(*number),
            Value::Float(number) => visitor.visit_f64(*number),
            Value::Boolean(truth) => visitor.visit_bool(*truth),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::String(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            _ => Err(Fault::new(format!("expected one of {}, in quotes", variants.join(", ")))),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'de>(std::iter::Enumerate<std::slice::Iter<'de, Node>>);

impl<'de> de::SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let Some((number, node)) = self.0.next() else { return Ok(None) };
        let read = seed.deserialize(NodeReader(node));
        read.map(Some).map_err(|fault| fault.inside(&number.to_string(), &node.origin))
    }
}
