//! What PTX offers where: the targets (`sm_90`) and versions (`.version 7.8`) there are, and the first of
//! both that an instruction needs.
//!
//! Who writes PTX asks which instructions a target has and which version to declare; who reads it, whether a
//! module may hold what it holds. A new architecture is one row of [`TARGETS`], a new form of an instruction
//! one row of [`rows`].

/// A PTX version, `.version MAJOR.MINOR`.
pub type Version = (u32, u32);

/// An architecture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The number in its name: 70 for `sm_70`.
    pub number: u32,
    /// The oldest PTX version that knows it.
    pub version: Version,
    /// accrue compiles for it.
    pub is_compiled_for: bool,
}

/// A target that only other compilers' modules have.
const fn read(number: u32, version: Version) -> Target {
    Target { number, version, is_compiled_for: false }
}

const fn compiled(number: u32, version: Version) -> Target {
    Target { number, version, is_compiled_for: true }
}

/// The targets, oldest first. One that has no row needs the version of the row before it.
pub const TARGETS: &[Target] = &[
    read(30, (3, 0)),
    read(60, (5, 0)),
    compiled(70, (6, 0)),
    read(72, (6, 1)),
    compiled(75, (6, 3)),
    compiled(80, (7, 0)),
    compiled(86, (7, 1)),
    read(87, (7, 4)),
    compiled(89, (7, 8)),
    compiled(90, (7, 8)),
    compiled(100, (8, 6)),
    compiled(120, (8, 7)),
];

/// The oldest version that knows a target.
pub fn first_version(target: u32) -> Version {
    let after = TARGETS.partition_point(|row| row.number <= target);
    TARGETS[after.saturating_sub(1)].version
}

/// What an instruction asks of the module that it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Need {
    /// The first target that has it.
    pub target: u32,
    /// The first version that knows it.
    pub version: Version,
}

/// A form of an instruction: modifiers that it carries, the first target, and the first version.
pub type Row = (&'static [&'static str], u32, Version);

/// The forms of an instruction that are not as old as `sm_30` and version 3.0, by the instruction's name
/// without modifiers.
pub fn rows(opcode: &str) -> &'static [Row] {
    // Bytes, not text: compilers compare literals of text by calls, and this is asked for every instruction
    // that is written.
    match opcode.as_bytes() {
        b"activemask" => &[(&[], 30, (6, 2))],
        b"alloca" | b"stacksave" | b"stackrestore" => &[(&[], 52, (7, 3))],
        b"atom" | b"red" => &[
            (&["relaxed"], 70, (6, 0)),
            (&["acquire"], 70, (6, 0)),
            (&["release"], 70, (6, 0)),
            (&["acq_rel"], 70, (6, 0)),
            (&["cta"], 60, (5, 0)),
            (&["gpu"], 60, (5, 0)),
            (&["sys"], 60, (5, 0)),
            (&["cluster"], 90, (7, 8)),
            (&["add", "f64"], 60, (5, 0)),
            (&["add", "f16x2"], 60, (6, 2)),
            (&["add", "f16"], 70, (6, 3)),
            (&["add", "bf16"], 90, (7, 8)),
            (&["cas", "b16"], 70, (6, 3)),
            (&["b128"], 90, (8, 3)),
            (&["min", "s64"], 32, (3, 1)),
            (&["max", "s64"], 32, (3, 1)),
        ],
        b"bar" => &[(&["warp"], 30, (6, 0))],
        b"barrier" => &[(&[], 30, (6, 0)), (&["cluster"], 90, (7, 8))],
        b"bmsk" | b"szext" => &[(&[], 70, (7, 6))],
        b"brx" => &[(&[], 30, (6, 0))],
        b"dp4a" | b"dp2a" => &[(&[], 61, (5, 0))],
        b"elect" => &[(&[], 90, (8, 0))],
        b"fence" => &[
            (&[], 70, (6, 0)),
            (&["cluster"], 90, (7, 8)),
            (&["acquire"], 90, (8, 6)),
            (&["release"], 90, (8, 6)),
        ],
        b"fma" => &[(&["f16"], 53, (4, 2)), (&["bf16"], 80, (7, 0))],
        b"griddepcontrol" => &[(&[], 90, (7, 8))],
        b"ld" => &[
            (&["relaxed"], 70, (6, 0)),
            (&["acquire"], 70, (6, 0)),
            (&["b128"], 70, (8, 3)),
            (&["v8"], 100, (8, 8)),
        ],
        b"lop3" => &[(&[], 50, (4, 3))],
        b"match" => &[(&[], 70, (6, 0))],
        b"mbarrier" => &[
            (&[], 80, (7, 0)),
            (&["parity"], 80, (7, 1)),
            (&["try_wait"], 90, (7, 8)),
            (&["release"], 90, (8, 0)),
            (&["acquire"], 90, (8, 0)),
        ],
        b"max" | b"min" => &[(&["NaN"], 80, (7, 0)), (&["f16"], 80, (7, 0))],
        b"nanosleep" => &[(&[], 70, (6, 3))],
        b"redux" => &[(&[], 80, (7, 0)), (&["f32"], 100, (8, 6))],
        b"shf" => &[(&[], 32, (3, 1))],
        b"shfl" | b"vote" => &[(&["sync"], 30, (6, 0))],
        b"st" => &[
            (&["relaxed"], 70, (6, 0)),
            (&["release"], 70, (6, 0)),
            (&["b128"], 70, (8, 3)),
            (&["v8"], 100, (8, 8)),
        ],
        b"tanh" => &[(&[], 75, (7, 0))],
        _ => &[],
    }
}

