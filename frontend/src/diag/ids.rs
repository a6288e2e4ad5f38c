//! The registry of the front end's diagnostics: each id is written here once, with its severity and its
//! meaning, and the stages name it by its constant. A diagnostic takes an [`Id`], not a text, so that none
//! can be missing here; a constant that no stage uses is dead code, which the compiler reports.
//!
//! An id that is `explained` has a page in `explanations`: a few sentences, a small program that gets the
//! diagnostic, and one that does not.

use super::id::{Id, Level};
use accrue_ir::passes;

/// One entry, as a value.
macro_rules! entry {
    ($level:ident $id:literal $meaning:literal $($explained:ident)?) => {
        Id { name: $id, level: level!($level), meaning: $meaning, explanation: page!($id $($explained)?) }
    };
    ($level:ident ($id:path) $meaning:literal) => {
        Id { name: $id, level: level!($level), meaning: $meaning, explanation: None }
    };
    ($level:ident ($id:path, $page:literal) $meaning:literal) => {
        Id { name: $id, level: level!($level), meaning: $meaning, explanation: Some(include_str!($page)) }
    };
}

macro_rules! level {
    (error) => {
        Level::Error
    };
    (warning) => {
        Level::Warning
    };
    (either) => {
        Level::Either
    };
}

macro_rules! page {
    ($id:literal) => {
        None
    };
    ($id:literal explained) => {
        Some(include_str!(concat!("explanations/", $id, ".md")))
    };
}

macro_rules! ids {
    ($($level:ident $name:ident = $id:tt $($explained:ident)?: $meaning:literal;)*) => {
        $(#[doc = $meaning]
        pub(crate) const $name: &Id = &entry!($level $id $meaning $($explained)?);)*

        /// Every id of the front end, in the order of its stages. It does not name the constants, which would
        /// hide that one of them is not used.
        pub const ALL: &[Id] = &[$(entry!($level $id $meaning $($explained)?)),*];
    };
}

