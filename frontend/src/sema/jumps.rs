//! The labels and jumps of a function: regions that must not be entered or left, and which label a name
//! means.

use crate::intern::Symbol;
use crate::source::Span;
use crate::typed::LabelId;
use rustc_hash::FxHashMap;

/// A region of a function that jumps care about; they form a tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum RegionKind {
    /// The function.
    Body,
    /// From the declaration of a variably modified object to the end of its block: not to be entered.
    Vla(Symbol),
    /// A statement expression: not to be entered.
    StmtExpr,
    /// The statement of a construct: neither to be entered nor left.
    Construct(&'static str),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub parent: u32,
    pub depth: u32,
    pub kind: RegionKind,
    pub span: Span,
}

/// What `break` and `continue` refer to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Breakable {
    Loop,
    Switch,
    /// A construct between the statement and what it might refer to.
    Construct(&'static str, Span),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub name: Symbol,
    /// The region and place of its definition.
    pub defined: Option<(u32, Span)>,
    pub used: Option<Span>,
    pub address_taken: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Goto {
    pub label: LabelId,
    pub region: u32,
    pub span: Span,
}

/// The labels and jumps of one function.
pub(super) struct Jumps {
    pub regions: Vec<Region>,
    /// The innermost region here.
    pub current: u32,
    pub labels: Vec<Label>,
    pub by_name: FxHashMap<Symbol, LabelId>,
    /// What `__label__` declarations of open blocks hide.
    pub hidden: Vec<(Symbol, Option<LabelId>)>,
    pub gotos: Vec<Goto>,
    pub breakables: Vec<Breakable>,
}

/// What is known of labels before a statement is analysed a second time.
pub(super) struct Suspended {
    by_name: FxHashMap<Symbol, LabelId>,
    labels: usize,
    gotos: usize,
}

impl Jumps {
    pub fn new() -> Self {
        let body = Region { parent: 0, depth: 0, kind: RegionKind::Body, span: Span::default() };
        Jumps {
            regions: vec![body],
            current: 0,
            labels: Vec::new(),
            by_name: FxHashMap::default(),
            hidden: Vec::new(),
            gotos: Vec::new(),
            breakables: Vec::new(),
        }
    }

    /// The innermost region here, to be restored by [`Self::restore`] where the block ends.
    pub fn region(&self) -> u32 {
        self.current
    }

    /// Leaves regions entered since `region` was the innermost one.
    pub fn restore(&mut self, region: u32) {
        self.current = region;
    }

    pub fn enter(&mut self, kind: RegionKind, span: Span) {
        let depth = self.regions[self.current as usize].depth + 1;
        self.regions.push(Region { parent: self.current, depth, kind, span });
        self.current = self.regions.len() as u32 - 1;
    }

    /// How many local labels are declared: to be given to [`Self::close_labels`] where the block ends.
    pub fn open_labels(&self) -> usize {
        self.hidden.len()
    }

    pub fn close_labels(&mut self, open: usize) {
        while self.hidden.len() > open {
            match self.hidden.pop() {
                Some((name, Some(label))) => self.by_name.insert(name, label),
                Some((name, None)) => self.by_name.remove(&name),
                None => None,
            };
        }
    }

    /// A label that `goto` does not find.
    pub fn new_label(&mut self, name: Symbol) -> LabelId {
        let label = LabelId(self.labels.len() as u32);
        self.labels.push(Label { name, defined: None, used: None, address_taken: false });
        label
    }

    /// The label of a name, new or known.
    pub fn label(&mut self, name: Symbol) -> LabelId {
        if let Some(&label) = self.by_name.get(&name) {
            return label;
        }
        let label = self.new_label(name);
        self.by_name.insert(name, label);
        label
    }

    /// Begins a second analysis of a statement, whose labels are not those of the first one.
    pub fn suspend(&mut self) -> Suspended {
        let (labels, gotos) = (self.labels.len(), self.gotos.len());
        Suspended { by_name: std::mem::take(&mut self.by_name), labels, gotos }
    }

    /// Ends it. Labels and jumps of its own are forgotten unless `keep` says otherwise and all the labels are
    /// in the statement. Says whether they are kept.
    pub fn resume(&mut self, before: Suspended, keep: bool) -> bool {
        let Suspended { by_name, labels, gotos } = before;
        let keep = keep && self.labels[labels..].iter().all(|label| label.defined.is_some());
        if !keep {
            self.labels.truncate(labels);
            self.gotos.truncate(gotos);
        }
        self.by_name = by_name;
        keep
    }

    /// `__label__ name;`
    pub fn declare_local(&mut self, name: Symbol) {
        let label = self.new_label(name);
        let old = self.by_name.insert(name, label);
        self.hidden.push((name, old));
    }

    /// The regions that a jump leaves (not to be left) and enters (not to be entered).
    pub fn crossed(&self, from: u32, to: u32) -> Option<(bool, Region)> {
        let (mut from, mut to) = (from, to);
        let mut result = None;
        while from != to {
            let (a, b) = (self.regions[from as usize], self.regions[to as usize]);
            if a.depth >= b.depth {
                if matches!(a.kind, RegionKind::Construct(_)) {
                    result = result.or(Some((false, a)));
                }
                from = a.parent;
            } else {
                result = Some((true, b));
                to = b.parent;
            }
        }
        result
    }
}
