//! The clauses of two constructs as those of one.
//!
//! In the program a device does what the first construct's data clauses say at its end before it does what
//! the second one's say at its start. Fused, it does both starts, then both ends. The same comes of it
//!
//! - of clauses that only look up what is on the device: `present`, `no_create`, `deviceptr`;
//! - of two clauses of one variable and one section: behind the first construct, host and device have the
//!   same bytes, or they are of no meaning;
//! - of clauses that move different objects, which have no byte in common. Of pointers with `restrict` that
//!   is not known: sections may overlap where accesses do not.
//!
//! Launches that one `kernels` became are in a data region with all of their clauses, so that these look up
//! only.
//!
//! Anything else is not united: a `copyin` behind a `create` takes the host's bytes where the device's would
//! be found; sections of one array that differ may overlap. What a construct writes of an array that it has
//! by `copyin` is lost at its end, so that an array with such a clause must not be written ([`Kept`]).

use super::Why;
use super::values::{Scope, Values};
use crate::acc::{
    Async, DataMap, Device, Dims, GangClause, LoopDirective, LoopKind, MapKind, MapModifiers, Scheduling,
};
use crate::op::Operand;

/// A variable that one of two constructs must not write.
pub(super) struct Kept {
    pub(super) map: DataMap,
    /// Of the second construct, rather than of the first.
    pub(super) in_second: bool,
}

/// What united data clauses rely on.
#[derive(Default)]
pub(super) struct Demands {
    /// Variables that a construct must not write.
    pub(super) kept: Vec<Kept>,
    /// Pointers that must lead to different objects, or a pointer and an object.
    pub(super) apart: Vec<[Operand; 2]>,
}

/// Compares operands of the first construct with those of the second.
pub(super) struct Same<'a> {
    pub(super) values: &'a mut Values,
    /// Locals in front of the constructs.
    pub(super) scopes: [&'a Scope; 2],
    /// A data region around the constructs has all their clauses.
    pub(super) in_region: bool,
}

