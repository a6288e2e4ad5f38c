//! What the checks found.

use crate::queue::{Asker, HostAccess};
use std::fmt;
use std::sync::Arc;

/// A mistake of a program, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// What it is.
    pub kind: Kind,
    /// The kernel that was launched; empty for what the host does.
    pub kernel: String,
    /// Who did it; absent when it was nobody in particular.
    pub at: Option<Site>,
    /// The other side of a race, or who holds what is waited for.
    pub other: Option<Site>,
    /// The memory that it is about.
    pub memory: Option<MemoryPlace>,
    /// The mistake in words, without a place.
    pub message: String,
    /// What else is known: who waits where.
    pub notes: Vec<String>,
    /// The two sides of a race are different work on queues.
    pub is_between_queues: bool,
}

macro_rules! kinds {
    ($($kind:ident = $name:literal: $meaning:literal,)*) => {
        /// Kinds of mistakes.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Kind {
            $(#[doc = $meaning] $kind,)*
        }

        impl Kind {
            /// All of them.
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];

            /// Its name in the output.
            pub fn name(self) -> &'static str {
                match self {
                    $(Kind::$kind => $name,)*
                }
            }

            /// What it is, in one sentence: lower case, without a full stop.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Kind::$kind => $meaning,)*
                }
            }
        }
    };
}

kinds! {
    OutOfBounds = "out of bounds": "an access outside of every variable and allocation",
    NullPointer = "null pointer": "an access through the null pointer or near it",
    HostPointer = "host pointer on the device": "an access to an address of the host",
    UseAfterFree = "use after free": "an access to memory that was freed",
    Misaligned = "misaligned access": "an address that is no multiple of what the access needs",
    ReadOnly = "write to constant memory": "a write to constant memory",
    Uninitialised = "uninitialised value": "a register or memory that nobody wrote is read",
    Race = "data race": "two accesses to the same bytes, one a write, neither before the other",
    QuietRace = "data race of equal values":
        "a data race that leaves the value as it was: equal stores, or a read beside such a store",
    DivergentBarrier = "barrier not reached by all":
        "a barrier that only some lanes of a warp reach, or not all threads of a CTA",
    DivergentLanes = "lanes do not meet":
        "an instruction for several lanes that one of them never reaches, or one outside of its mask executes",
    InactiveLane = "value of an inactive lane": "a value is taken from a lane that does not take part",
    BarrierObject = "wrong use of a barrier object":
        "a barrier object (`mbarrier`) is used in a way that means nothing",
    WarpLock = "one lock for two lanes of a warp": "two lanes of a warp want one lock",
    Deadlock = "deadlock": "all threads wait",
    Livelock = "endless wait": "threads spin, and nobody will ever change what they wait for",
    Trap = "trap": "the program executes `trap`, as `abort` does",
    Breakpoint = "breakpoint": "the program executes `brkpt`",
    Assertion = "assertion failed": "an assertion of the program fails on the device",
    BadCall = "wrong call":
        "a call through an address that is no function, or of a function that does not match",
    BadJump = "wrong jump": "a jump beyond its table",
    StackOverflow = "stack overflow": "the stack of a thread is full",
    BadFree = "wrong free": "`free` of what was not allocated",
    BadLaunch = "wrong launch": "a launch has dimensions, parameters or shared memory that the kernel cannot have",
    Limit = "limit of instructions": "the limit of instructions was reached",
}

impl Kind {
    /// The id of its diagnostic: the name in kebab-case.
    pub fn id(self) -> String {
        self.name().replace(' ', "-")
    }
}

/// A thread at an instruction, or the host that copies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// What it did: "read of 4 bytes", "atomic write", "copy to the host".
    pub action: String,
    /// Whether it wrote; a copy to the host reads.
    pub is_write: bool,
    /// Whether it is atomic, or ordered like that.
    pub is_atomic: bool,
    /// The kernel, where it is another one than the report's.
    pub kernel: Option<String>,
    /// The function that the instruction is in.
    pub function: String,
    /// Line of the PTX; 0 for the host.
    pub ptx_line: u32,
    /// File, line and column of the source; the column is 0 if only the line is known.
    pub source: Option<(String, u32, u32)>,
    /// The thread; none for the host.
    pub thread: Option<Thread>,
    /// What the host does; none for a thread.
    pub host: Option<HostAccess>,
    /// Who asked for the work, if that is known.
    pub asker: Option<Arc<Asker>>,
}

/// A thread of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thread {
    /// Its CTA.
    pub cta: [u32; 3],
    /// Its place in the CTA.
    pub thread: [u32; 3],
    /// Its warp in the CTA.
    pub warp: u32,
    /// Its lane in the warp.
    pub lane: u32,
}

/// A place in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPlace {
    /// The generic address.
    pub address: u64,
    /// The state space: `global`, `shared`, `local`, ...
    pub space: &'static str,
    /// The variable or allocation that it is in, or next to.
    pub object: Option<String>,
    /// Where in it, in bytes; negative before it.
    pub offset: i64,
    /// Bytes of the object.
    pub size: u64,
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [tx, ty, tz] = self.thread;
        let [cx, cy, cz] = self.cta;
        write!(f, "thread ({tx},{ty},{tz}) of CTA ({cx},{cy},{cz}), lane {} of warp {}", self.lane, self.warp)
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.action)?;
        if let Some(thread) = self.thread {
            write!(f, " by {thread}")?;
        }
        if let Some(queue) = self.asker.as_ref().and_then(|asker| asker.queue) {
            write!(f, " on queue {queue}")?;
        }
        match &self.source {
            Some((file, line, 0)) => write!(f, "\n      at {file}:{line}")?,
            Some((file, line, column)) => write!(f, "\n      at {file}:{line}:{column}")?,
            None if self.ptx_line == 0 => return Ok(()),
            None => f.write_str("\n      at")?,
        }
        if self.ptx_line == 0 {
            return Ok(());
        }
        write!(f, " (PTX line {} in `{}`", self.ptx_line, self.function)?;
        if let Some(kernel) = &self.kernel {
            write!(f, ", kernel `{kernel}`")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for MemoryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} address 0x{:x}", self.space, self.address)?;
        let Some(object) = &self.object else { return f.write_str(", which belongs to nothing") };
        let inside = u64::try_from(self.offset).is_ok_and(|offset| offset < self.size);
        if inside {
            write!(f, ", byte {} of `{object}` ({} bytes)", self.offset, self.size)
        } else if self.offset < 0 {
            write!(f, ", {} bytes before `{object}` ({} bytes)", self.offset.unsigned_abs(), self.size)
        } else {
            let behind = (self.offset as u64).saturating_sub(self.size);
            write!(f, ", {behind} bytes behind the end of `{object}` ({} bytes)", self.size)
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.message)?;
        if !self.kernel.is_empty() {
            write!(f, "\n  in kernel `{}`", self.kernel)?;
        }
        if let Some(memory) = &self.memory {
            write!(f, "\n  {memory}")?;
        }
        if let Some(at) = &self.at {
            write!(f, "\n  {at}")?;
        }
        if let Some(other) = &self.other {
            write!(f, "\n  {other}")?;
        }
        for note in &self.notes {
            write!(f, "\n  {note}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Report {}
