//! Reading of modules, functions and their declarations. The grammar stands in the module above.

use super::lex::{Kind, Lexer, ParseError, Token};
use super::names::Named;
use super::origin::Origin;
use crate::acc::{Level, LoopDirective};
use crate::entities::{Agg, Block, Func, Global, Local, Loop, Sig, Slot};
use crate::function::{
    Beside, BlockData, Body, Function, FunctionKind, Induction, Linkage, LoopData, Routine, SlotData,
    SlotKind,
};
use crate::module::{DeclareKind, GlobalData, Init, Module, Relocation};
use crate::op::{Inst, Pos};
use crate::types::{AggregateLayout, Extend, PassBy, Signature, Type};
use cranelift_entity::packed_option::ReservedValue;
use cranelift_entity::{EntityRef, PrimaryMap};
use std::sync::Arc;

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// Reads a module. Checks that every local, slot, global and function it refers to exists; all else is left
/// to the verifier.
pub fn parse(text: &str) -> Result<Module> {
    parse_dump(text).map(|(module, _)| module)
}

/// Reads a module, as [`parse`] does, and where it comes from, if the text says so.
pub fn parse_dump(text: &str) -> Result<(Module, Option<Origin>)> {
    let mut parser = Parser::new(text)?;
    let origin = parser.origin()?;
    while parser.token.kind != Kind::End {
        parser.item()?;
    }
    parser.check_module_references()?;
    Ok((parser.module, origin))
}

/// A reference whose target may be declared later.
struct Reference<'t> {
    index: usize,
    /// The name after the dot; empty if there is none.
    name: &'t str,
    at: usize,
}

pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    /// The token to look at next.
    pub(super) token: Token<'t>,
    module: Module,
    /// The body that is being read.
    pub(super) body: Body,
    pos: Pos,
    locals: Vec<Reference<'t>>,
    slots: Vec<Reference<'t>>,
    globals: Vec<Reference<'t>>,
    functions: Vec<Reference<'t>>,
}

