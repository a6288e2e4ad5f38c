//! What macro expansion keeps: the frames above the text, and the stacks that their tokens lie in.

use super::macros::MacroId;
use crate::source::UseId;
use crate::token::Token;
use std::ops::Range;

/// Where the tokens of a frame are.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// The body of an object-like macro without operators, read where it was defined.
    Body(UseId),
    /// [`Expansion::buffer`], cut back to where the frame starts.
    Buffer,
    /// [`Expansion::arguments`]; the frame does not own them, and nothing below it may be read through it.
    Argument,
}

/// Tokens above the text.
pub(super) struct Frame {
    pub(super) place: Place,
    pub(super) pos: u32,
    pub(super) end: u32,
    pub(super) start: u32,
    /// The macro that is active while this frame is on the stack.
    pub(super) active: MacroId,
    /// The white space flags of the first token: those of the macro's name.
    pub(super) first_flags: u8,
}

/// The state of macro expansion.
#[derive(Default)]
pub(super) struct Expansion {
    pub(super) frames: Vec<Frame>,
    pub(super) buffer: Vec<Token>,
    pub(super) arguments: Vec<Token>,
    pub(super) expanded: Vec<Token>,
    pub(super) ranges: Vec<Range<u32>>,
    /// White space of a macro that expanded to nothing, for the token behind it.
    pub(super) carried_space: u8,
    pub(super) depth: u32,
    pub(super) scratch: String,
}
