//! The ids of the diagnostics of semantic analysis, in one place. Warnings have GCC's names where GCC has one. Known
//! limits end in `-unsupported`.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        $($(#[$doc])* pub(crate) const $name: &str = $text;)*

        #[cfg(test)]
        const ALL: &[&str] = &[$($text,)*];
    };
}

ids! {
    // Errors.
    /// Too few or too many arguments.
    ARGUMENT_COUNT = "argument-count",
    /// Assignment to an array.
    ARRAY_ASSIGNMENT = "array-assignment",
    /// A length that no array can have.
    ARRAY_SIZE = "array-size",
    /// `sizeof` or `&` of a bit-field.
    BIT_FIELD_OPERAND = "bit-field-operand",
    /// A builtin that is named without being called.
    BUILTIN_ADDRESS = "builtin-address",
    /// Two declarations that do not agree.
    CONFLICTING_TYPES = "conflicting-types",
    /// A jump into or out of a construct.
    CONSTRUCT_BRANCH = "construct-branch",
    /// One name for two kinds of things.
    DIFFERENT_KIND = "different-kind-of-symbol",
    /// The same `case` twice.
    DUPLICATE_CASE = "duplicate-case",
    /// The same label twice.
    DUPLICATE_LABEL = "duplicate-label",
    /// Two members of one name.
    DUPLICATE_MEMBER = "duplicate-member",
    /// A flexible array member where none may be.
    FLEXIBLE_ARRAY = "flexible-array",
    /// `_Generic` without a match, or with two.
    GENERIC_SELECTION = "generic-selection",
    /// A value of a type that cannot be converted.
    INCOMPATIBLE_TYPES = "incompatible-types",
    /// A complete type is needed.
    INCOMPLETE_TYPE = "incomplete-type",
    /// A static object needs a constant.
    INITIALIZER_NOT_CONSTANT = "initializer-not-constant",
    /// No power of two.
    INVALID_ALIGNMENT = "invalid-alignment",
    /// A width or type no bit-field can have.
    INVALID_BIT_FIELD = "invalid-bit-field",
    /// A cast between types that have none.
    INVALID_CAST = "invalid-cast",
    /// A malformed number or character.
    INVALID_CONSTANT = "invalid-constant",
    /// A type that cannot be derived.
    INVALID_DECLARATOR = "invalid-declarator",
    /// A designator that designates nothing.
    INVALID_DESIGNATOR = "invalid-designator",
    /// An initialiser of the wrong form.
    INVALID_INITIALIZER = "invalid-initializer",
    /// A member of a type that no member has.
    INVALID_MEMBER = "invalid-member",
    /// `.` or `->` on something else.
    INVALID_MEMBER_ACCESS = "invalid-member-access",
    /// A unary operator or builtin on a type it is not defined for.
    INVALID_OPERAND = "invalid-operand",
    /// A binary operator on types it is not defined for.
    INVALID_OPERANDS = "invalid-operands",
    /// `restrict` on something that is no pointer.
    INVALID_RESTRICT = "invalid-restrict",
    /// A storage class that may not stand here.
    INVALID_STORAGE_CLASS = "invalid-storage-class",
    /// A subscript on or with something else.
    INVALID_SUBSCRIPT = "invalid-subscript",
    /// A jump into a statement expression.
    JUMP_INTO_STMT_EXPR = "jump-into-statement-expression",
    /// A jump past the declaration of a variably modified object.
    JUMP_INTO_VLA = "jump-into-vla-scope",
    /// `static` against `extern`.
    LINKAGE = "linkage",
    /// Something that is no object.
    LVALUE_REQUIRED = "lvalue-required",
    /// A call of something else.
    NOT_A_FUNCTION = "not-a-function",
    /// Something was left out of the typed tree without a reason being given.
    NOT_ANALYSED = "not-analysed",
    /// A constant is needed.
    NOT_CONSTANT = "not-constant",
    /// A member that is not there.
    NO_SUCH_MEMBER = "no-such-member",
    /// An enumerator out of range.
    OVERFLOW_ERROR = "enumerator-overflow",
    /// Parameters without names, names without parameters.
    PARAMETER_NAME = "parameter-name",
    /// Assignment to something `const`.
    READ_ONLY = "read-only",
    /// Two definitions.
    REDEFINITION = "redefinition",
    /// `&` of a register variable.
    REGISTER_ADDRESS = "register-address",
    /// A condition that is no scalar.
    SCALAR_REQUIRED = "scalar-required",
    /// `a[b:c]` outside of clauses.
    SECTION_OUTSIDE_CLAUSE = "section-outside-clause",
    /// `_Static_assert` failed.
    STATIC_ASSERTION = "static-assertion",
    /// `({ ... })` at file scope.
    STMT_EXPR_OUTSIDE_FUNCTION = "statement-expression-outside-function",
    /// `case` or `default` outside of `switch`.
    STRAY_CASE = "stray-case",
    /// `break` or `continue` outside of loops.
    STRAY_JUMP = "stray-jump",
    /// `switch` on something that is no integer.
    SWITCH_TYPE = "switch-type",
    /// `struct s` against `union s`.
    TAG_KIND = "tag-kind",
    /// A name that nobody declared.
    UNDECLARED = "undeclared",
    /// A label that is not there.
    UNDEFINED_LABEL = "undefined-label",
    /// A type name where an expression is needed.
    UNEXPECTED_TYPE_NAME = "unexpected-type-name",
    /// A type that nobody declared.
    UNKNOWN_TYPE = "unknown-type",
    /// `va_arg` with a type that is never passed.
    VA_ARG_TYPE = "va-arg-type",
    /// `va_start` in a function without `...`.
    VA_START = "va-start",
    /// A VLA with an initialiser.
    VLA_INITIALIZER = "vla-initializer",
    /// A VLA where the length must be constant.
    VLA_NOT_ALLOWED = "vla-not-allowed",
    /// The value of a void expression.
    VOID_VALUE = "void-value",

    // Known limits.
    /// Assembly code.
    ASM_UNSUPPORTED = "asm-unsupported",
    /// Atomic operations on objects of unusual size.
    ATOMIC_UNSUPPORTED = "atomic-unsupported",
    /// An attribute that would change the meaning.
    ATTRIBUTE_UNSUPPORTED = "attribute-unsupported",
    /// A `__builtin_...` that accrue does not know.
    BUILTIN_UNSUPPORTED = "builtin-unsupported",
    /// `goto *p` in a construct.
    COMPUTED_GOTO_UNSUPPORTED = "computed-goto-unsupported",
    /// GNU nested functions.
    NESTED_FUNCTION_UNSUPPORTED = "nested-function-unsupported",
    /// Too deep nesting.
    NESTING_UNSUPPORTED = "nesting-unsupported",
    /// A huge range designator.
    RANGE_UNSUPPORTED = "range-designator-unsupported",
    /// Vector types and `_Float128`.
    TYPE_UNSUPPORTED = "type-unsupported",
    /// `__attribute__((vector_size(...)))`.
    VECTOR_UNSUPPORTED = "vector-type-unsupported",

    // Warnings.
    /// An output operand of an empty assembly template.
    ASM_OUTPUT = "asm-output",
    /// An unknown attribute.
    ATTRIBUTES = "attributes",
    /// `int x = {{1}};`
    BRACES_AROUND_SCALAR = "braces-around-scalar",
    /// Comparison of unrelated pointers.
    COMPARE_DISTINCT_POINTER_TYPES = "compare-distinct-pointer-types",
    /// A pointer to `const` becomes one to non-`const`.
    DISCARDED_QUALIFIERS = "discarded-qualifiers",
    /// A constant divided by zero.
    DIV_BY_ZERO = "div-by-zero",
    /// `case 3 ... 2:`
    EMPTY_CASE_RANGE = "empty-case-range",
    /// A declaration that declares nothing.
    EMPTY_DECLARATION = "empty-declaration",
    /// More initialisers than parts.
    EXCESS_INITIALIZERS = "excess-initializers",
    /// `__func__` at file scope.
    FUNC_OUTSIDE_FUNCTION = "func-outside-function",
    /// A call without a declaration.
    IMPLICIT_FUNCTION = "implicit-function-declaration",
    /// A declaration without a type.
    IMPLICIT_INT = "implicit-int",
    /// A pointer of another type.
    INCOMPATIBLE_POINTER_TYPES = "incompatible-pointer-types",
    /// Between pointer and integer without a cast.
    INT_CONVERSION = "int-conversion",
    /// A narrow integer cast to a pointer.
    INT_TO_POINTER_CAST = "int-to-pointer-cast",
    /// `main` of another type.
    MAIN = "main",
    /// `'ab'`.
    MULTICHAR = "multichar",
    /// `return` in a `noreturn` function.
    NORETURN = "invalid-noreturn",
    /// A constant that does not fit.
    OVERFLOW = "overflow",
    /// Comparison of a pointer and an integer.
    POINTER_INTEGER_COMPARE = "pointer-integer-compare",
    /// A pointer cast to a narrow integer.
    POINTER_TO_INT_CAST = "pointer-to-int-cast",
    /// `return` with or without a value where the other is right.
    RETURN_TYPE = "return-type",
    /// A shift by the width or more.
    SHIFT_COUNT = "shift-count-overflow",
    /// A tag declared in a parameter list.
    TAG_IN_PROTOTYPE = "tag-in-prototype",
    /// `int a[];` without a length in the end.
    TENTATIVE_ARRAY = "tentative-array",
    /// A static function that is called and not defined.
    UNDEFINED_STATIC = "undefined-static",
    /// `'\q'`.
    UNKNOWN_ESCAPE = "unknown-escape",
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn ids_are_kebab_case_and_unique() {
        let mut sorted = ALL.to_vec();
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(ALL.iter().all(|id| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
    }
}