/// Splits `v3.sum` into its number and its name.
pub(super) fn split_entity<'t>(word: &'t str, prefix: &str) -> Option<(usize, &'t str)> {
    let rest = word.strip_prefix(prefix)?;
    let (digits, name) = rest.split_once('.').unwrap_or((rest, ""));
    let plain = digits == "0" || digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    let number: u32 = if plain { digits.parse().ok()? } else { return None };
    // The greatest number is what entity maps use for "none".
    (number != u32::MAX).then_some((number as usize, name))
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Result<Parser<'t>> {
        let mut lexer = Lexer::new(text);
        let token = lexer.token()?;
        Ok(Parser {
            lexer,
            token,
            module: Module::default(),
            body: Body::default(),
            pos: Pos::none(),
            locals: Vec::new(),
            slots: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
        })
    }

    // Errors and tokens.

    pub(super) fn error_at<T>(&self, at: usize, message: impl Into<String>) -> Result<T> {
        Err(self.lexer.error(at, message.into()))
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T> {
        self.error_at(self.token.at, format!("expected {what}, found {}", self.token.describe()))
    }

    pub(super) fn next(&mut self) -> Result<Token<'t>> {
        let next = self.lexer.token()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// Whether the next token is this word or mark.
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.token.kind, Kind::Word | Kind::Punct) && self.token.text == text
    }

    /// Takes this word or mark, if it is next.
    pub(super) fn eat(&mut self, text: &str) -> Result<bool> {
        let found = self.is(text);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<()> {
        if self.eat(text)? { Ok(()) } else { self.expected(&format!("`{text}`")) }
    }

    /// `each,*` up to a closing mark, which it takes.
    pub(super) fn list(&mut self, close: &str, mut each: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.eat(close)? {
            return Ok(());
        }
        loop {
            each(self)?;
            if self.eat(close)? {
                return Ok(());
            }
            if !self.eat(",")? {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
    }

    pub(super) fn word(&mut self, what: &str) -> Result<Token<'t>> {
        if self.token.kind == Kind::Word { self.next() } else { self.expected(what) }
    }

    /// A variant of an enum, `what` in error messages.
    pub(super) fn named<T: Named>(&mut self, what: &str) -> Result<T> {
        match self.eat_named()? {
            Some(value) => Ok(value),
            None => self.expected(what),
        }
    }

    pub(super) fn eat_named<T: Named>(&mut self) -> Result<Option<T>> {
        let found = match self.token.kind {
            Kind::Word | Kind::Punct => T::from_spelling(self.token.text),
            Kind::Number | Kind::String | Kind::End => None,
        };
        if found.is_some() {
            self.next()?;
        }
        Ok(found)
    }

    pub(super) fn ty(&mut self) -> Result<Type> {
        self.named("a type")
    }

    pub(super) fn level(&mut self) -> Result<Level> {
        self.named("a level")
    }

    /// A whole number that fits.
    pub(super) fn int<T: TryFrom<i128>>(&mut self) -> Result<T> {
        let value = match self.token.kind {
            Kind::Number => self.token.text.parse::<i128>().ok(),
            Kind::Word | Kind::String | Kind::Punct | Kind::End => None,
        };
        let Some(value) = value else { return self.expected("a whole number") };
        match T::try_from(value) {
            Ok(value) => {
                self.next()?;
                Ok(value)
            }
            Err(_) => self.error_at(self.token.at, format!("the number {value} is out of range here")),
        }
    }

    /// `+ n`, `- n`, or nothing: zero.
    pub(super) fn offset(&mut self) -> Result<i64> {
        if self.eat("+")? {
            return self.int();
        }
        let at = self.token.at;
        if !self.eat("-")? {
            return Ok(0);
        }
        let value: i128 = self.int()?;
        match i64::try_from(-value) {
            Ok(value) => Ok(value),
            Err(_) => self.error_at(at, "the offset is out of range"),
        }
    }

    fn bytes(&mut self) -> Result<Vec<u8>> {
        if self.token.kind != Kind::String {
            return self.expected("a text in quotes");
        }
        let bytes = self.lexer.unquote(&self.token)?;
        self.next()?;
        Ok(bytes)
    }

    pub(super) fn string(&mut self) -> Result<Arc<str>> {
        let at = self.token.at;
        match String::from_utf8(self.bytes()?) {
            Ok(text) => Ok(text.into()),
            Err(_) => self.error_at(at, "expected a text in UTF-8"),
        }
    }

    fn optional_string(&mut self, word: &str) -> Result<Option<Arc<str>>> {
        if self.eat(word)? { Ok(Some(self.string()?)) } else { Ok(None) }
    }

    // Entities.

    /// An entity without a name.
    pub(super) fn entity<T: EntityRef>(&mut self, prefix: &str, what: &str) -> Result<T> {
        match self.eat_entity(prefix)? {
            Some(id) => Ok(id),
            None => self.expected(&format!("{what} (`{prefix}0`, `{prefix}1`, ...)")),
        }
    }

    pub(super) fn eat_entity<T: EntityRef>(&mut self, prefix: &str) -> Result<Option<T>> {
        let found = match self.token.kind {
            Kind::Word => split_entity(self.token.text, prefix).filter(|(_, name)| name.is_empty()),
            Kind::Number | Kind::String | Kind::Punct | Kind::End => None,
        };
        match found {
            Some((index, _)) => {
                self.next()?;
                Ok(Some(T::new(index)))
            }
            None => Ok(None),
        }
    }

    pub(super) fn block(&mut self) -> Result<Block> {
        self.entity("bb", "a block")
    }

    pub(super) fn loop_(&mut self) -> Result<Loop> {
        self.entity("loop", "a loop")
    }

    pub(super) fn sig(&mut self) -> Result<Sig> {
        self.entity("sig", "a function type")
    }

    pub(super) fn agg(&mut self) -> Result<Agg> {
        self.entity("agg", "an aggregate")
    }

    /// A reference that may carry a name, entered in one of the lists.
    fn reference<T: EntityRef>(
        &mut self,
        prefix: &str,
        list: impl FnOnce(&mut Self) -> &mut Vec<Reference<'t>>,
    ) -> Result<Option<T>> {
        let found = match self.token.kind {
            Kind::Word => split_entity(self.token.text, prefix),
            Kind::Number | Kind::String | Kind::Punct | Kind::End => None,
        };
        let Some((index, name)) = found else { return Ok(None) };
        let at = self.next()?.at;
        list(self).push(Reference { index, name, at });
        Ok(Some(T::new(index)))
    }

    pub(super) fn eat_local(&mut self) -> Result<Option<Local>> {
        self.reference("v", |p| &mut p.locals)
    }

    pub(super) fn local(&mut self) -> Result<Local> {
        match self.eat_local()? {
            Some(local) => Ok(local),
            None => self.expected("a local (`v0`, `v1`, ...)"),
        }
    }

    pub(super) fn eat_func(&mut self) -> Result<Option<Func>> {
        self.reference("fn", |p| &mut p.functions)
    }

    pub(super) fn func(&mut self) -> Result<Func> {
        match self.eat_func()? {
            Some(func) => Ok(func),
            None => self.expected("a function (`fn0`, `fn1`, ...)"),
        }
    }

    pub(super) fn eat_slot(&mut self) -> Result<Option<Slot>> {
        self.reference("s", |p| &mut p.slots)
    }

    pub(super) fn eat_global(&mut self) -> Result<Option<Global>> {
        self.reference("g", |p| &mut p.globals)
    }

    /// The declaration of the entity with the next number, and its name.
    fn declared(&mut self, prefix: &str, number: usize) -> Result<Option<Arc<str>>> {
        let found = match self.token.kind {
            Kind::Word => split_entity(self.token.text, prefix).filter(|(index, _)| *index == number),
            Kind::Number | Kind::String | Kind::Punct | Kind::End => None,
        };
        let Some((_, name)) = found else {
            return self.expected(&format!("`{prefix}{number}`, the next id"));
        };
        let dot = self.next()?.text.ends_with('.');
        if dot && name.is_empty() {
            return Ok(Some(self.string()?));
        }
        Ok((!name.is_empty()).then(|| name.into()))
    }

    fn declared_with_name(&mut self, prefix: &str, number: usize) -> Result<Arc<str>> {
        let at = self.token.at;
        match self.declared(prefix, number)? {
            Some(name) => Ok(name),
            None => self.error_at(at, format!("expected a name: `{prefix}{number}.NAME`")),
        }
    }

    fn check(
        &self,
        list: &[Reference<'t>],
        prefix: &str,
        names: impl Fn(usize) -> Option<Option<Arc<str>>>,
    ) -> Result<()> {
        for Reference { index, name, at } in list {
            match names(*index) {
                None => return self.error_at(*at, format!("there is no `{prefix}{index}`")),
                Some(_) if name.is_empty() => {}
                Some(declared) if declared.as_deref() == Some(*name) => {}
                Some(Some(declared)) => {
                    return self.error_at(
                        *at,
                        format!("the name of `{prefix}{index}` is `{declared}`, not `{name}`"),
                    );
                }
                Some(None) => return self.error_at(*at, format!("`{prefix}{index}` has no name")),
            }
        }
        Ok(())
    }

    fn check_body_references(&mut self, body: &Body) -> Result<()> {
        let (locals, slots) = (std::mem::take(&mut self.locals), std::mem::take(&mut self.slots));
        self.check(&locals, "v", |i| body.locals.get(Local::new(i)).map(|data| data.name.clone()))?;
        self.check(&slots, "s", |i| body.slots.get(Slot::new(i)).map(|data| data.name.clone()))
    }

    fn check_module_references(&mut self) -> Result<()> {
        // What a declaration or an initial value refers to must not be of a function.
        let outside = Body::default();
        self.check_body_references(&outside)?;
        let (globals, functions) = (std::mem::take(&mut self.globals), std::mem::take(&mut self.functions));
        let module = &self.module;
        self.check(&globals, "g", |i| {
            module.globals.get(Global::new(i)).map(|data| Some(data.name.clone()))
        })?;
        self.check(&functions, "fn", |i| {
            module.functions.get(Func::new(i)).map(|data| Some(data.name.clone()))
        })
    }

    /// A position; where there is none, the last one.
    pub(super) fn pos(&mut self) -> Result<Pos> {
        if self.eat("@")? {
            self.pos = if self.eat("none")? {
                Pos::none()
            } else {
                let file = match self.eat_entity("file")? {
                    Some(file) => {
                        self.expect(":")?;
                        file
                    }
                    None => self.pos.file,
                };
                let line = self.int()?;
                self.expect(":")?;
                Pos { file, line, column: self.int()? }
            };
        }
        Ok(self.pos)
    }

    // Items.

    fn origin(&mut self) -> Result<Option<Origin>> {
        let Some(stage) = self.optional_string("stage")? else { return Ok(None) };
        self.expect("of")?;
        Ok(Some(Origin { stage: stage.to_string(), target: self.string()?.to_string() }))
    }

    fn item(&mut self) -> Result<()> {
        let word = self.word("`file`, `aggregate`, `signature`, `global` or `function`")?;
        match word.text {
            "file" => {
                self.unnamed("file", self.module.files.len())?;
                let name = self.string()?;
                self.module.files.push(name);
            }
            "aggregate" => {
                let layout = self.aggregate()?;
                self.module.aggregates.push(layout);
            }
            "signature" => {
                let signature = self.signature()?;
                self.module.signatures.push(signature);
            }
            "global" => {
                let global = self.global()?;
                self.module.globals.push(global);
            }
            "function" => {
                let function = self.function()?;
                self.module.functions.push(function);
            }
            "constructors" => self.module.constructors = self.start_functions()?,
            "destructors" => self.module.destructors = self.start_functions()?,
            _ => {
                let message = format!(
                    "expected `file`, `aggregate`, `signature`, `global`, `function`, `constructors` or \
                     `destructors`, found {}",
                    word.describe()
                );
                return self.error_at(word.at, message);
            }
        }
        Ok(())
    }

    fn unnamed(&mut self, prefix: &str, number: usize) -> Result<()> {
        let at = self.token.at;
        match self.declared(prefix, number)? {
            None => Ok(()),
            Some(_) => self.error_at(at, format!("`{prefix}{number}` cannot have a name")),
        }
    }

    fn start_functions(&mut self) -> Result<Vec<(u32, Func)>> {
        let mut list = Vec::new();
        self.expect("(")?;
        self.list(")", |p| {
            list.push((p.int()?, p.func()?));
            Ok(())
        })?;
        Ok(list)
    }

    fn aggregate(&mut self) -> Result<AggregateLayout> {
        self.unnamed("agg", self.module.aggregates.len())?;
        self.expect("size")?;
        let size = self.int()?;
        self.expect("align")?;
        let align = self.int()?;
        self.expect("leaves")?;
        self.expect("(")?;
        let mut leaves = Vec::new();
        self.list(")", |p| {
            leaves.push((p.int()?, p.ty()?));
            Ok(())
        })?;
        Ok(AggregateLayout { size, align, leaves })
    }

    fn pass_by(&mut self) -> Result<PassBy> {
        if let Some(agg) = self.eat_entity("agg")? {
            return Ok(PassBy::Aggregate(agg));
        }
        let ty = self.named("a type or an aggregate")?;
        Ok(PassBy::Scalar(ty, self.eat_named()?.unwrap_or(Extend::None)))
    }

    fn signature(&mut self) -> Result<Signature> {
        self.unnamed("sig", self.module.signatures.len())?;
        let mut signature = Signature::default();
        self.expect("(")?;
        self.list(")", |p| {
            if signature.variadic {
                return p.expected("`)` after `...`");
            }
            if p.eat("...")? {
                signature.variadic = true;
            } else {
                signature.params.push(p.pass_by()?);
            }
            Ok(())
        })?;
        if self.eat("->")? {
            signature.result = Some(self.pass_by()?);
        }
        Ok(signature)
    }

    fn linkage(&mut self) -> Result<Linkage> {
        self.named("`external`, `internal`, `weak`, `common` or `inline`")
    }

    fn global(&mut self) -> Result<GlobalData> {
        let name = self.declared_with_name("g", self.module.globals.len())?;
        let linkage = self.linkage()?;
        self.expect("size")?;
        let size = self.int()?;
        self.expect("align")?;
        let align = self.int()?;
        let thread_local = self.eat("thread_local")?;
        let constant = self.eat("constant")?;
        let restrict = self.eat("restrict")?;
        let link_name = self.optional_string("link")?;
        let declare = if self.eat("declare")? {
            self.expect("(")?;
            let kind = self.named("a data clause")?;
            self.expect(")")?;
            Some(DeclareKind::Map(kind))
        } else {
            None
        };
        let init = self.init()?;
        let pos = self.pos()?;
        Ok(GlobalData {
            name,
            link_name,
            size,
            align,
            init,
            linkage,
            thread_local,
            constant,
            restrict,
            declare,
            pos,
        })
    }

    fn init(&mut self) -> Result<Init> {
        if self.eat("extern")? {
            return Ok(Init::Extern);
        }
        if self.eat("zero")? {
            return Ok(Init::Zero);
        }
        if !self.eat("bytes")? {
            return self.expected("`extern`, `zero` or `bytes`");
        }
        let bytes = self.bytes()?.into_boxed_slice();
        let mut relocations = Vec::new();
        if self.eat("relocate")? {
            self.expect("(")?;
            self.list(")", |p| {
                let offset = p.int()?;
                let target = p.operand()?;
                relocations.push(Relocation { offset, target, addend: p.offset()? });
                Ok(())
            })?;
        }
        Ok(Init::Bytes(bytes, relocations))
    }

    fn function(&mut self) -> Result<Function> {
        let name = self.declared_with_name("fn", self.module.functions.len())?;
        let sig = self.sig()?;
        let linkage = self.linkage()?;
        let noreturn = self.eat("noreturn")?;
        let inline_hint = self.eat("inline_hint")?;
        let noinline = self.eat("noinline")?;
        let returns_twice = self.eat("returns_twice")?;
        let link_name = self.optional_string("link")?;
        let alias = self.optional_string("alias")?;
        let routine = if self.eat("routine")? { Some(self.routine()?) } else { None };
        let pos = self.pos()?;
        let kind = if self.eat("region")? {
            let region = Box::new(self.region()?);
            match region.construct.is_threaded() {
                true => FunctionKind::Threaded(region),
                false => FunctionKind::Region(region),
            }
        } else {
            FunctionKind::Normal
        };
        let body = if self.eat("{")? { Some(Box::new(self.body()?)) } else { None };
        self.check_body_references(body.as_deref().unwrap_or(&Body::default()))?;
        Ok(Function {
            name,
            link_name,
            sig,
            linkage,
            kind,
            routine,
            noreturn,
            inline_hint,
            noinline,
            returns_twice,
            alias,
            body,
            pos,
        })
    }

    fn routine(&mut self) -> Result<Routine> {
        self.expect("(")?;
        let level = if self.eat("seq")? { None } else { Some(self.level()?) };
        let bind = self.optional_string("bind")?;
        let (nohost, implicit) = (self.eat("nohost")?, self.eat("implicit")?);
        self.expect(")")?;
        Ok(Routine { level, bind, nohost, implicit })
    }

    fn body(&mut self) -> Result<Body> {
        self.body = Body::default();
        if self.eat("params")? {
            loop {
                let local = self.local()?;
                self.body.params.push(local);
                if !self.eat(",")? {
                    break;
                }
            }
        }
        if self.eat("reductions")? {
            self.body.reductions = self.int()?;
        }
        let mut blocks = Vec::new();
        if self.eat("detached")? {
            loop {
                let at = self.token.at;
                blocks.push((self.block()?, at, Body::empty_block()));
                if !self.eat(",")? {
                    break;
                }
            }
        }
        while self.declaration()? {}
        while !self.eat("}")? {
            let at = self.token.at;
            let Some(block) = self.eat_entity("bb")? else { return self.expected("a block or `}`") };
            self.body.order.push(block);
            blocks.push((block, at, self.block_data()?));
        }
        self.body.blocks = self.number_blocks(blocks)?;
        self.check_dead()?;
        Ok(std::mem::take(&mut self.body))
    }

    /// Nothing may belong to what was said to be dead.
    fn check_dead(&self) -> Result<()> {
        let live = self.body.live_entities();
        let dead = Block::reserved_value();
        let loop_ = live.loops.iter().find(|loop_| self.body.loops[*loop_].header == dead);
        let construct =
            live.constructs.iter().find(|construct| self.body.constructs[*construct].entry == dead);
        let found = loop_.map(|loop_| loop_.to_string()).or(construct.map(|construct| construct.to_string()));
        match found {
            None => Ok(()),
            Some(id) => {
                self.error_at(self.token.at, format!("{id} is declared dead, but a block belongs to it"))
            }
        }
    }

    /// The blocks by their ids, each of which must occur once.
    fn number_blocks(&self, blocks: Vec<(Block, usize, BlockData)>) -> Result<PrimaryMap<Block, BlockData>> {
        let mut by_id: Vec<Option<BlockData>> = vec![None; blocks.len()];
        for (block, at, data) in blocks {
            match by_id.get_mut(block.index()) {
                Some(place @ None) => *place = Some(data),
                Some(Some(_)) => return self.error_at(at, format!("`{block}` occurs twice")),
                None => {
                    let message = format!(
                        "`{block}` leaves a gap: ids of blocks are consecutive (`detached` lists unused ones)"
                    );
                    return self.error_at(at, message);
                }
            }
        }
        // As many ids as places, none out of range, none twice: every place is filled.
        Ok(by_id.into_iter().flatten().collect())
    }

    fn declaration(&mut self) -> Result<bool> {
        if self.eat("locals")? {
            self.locals()?;
        } else if self.eat("slot")? {
            let slot = self.slot()?;
            self.body.slots.push(slot);
        } else if self.eat("loop")? {
            let data = self.loop_data()?;
            self.body.loops.push(data);
        } else if self.eat("construct")? {
            let data = self.construct()?;
            self.body.constructs.push(data);
        } else if self.eat("reduction")? {
            let clause = self.reduction_clause()?;
            self.body.region_reductions.push(clause);
        } else if self.eat("beside")? {
            let used = self.operand()?;
            let mut counts = [used; 3];
            self.expect("(")?;
            for (at, count) in counts.iter_mut().enumerate() {
                if at > 0 {
                    self.expect(",")?;
                }
                *count = self.operand()?;
            }
            self.expect(")")?;
            self.expect("rows")?;
            let rows = self.int()?;
            self.expect("workers")?;
            self.body.beside = Some(Beside { used, counts, rows, most_workers: self.int()? });
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn locals(&mut self) -> Result<()> {
        let first = self.body.locals.len();
        loop {
            let name = self.declared("v", self.body.locals.len())?;
            // The type stands at the end of the line.
            self.body.local(Type::I1, name);
            if !self.eat(",")? {
                break;
            }
        }
        self.expect(":")?;
        let (ty, is_part, restrict) = (self.ty()?, self.eat("part")?, self.eat("restrict")?);
        for data in self.body.locals.values_mut().skip(first) {
            (data.ty, data.is_part, data.restrict) = (ty, is_part, restrict);
        }
        Ok(())
    }

    fn slot(&mut self) -> Result<SlotData> {
        let name = self.declared("s", self.body.slots.len())?;
        self.expect("size")?;
        let size = self.int()?;
        self.expect("align")?;
        let align = self.int()?;
        let restrict = self.eat("restrict")?;
        let kind = if self.eat("mapped")? {
            SlotKind::Mapped(self.local()?)
        } else if self.eat("gang_private")? {
            SlotKind::GangPrivate
        } else if self.eat("gang_copy")? {
            SlotKind::GangCopy
        } else if self.eat("worker_private")? {
            SlotKind::WorkerPrivate
        } else if self.eat("reduction")? {
            SlotKind::Reduction
        } else if self.eat("broadcast")? {
            SlotKind::Broadcast
        } else if self.eat("launch")? {
            SlotKind::Launch
        } else if self.eat("gang_scratch")? {
            SlotKind::GangScratch
        } else {
            SlotKind::Frame
        };
        let declared_in = if self.eat("in")? { Some(self.loop_()?) } else { None };
        Ok(SlotData { size, align, name, restrict, kind, declared_in })
    }

    fn labelled_block(&mut self, word: &str) -> Result<Block> {
        self.expect(word)?;
        self.block()
    }

    fn loop_data(&mut self) -> Result<LoopData> {
        self.unnamed("loop", self.body.loops.len())?;
        if self.eat("dead")? {
            return Ok(LoopData::dead());
        }
        if self.eat("dissolved")? {
            let (induction, pos, directive) = self.counted()?;
            return Ok(LoopData { induction, directive, pos, ..LoopData::dead() });
        }
        let parent = if self.eat("in")? { Some(self.loop_()?) } else { None };
        let preheader = self.labelled_block("preheader")?;
        let header = self.labelled_block("header")?;
        let body = self.labelled_block("body")?;
        let latch = self.labelled_block("latch")?;
        let exit = self.labelled_block("exit")?;
        let (induction, pos, directive) = self.counted()?;
        Ok(LoopData { parent, preheader, header, body, latch, exit, induction, directive, pos })
    }

    /// The counted form of a loop, its place and its directive.
    fn counted(&mut self) -> Result<(Option<Induction>, Pos, Option<LoopDirective>)> {
        let induction = if self.eat("for")? { Some(self.induction()?) } else { None };
        let pos = self.pos()?;
        let directive = if self.eat("{")? { Some(self.directive()?) } else { None };
        Ok((induction, pos, directive))
    }

    fn induction(&mut self) -> Result<Induction> {
        let iv = self.local()?;
        self.expect("=")?;
        let init = self.operand()?;
        self.expect(",")?;
        let cmp = self.named("a comparison")?;
        let bound = self.operand()?;
        self.expect(",")?;
        self.expect("step")?;
        Ok(Induction { iv, init, bound, step: self.operand()?, cmp })
    }

    fn block_data(&mut self) -> Result<BlockData> {
        let mut data = Body::empty_block();
        data.loop_ = self.eat_entity("loop")?;
        data.construct = self.eat_entity("construct")?;
        self.expect(":")?;
        loop {
            if let Some(term) = self.terminator()? {
                data.term = term;
                data.term_pos = self.pos()?;
                return Ok(data);
            }
            let op = self.inst()?;
            data.insts.push(Inst { op, pos: self.pos()? });
        }
    }
}