/// The first target that lacks an instruction, if one does. Since threads are scheduled independently, what
/// lanes do together says so, `.sync`.
pub fn first_without(mnemonic: &str) -> Option<u32> {
    let (opcode, modifiers) = split(mnemonic);
    let is_gone = matches!(opcode, "shfl" | "vote") && !has(modifiers, "sync");
    is_gone.then_some(70)
}

/// What an instruction, written with its modifiers (`atom.relaxed.gpu.add.u32`), needs.
pub fn need(mnemonic: &str) -> Need {
    need_above(mnemonic, Need::default())
}

/// As [`need`], beyond what is there anyway: forms that ask for no more are not looked for.
pub fn need_above(mnemonic: &str, there: Need) -> Need {
    let (opcode, modifiers) = split(mnemonic);
    rows(opcode).iter().fold(there, |need, &(wanted, target, version)| {
        let all = Need { target: need.target.max(target), version: need.version.max(version) };
        if all != need && wanted.iter().all(|modifier| has(modifiers, modifier)) { all } else { need }
    })
}

/// An instruction's name, and its modifiers with their dots.
fn split(mnemonic: &str) -> (&str, &str) {
    mnemonic.split_at(mnemonic.bytes().position(|byte| byte == b'.').unwrap_or(mnemonic.len()))
}

/// Whether a modifier is among others.
fn has(modifiers: &str, wanted: &str) -> bool {
    modifiers.as_bytes().split(|byte| *byte == b'.').any(|part| part == wanted.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_decide_what_an_instruction_needs() {
        assert_eq!(need("add.s32"), Need::default());
        assert_eq!(need("bar.sync").target, 0);
        assert_eq!(need("bar.warp.sync").version, (6, 0));
        assert_eq!(need("atom.relaxed.gpu.cas.b16"), Need { target: 70, version: (6, 3) });
        assert_eq!(need("redux.sync.add.s32").target, 80);
        assert_eq!(need("mbarrier.arrive.shared.b64"), Need { target: 80, version: (7, 0) });
    }

    #[test]
    fn lanes_that_exchange_values_say_that_they_meet() {
        assert_eq!(first_without("shfl.down.b32"), Some(70));
        assert_eq!(first_without("shfl.sync.down.b32"), None);
        assert_eq!(first_without("add.s32"), None);
    }

    #[test]
    fn targets_between_rows_need_what_the_row_before_needs() {
        assert!(TARGETS.windows(2).all(|pair| pair[0].number < pair[1].number));
        assert!(TARGETS.windows(2).all(|pair| pair[0].version <= pair[1].version));
        for (target, version) in
            [(20, (3, 0)), (61, (5, 0)), (70, (6, 0)), (90, (7, 8)), (103, (8, 6)), (121, (8, 7))]
        {
            assert_eq!(first_version(target), version, "sm_{target}");
        }
    }
}
