//! Reading of directives, constructs, clauses, regions, launches and data operations.

use super::names::{DATA_KINDS, data_kind};
use super::parse::{Parser, Result};
use crate::acc::{
    Async, ConstructData, ConstructKind, DataKind, DataMap, DataOp, Declared, Device, Dims, ElementPart,
    Elements, GangClause, Launch, LaunchArg, LoopDirective, LoopKind, MapModifiers, Member, PassHow,
    PrivateVar, RedObject, RedType, Reduction, ReductionClause, ReductionKind, ReductionOp, ReductionPart,
    RegionData, RegionParam, RegionShape, Row, RowSection, Scheduling, ShapeTrial, SizeClauses, Stride,
    TaskClauses, Wait,
};
use crate::entities::{Construct, Local, Loop};
use crate::op::{Operand, Pos};
use std::sync::Arc;

/// Arrays of pointers nest less deeply than this; the limit keeps hostile text from exhausting the stack.
const MAX_ROWS: usize = 64;

impl Parser<'_> {
    /// `word operand`, if that word is next.
    fn argument(&mut self, word: &str) -> Result<Option<Operand>> {
        if self.eat(word)? { Ok(Some(self.operand()?)) } else { Ok(None) }
    }

    fn required(&mut self, word: &str) -> Result<Operand> {
        self.expect(word)?;
        self.operand()
    }

    fn operand_or(&mut self, absent: &str) -> Result<Option<Operand>> {
        if self.eat(absent)? { Ok(None) } else { Ok(Some(self.operand()?)) }
    }

    /// What follows the opening brace of a loop's directive.
    pub(super) fn directive(&mut self) -> Result<LoopDirective> {
        self.expect("directive")?;
        let mut directive = LoopDirective {
            kind: self.eat_named()?.unwrap_or(LoopKind::Default),
            gang: if self.eat("gang")? { Some(self.gang()?) } else { None },
            worker: if self.eat("worker")? { Some(self.eat_operand()?) } else { None },
            vector: if self.eat("vector")? { Some(self.eat_operand()?) } else { None },
            collapse: if self.eat("collapse")? { self.int()? } else { 1 },
            collapse_force: self.eat("force")?,
            in_order: self.eat("in_order")?,
            at_once: if self.eat("at_once")? { self.int()? } else { 1 },
            team: None,
            tile: Vec::new(),
            private: Vec::new(),
            reductions: Vec::new(),
            scans: Vec::new(),
            levels: Vec::new(),
            pos: crate::Pos::none(),
        };
        if self.eat("team")? {
            self.expect("(")?;
            let mut objects = Vec::new();
            self.list(")", |p| {
                objects.push(p.operand()?);
                Ok(())
            })?;
            directive.team = Some(objects);
        }
        if self.eat("tile")? {
            self.expect("(")?;
            self.list(")", |p| {
                directive.tile.push(p.operand_or("*")?);
                Ok(())
            })?;
        }
        if self.eat("levels")? {
            self.expect("(")?;
            self.list(")", |p| {
                directive.levels.push(p.level()?);
                Ok(())
            })?;
        }
        directive.pos = self.pos()?;
        while !self.eat("}")? {
            if self.eat("private")? {
                directive.private.push(self.private_var()?);
            } else if self.eat("reduction")? {
                directive.reductions.push(self.reduction_clause()?);
            } else if self.eat("scan")? {
                directive.scans.push(self.reduction_clause()?);
            } else {
                return self.expected("`private`, `reduction`, `scan` or `}`");
            }
        }
        Ok(directive)
    }

    fn gang(&mut self) -> Result<GangClause> {
        let mut gang = GangClause { num: None, static_: None, dim: 1 };
        if self.eat("(")? {
            self.list(")", |p| {
                if p.eat("num")? {
                    gang.num = Some(p.operand()?);
                } else if p.eat("static")? {
                    gang.static_ = Some(p.operand_or("*")?);
                } else if p.eat("dim")? {
                    gang.dim = p.int()?;
                } else {
                    return p.expected("`num`, `static` or `dim`");
                }
                Ok(())
            })?;
        }
        Ok(gang)
    }

    fn private_var(&mut self) -> Result<PrivateVar> {
        let name = self.string()?;
        let var = self.operand()?;
        self.expect("size")?;
        let bytes = self.int()?;
        self.expect("align")?;
        let align = self.int()?;
        let implicit = self.eat("implicit")?;
        Ok(PrivateVar { name, var, bytes, align, implicit, pos: self.pos()? })
    }

    fn red_type(&mut self) -> Result<RedType> {
        Ok(RedType { ty: self.ty()?, signed: self.eat("signed")?, boolean: self.eat("bool")? })
    }

    fn reduction_op(&mut self) -> Result<ReductionOp> {
        if !self.eat("declared")? {
            return self.named("a reduction operator");
        }
        self.expect("(")?;
        let start = self.func()?;
        self.expect(",")?;
        let combine = self.func()?;
        self.expect(",")?;
        let sig = self.sig()?;
        self.expect(")")?;
        self.expect("size")?;
        let size = self.int()?;
        self.expect("align")?;
        let align = self.int()?;
        let reads_original = self.eat("reads_original")?;
        Ok(ReductionOp::Declared(Declared { start, combine, sig, size, align, reads_original }))
    }

    pub(super) fn reduction_clause(&mut self) -> Result<ReductionClause> {
        let op = self.reduction_op()?;
        let name = self.string()?;
        let var = self.operand()?;
        let pointee = self.eat("pointee")?;
        let lower = self.argument("from")?;
        let mut parts = Vec::new();
        self.expect("parts")?;
        self.expect("(")?;
        self.list(")", |p| {
            parts.push(ReductionPart { offset: p.int()?, ty: p.red_type()?, count: p.argument("x")? });
            Ok(())
        })?;
        Ok(ReductionClause { op, name, var, pointee, lower, parts, pos: self.pos()? })
    }

    fn data_map(&mut self) -> Result<DataMap> {
        let kind = self.named("a data clause")?;
        let modifiers = MapModifiers {
            zero: self.eat("zero")?,
            readonly: self.eat("readonly")?,
            always_in: self.eat("always_in")?,
            always_out: self.eat("always_out")?,
            capture: self.eat("capture")?,
            read_later: self.eat("read_later")?,
            by_use: self.eat("by_use")?,
            required: self.eat("required")?,
            finalize: self.eat("finalize")?,
        };
        let implicit = self.eat("implicit")?;
        let name = self.string()?;
        let var = self.argument("var")?;
        let start = self.required("start")?;
        let bytes = self.required("bytes")?;
        let strides = self.strides()?;
        let pointer_bias = self.argument("bias")?;
        let pointer_at = if self.eat("attach")? { Some(self.address()?) } else { None };
        let rows = if self.is("rows") { self.rows()? } else { None };
        let elements = if self.eat("elements")? { Some(Arc::new(self.elements()?)) } else { None };
        let members = self.members()?;
        let pos = self.pos()?;
        Ok(DataMap {
            kind,
            modifiers,
            implicit,
            name,
            var,
            start,
            bytes,
            strides,
            pointer_bias,
            pointer_at,
            rows,
            elements,
            members,
            pos,
        })
    }

    fn members(&mut self) -> Result<Vec<Member>> {
        let mut members = Vec::new();
        if self.eat("members")? {
            self.expect("(")?;
            self.list(")", |p| {
                let (name, offset, bytes) = (p.string()?, p.int()?, p.int()?);
                members.push(Member { name, offset, bytes, maybe: p.eat("maybe")? });
                Ok(())
            })?;
        }
        Ok(members)
    }

    fn elements(&mut self) -> Result<Elements> {
        let mut elements = Elements { bytes: self.int()?, parts: Vec::new() };
        self.expect("(")?;
        self.list(")", |p| {
            let (offset, ty) = (p.int()?, p.red_type()?);
            let count = if p.eat("x")? { p.int()? } else { 1 };
            elements.parts.push(ElementPart { offset, ty, count });
            Ok(())
        })?;
        Ok(elements)
    }

    fn strides(&mut self) -> Result<Vec<Stride>> {
        let mut strides = Vec::new();
        if self.eat("strides")? {
            self.expect("(")?;
            self.list(")", |p| {
                let count = p.operand()?;
                p.expect("by")?;
                strides.push(Stride { count, distance: p.operand()? });
                Ok(())
            })?;
        }
        Ok(strides)
    }

    fn rows(&mut self) -> Result<Option<RowSection>> {
        let mut sections = Vec::new();
        let mut more = true;
        while more {
            if sections.len() == MAX_ROWS {
                return self.expected(&format!("no more than {MAX_ROWS} levels of rows"));
            }
            self.expect("rows")?;
            self.expect("(")?;
            let lower = self.operand()?;
            self.expect(",")?;
            sections.push((lower, self.operand()?, self.strides()?));
            more = self.eat(",")?;
        }
        for _ in &sections {
            self.expect(")")?;
        }
        let nest = |rows: Option<RowSection>, (lower, bytes, strides)| {
            Some(RowSection { lower, bytes, strides, rows: rows.map(Box::new) })
        };
        Ok(sections.into_iter().rev().fold(None, nest))
    }

    /// Data clauses in braces, if there are any.
    fn maps(&mut self) -> Result<Vec<DataMap>> {
        let mut maps = Vec::new();
        if self.eat("{")? {
            while !self.eat("}")? {
                if !self.eat("map")? {
                    return self.expected("`map` or `}`");
                }
                maps.push(self.data_map()?);
            }
        }
        Ok(maps)
    }

    fn dims(&mut self) -> Result<Dims> {
        let mut gangs = [None; 3];
        let mut pos = [Pos::none(); 3];
        if self.eat("gangs")? {
            let mut next = 0;
            pos[0] = self.pos()?;
            self.expect("(")?;
            self.list(")", |p| match gangs.get_mut(next) {
                Some(place) => {
                    next += 1;
                    *place = p.operand_or("_")?;
                    Ok(())
                }
                None => p.expected("no more than 3 numbers of gangs"),
            })?;
        }
        let mut sizes = [None; 2];
        for (index, word) in ["workers", "vector"].into_iter().enumerate() {
            if self.eat(word)? {
                pos[index + 1] = self.pos()?;
                sizes[index] = Some(self.operand()?);
            }
        }
        let [workers, vector] = sizes;
        let mut clauses = SizeClauses::OpenAcc;
        if self.eat("by")? {
            clauses = SizeClauses::OpenMp(self.named("a clause that bounds threads")?);
        }
        Ok(Dims { gangs, workers, vector, pos, clauses })
    }

    fn scheduling(&mut self) -> Result<Scheduling> {
        let mut device = Device::Current;
        if self.eat("device")? {
            device = Device::Default;
            if self.eat("(")? {
                device = Device::Number(self.operand()?);
                self.expect(")")?;
            }
        }
        let if_ = self.argument("if")?;
        let self_ = self.argument("self")?;
        let mut async_ = Async::Sync;
        if self.eat("async")? {
            async_ = Async::Default;
            if self.eat("(")? {
                async_ = if self.eat("data")? { Async::OfData } else { Async::Queue(self.operand()?) };
                self.expect(")")?;
            }
        }
        let mut wait = Wait { present: self.eat("wait")?, ..Wait::default() };
        if wait.present && self.eat("(")? {
            self.list(")", |p| {
                if wait.devnum.is_none() && wait.queues.is_empty() && p.eat("devnum")? {
                    wait.devnum = Some(p.operand()?);
                } else {
                    wait.queues.push(p.operand()?);
                }
                Ok(())
            })?;
        }
        let task = if self.eat("task")? { Some(Box::new(self.task_clauses()?)) } else { None };
        Ok(Scheduling { device, if_, self_, async_, wait, task })
    }

    fn task_clauses(&mut self) -> Result<TaskClauses> {
        self.expect("(")?;
        let depends = self.operand()?;
        let mut next = || {
            self.expect(",")?;
            self.operand()
        };
        let (count, flags, priority, event) = (next()?, next()?, next()?, next()?);
        self.expect(")")?;
        Ok(TaskClauses { depends, count, flags, priority, event })
    }

    pub(super) fn construct(&mut self) -> Result<ConstructData> {
        let expected = self.body.constructs.len();
        let at = self.token.at;
        let id: Construct = self.entity("construct", "a construct")?;
        if id.as_u32() as usize != expected {
            return self.error_at(at, format!("expected `construct{expected}`, the next id"));
        }
        if self.eat("dead")? {
            return Ok(ConstructData::dead());
        }
        let kind = self.construct_kind()?;
        self.expect("entry")?;
        let entry = self.block()?;
        self.expect("exit")?;
        let exit = self.block()?;
        let parent = if self.eat("in")? { Some(self.entity("construct", "a construct")?) } else { None };
        let fused = self.fused()?;
        let dims = self.dims()?;
        let scheduling = self.scheduling()?;
        let pos = self.pos()?;
        let mut data = ConstructData {
            kind,
            parent,
            entry,
            exit,
            scheduling,
            dims,
            fused,
            pos,
            ..ConstructData::dead()
        };
        self.expect("{")?;
        while !self.eat("}")? {
            if self.eat("map")? {
                data.maps.push(self.data_map()?);
            } else if self.eat("private")? {
                data.private.push(self.private_var()?);
            } else if self.eat("first")? {
                self.expect("private")?;
                data.firstprivate.push(self.private_var()?);
            } else if self.eat("reduction")? {
                data.reductions.push(self.reduction_clause()?);
            } else {
                return self.expected("`map`, `private`, `first private`, `reduction` or `}`");
            }
        }
        Ok(data)
    }

    fn construct_kind(&mut self) -> Result<ConstructKind> {
        self.named("`parallel`, `serial`, `kernels`, `team` or `task`")
    }

    /// What follows the word `region`.
    pub(super) fn region(&mut self) -> Result<RegionData> {
        let construct = self.construct_kind()?;
        self.expect("of")?;
        let parent = self.string()?;
        let mut constant_dims = [0; 5];
        self.expect("dims")?;
        self.expect("(")?;
        for (i, dim) in constant_dims.iter_mut().enumerate() {
            if i > 0 {
                self.expect(",")?;
            }
            *dim = self.int()?;
        }
        self.expect(")")?;
        let cooperative = self.eat("cooperative")?;
        let wanted_gangs = if self.eat("gangs")? { self.int()? } else { 0 };
        let open_workers = self.eat("open_workers")?;
        let row = if self.eat("row")? {
            let stride = self.int()?;
            self.expect("reductions")?;
            let reductions = self.int()?;
            Some(Row { stride, reductions, has_loops: self.eat("loops")? })
        } else {
            None
        };
        let shape = if self.eat("shape")? {
            let (workers, lanes) = (self.int()?, self.int()?);
            let trial = if self.eat("trial_of")? {
                let of = self.func()?;
                self.expect("code")?;
                Some(ShapeTrial { of, code: self.int()? })
            } else {
                None
            };
            Some(RegionShape { workers, lanes, trial })
        } else {
            None
        };
        self.expect("{")?;
        let mut params = Vec::new();
        while !self.eat("}")? {
            self.expect("param")?;
            params.push(self.region_param()?);
        }
        Ok(RegionData {
            construct,
            params,
            parent,
            constant_dims,
            cooperative,
            wanted_gangs,
            open_workers,
            row,
            shape,
        })
    }

    fn region_param(&mut self) -> Result<RegionParam> {
        let name = self.string()?;
        let how = if self.eat("address")? {
            PassHow::Address
        } else if self.eat("pointer")? {
            PassHow::Pointer
        } else if self.eat("value")? {
            PassHow::Value(self.ty()?)
        } else {
            return self.expected("`address`, `pointer` or `value`");
        };
        let kind = self.eat_named()?;
        let bytes = if self.eat("bytes")? { Some(self.int()?) } else { None };
        let argument = self.eat("argument")?;
        Ok(RegionParam { name, how, kind, bytes, argument })
    }

    pub(super) fn launch(&mut self) -> Result<Launch> {
        let region = self.func()?;
        let mut args = Vec::new();
        self.expect("(")?;
        self.list(")", |p| {
            args.push(if p.eat("map")? { LaunchArg::Map(p.int()?) } else { LaunchArg::Value(p.operand()?) });
            Ok(())
        })?;
        let fused = self.fused()?;
        let dims = self.dims()?;
        let scheduling = self.scheduling()?;
        Ok(Launch { region, maps: self.maps()?, args, dims, scheduling, fused })
    }

    /// How many constructs have joined one.
    fn fused(&mut self) -> Result<u32> {
        if self.eat("fused")? { self.int() } else { Ok(0) }
    }

    pub(super) fn data(&mut self) -> Result<DataOp> {
        let word = self.word("a data directive")?;
        let Some(mut kind) = DATA_KINDS.into_iter().find(|kind| data_kind(*kind) == word.text) else {
            return self.error_at(word.at, format!("expected a data directive, found {}", word.describe()));
        };
        match &mut kind {
            DataKind::Exit { finalize } => *finalize = self.eat("finalize")?,
            DataKind::Update { if_present } | DataKind::HostDataBegin { if_present } => {
                *if_present = self.eat("if_present")?;
            }
            DataKind::DataBegin
            | DataKind::DataEnd
            | DataKind::Enter
            | DataKind::HostDataEnd
            | DataKind::Wait
            | DataKind::Init
            | DataKind::Shutdown
            | DataKind::Set
            | DataKind::DeclareBegin
            | DataKind::DeclareEnd => {}
        }
        let scheduling = self.scheduling()?;
        let device_type = self.argument("device_type")?;
        let device_num = self.argument("device_num")?;
        let default_async = self.argument("default_async")?;
        let mut device_addresses = Vec::new();
        if self.eat("addresses")? {
            self.expect("(")?;
            self.list(")", |p| {
                device_addresses.push(p.local()?);
                Ok(())
            })?;
        }
        let maps = self.maps()?;
        Ok(DataOp { kind, maps, device_addresses, scheduling, device_type, device_num, default_async })
    }

    /// The loop of a quad or a lock.
    pub(super) fn loop_or_outer(&mut self) -> Result<Option<Loop>> {
        if self.eat("outer")? { Ok(None) } else { Ok(Some(self.loop_()?)) }
    }

    /// What follows `reduction.KIND`. A scalar has a result, an array has none.
    pub(super) fn reduction(&mut self, dst: Option<Local>, kind: ReductionKind) -> Result<crate::Op> {
        self.expect("(")?;
        let result = if self.eat("none")? { None } else { Some(self.address()?) };
        self.expect(",")?;
        let object = match dst {
            Some(dst) => RedObject::Scalar { dst, local: self.operand()? },
            None if self.is("[") => RedObject::Array { local: self.address()?, count: self.required("x")? },
            None => {
                return self
                    .expected("the address of an array, or `LOCAL =` before the reduction of a scalar");
            }
        };
        self.expect(",")?;
        let level = self.level()?;
        self.expect(",")?;
        let op = self.reduction_op()?;
        self.expect(",")?;
        let ty = self.red_type()?;
        self.expect(",")?;
        let loop_ = self.loop_or_outer()?;
        self.expect(",")?;
        let red = self.entity("red", "a reduction")?;
        self.expect(")")?;
        let escapes = self.eat("escapes")?;
        let original = if self.eat("original")? { Some(self.address()?) } else { None };
        Ok(crate::Op::Reduction(Box::new(Reduction {
            kind,
            result,
            object,
            level,
            op,
            ty,
            loop_,
            red,
            escapes,
            original,
        })))
    }
}