impl Same<'_> {
    fn is(&mut self, first: Operand, second: Operand) -> bool {
        let [a, b] = self.scopes;
        self.values.of(a, first) == self.values.of(b, second)
    }

    fn optional(&mut self, first: Option<Operand>, second: Option<Operand>) -> bool {
        match (first, second) {
            (None, None) => true,
            (Some(first), Some(second)) => self.is(first, second),
            _ => false,
        }
    }

    /// Whether constructs are executed by the same device and queue, under the same conditions, and nothing
    /// is waited for between them.
    pub(super) fn scheduling(&mut self, first: &Scheduling, second: &Scheduling) -> Result<(), Why> {
        let is_device = match (first.device, second.device) {
            (Device::Number(a), Device::Number(b)) => self.is(a, b),
            (a, b) => a == b,
        };
        let is_queue = match (first.async_, second.async_) {
            (Async::Queue(a), Async::Queue(b)) => self.is(a, b),
            (a, b) => a == b,
        };
        let is_condition = self.optional(first.if_, second.if_) && self.optional(first.self_, second.self_);
        let is_task = first.task.is_some() || second.task.is_some();
        match () {
            () if !is_device || is_task => Err("their devices or tasks differ".into()),
            () if !is_queue => Err("their `async` clauses differ".into()),
            () if second.wait.present => Err("it waits for a queue".into()),
            () if !is_condition => Err("their conditions differ".into()),
            () => Ok(()),
        }
    }

    /// Whether launches have the same dimensions.
    pub(super) fn dims(&mut self, first: &Dims, second: &Dims) -> bool {
        let gangs = first.gangs.iter().zip(&second.gangs).all(|(&a, &b)| self.optional(a, b));
        gangs && self.optional(first.workers, second.workers) && self.optional(first.vector, second.vector)
    }

    /// Whether directives of loops say the same, but for reductions.
    pub(super) fn directives(
        &mut self,
        first: Option<&LoopDirective>,
        second: Option<&LoopDirective>,
    ) -> bool {
        let (Some(a), Some(b)) = (first, second) else { return first.is_none() && second.is_none() };
        let gangs = match (&a.gang, &b.gang) {
            (None, None) => true,
            (Some(a), Some(b)) => self.gang_clauses(a, b),
            _ => false,
        };
        let nested = |a: Option<Option<Operand>>, b: Option<Option<Operand>>, same: &mut Self| match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => same.optional(a, b),
            _ => false,
        };
        let is_free = |kind| matches!(kind, LoopKind::Default | LoopKind::Independent);
        (a.kind == b.kind || is_free(a.kind) && is_free(b.kind))
            && (a.collapse, a.collapse_force, a.in_order, a.at_once)
                == (b.collapse, b.collapse_force, b.in_order, b.at_once)
            && a.levels == b.levels
            && a.team.is_none()
            && b.team.is_none()
            && a.private.is_empty()
            && b.private.is_empty()
            && a.tile.len() == b.tile.len()
            && a.tile.iter().zip(&b.tile).all(|(&a, &b)| self.optional(a, b))
            && gangs
            && nested(a.worker, b.worker, self)
            && nested(a.vector, b.vector, self)
    }

    fn gang_clauses(&mut self, a: &GangClause, b: &GangClause) -> bool {
        let is_static = match (a.static_, b.static_) {
            (None, None) => true,
            (Some(a), Some(b)) => self.optional(a, b),
            _ => false,
        };
        is_static && a.dim == b.dim && self.optional(a.num, b.num)
    }

    /// The data clauses of both, and what they rely on.
    pub(super) fn maps(
        &mut self,
        first: &[DataMap],
        second: &[DataMap],
    ) -> Result<(Vec<DataMap>, Demands), Why> {
        let (mut all, mut demands) = (first.to_vec(), Demands::default());
        for map in second {
            let known = first.iter().position(|other| is_of_one(other, map));
            let Some(known) = known else {
                let in_region = self.in_region;
                let is_apart = |other: &DataMap| in_region || demands.keep_apart(map, other);
                if !is_plain(map) || !first.iter().all(is_apart) {
                    return Err(unsure(map));
                }
                all.push(map.clone());
                continue;
            };
            let united = self.united(&first[known], map).ok_or_else(|| unsure(map))?;
            let mut others = first.iter().enumerate().filter(|(n, _)| *n != known);
            if !self.in_region && !others.all(|(_, other)| demands.keep_apart(map, other)) {
                return Err(unsure(map));
            }
            // The compiler's own `copyin` is of what nothing writes.
            let is_kept = |map: &DataMap| map.kind == MapKind::CopyIn && !map.modifiers.by_use;
            if is_kept(&first[known]) {
                demands.kept.push(Kept { map: map.clone(), in_second: false });
            }
            if is_kept(map) && first[known].kind != MapKind::CopyIn {
                demands.kept.push(Kept { map: map.clone(), in_second: true });
            }
            all[known] = united;
        }
        // What only the first one moves.
        let moves_alone = |map: &&DataMap| !second.iter().any(|other| is_of_one(map, other));
        match first.iter().filter(moves_alone).find(|map| !is_plain(map)) {
            Some(map) => Err(unsure(map)),
            None => Ok((all, demands)),
        }
    }

    /// One clause for two of one variable.
    fn united(&mut self, first: &DataMap, second: &DataMap) -> Option<DataMap> {
        let is_alike = first.modifiers == second.modifiers
            && self.is(first.start, second.start)
            && self.optional(first.pointer_bias, second.pointer_bias)
            && first.pointer_at.map(|at| at.offset) == second.pointer_at.map(|at| at.offset)
            && self.optional(first.pointer_at.map(|at| at.base), second.pointer_at.map(|at| at.base))
            && (first.rows.is_none() && second.rows.is_none())
            && (first.strides.is_empty() && second.strides.is_empty())
            // Members that one construct uses may lie apart from those that the other one uses.
            && first.members == second.members;
        if !is_alike {
            return None;
        }
        if (is_lookup(first) || self.in_region) && first.kind == second.kind {
            // Of a pointer without a section only its first byte is asked for.
            return match (first.bytes.as_int(), second.bytes.as_int()) {
                (_, Some(0)) => Some(first.clone()),
                (Some(0), _) => Some(second.clone()),
                _ => self.is(first.bytes, second.bytes).then(|| first.clone()),
            };
        }
        let kind = self.is(first.bytes, second.bytes).then(|| kind_of_both(first.kind, second.kind))??;
        has_plain_modifiers(first).then(|| DataMap { kind, ..first.clone() })
    }
}

