//! Rows as they travel, and what a cursor over them needs.

use wreath_codecs::{Encode, Encoder, Type};

/// Rows of some columns.
pub struct Table {
    /// The types of the columns.
    pub types: Vec<Type>,
    /// The same, as postgres-types has them.
    pub postgres_types: Vec<postgres_types::Type>,
    /// The values of each row, each behind its length.
    pub rows: Vec<Vec<u8>>,
}

impl Table {
    /// Columns of these built-in types, and rows of these values.
    pub fn new(oids: &[u32], rows: usize, mut row: impl FnMut(usize, &mut Encoder)) -> Self {
        let mut write = |i| {
            let mut out = Encoder::new();
            row(i, &mut out);
            out.as_bytes().to_vec()
        };
        Self {
            types: oids.iter().map(|&oid| Type::from_oid(oid).expect("built in")).collect(),
            postgres_types: oids
                .iter()
                .map(|&oid| postgres_types::Type::from_oid(oid).expect("built in"))
                .collect(),
            rows: (0..rows).map(&mut write).collect(),
        }
    }

    /// The body of the message that describes the columns.
    pub fn description(&self) -> Vec<u8> {
        let mut body = (self.types.len() as u16).to_be_bytes().to_vec();
        for ty in &self.types {
            // A name, no table, the type, its size and modifier, which nobody needs, and the binary format.
            body.extend(b"c\0\0\0\0\0\0\0");
            body.extend(ty.oid().to_be_bytes());
            body.extend([0xff; 6]);
            body.extend([0, 1]);
        }
        body
    }
}

/// Appends a value, with its length.
pub fn put(out: &mut Encoder, value: &dyn Encode) {
    out.put_value(value).expect("can be sent");
}
