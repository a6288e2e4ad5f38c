//! What cannot be put into PTX.

use accrue_ir::Pos;

/// Something that this back end cannot put into PTX.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("in `{function}`: {message}")]
pub struct EmitError {
    /// The function it is in, by its name in C; the global, if it is in an initial value.
    pub function: String,
    /// Where.
    pub pos: Pos,
    /// What is not possible.
    pub message: String,
}

/// Result of writing the text or a part of it.
pub(super) type Result<T> = std::result::Result<T, EmitError>;
