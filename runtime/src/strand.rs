//! Strands of a program that has several threads.

/// A part of the program whose order it writes down: an implicit task with the tasks that come from it, or a
/// thread that OpenMP does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Strand(usize);

impl Strand {
    /// The one that something in memory belongs to, and no other strand.
    pub(crate) fn at<T>(place: &T) -> Strand {
        Strand(std::ptr::from_ref(place).addr())
    }
}
