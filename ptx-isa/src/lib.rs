//! What PTX offers where: the targets (`sm_90`) and versions (`.version 7.8`) there are, and the first of both that an
//! instruction needs.
//!
//! Who writes PTX asks which instructions a target has and which version to declare; who reads it, whether a module may hold what it
//! holds. A new architecture is one row of [`TARGETS`], a new form of an instruction one row of [`rows`].

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

/// The forms of an instruction that are not as old as `sm_30` and version 3.0, by the instruction's name without modifiers.
pub fn rows(opcode: &str) -> &'static [Row] {
    match opcode {
        "activemask" => &[(&[], 30, (6, 2))],
        "alloca" | "stacksave" | "stackrestore" => &[(&[], 52, (7, 3))],
        "atom" | "red" => &[
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
        "bar" => &[(&["warp"], 30, (6, 0))],
        "barrier" => &[(&[], 30, (6, 0)), (&["cluster"], 90, (7, 8))],
        "bmsk" | "szext" => &[(&[], 70, (7, 6))],
        "brx" => &[(&[], 30, (6, 0))],
        "dp4a" | "dp2a" => &[(&[], 61, (5, 0))],
        "elect" => &[(&[], 90, (8, 0))],
        "fence" => &[
            (&[], 70, (6, 0)),
            (&["cluster"], 90, (7, 8)),
            (&["acquire"], 90, (8, 6)),
            (&["release"], 90, (8, 6)),
        ],
        "fma" => &[(&["f16"], 53, (4, 2)), (&["bf16"], 80, (7, 0))],
        "ld" => &[
            (&["relaxed"], 70, (6, 0)),
            (&["acquire"], 70, (6, 0)),
            (&["b128"], 70, (8, 3)),
            (&["v8"], 100, (8, 8)),
        ],
        "lop3" => &[(&[], 50, (4, 3))],
        "match" => &[(&[], 70, (6, 0))],
        "mbarrier" => &[
            (&[], 80, (7, 0)),
            (&["parity"], 80, (7, 1)),
            (&["try_wait"], 90, (7, 8)),
            (&["release"], 90, (8, 0)),
            (&["acquire"], 90, (8, 0)),
        ],
        "max" | "min" => &[(&["NaN"], 80, (7, 0)), (&["f16"], 80, (7, 0))],
        "nanosleep" => &[(&[], 70, (6, 3))],
        "redux" => &[(&[], 80, (7, 0)), (&["f32"], 100, (8, 6))],
        "shf" => &[(&[], 32, (3, 1))],
        "shfl" | "vote" => &[(&["sync"], 30, (6, 0))],
        "st" => &[
            (&["relaxed"], 70, (6, 0)),
            (&["release"], 70, (6, 0)),
            (&["b128"], 70, (8, 3)),
            (&["v8"], 100, (8, 8)),
        ],
        "tanh" => &[(&[], 75, (7, 0))],
        _ => &[],
    }
}

/// The first target that lacks an instruction, if one does. Since threads are scheduled independently, what lanes do together says
/// so, `.sync`.
pub fn first_without(mnemonic: &str) -> Option<u32> {
    let (opcode, modifiers) = split(mnemonic);
    let is_gone = matches!(opcode, "shfl" | "vote") && !modifiers.split('.').any(|part| part == "sync");
    is_gone.then_some(70)
}

/// What an instruction, written with its modifiers (`atom.relaxed.gpu.add.u32`), needs.
pub fn need(mnemonic: &str) -> Need {
    let (opcode, modifiers) = split(mnemonic);
    let has = |wanted: &str| modifiers.split('.').any(|part| part == wanted);
    let forms = rows(opcode).iter().filter(|(wanted, ..)| wanted.iter().all(|modifier| has(modifier)));
    forms.fold(Need::default(), |need, &(_, target, version)| Need {
        target: need.target.max(target),
        version: need.version.max(version),
    })
}

/// An instruction's name, and its modifiers with their dots.
fn split(mnemonic: &str) -> (&str, &str) {
    mnemonic.split_at(mnemonic.bytes().position(|byte| byte == b'.').unwrap_or(mnemonic.len()))
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
