//! The ids of the diagnostics that parsing can give, in one place.

macro_rules! ids {
    ($($name:ident = $id:literal: $meaning:literal,)*) => {
        $(#[doc = $meaning] pub(super) const $name: &str = $id;)*

        /// Every id, with its meaning.
        pub const TABLE: &[(&str, &str)] = &[$(($id, $meaning),)*];
    };
}

ids! {
    EXPECTED_TOKEN = "expected-token": "a punctuator or keyword that the grammar asks for is missing",
    EXPECTED_IDENTIFIER = "expected-identifier": "a name is missing",
    EXPECTED_EXPRESSION = "expected-expression": "an expression is missing",
    EXPECTED_STATEMENT = "expected-statement": "a statement is missing, or a declaration stands where only a statement may",
    EXPECTED_TYPE = "expected-type": "a type is missing",
    EXPECTED_DECLARATION = "expected-declaration": "something outside functions is no declaration",
    EXPECTED_STRING = "expected-string": "a string literal is missing",
    EXTRANEOUS_BRACE = "extraneous-brace": "a closing brace matches no opening one",
    ELSE_WITHOUT_IF = "else-without-if": "an `else` follows no `if`",
    UNKNOWN_TYPE = "unknown-type": "a name stands where a type must, and is not one",
    CONFLICTING_SPECIFIERS = "conflicting-specifiers": "type specifiers or storage classes exclude each other",
    DUPLICATE_SPECIFIER = "duplicate-specifier": "a specifier is given twice",
    MISPLACED_SPECIFIER = "misplaced-specifier": "a storage class or function specifier stands where none may",
    UNSUPPORTED_TYPE = "unsupported-type": "a type of GNU C that accrue does not have",
    NESTING_TOO_DEEP = "nesting-too-deep": "the program nests deeper than the parser follows (a limit)",
    TOO_MANY_ERRORS = "too-many-errors": "the parser gave up after many errors (a limit)",
    EMPTY_ENUM = "empty-enum": "an enumeration has no constants",
    PRAGMA_SYNTAX = "pragma-syntax": "a pragma that changes meaning is malformed",
    UNSUPPORTED_PRAGMA = "unsupported-pragma": "a pragma that would change the meaning of the program is not supported",
    MISPLACED_DIRECTIVE = "misplaced-directive": "a directive stands where it may not",
    MISPLACED_PRAGMA = "misplaced-pragma": "a pragma stands in the middle of something",
    EXPECTED_LOOP = "expected-loop": "a directive for loops is not followed by `for`",
    ROUTINE_WITHOUT_FUNCTION = "routine-without-function": "`routine` without a name is not followed by one function",
    UNKNOWN_DIRECTIVE = "unknown-directive": "no directive has this name",
    UNSUPPORTED_DIRECTIVE = "unsupported-directive": "a directive of OpenMP that accrue does not have",
    UNKNOWN_CLAUSE = "unknown-clause": "no clause has this name",
    UNSUPPORTED_CLAUSE = "unsupported-clause": "a clause of OpenMP that accrue does not have",
    EXPECTED_CLAUSE = "expected-clause": "something in a directive is no clause",
    UNKNOWN_MODIFIER = "unknown-modifier": "a clause does not have this modifier or argument",
    DUPLICATE_ARGUMENT = "duplicate-argument": "an argument of a clause is given twice",
    REDUCTION_OPERATOR = "reduction-operator": "no reduction has this operator",
    ATOMIC_CLAUSES = "atomic-clauses": "`atomic` has more than one of `read`, `write`, `update`, `capture`",
    CACHE_ITEM = "cache-item": "an item of `cache` is neither an array element nor a section",
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_are_distinct_kebab_case() {
        for (i, (id, _)) in super::TABLE.iter().enumerate() {
            assert!(id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{id}");
            assert!(super::TABLE[..i].iter().all(|(other, _)| other != id), "{id} twice");
        }
    }
}
