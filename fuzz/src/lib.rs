//! What the fuzz targets do with their bytes.
//!
//! The targets themselves only call these functions, so that an ordinary test can replay the corpus with a stable
//! compiler (`tests/tests/fuzz_corpus.rs`). A function returns whatever the bytes are, and panics when something that
//! must hold does not.

mod backend_frames;
mod decode_values;
mod numeric;
mod pgoutput;
mod text_parse;
mod types;
mod value_roundtrip;

pub use backend_frames::backend_frames;
pub use decode_values::decode_values;
pub use numeric::numeric;
pub use pgoutput::pgoutput;
pub use text_parse::text_parse;
pub use value_roundtrip::value_roundtrip;