/// Whether clauses are about one variable, or one lvalue.
fn is_of_one(first: &DataMap, second: &DataMap) -> bool {
    match (first.var, second.var) {
        (Some(a), Some(b)) => a == b,
        (None, None) => first.name == second.name,
        _ => false,
    }
}

/// Whether a clause leaves what is on the device as it is.
fn is_lookup(map: &DataMap) -> bool {
    matches!(map.kind, MapKind::Present | MapKind::NoCreate | MapKind::DevicePtr) && has_plain_modifiers(map)
}

/// Whether a clause of one construct only may be one of both.
fn is_plain(map: &DataMap) -> bool {
    let is_known = matches!(
        map.kind,
        MapKind::Present
            | MapKind::NoCreate
            | MapKind::DevicePtr
            | MapKind::Copy
            | MapKind::CopyIn
            | MapKind::CopyOut
            | MapKind::Create
    );
    is_known
        && map.pointer_at.is_none()
        && map.rows.is_none()
        && map.strides.is_empty()
        && has_plain_modifiers(map)
}

fn has_plain_modifiers(map: &DataMap) -> bool {
    let MapModifiers { by_use, required, readonly, read_later, .. } = map.modifiers;
    map.modifiers == MapModifiers { by_use, required, readonly, read_later, ..MapModifiers::default() }
}

impl Demands {
    /// Whether clauses of both constructs do not meet: one of them only looks something up, or they name
    /// different objects, which may be left to be found out.
    fn keep_apart(&mut self, a: &DataMap, b: &DataMap) -> bool {
        if is_lookup(a) || is_lookup(b) {
            return true;
        }
        let is_known = |map: &DataMap| match map.var {
            Some(Operand::Local(_)) => map.pointer_bias.is_some(),
            Some(Operand::Slot(_) | Operand::Global(_)) => map.pointer_bias.is_none(),
            _ => false,
        };
        let (Some(one), Some(two)) = (a.var, b.var) else { return false };
        if !is_known(a) || !is_known(b) || one == two {
            return false;
        }
        if one.as_local().or(two.as_local()).is_some() {
            self.apart.push([one, two]);
        }
        true
    }
}

/// What a clause says that stands for both of two constructs, one behind the other.
fn kind_of_both(first: MapKind, second: MapKind) -> Option<MapKind> {
    Some(match (first, second) {
        (MapKind::CopyIn, MapKind::CopyIn) => MapKind::CopyIn,
        (MapKind::Create, MapKind::Create) => MapKind::Create,
        (MapKind::CopyOut, MapKind::Copy | MapKind::CopyIn | MapKind::CopyOut) => MapKind::CopyOut,
        (MapKind::CopyIn, MapKind::Copy | MapKind::CopyOut)
        | (MapKind::Copy, MapKind::Copy | MapKind::CopyIn | MapKind::CopyOut) => MapKind::Copy,
        _ => return None,
    })
}

fn unsure(map: &DataMap) -> Why {
    format!("what its clause moves of `{}` may be other bytes", map.name).into()
}
