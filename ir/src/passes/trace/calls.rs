//! The functions of the runtime that code tells of loops and accesses.

use super::loops::Traced;
use crate::builder::Cursor;
use crate::entities::{Func, Global, Local, Sig};
use crate::function::Function;
use crate::module::Module;
use crate::op::{Callee, Operand, Pos};
use crate::types::{Extend, PassBy, Signature, Type};

/// The function that gives the number of traced loops that the thread is in: `extern "C" fn() -> u32`.
pub const MARK: &str = "__accrue_loop_mark";
/// The function that is told of the start of a loop:
/// `extern "C" fn(table: *const c_char, loop_: u32, around: u32)`.
pub const ENTER: &str = "__accrue_loop_enter";
/// The function that is told of the start of an iteration: `extern "C" fn(around: u32)`.
pub const ITERATE: &str = "__accrue_loop_iterate";
/// The function that is told of the end of loops: `extern "C" fn(around: u32)`.
pub const LEAVE: &str = "__accrue_loop_leave";
/// The function that is told what the innermost loop may carry:
/// `extern "C" fn(address: *const c_void, bytes: i64, how: u32)`.
pub const SPARE: &str = "__accrue_loop_spare";
/// The function that is told of accesses: `extern "C" fn(address: *const c_void, bytes: i64, site: u32)`.
pub const ACCESS: &str = "__accrue_loop_access";
/// The function that is told of objects that begin to exist:
/// `extern "C" fn(address: *const c_void, bytes: i64)`.
pub const FRESH: &str = "__accrue_loop_fresh";
/// The function that is told of blocks which `free` gets: `extern "C" fn(address: *mut c_void)`.
pub const FREED: &str = "__accrue_loop_freed";
/// The function that is told of the table where tasks are judged: `extern "C" fn(table: *const c_char)`.
pub const TASK_TABLE: &str = "__accrue_task_table";
/// As [`ACCESS`], where tasks are judged.
pub const TASK_ACCESS: &str = "__accrue_task_access";
/// As [`FRESH`], where tasks are judged.
pub const TASK_FRESH: &str = "__accrue_task_fresh";
/// As [`FREED`], where tasks are judged.
pub const TASK_FREED: &str = "__accrue_task_freed";

/// What a loop may carry in an object, as the runtime numbers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Spare {
    /// Anything: the object is its own.
    Own = 0,
    /// Anything: the loop reduces it, in an object that begins to exist with its first iteration.
    Reduced = 1,
    /// All but a value that flows from one iteration to another.
    FlowCounts = 2,
}

/// The functions of the runtime, and the table that they get.
pub struct Calls {
    pub mark: (Func, Sig),
    pub enter: (Func, Sig),
    pub iterate: (Func, Sig),
    pub leave: (Func, Sig),
    pub spare: (Func, Sig),
    pub access: (Func, Sig),
    pub fresh: (Func, Sig),
    pub freed: (Func, Sig),
    /// Where tasks are judged: no loop tells of the table then.
    tables: Option<(Func, Sig)>,
    pub table: Global,
}

impl Calls {
    pub fn new(module: &mut Module, table: Global, traced: Traced) -> Calls {
        let mut declare = |name: &str, params: &[Type], result: Option<Type>| {
            let scalar = |ty: Type| PassBy::Scalar(ty, Extend::None);
            let params = params.iter().copied().map(scalar).collect();
            let signature = Signature { params, result: result.map(scalar), variadic: false };
            let sig = module.signatures.push(signature);
            (module.functions.push(Function::declared(name.into(), sig, Pos::none())), sig)
        };
        const OBJECT: [Type; 3] = [Type::Ptr, Type::I64, Type::I32];
        let of_tasks = traced == Traced::Tasks;
        let [told, begun, given] =
            if of_tasks { [TASK_ACCESS, TASK_FRESH, TASK_FREED] } else { [ACCESS, FRESH, FREED] };
        Calls {
            mark: declare(MARK, &[], Some(Type::I32)),
            enter: declare(ENTER, &[Type::Ptr, Type::I32, Type::I32], None),
            iterate: declare(ITERATE, &[Type::I32], None),
            leave: declare(LEAVE, &[Type::I32], None),
            spare: declare(SPARE, &OBJECT, None),
            access: declare(told, &OBJECT, None),
            fresh: declare(begun, &OBJECT[..2], None),
            freed: declare(given, &OBJECT[..1], None),
            tables: of_tasks.then(|| declare(TASK_TABLE, &OBJECT[..1], None)),
            table,
        }
    }

    pub fn call(&self, cursor: &mut Cursor<'_>, (func, sig): (Func, Sig), args: Vec<Operand>) {
        cursor.call(Callee::Direct(func), sig, args, None);
    }

    /// Whether tasks are judged.
    pub fn are_of_tasks(&self) -> bool {
        self.tables.is_some()
    }

    /// A function begins whose accesses are told of, though no loop is.
    pub fn begin(&self, cursor: &mut Cursor<'_>) {
        if let Some(tables) = self.tables {
            self.call(cursor, tables, vec![Operand::Global(self.table)]);
        }
    }

    /// The number of traced loops that the thread is in when the function begins.
    pub fn mark(&self, cursor: &mut Cursor<'_>) -> Local {
        let (func, sig) = self.mark;
        let mark = cursor.call(Callee::Direct(func), sig, Vec::new(), Some(Type::I32));
        let local = cursor.body.local(Type::I32, Some("loops".into()));
        mark.into_iter().for_each(|mark| cursor.assign(local, mark));
        local
    }

    pub fn access(&self, cursor: &mut Cursor<'_>, object: (Operand, Operand), site: u32) {
        let site = Operand::Int(Type::I32, i64::from(site));
        self.call(cursor, self.access, vec![object.0, object.1, site]);
    }

    pub fn fresh(&self, cursor: &mut Cursor<'_>, object: (Operand, Operand)) {
        self.call(cursor, self.fresh, vec![object.0, object.1]);
    }

    pub fn spare(&self, cursor: &mut Cursor<'_>, object: (Operand, Operand), how: Spare) {
        let how = Operand::Int(Type::I32, how as i64);
        self.call(cursor, self.spare, vec![object.0, object.1, how]);
    }
}

/// A constant number of bytes.
pub fn bytes(count: u64) -> Operand {
    Operand::Int(Type::I64, count as i64)
}
