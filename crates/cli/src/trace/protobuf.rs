//! The few constructs of the protocol buffer wire format that a timeline needs.

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    bytes: Vec<u8>,
}

/// Wire types.
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const LENGTH_DELIMITED: u64 = 2;

impl Message {
    /// An empty message.
    pub(super) fn new() -> Message {
        Message::default()
    }

    /// Adds a number.
    pub(super) fn number(mut self, field: u64, value: u64) -> Message {
        self.varint(field << 3 | VARINT);
        self.varint(value);
        self
    }

    /// Adds a real number.
    pub(super) fn real(mut self, field: u64, value: f64) -> Message {
        self.varint(field << 3 | FIXED64);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    /// Adds a text.
    pub(super) fn text(self, field: u64, value: &str) -> Message {
        self.delimited(field, value.as_bytes())
    }

    /// Adds a message.
    pub(super) fn message(self, field: u64, value: &Message) -> Message {
        self.delimited(field, &value.bytes)
    }

    /// The bytes.
    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    fn delimited(mut self, field: u64, value: &[u8]) -> Message {
        self.varint(field << 3 | LENGTH_DELIMITED);
        self.varint(value.len() as u64);
        self.bytes.extend(value);
        self
    }

    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}
