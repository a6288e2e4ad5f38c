//! Special registers: what a thread knows about its place. Their values per lane are set up when a warp
//! starts.

use crate::code::Clock;
use crate::ty::Ty;

/// A register whose value does not change while a thread runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
#[allow(missing_docs, reason = "the variants are the names")]
pub(crate) enum Special {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    LaneId,
    WarpId,
    NWarpId,
    SmId,
    NSmId,
    GridId,
    LanemaskEq,
    LanemaskLt,
    LanemaskLe,
    LanemaskGt,
    LanemaskGe,
    DynamicSmemSize,
    TotalSmemSize,
    Zero,
    One,
}

/// How many there are.
pub(crate) const SPECIALS: usize = Special::One as usize + 1;

/// What a name that begins with `%` stands for.
pub(crate) enum Found {
    /// A constant of the thread, and its type.
    Constant(Special, Ty),
    Clock(Clock, Ty),
}

/// The special register of a name.
pub(crate) fn by_name(name: &str) -> Option<Found> {
    use Special::*;
    let special = match name {
        "%tid.x" => TidX,
        "%tid.y" => TidY,
        "%tid.z" => TidZ,
        "%ntid.x" => NtidX,
        "%ntid.y" => NtidY,
        "%ntid.z" => NtidZ,
        "%ctaid.x" => CtaidX,
        "%ctaid.y" => CtaidY,
        "%ctaid.z" => CtaidZ,
        "%nctaid.x" => NctaidX,
        "%nctaid.y" => NctaidY,
        "%nctaid.z" => NctaidZ,
        "%laneid" => LaneId,
        "%warpid" => WarpId,
        "%nwarpid" => NWarpId,
        "%smid" => SmId,
        "%nsmid" => NSmId,
        "%gridid" => return Some(Found::Constant(GridId, Ty::U64)),
        "%lanemask_eq" => LanemaskEq,
        "%lanemask_lt" => LanemaskLt,
        "%lanemask_le" => LanemaskLe,
        "%lanemask_gt" => LanemaskGt,
        "%lanemask_ge" => LanemaskGe,
        "%dynamic_smem_size" => DynamicSmemSize,
        "%total_smem_size" | "%aggr_smem_size" => TotalSmemSize,
        // Clusters are one CTA each.
        "%cluster_ctaid.x" | "%cluster_ctaid.y" | "%cluster_ctaid.z" | "%cluster_ctarank" => Zero,
        "%cluster_nctaid.x" | "%cluster_nctaid.y" | "%cluster_nctaid.z" | "%cluster_nctarank" => One,
        "%clusterid.x" => CtaidX,
        "%clusterid.y" => CtaidY,
        "%clusterid.z" => CtaidZ,
        "%nclusterid.x" => NctaidX,
        "%nclusterid.y" => NctaidY,
        "%nclusterid.z" => NctaidZ,
        "%clock" => return Some(Found::Clock(Clock::Low, Ty::U32)),
        "%clock_hi" => return Some(Found::Clock(Clock::High, Ty::U32)),
        "%clock64" => return Some(Found::Clock(Clock::Whole, Ty::U64)),
        "%globaltimer" => return Some(Found::Clock(Clock::Timer, Ty::U64)),
        "%globaltimer_lo" => return Some(Found::Clock(Clock::TimerLow, Ty::U32)),
        "%globaltimer_hi" => return Some(Found::Clock(Clock::TimerHigh, Ty::U32)),
        _ => return None,
    };
    Some(Found::Constant(special, Ty::U32))
}

/// The coordinates of a thread in its CTA, or of a CTA in its grid, by its number.
pub(crate) fn coordinates(index: u32, dims: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = dims.map(|dim| dim.max(1));
    [index % x, index / x % y, index / x / y]
}