ids! {
    // The preprocessor and the scanner.
    error NULL_CHARACTER = "null-character": "a null character stands in the source";
    error UNTERMINATED_COMMENT = "unterminated-comment": "a comment has no end";
    error UNTERMINATED_LITERAL = "unterminated-literal": "a string or character constant has no end";
    error STRAY_CHARACTER = "stray-character": "a character that no token begins with";
    error ERROR_DIRECTIVE = "error-directive": "`#error`";
    error DIRECTIVE = "directive": "no preprocessing directive has this name";
    error CONDITIONAL = "conditional": "`#if`, `#else` and `#endif` do not match";
    error CONDITION = "condition": "the expression of `#if`, or the operand of `__has_include` and its like, is malformed";
    warning CPP = "cpp": "`#warning`";
    error LINE_DIRECTIVE = "line-directive": "`#line` is malformed";
    warning EXTRA_TOKENS = "extra-tokens": "something stands behind a directive that is complete";
    error MACRO_NAME = "macro-name": "no macro can have this name, or none is given";
    error MACRO_PARAMETER = "macro-parameter": "the parameters of a macro are malformed";
    error MACRO_BODY = "macro-body": "the body of a macro uses `#` or `##` where it may not";
    warning MACRO_WHITESPACE = "macro-whitespace": "no blank stands between a macro's name and its body";
    warning MACRO_REDEFINED = "macro-redefined": "a macro is defined again, otherwise than before";
    warning BUILTIN_MACRO_REDEFINED = "builtin-macro-redefined":
        "a macro of the compiler is defined or undefined";
    error MACRO_ARGUMENTS = "macro-arguments":
        "a macro is called with another number of arguments than it has parameters, or without an end";
    error MACRO_LIMIT = "macro-limit": "macro expansion makes more than the preprocessor follows (a limit)";
    error TOKEN_PASTE = "token-paste": "`##` makes something that is no token";
    error STRINGIFY = "stringify": "`#` makes something that is no string";
    either POISONED = "poisoned": "a name is used that `#pragma GCC poison` forbids, or the pragma is malformed";
    error HAS_INCLUDE = "has-include": "`__has_include` is used outside of `#if`";
    error INCLUDE = "include": "`#include` is malformed, or the file is not found";
    error INCLUDE_DEPTH = "include-depth": "`#include` nests deeper than the preprocessor follows (a limit)";
    error CANNOT_READ = "cannot-read": "a file cannot be read";
    error TOO_MUCH_SOURCE = "too-much-source": "the program is larger than the compiler can number (a limit)";
    warning PRAGMA_ONCE = "pragma-once": "`#pragma once` in the main file";
    either PRAGMA_MESSAGE = "pragma-message":
        "`#pragma message`, `#pragma GCC warning` or `#pragma GCC error`";
    error PRAGMA_OPERATOR = "pragma-operator": "`_Pragma` without a string literal in parentheses";
    warning UNKNOWN_PRAGMAS = "unknown-pragmas": "a pragma that accrue does not know, and ignores";
    // The parser.
    either EXPECTED_TOKEN = "expected-token": "a punctuator or keyword that the grammar asks for is missing";
    error EXPECTED_IDENTIFIER = "expected-identifier": "a name is missing";
    error EXPECTED_EXPRESSION = "expected-expression": "an expression is missing";
    error EXPECTED_STATEMENT = "expected-statement":
        "a statement is missing, or a declaration stands where only a statement may";
    error EXPECTED_TYPE = "expected-type": "a type is missing";
    error EXPECTED_DECLARATION = "expected-declaration": "something outside functions is no declaration";
    error EXPECTED_STRING = "expected-string": "a string literal is missing";
    error EXTRANEOUS_BRACE = "extraneous-brace": "a closing brace matches no opening one";
    error ELSE_WITHOUT_IF = "else-without-if": "an `else` follows no `if`";
    error UNKNOWN_TYPE = "unknown-type": "a name stands where a type must, and is not one";
    error CONFLICTING_SPECIFIERS = "conflicting-specifiers":
        "type specifiers or storage classes exclude each other";
    error DUPLICATE_SPECIFIER = "duplicate-specifier": "a specifier is given twice";
    error MISPLACED_SPECIFIER = "misplaced-specifier":
        "a storage class or function specifier stands where none may";
    error UNSUPPORTED_TYPE = "unsupported-type": "a type of GNU C that accrue does not have";
    error NESTING_TOO_DEEP = "nesting-too-deep": "the program nests deeper than the parser follows (a limit)";
    error TOO_MANY_ERRORS = "too-many-errors": "the parser gave up after many errors (a limit)";
    error EMPTY_ENUM = "empty-enum": "an enumeration has no constants";
    error PRAGMA_SYNTAX = "pragma-syntax": "a pragma that changes meaning is malformed";
    error UNSUPPORTED_PRAGMA = "unsupported-pragma":
        "a pragma that would change the meaning of the program is not supported";
    error MISPLACED_DIRECTIVE = "misplaced-directive": "a directive stands where it may not";
    error MISPLACED_PRAGMA = "misplaced-pragma": "a pragma stands in the middle of something";
    error EXPECTED_LOOP = "expected-loop": "a directive for loops is not followed by `for`";
    warning LOOP_IN_BRACES = "loop-in-braces": "braces stand between a directive of OpenACC and its loop";
    error ROUTINE_WITHOUT_FUNCTION = "routine-without-function":
        "`routine` without a name is not followed by one function";
    error UNKNOWN_DIRECTIVE = "unknown-directive": "no directive has this name";
    error UNSUPPORTED_DIRECTIVE = "unsupported-directive": "a directive of OpenMP that accrue does not have";
    error UNKNOWN_CLAUSE = "unknown-clause" explained: "no clause has this name";
    error UNSUPPORTED_CLAUSE = "unsupported-clause": "a clause of OpenMP that accrue does not have in code of a GPU";
    error EXPECTED_CLAUSE = "expected-clause": "something in a directive is no clause";
    error UNKNOWN_MODIFIER = "unknown-modifier": "a clause does not have this modifier or argument";
    error DUPLICATE_ARGUMENT = "duplicate-argument": "an argument of a clause is given twice";
    error REDUCTION_OPERATOR = "reduction-operator": "no reduction has this operator";
    error ATOMIC_CLAUSES = "atomic-clauses":
        "`atomic` has more than one of `read`, `write`, `update`, `capture`";
    // Types and expressions of C: errors.
    error ARGUMENT_COUNT = "argument-count": "a call has too few or too many arguments";
    error ARRAY_ASSIGNMENT = "array-assignment": "an array is assigned to as a whole";
    error ARRAY_SIZE = "array-size": "an array has a length that no array can have";
    error BIT_FIELD_OPERAND = "bit-field-operand": "`sizeof` or `&` is applied to a bit-field";
    error BUILTIN_ADDRESS = "builtin-address": "a builtin is named without being called";
    either CONFLICTING_TYPES = "conflicting-types":
        "two declarations of one name have types that do not agree";
    error CONSTRUCT_BRANCH = "construct-branch" explained: "a jump leads into or out of a construct";
    error DIFFERENT_KIND = "different-kind-of-symbol": "one name is declared as two kinds of things";
    error DUPLICATE_CASE = "duplicate-case": "a `switch` has the same `case` twice";
    error DUPLICATE_LABEL = "duplicate-label": "a function has the same label twice";
    error DUPLICATE_MEMBER = "duplicate-member": "a structure or union has two members of one name";
    error FLEXIBLE_ARRAY = "flexible-array": "a flexible array member stands where none may";
    error GENERIC_SELECTION = "generic-selection": "`_Generic` has no alternative for the type, or two";
    error INCOMPATIBLE_TYPES = "incompatible-types":
        "a value has a type that cannot be converted to the wanted one";
    error INCOMPLETE_TYPE = "incomplete-type": "a complete type is needed, and this one is not";
    error INITIALIZER_NOT_CONSTANT = "initializer-not-constant":
        "the initialiser of a static object is no constant";
    error INVALID_ALIGNMENT = "invalid-alignment":
        "an alignment is no power of two, or less than the type needs";
    error INVALID_BIT_FIELD = "invalid-bit-field":
        "a bit-field has a width or type that no bit-field can have";
    error INVALID_CAST = "invalid-cast": "no cast leads from the one type to the other";
    error INVALID_CONSTANT = "invalid-constant": "a number or character constant is malformed";
    error INVALID_DECLARATOR = "invalid-declarator":
        "a type is derived that cannot be: a function that returns an array, for instance";
    error INVALID_DESIGNATOR = "invalid-designator": "a designator designates nothing";
    error INVALID_INITIALIZER = "invalid-initializer": "an initialiser has the wrong form for its object";
    error INVALID_MEMBER = "invalid-member": "a member has a type that no member can have";
    error INVALID_MEMBER_ACCESS = "invalid-member-access":
        "`.` or `->` is applied to something that has no members";
    error INVALID_OPERAND = "invalid-operand":
        "a unary operator or builtin is not defined on the type of its operand";
    error INVALID_OPERANDS = "invalid-operands":
        "a binary operator is not defined on the types of its operands";
    error INVALID_RESTRICT = "invalid-restrict":
        "`restrict` qualifies something that is no pointer to an object";
    error INVALID_STORAGE_CLASS = "invalid-storage-class": "a storage class that may not stand here";
    error INVALID_SUBSCRIPT = "invalid-subscript":
        "`[]` is applied to no array or pointer, or the index is no integer";
    error JUMP_INTO_STMT_EXPR = "jump-into-statement-expression": "a jump leads into a statement expression";
    error JUMP_INTO_VLA = "jump-into-vla-scope":
        "a jump leads past the declaration of a variably modified object";
    error LINKAGE = "linkage": "one name is declared both with and without `static`";
    error LVALUE_REQUIRED = "lvalue-required":
        "something that is no object is assigned to, or its address is taken";
    error NOT_A_FUNCTION = "not-a-function": "something that is no function is called";
    error NOT_ANALYSED = "not-analysed":
        "a part of the program was left out without another error; please report it";
    error NOT_CONSTANT = "not-constant": "an integer constant is needed here";
    error NO_SUCH_MEMBER = "no-such-member": "the structure or union has no member of this name";
    error OVERFLOW_ERROR = "enumerator-overflow": "the value of an enumerator fits no integer type";
    error PARAMETER_NAME = "parameter-name":
        "a parameter of a definition has no name, or an old-style list of names does not match";
    error READ_ONLY = "read-only": "something `const` is changed";
    error REDEFINITION = "redefinition": "a name is defined twice";
    error REGISTER_ADDRESS = "register-address": "the address of a `register` variable is taken";
    error SCALAR_REQUIRED = "scalar-required": "a condition is neither a number nor a pointer";
    error SECTION_OUTSIDE_CLAUSE = "section-outside-clause":
        "an array section `a[b:c]` stands outside of clauses";
    error STATIC_ASSERTION = "static-assertion": "the condition of `_Static_assert` does not hold";
    error STMT_EXPR_OUTSIDE_FUNCTION = "statement-expression-outside-function":
        "a statement expression `({ ... })` stands at file scope";
    error STRAY_CASE = "stray-case": "`case` or `default` stands outside of `switch`";
    error STRAY_JUMP = "stray-jump": "`break` or `continue` stands outside of loops";
    error SWITCH_TYPE = "switch-type": "`switch` is applied to something that is no integer";
    error TAG_KIND = "tag-kind": "a tag is used as two kinds of types: `struct s` and `union s`";
    error UNDECLARED = "undeclared": "a name is used that no declaration in scope introduces";
    error UNDEFINED_LABEL = "undefined-label": "`goto` names a label that the function does not have";
    error UNEXPECTED_TYPE_NAME = "unexpected-type-name": "a type name stands where an expression is needed";
    error VA_ARG_TYPE = "va-arg-type": "`va_arg` asks for a type that is never passed through `...`";
    error VA_START = "va-start": "`va_start` stands in a function without `...`";
    error VLA_INITIALIZER = "vla-initializer": "an array of variable length has an initialiser";
    error VLA_NOT_ALLOWED = "vla-not-allowed":
        "an array of variable length stands where the length must be constant";
    error VOID_VALUE = "void-value": "the value of an expression without a value is used";
    // C that accrue does not have.
    error ASM_UNSUPPORTED = "asm-unsupported": "assembly code that is not empty";
    error ATOMIC_UNSUPPORTED = "atomic-unsupported": "an atomic operation on an object of unusual size";
    error ATTRIBUTE_UNSUPPORTED = "attribute-unsupported":
        "an attribute that would change the meaning of the program";
    error BUILTIN_UNSUPPORTED = "builtin-unsupported": "a `__builtin_...` function that accrue does not know";
    error COMPUTED_GOTO_UNSUPPORTED = "computed-goto-unsupported": "`goto *p` in a construct";
    error NESTED_FUNCTION_UNSUPPORTED = "nested-function-unsupported": "a nested function of GNU C";
    error NESTING_UNSUPPORTED = "nesting-unsupported": "the program nests deeper than the compiler follows";
    error RANGE_UNSUPPORTED = "range-designator-unsupported": "a range designator of very many elements";
    error TYPE_UNSUPPORTED = "type-unsupported":
        "a type that accrue does not have, a vector type or `_Float128` for instance";
    error VECTOR_UNSUPPORTED = "vector-type-unsupported":
        "a vector type: `__attribute__((vector_size(...)))`";
    // Types and expressions of C: warnings. They have GCC's names where GCC has one.
    warning ASM_OUTPUT = "asm-output": "an empty assembly template has an output operand";
    either ATTRIBUTES = "attributes":
        "an attribute that accrue does not know, or that does not fit where it stands";
    warning BRACES_AROUND_SCALAR = "braces-around-scalar":
        "braces within braces initialise one scalar: `int x = {{1}};`";
    warning COMPARE_DISTINCT_POINTER_TYPES = "compare-distinct-pointer-types":
        "pointers to different types are compared";
    warning DISCARDED_QUALIFIERS = "discarded-qualifiers":
        "a pointer to a `const` object becomes one to an object that may be changed";
    warning DIV_BY_ZERO = "div-by-zero": "an integer is divided by the constant zero";
    warning EMPTY_CASE_RANGE = "empty-case-range": "a range of `case` is empty: `case 3 ... 2:`";
    warning EMPTY_DECLARATION = "empty-declaration": "a declaration declares nothing";
    warning EXCESS_INITIALIZERS = "excess-initializers":
        "an initialiser has more values than the object has parts";
    warning FUNC_OUTSIDE_FUNCTION = "func-outside-function": "`__func__` is used at file scope";
    warning IMPLICIT_FUNCTION = "implicit-function-declaration":
        "a function is called that no declaration introduces";
    warning IMPLICIT_INT = "implicit-int": "a declaration has no type, and `int` is assumed";
    warning INCOMPATIBLE_POINTER_TYPES = "incompatible-pointer-types":
        "a pointer becomes one to another type without a cast";
    warning INT_CONVERSION = "int-conversion":
        "a pointer becomes an integer, or an integer a pointer, without a cast";
    warning INT_TO_POINTER_CAST = "int-to-pointer-cast":
        "an integer that is narrower than pointers is cast to one";
    warning MAIN = "main": "`main` has another type than C gives it";
    warning MULTICHAR = "multichar": "a character constant has several characters: `'ab'`";
    warning NORETURN = "invalid-noreturn": "a function that promises not to return does";
    warning OVERFLOW = "overflow": "a constant does not fit its type";
    warning POINTER_INTEGER_COMPARE = "pointer-integer-compare": "a pointer and an integer are compared";
    warning POINTER_TO_INT_CAST = "pointer-to-int-cast": "a pointer is cast to a narrower integer";
    warning RETURN_TYPE = "return-type":
        "`return` has a value in a function without one, or none in a function with one";
    warning SHIFT_COUNT = "shift-count-overflow":
        "a value is shifted by a negative count, or by its width or more";
    warning TAG_IN_PROTOTYPE = "tag-in-prototype":
        "a parameter list declares a tag, which nothing outside of it can name";
    warning TENTATIVE_ARRAY = "tentative-array":
        "`int a[];` has no length at the end of the file, and one element is assumed";
    warning UNDEFINED_STATIC = "undefined-static": "a `static` function is called and never defined";
    warning UNKNOWN_ESCAPE = "unknown-escape": "an escape sequence that C does not have: `'\\q'`";
    // Directives: clauses.
    error CLAUSE_NOT_ALLOWED = "clause-not-allowed": "the directive does not take this clause";
    error DUPLICATE_CLAUSE = "duplicate-clause": "the clause may stand only once on a directive";
    warning REPEATED_CLAUSE = "repeated-clause":
        "the clause says again what it has said on the same directive";
    error CONFLICTING_CLAUSES = "conflicting-clauses" explained:
        "two clauses of one directive contradict each other";
    error DEVICE_TYPE_CLAUSE = "device-type-clause":
        "a clause stands behind `device_type` that may not depend on the device";
    error MISSING_CLAUSE = "missing-clause": "the directive lacks a clause that it needs";
    error CLAUSE_ARGUMENT = "clause-argument": "the argument of a clause has the wrong type or value";
    warning CLAUSE_VALUE = "clause-value": "the argument of a clause has a value that makes no sense";
    // Directives: variables in clauses.
    error NOT_A_VARIABLE = "not-a-variable": "a clause names something that is not a variable";
    error DATA_ITEM = "data-item": "the item of a clause has a form the clause does not take";
    error NOT_A_POINTER = "not-a-pointer": "the clause takes pointers, and the item is none";
    error NOT_MAPPABLE = "not-mappable" explained:
        "an object of this type has no known size and cannot be copied to a device";
    error ARRAY_SECTION = "array-section": "an array section is not well-formed";
    error ARRAY_SECTION_BOUNDS = "array-section-bounds" explained: "an array section leaves its array";
    error NON_CONTIGUOUS_SECTION = "non-contiguous-section": "an array section is not one run of memory";
    either DUPLICATE_VARIABLE = "duplicate-variable" explained:
        "a variable stands in two clauses that exclude each other";
    warning REPEATED_VARIABLE = "repeated-variable":
        "a directive names a variable twice, where once is enough";
    error TWO_SECTIONS = "two-sections-unsupported":
        "a compute construct names two parts of a variable, which has one address there";
    warning REDUCTION_DATA_CLAUSE = "reduction-data-clause" explained:
        "the result of a reduction is not copied both ways";
    error DEFAULT_NONE = "default-none" explained: "`default` wants a variable named in a clause";
    error HOST_DATA_VARIABLE = "host-data-variable":
        "inside `host_data` the variable is a device address already";
    error THREAD_LOCAL_VARIABLE = "thread-local-variable": "a thread-local object cannot be mapped";
    // Directives: placement.
    error OMP_ERROR = "omp-error": "`#pragma omp error`";
    warning OMP_WARNING = "omp-warning": "`#pragma omp error severity(warning)`";
    error DIRECTIVE_PLACEMENT = "directive-placement": "the directive may not stand here";
    error CONSTRUCT_NESTING = "construct-nesting": "the construct may not stand inside the one around it";
    error ORPHAN_LOOP = "orphan-loop": "a `loop` directive outside of compute constructs and routines";
    // Directives: loops.
    error LOOP_NOT_FOR = "loop-not-for": "a `loop` directive stands before something that is no `for` statement";
    error LOOP_NOT_CANONICAL = "loop-not-canonical" explained:
        "the number of iterations cannot be computed before the loop starts";
    error LOOP_NEST = "loop-nest": "`collapse` and `tile` want loops directly inside each other";
    error LOOP_NOT_RECTANGULAR = "loop-not-rectangular" explained:
        "the bounds of a collapsed or tiled loop depend on an outer one";
    warning COUNTER_CHANGED = "counter-changed" explained:
        "the body of a parallel loop changes the variable that counts its iterations";
    warning LOOP_BOUND_CHANGED = "loop-bound-changed" explained:
        "the body of a loop changes a variable that its bounds name";
    error LOOP_BREAK = "loop-break" explained: "`break` leaves a loop whose iterations have no order";
    error LOOP_KIND = "loop-kind": "`seq`, `auto` and `independent` exclude each other, and `seq` excludes levels";
    error LOOP_LEVEL_ARGUMENT = "loop-level-argument": "the level takes no argument in this construct";
    error LOOP_LEVEL_NESTING = "loop-level-nesting" explained:
        "a loop inside another uses the same or an outer level";
    error LOOP_LEVEL_ROUTINE = "loop-level-routine": "the level belongs to the callers of this routine";
    error ORPHAN_GANG_REDUCTION = "orphan-gang-reduction" explained:
        "a gang reduction in a routine has no place for its result";
    warning CACHE_PLACEMENT = "cache-placement": "`cache` stands outside of the body of a loop";
    // Directives: reductions.
    error REDUCTION_TYPE = "reduction-type" explained:
        "the operator is not defined on the type of the variable";
    error REDUCTION_VARIABLE = "reduction-variable":
        "the item of a `reduction` clause has a form the clause does not take";
    error REDUCTION_DECLARATION = "reduction-declaration": "a `declare reduction` that cannot be one";
    error MAPPER = "mapper": "a `declare mapper` that cannot be one, or a mapper that is not declared";
    warning REDUCTION_MINUS = "reduction-minus": "`-` is no reduction operator of OpenACC";
    warning NESTED_REDUCTION_OPERATOR = "nested-reduction-operator":
        "nested loops reduce one variable with two operators";
    warning NESTED_REDUCTION_MISSING = "nested-reduction-missing" explained:
        "a loop lacks the `reduction` clause of the construct or loop around it";
    warning IDLE_THREADS = "idle-threads" explained:
        "a construct asks for workers or lanes that no loop of it uses";
    warning REDUNDANT_GANG_REDUCTION = "redundant-gang-reduction" explained:
        "every gang executes a loop and contributes its result to a shared variable";
    warning PARTIAL_GANG_RESULT = "partial-gang-result" explained:
        "a construct uses what its gangs reduce before all gangs have contributed";
    warning LOST_GANG_RESULT = "lost-gang-result" explained:
        "gangs reduce a variable of which each has its own, and nothing reads it";
    warning MISSING_REDUCTION = "missing-reduction" explained:
        "iterations update a shared variable without a `reduction` clause";
    warning STALE_BOUND = "stale-bound" explained:
        "the bound of a loop is a scalar that the host has changed since it was copied to the device";
    warning CACHE_ITEM = "cache-item": "an item of `cache` is a whole array, rather than an element or a section";
    warning TILE_SIZE = "tile-size": "a size in a `tile` clause is no constant";
    warning PRIVATE_UNSET = "private-unset" explained:
        "a `private` clause names a scalar that the code there reads and never sets";
    warning LOST_SCALAR = "lost-scalar" explained:
        "a construct assigns a scalar that no clause names, and whose value the host reads behind it";
    warning POINTER_KEPT = "pointer-kept" explained:
        "`kernels` assigns a pointer whose value the host reads behind it";
    // Directives: atomic.
    error ATOMIC_FORM = "atomic-form" explained:
        "the statement is none of the forms of the `atomic` construct";
    warning ATOMIC_OPERAND = "atomic-operand":
        "what `atomic capture` stores depends on what it reads or captures, and is computed before";
    error ATOMIC_TYPE = "atomic-type": "the object has no type that can be accessed atomically";
    error PARLEVEL = "parlevel":
        "`__builtin_goacc_parlevel_*` is used outside of device code, or with a wrong level";
    // Directives: declare and routine.
    error DECLARE_PLACEMENT = "declare-placement":
        "the clause of `declare` does not fit the variable's scope";
    warning DECLARE_SECTION = "declare-section" explained:
        "`declare` in a function has an array section, which only some compilers accept";
    error DECLARE_DUPLICATE = "declare-duplicate": "a variable stands in two `declare` directives";
    error ROUTINE_PLACEMENT = "routine-placement": "`routine` stands inside of a function, or before something that is no function";
    error ROUTINE_NAME = "routine-name": "`routine` names something that is no function";
    error ROUTINE_LATE = "routine-late": "`routine` comes after the function was used or defined";
    error ROUTINE_CONFLICT = "routine-conflict": "two `routine` directives for one function differ";
    // A pass finds more of them, and has the id.
    either ROUTINE_VARIABLE = (passes::ids::ROUTINE_VARIABLE, "explanations/routine-variable.md"):
        "a `routine` function uses a variable that is not on the device";
    error ROUTINE_CALL = "routine-call" explained: "a routine is called where its level is in use already";
    // Directives: data.
    error UPDATE_EMPTY = "update-empty": "`update` without anything to update";
    warning HOST_DATA_EMPTY = "host-data-empty": "`host_data` without `use_device` has no effect";
    // OpenMP.
    error OMP_UNSUPPORTED = "omp-unsupported": "an OpenMP directive that is not implemented";
    warning OMP_IN_PLACE = "omp-in-place":
        "a directive for the host stands inside of `target`, where the device executes its statement";
    warning OMP_ONE_THREAD = (passes::ids::ONE_THREAD):
        "one thread of a device executes what the program gives to many";
    warning OMP_REQUIRES = "omp-requires":
        "`requires` asks for what no other device than the host has";
    // Known limits of lowering.
    error ATOMIC_BIT_FIELD_UNSUPPORTED = "atomic-bit-field-unsupported": "an atomic access to a bit-field";
    error ATOMIC_LOCAL_UNSUPPORTED = "atomic-local-unsupported":
        "an atomic access to a variable that has no address of its own";
    error VLA_PRIVATE_UNSUPPORTED = "vla-private-unsupported":
        "a variable-length array in a `private` or `firstprivate` clause";
    error MEMBER_PRIVATE_UNSUPPORTED = "member-private-unsupported":
        "a member of a structure in a `private` or `firstprivate` clause of OpenACC";
    error REDUCTION_SUBARRAY_UNSUPPORTED = "reduction-subarray-unsupported":
        "a reduction of many structures, or of a number of them known at run time only";
    error VLA_REDUCTION_UNSUPPORTED = "vla-reduction-unsupported":
        "a reduction of a variable-length array of structures";
    error MAP_WITHOUT_ADDRESS_UNSUPPORTED = "map-without-address-unsupported":
        "a data clause names something that has no address of its own";
    error ARGUMENT_ALIGNMENT_UNSUPPORTED = "argument-alignment-unsupported":
        "an argument without a parameter is aligned to more than 16 bytes";
    error LONG_DOUBLE_COMPLEX_UNSUPPORTED = "long-double-complex-unsupported": "`long double _Complex`";
    error ATOMIC_STRUCT_UNSUPPORTED = "atomic-struct-unsupported": "an atomic operation on a structure";
    error PARLEVEL_ARGUMENT = "parlevel-argument":
        "`__builtin_goacc_parlevel_*` wants one of the constants 0, 1 and 2";
    error TOO_MANY_PARAMETERS_UNSUPPORTED = "too-many-parameters-unsupported":
        "a function has more parameters than the IR can number";
    error CONSTANT_INITIALISER_UNSUPPORTED = "constant-initialiser-unsupported":
        "a static object has an initialiser that no image in memory can hold";
    // Showing diagnostics.
    warning NOT_SHOWN = "not-shown": "more errors or warnings than are shown";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct_and_kebab_case() {
        for (index, id) in ALL.iter().enumerate() {
            let Id { name, meaning, .. } = id;
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.chars().all(plain), "{name}");
            // `-Wno-ID` would be read as the opposite of another id.
            assert!(!name.starts_with("no-") || id.level == Level::Error, "{name}");
            assert!(
                !meaning.is_empty() && !meaning.ends_with('.') && !meaning.contains('\n'),
                "{name}: {meaning}"
            );
            assert!(ALL[..index].iter().all(|other| other.name != *name), "{name} twice");
        }
    }

    #[test]
    fn limits_are_errors() {
        let limits = ALL.iter().filter(|id| id.name.ends_with("-unsupported"));
        assert!(limits.clone().count() > 10);
        limits.for_each(|id| assert_eq!(id.level, Level::Error, "{}", id.name));
    }
}
