//! How deep the keys of a TOML text lie, before anything is made of them.
//!
//! A key with thousands of dots becomes as many tables inside each other, and whoever walks through those, or only
//! drops them, runs out of stack. No file of ours nests more than a handful.

/// Most parts of a key, and most brackets around a value.
const DEEPEST: usize = 16;

/// What is wrong with a text that is nested too deep.
pub const TOO_DEEP: &str = "keys and values lie too deep here: expected at most 16 tables inside each other";

/// Where keys or brackets are nested too deep, as the offset of a byte; none in a text that can be read.
pub fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut dots, mut brackets) = (0, 0, 0usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => {
                at = line_end(bytes, at);
                continue;
            }
            b'"' | b'\'' => {
                at = string_end(bytes, at);
                continue;
            }
            b'.' => dots += 1,
            b'[' | b'{' => (dots, brackets) = (0, brackets + 1),
            b']' | b'}' => (dots, brackets) = (0, brackets.saturating_sub(1)),
            b'=' | b',' | b'\n' => dots = 0,
            _ => {}
        }
        if dots >= DEEPEST || brackets > DEEPEST {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| at + length)
}

/// Behind the string that begins at `at`. One that does not end is an error of its own, for the parser.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let triple = [quote; 3];
    let is_long = bytes[at..].starts_with(&triple);
    let mut at = at + if is_long { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // Literal strings have no escapes.
            b'\\' if quote == b'"' => at += 1,
            _ if is_long && bytes[at..].starts_with(&triple) => return at + 3,
            _ if !is_long && byte == quote => return at + 1,
            b'\n' if !is_long => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_keys_headers_and_values_are_found_where_they_are() {
        let deep = vec!["a"; 100_000].join(".");
        assert_eq!(too_deep(&format!("x = 1\n{deep} = 1\n")), Some(6 + 31));
        assert!(too_deep(&format!("[{deep}]\n")).is_some());
        assert!(too_deep(&format!("x = {{ {deep} = 1 }}\n")).is_some());
        assert!(too_deep(&format!("x = {}", "[".repeat(1000))).is_some());
        assert!(too_deep(&format!("\"a\".{deep} = 1")).is_some());
    }

    #[test]
    fn what_only_looks_deep_is_not() {
        let dots = ".".repeat(100);
        for text in [
            format!("x = \"{dots}\"\ny = '{dots}'\n# {dots}\nw = '''{dots}'''"),
            format!("z = \"\"\"\n{dots}\"{dots}\n\"\"\"\n"),
            format!("x = \"a \\\" {dots}\""),
            "[a.b.c.d]\nx.y = 1.5\n".repeat(1000),
            format!("x = [{}]", "[1.0, 2.0], ".repeat(100)),
        ] {
            assert_eq!(too_deep(&text), None, "{text}");
        }
    }
}
