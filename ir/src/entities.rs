//! Typed 32-bit ids. The `Display` of an id is its name in the text form.

use cranelift_entity::{EntityRef, EntitySet, SecondaryMap, entity_impl};
use serde::{Deserialize, Serialize};

/// A map with a default value for all ids below a limit: writing them need not make it grow by one again and
/// again.
pub fn map_below<K: EntityRef, V: Clone + Default>(limit: usize) -> SecondaryMap<K, V> {
    let mut map = SecondaryMap::new();
    map.resize(limit);
    map
}

/// A set of entities.
pub fn set_of<K: EntityRef>(entities: impl IntoIterator<Item = K>) -> EntitySet<K> {
    let mut set = EntitySet::new();
    set.extend(entities);
    set
}

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    };
}

entity!(
    /// A function of the module, declared or defined.
    Func,
    "fn"
);
entity!(
    /// An object with static or thread storage duration.
    Global,
    "g"
);
entity!(
    /// The layout of a struct, union or complex type that crosses a call by value.
    Agg,
    "agg"
);
entity!(
    /// A function type: parameters, result, variadic or not.
    Sig,
    "sig"
);
entity!(
    /// A source file, for positions.
    File,
    "file"
);
entity!(
    /// A basic block of a function.
    Block,
    "bb"
);
entity!(
    /// A typed, assignable scalar of a function; it has no address.
    Local,
    "v"
);
entity!(
    /// An object with an address that lives as long as a call (or, in a region, as its declaring level).
    Slot,
    "s"
);
entity!(
    /// A loop of a function. Doubles as the documents' *loop identifier* (LID).
    Loop,
    "loop"
);
entity!(
    /// A compute construct that has not been outlined yet.
    Construct,
    "construct"
);
entity!(
    /// A reduction of one loop: the documents' *reduction identifier* (RID), unique in its function.
    Red,
    "red"
);
