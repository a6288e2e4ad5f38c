//! Every diagnostic of this module: its id and what it means, in one place.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $id:literal: $text:literal,)*) => {
        $(#[doc = $text] pub const $name: &str = $id;)*

        /// (id, explanation), in the order of the source.
        pub const TABLE: &[(&str, &str)] = &[$(($id, $text),)*];
    };
}

ids! {
    // Clauses.
    CLAUSE_NOT_ALLOWED = "clause-not-allowed": "the directive does not take this clause",
    DUPLICATE_CLAUSE = "duplicate-clause": "the clause may stand only once on a directive",
    REPEATED_CLAUSE = "repeated-clause": "the clause says again what it has said on the same directive",
    CONFLICTING_CLAUSES = "conflicting-clauses": "two clauses of one directive contradict each other",
    DEVICE_TYPE_CLAUSE = "device-type-clause": "the clause may not depend on the device",
    MISSING_CLAUSE = "missing-clause": "the directive needs a clause that is not there",
    CLAUSE_ARGUMENT = "clause-argument": "the argument of a clause has the wrong type or value",
    CLAUSE_VALUE = "clause-value": "the argument of a clause has a value that makes no sense",
    // Variables in clauses.
    NOT_A_VARIABLE = "not-a-variable": "a clause names something that is not a variable",
    DATA_ITEM = "data-item": "the item of a clause has a form the clause does not take",
    NOT_A_POINTER = "not-a-pointer": "the clause takes pointers",
    NOT_MAPPABLE = "not-mappable": "an object of this type has no known size and cannot be copied to a device",
    ARRAY_SECTION = "array-section": "an array section is not well-formed",
    ARRAY_SECTION_BOUNDS = "array-section-bounds": "an array section leaves its array",
    NON_CONTIGUOUS_SECTION = "non-contiguous-section": "an array section is not one run of memory",
    DUPLICATE_VARIABLE = "duplicate-variable": "a variable stands in two clauses that exclude each other",
    REPEATED_VARIABLE = "repeated-variable": "a directive names a variable twice, where once is enough",
    TWO_SECTIONS = "two-sections-unsupported": "a compute construct names two parts of a variable, which has one address there",
    REDUCTION_DATA_CLAUSE = "reduction-data-clause": "the result of a reduction is not copied both ways",
    DEFAULT_NONE = "default-none": "`default(none)` wants every variable named in a clause",
    HOST_DATA_VARIABLE = "host-data-variable": "inside `host_data` the variable is a device address already",
    THREAD_LOCAL_VARIABLE = "thread-local-variable": "a thread-local object cannot be mapped",
    // Placement.
    DIRECTIVE_PLACEMENT = "directive-placement": "the directive may not stand here",
    CONSTRUCT_NESTING = "construct-nesting": "the construct may not stand inside the one around it",
    ORPHAN_LOOP = "orphan-loop": "a `loop` directive outside of compute constructs and routines",
    // Loops.
    LOOP_NOT_FOR = "loop-not-for": "a `loop` directive applies to a `for` statement",
    LOOP_NOT_CANONICAL = "loop-not-canonical": "the number of iterations cannot be computed before the loop starts",
    LOOP_NEST = "loop-nest": "`collapse` and `tile` want loops directly inside each other",
    LOOP_NOT_RECTANGULAR = "loop-not-rectangular": "the bounds of a collapsed or tiled loop depend on an outer one",
    COUNTER_CHANGED = "counter-changed": "the body of a parallel loop changes the variable that counts its iterations",
    LOOP_BOUND_CHANGED = "loop-bound-changed": "the body of a loop changes a variable that its bounds name",
    LOOP_BREAK = "loop-break": "`break` leaves a loop whose iterations have no order",
    LOOP_KIND = "loop-kind": "`seq`, `auto`, `independent` and the levels exclude each other",
    LOOP_LEVEL_ARGUMENT = "loop-level-argument": "the level takes no argument in this construct",
    LOOP_LEVEL_NESTING = "loop-level-nesting": "a loop inside another uses the same or an outer level",
    LOOP_LEVEL_ROUTINE = "loop-level-routine": "the level belongs to the callers of this routine",
    ORPHAN_GANG_REDUCTION = "orphan-gang-reduction": "a gang reduction in a routine has no place for its result",
    CACHE_PLACEMENT = "cache-placement": "`cache` stands in the body of a loop",
    // Reductions.
    REDUCTION_TYPE = "reduction-type": "the operator is not defined on the type of the variable",
    REDUCTION_VARIABLE = "reduction-variable": "the item of a `reduction` clause has a form the clause does not take",
    REDUCTION_MINUS = "reduction-minus": "`-` is no reduction operator of OpenACC",
    NESTED_REDUCTION_OPERATOR = "nested-reduction-operator": "nested loops reduce one variable with two operators",
    NESTED_REDUCTION_MISSING = "nested-reduction-missing": "a loop lacks the `reduction` clause of the construct or loop around it",
    IDLE_THREADS = "idle-threads": "a construct asks for workers or lanes that no loop of it uses",
    REDUNDANT_GANG_REDUCTION = "redundant-gang-reduction": "every gang executes a loop and contributes its result to a shared variable",
    PARTIAL_GANG_RESULT = "partial-gang-result": "a construct uses what its gangs reduce before all gangs have contributed",
    MISSING_REDUCTION = "missing-reduction": "iterations update a shared variable without a `reduction` clause",
    // Atomic.
    ATOMIC_FORM = "atomic-form": "the statement is none of the forms of the `atomic` construct",
    ATOMIC_TYPE = "atomic-type": "the object has no type that can be accessed atomically",
    PARLEVEL = "parlevel": "`__builtin_goacc_parlevel_*` is used outside of device code, or with a wrong level",
    // Declare and routine.
    DECLARE_PLACEMENT = "declare-placement": "the clause of `declare` does not fit the variable's scope",
    DECLARE_SECTION = "declare-section": "`declare` in a function has an array section, which only some compilers accept",
    DECLARE_DUPLICATE = "declare-duplicate": "a variable stands in two `declare` directives",
    ROUTINE_PLACEMENT = "routine-placement": "`routine` stands at file scope, before a function",
    ROUTINE_NAME = "routine-name": "`routine` names something that is no function",
    ROUTINE_LATE = "routine-late": "`routine` comes after the function was used or defined",
    ROUTINE_CONFLICT = "routine-conflict": "two `routine` directives for one function differ",
    ROUTINE_VARIABLE = "routine-variable": "a `routine` function uses a variable that is not on the device",
    ROUTINE_CALL = "routine-call": "a routine is called where its level is in use already",
    // Data.
    UPDATE_EMPTY = "update-empty": "`update` without anything to update",
    HOST_DATA_EMPTY = "host-data-empty": "`host_data` without `use_device` has no effect",
    // OpenMP.
    OMP_UNSUPPORTED = "omp-unsupported": "an OpenMP directive that is not implemented",
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn ids_are_distinct_and_kebab_case() {
        for (index, (id, text)) in TABLE.iter().enumerate() {
            assert!(id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{id}");
            assert!(!text.is_empty() && !text.ends_with('.'), "{id}");
            assert!(TABLE[..index].iter().all(|(other, _)| other != id), "{id} twice");
        }
    }
}
