//! Scopes: which declaration a name means. Names are looked up far more often than scopes are opened, so
//! every symbol knows its innermost binding and bindings remember what they hide.

use crate::ctype::{QualType, TypeId};
use crate::intern::Symbol;
use crate::source::Span;
use crate::typed::{FuncId, VarId};

/// What an identifier stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Entity {
    /// An object.
    Var(VarId),
    /// A function.
    Func(FuncId),
    /// A typedef name.
    Typedef(QualType),
    /// An enumeration constant.
    Constant(i128, TypeId),
    /// A declaration that was reported; uses of it are not.
    Error,
}

/// A name and what it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Binding<T> {
    /// The name.
    pub symbol: Symbol,
    /// How many scopes enclose it; 0 is file scope.
    pub depth: u32,
    /// What it stands for.
    pub entity: T,
    /// Where it was declared.
    pub span: Span,
    /// The binding it hides.
    hidden: u32,
}

/// One name space (C11 6.2.3).
pub struct NameSpace<T> {
    /// By symbol: 0, or the position of its innermost binding + 1.
    innermost: Vec<u32>,
    bindings: Vec<Binding<T>>,
    /// Number of bindings when each open scope but the outermost began.
    starts: Vec<u32>,
}

impl<T: Copy> NameSpace<T> {
    /// A name space in which only file scope is open.
    pub fn new() -> Self {
        NameSpace { innermost: Vec::new(), bindings: Vec::new(), starts: Vec::new() }
    }

    /// Opens a scope.
    pub fn enter(&mut self) {
        self.starts.push(self.bindings.len() as u32);
    }

    /// Closes the innermost scope.
    pub fn leave(&mut self) {
        let start = self.starts.pop().unwrap_or(0);
        while self.bindings.len() > start as usize {
            if let Some(binding) = self.bindings.pop() {
                self.innermost[binding.symbol.0 as usize] = binding.hidden;
            }
        }
    }

    /// How many scopes enclose the innermost one.
    pub fn depth(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The visible binding of a name.
    pub fn get(&self, symbol: Symbol) -> Option<&Binding<T>> {
        let position = *self.innermost.get(symbol.0 as usize)?;
        self.bindings.get((position as usize).wrapping_sub(1))
    }

    /// The visible binding of a name and those that it hides, innermost first.
    pub fn chain(&self, symbol: Symbol) -> impl Iterator<Item = &Binding<T>> {
        let before = |binding: &&Binding<T>| self.bindings.get((binding.hidden as usize).wrapping_sub(1));
        std::iter::successors(self.get(symbol), before)
    }

    /// The binding of a name in the innermost scope.
    pub fn get_here(&self, symbol: Symbol) -> Option<&Binding<T>> {
        self.get(symbol).filter(|binding| binding.depth == self.depth())
    }

    /// The visible binding of a name, to be changed.
    pub fn get_mut(&mut self, symbol: Symbol) -> Option<&mut Binding<T>> {
        let position = *self.innermost.get(symbol.0 as usize)?;
        self.bindings.get_mut((position as usize).wrapping_sub(1))
    }

    /// Declares a name in the innermost scope.
    pub fn bind(&mut self, symbol: Symbol, entity: T, span: Span) {
        let index = symbol.0 as usize;
        if index >= self.innermost.len() {
            self.innermost.resize(index + 1 + index / 2, 0);
        }
        let binding = Binding { symbol, depth: self.depth(), entity, span, hidden: self.innermost[index] };
        self.bindings.push(binding);
        self.innermost[index] = self.bindings.len() as u32;
    }

    /// Closes the innermost scope and hands out its bindings, to be opened again by [`Self::resume`].
    pub fn suspend(&mut self) -> Vec<(Symbol, T, Span)> {
        let start = self.starts.last().copied().unwrap_or(0) as usize;
        let bindings =
            self.bindings[start..].iter().map(|known| (known.symbol, known.entity, known.span)).collect();
        self.leave();
        bindings
    }

    /// Opens a scope with these bindings.
    pub fn resume(&mut self, bindings: Vec<(Symbol, T, Span)>) {
        self.enter();
        for (symbol, entity, span) in bindings {
            self.bind(symbol, entity, span);
        }
    }

    /// All visible bindings and those they hide, innermost last.
    pub fn all(&self) -> impl Iterator<Item = &Binding<T>> {
        self.bindings.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_bindings_hide_outer_ones_until_their_scope_ends() {
        let mut space: NameSpace<u32> = NameSpace::new();
        let (a, b) = (Symbol(7), Symbol(3));
        space.bind(a, 1, Span::default());
        space.enter();
        assert_eq!(space.get(a).map(|x| x.entity), Some(1));
        assert!(space.get_here(a).is_none());
        space.bind(a, 2, Span::default());
        space.bind(b, 3, Span::default());
        assert_eq!(space.get_here(a).map(|x| x.entity), Some(2));
        space.leave();
        assert_eq!(space.get(a).map(|x| x.entity), Some(1));
        assert!(space.get(b).is_none());
    }
}
