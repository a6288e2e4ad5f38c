//! Runs of bytes cut into pieces that one copy of the driver does: planes of rows, as `cuMemcpy3D` knows
//! them.

use crate::plugin::{Runs, Stride};

/// Rows further apart are more than a copy of the driver takes (`CU_DEVICE_ATTRIBUTE_MAX_PITCH`).
const MAX_PITCH: u64 = (1 << 31) - 1;

/// Rows of bytes at a distance, and planes of such rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Where it starts behind the first run.
    pub(super) at: u64,
    /// Bytes of a row.
    pub(super) bytes: u64,
    /// The rows of a plane.
    pub(super) rows: Stride,
    /// The planes, a multiple of the rows' distance apart.
    pub(super) planes: Stride,
}

impl Piece {
    fn new(at: u64, bytes: u64, rows: Option<Stride>, planes: Option<Stride>) -> Piece {
        let rows = rows.unwrap_or(Stride { count: 1, distance: bytes });
        let planes = planes.unwrap_or(Stride { count: 1, distance: rows.count * rows.distance });
        Piece { at, bytes, rows, planes }
    }

    /// Bytes of all rows.
    pub(super) fn total(&self) -> usize {
        (self.bytes * self.rows.count * self.planes.count) as usize
    }

    /// Bytes from the start of the first row to the end of the last.
    pub(super) fn extent(&self) -> usize {
        let last = |stride: Stride| (stride.count - 1) * stride.distance;
        (last(self.planes) + last(self.rows) + self.bytes) as usize
    }

    /// Whether it is one row.
    pub(super) fn is_one(&self) -> bool {
        self.rows.count == 1 && self.planes.count == 1
    }

    /// The same without gaps.
    pub(super) fn packed(&self) -> Piece {
        let rows = Stride { count: self.rows.count, distance: self.bytes };
        let planes = Stride { count: self.planes.count, distance: rows.count * rows.distance };
        Piece { at: 0, bytes: self.bytes, rows, planes }
    }

    /// Parts of so many bytes at most, if it is one row, and the bytes in front of each; else itself.
    pub(super) fn parts(&self, most: u64) -> impl Iterator<Item = (Piece, usize)> + use<> {
        let piece = *self;
        let step = if self.is_one() { most } else { self.bytes };
        (0..self.bytes).step_by(step as usize).map(move |offset| {
            let bytes = step.min(piece.bytes - offset);
            (Piece { at: piece.at + offset, bytes, ..piece }, offset as usize)
        })
    }

    /// Where the rows start behind the first one.
    fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let Piece { rows, planes, .. } = *self;
        (0..planes.count).flat_map(move |plane| {
            (0..rows.count).map(move |row| (plane * planes.distance + row * rows.distance) as usize)
        })
    }

    /// Copies its rows from where they are into packed memory.
    ///
    /// # Safety
    /// The rows behind `from` may be read, and `to` has room for all of them.
    pub(super) unsafe fn gather(&self, to: *mut u8, from: *const u8) {
        let bytes = self.bytes as usize;
        for (index, at) in self.rows().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { to.add(index * bytes).copy_from_nonoverlapping(from.add(at), bytes) };
        }
    }

    /// Copies its rows from packed memory to where they belong.
    ///
    /// # Safety
    /// The rows behind `to` may be written, and `from` has all of them.
    pub(super) unsafe fn scatter(&self, to: *mut u8, from: *const u8) {
        let bytes = self.bytes as usize;
        for (index, at) in self.rows().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { to.add(at).copy_from_nonoverlapping(from.add(index * bytes), bytes) };
        }
    }
}

