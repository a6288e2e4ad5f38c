//! Which identifiers are type names at the current point (C11 6.2.1): the one question of meaning that the
//! grammar of C cannot be parsed without.

use crate::intern::Symbol;

/// The innermost meaning of every identifier, as far as "typedef name or not" goes. Leaving a scope undoes
/// the declarations made in it; declaring a name that keeps its meaning costs nothing.
#[derive(Default)]
pub(super) struct Scopes {
    typedef: Vec<bool>,
    undo: Vec<(Symbol, bool)>,
    marks: Vec<usize>,
}

impl Scopes {
    /// Whether `sym` names a type here.
    #[inline]
    pub fn is_typedef(&self, sym: Symbol) -> bool {
        self.typedef.get(sym.0 as usize).copied().unwrap_or(false)
    }

    /// Declares `sym` in the innermost scope, as a type name or as anything else.
    #[inline]
    pub fn declare(&mut self, sym: Symbol, typedef: bool) {
        let old = self.is_typedef(sym);
        if old == typedef {
            return;
        }
        let index = sym.0 as usize;
        if index >= self.typedef.len() {
            self.typedef.resize(index + 1, false);
        }
        self.typedef[index] = typedef;
        if !self.marks.is_empty() {
            self.undo.push((sym, old));
        }
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.marks.push(self.undo.len());
    }

    /// Closes the innermost scope.
    pub fn pop(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.undo.len() > mark {
            if let Some((sym, old)) = self.undo.pop() {
                self.typedef[sym.0 as usize] = old;
            }
        }
    }

    /// Number of open scopes, for [`Self::pop_to`].
    pub fn depth(&self) -> usize {
        self.marks.len()
    }

    /// Closes the scopes that an error left open.
    pub fn pop_to(&mut self, depth: usize) {
        while self.marks.len() > depth {
            self.pop();
        }
    }

    /// The type names that are visible, in order of their symbols.
    pub fn typedefs(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.typedef
            .iter()
            .enumerate()
            .filter(|&(_, &typedef)| typedef)
            .map(|(index, _)| Symbol(index as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_meanings_hide_outer_ones_until_their_scope_ends() {
        let (t, u) = (Symbol(3), Symbol(9));
        let mut scopes = Scopes::default();
        scopes.declare(t, true);
        scopes.push();
        scopes.declare(t, false);
        scopes.declare(u, true);
        scopes.push();
        scopes.declare(t, true);
        assert!(scopes.is_typedef(t) && scopes.is_typedef(u));
        scopes.pop();
        assert!(!scopes.is_typedef(t) && scopes.is_typedef(u));
        scopes.pop();
        assert!(scopes.is_typedef(t) && !scopes.is_typedef(u));
        assert_eq!(scopes.typedefs().collect::<Vec<_>>(), [t]);
    }
}