/// The pieces of some runs, each of so many bytes at most.
pub(super) fn pieces(runs: &Runs, most: u64) -> Vec<Piece> {
    let mut list = Vec::new();
    let rows = runs.strides.first().copied().filter(|rows| rows.distance <= MAX_PITCH);
    let Some(rows) = rows.filter(|_| runs.bytes <= most) else {
        for start in runs.offsets() {
            for at in (0..runs.bytes).step_by(most as usize) {
                list.push(Piece::new(start + at, most.min(runs.bytes - at), None, None));
            }
        }
        return list;
    };
    let planes = runs.strides.get(1).copied().filter(|planes| planes.distance.is_multiple_of(rows.distance));
    let inner = if planes.is_some() { 2 } else { 1 };
    let outer = Runs { bytes: 1, strides: runs.strides[inner..].into() };
    let planes = planes.unwrap_or(Stride { count: 1, distance: 0 });
    let most_rows = (most / runs.bytes).max(1);
    let most_planes = (most_rows / rows.count).max(1);
    for start in outer.offsets() {
        for plane in (0..planes.count).step_by(most_planes as usize) {
            let count = most_planes.min(planes.count - plane);
            let several = (count > 1).then_some(Stride { count, ..planes });
            for row in (0..rows.count).step_by(most_rows as usize) {
                let at = start + plane * planes.distance + row * rows.distance;
                let rows = Stride { count: most_rows.min(rows.count - row), ..rows };
                list.push(Piece::new(at, runs.bytes, Some(rows), several));
            }
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_parts() {
        let row = Piece::new(7, 10, None, None);
        let parts: Vec<_> = row.parts(4).map(|(part, offset)| (part.at, part.bytes, offset)).collect();
        assert_eq!(parts, [(7, 4, 0), (11, 4, 4), (15, 2, 8)]);
        let rows = Piece::new(7, 10, Some(Stride { count: 3, distance: 20 }), None);
        assert_eq!(rows.parts(4).collect::<Vec<_>>(), [(rows, 0)]);
    }

    fn runs(bytes: u64, strides: &[(u64, u64)]) -> Runs {
        Runs::new(bytes, strides.iter().map(|&(count, distance)| Stride { count, distance }))
    }

    /// Every byte is in one piece, no piece is larger than it may be, and what is gathered comes back.
    #[test]
    fn pieces_hold_all_runs() {
        for (bytes, strides) in [
            (40, &[][..]),
            (4, &[(6, 10)][..]),
            (4, &[(6, 10), (3, 80)][..]),
            (4, &[(6, 10), (3, 85)][..]),
            (4, &[(2, 10), (3, 80), (2, 500)][..]),
            (8, &[(3, 9), (2, 27), (2, 60), (2, 130)][..]),
            (4, &[(2, MAX_PITCH + 1)][..]),
        ] {
            let runs = runs(bytes, strides);
            for most in [1, 4, 9, 20, 64, u64::MAX] {
                let mut seen: Vec<u64> = Vec::new();
                for piece in pieces(&runs, most) {
                    assert!(piece.total() as u64 <= most.max(1), "{runs:?} {most}");
                    assert_eq!(piece.rows().last(), Some(piece.extent() - piece.bytes as usize));
                    seen.extend(
                        piece
                            .rows()
                            .flat_map(|row| (0..piece.bytes).map(move |byte| piece.at + row as u64 + byte)),
                    );
                }
                let wanted: Vec<u64> =
                    runs.offsets().flat_map(|run| (0..runs.bytes).map(move |byte| run + byte)).collect();
                seen.sort_unstable();
                assert_eq!(seen, wanted, "{runs:?} {most}");
            }
        }
    }

    #[test]
    fn a_face_of_a_cube_is_one_piece() {
        let face = runs(8, &[(62, 64 * 8), (62, 64 * 64 * 8)]);
        let [piece] = pieces(&face, u64::MAX)[..] else { panic!("several") };
        assert_eq!((piece.rows.count, piece.planes.count, piece.total()), (62, 62, 62 * 62 * 8));
        assert_eq!((piece.packed().planes.distance, piece.packed().extent()), (62 * 8, piece.total()));
    }

    #[test]
    fn rows_are_packed_and_unpacked() {
        let [piece] = pieces(&runs(2, &[(2, 5), (2, 15)]), u64::MAX)[..] else { panic!("several") };
        let source: Vec<u8> = (0..piece.extent() as u8).collect();
        let (mut packed, mut back) = (vec![0; piece.total()], vec![255; piece.extent()]);
        // SAFETY: the vectors are as long as the piece says.
        unsafe {
            piece.gather(packed.as_mut_ptr(), source.as_ptr());
            piece.scatter(back.as_mut_ptr(), packed.as_ptr());
        }
        assert_eq!(packed, [0, 1, 5, 6, 15, 16, 20, 21]);
        for (at, byte) in back.into_iter().enumerate() {
            assert!(byte == 255 || byte == source[at]);
        }
    }
}
