//! Names behind `-W`: those of accrue's own warnings, those of GCC and Clang that makefiles hold, and what is
//! neither.

use accrue::diagnostics::{self, Known, Stage};
use accrue_frontend::diag::Level;
use accrue_frontend::suggest::nearest;

/// Why a name behind `-W` does nothing; none if it does, or if another C compiler knows it.
pub fn complaint(option: &str) -> Option<String> {
    // Of `-Wno-error=ID` only the id is looked up, of `-Wformat=2` what stands before the level.
    let (prefix, name) = split(option);
    if matches!(prefix, "" | "no-") && matches!(name, "error" | "system-headers") {
        return None;
    }
    let known = diagnostics::all();
    if let Some(known) = known.iter().find(|known| known.name == name) {
        return fixed(known).map(|why| format!("`-W{option}` has no effect: {why}"));
    }
    if is_of_c_compilers(name.split('=').next().unwrap_or(name)) {
        return None;
    }
    let switchable = known.iter().filter(|known| fixed(known).is_none()).map(|known| known.name.as_ref());
    let names = switchable.chain(["error", "system-headers"]).chain(foreign());
    let meant = nearest(name, names).map(|meant| format!("; did you mean `-W{prefix}{meant}`?"));
    Some(format!("unknown warning option `-W{option}`{}", meant.unwrap_or_default()))
}

/// What stands before the name of a warning, and the name.
fn split(option: &str) -> (&str, &str) {
    let after = |prefix| Some((prefix, option.strip_prefix(prefix)?));
    ["error=", "no-error=", "no-"].into_iter().find_map(after).unwrap_or(("", option))
}

/// Why `-W` does not change a diagnostic.
fn fixed(known: &Known) -> Option<String> {
    let Known { name, level, stage, .. } = known;
    match (stage, level) {
        (Stage::Run, _) => Some(format!("`{name}` is found while the program runs")),
        (Stage::Compiler, Level::Error) => Some(format!("`{name}` is always an error")),
        (Stage::Compiler, Level::Warning | Level::Either) => None,
    }
}

fn foreign<'a>() -> impl Iterator<Item = &'a str> {
    GCC.split_whitespace().chain(CLANG.split_whitespace())
}

/// Whether GCC or Clang has a warning of this name, for C: makefiles are full of them.
fn is_of_c_compilers(name: &str) -> bool {
    // Too many to list: checks of GCC's analyser, extensions that a standard or GNU C has, other languages.
    const FAMILIES: [&str; 14] = [
        "analyzer-",
        "c++",
        "c89-",
        "c90-",
        "c99-",
        "c11-",
        "c17-",
        "c23-",
        "c2x-",
        "documentation",
        "gnu",
        "nullability",
        "suggest-",
        "thread-safety",
    ];
    FAMILIES.iter().any(|family| name.starts_with(family)) || foreign().any(|known| known == name)
}

/// Warnings of GCC for C, as `gcc -Q --help=warnings` of several versions lists them.
const GCC: &str = "\
    NSObject-attribute abi absolute-value address address-of-packed-member aggregate-return \
    aggressive-loop-optimizations all alloc-size alloc-zero alloca arith-conversion array-bounds \
    array-compare array-parameter attribute-alias attribute-warning attributes bad-function-cast bidi-chars \
    bool-compare bool-operation builtin-declaration-mismatch builtin-macro-redefined c11-c2x-compat \
    c90-c99-compat c99-c11-compat calloc-transposed-args cannot-profile cast-align cast-function-type \
    cast-qual char-subscripts clobbered comment comments conversion coverage-invalid-line-number \
    coverage-mismatch cpp dangling-else dangling-pointer dangling-reference date-time \
    declaration-after-statement declaration-missing-parameter-type deprecated deprecated-declarations \
    deprecated-non-prototype designated-init disabled-optimization discarded-array-qualifiers \
    discarded-qualifiers div-by-zero double-promotion duplicate-decl-specifier duplicated-branches \
    duplicated-cond empty-body endif-labels enum-compare enum-conversion enum-int-mismatch \
    expansion-to-defined extra flex-array-member-not-at-end float-conversion float-equal format \
    format-contains-nul format-diag format-extra-args format-nonliteral format-overflow format-security \
    format-signedness format-truncation format-y2k format-zero-length frame-address free-labels \
    free-nonheap-object header-guard if-not-aligned ignored-attributes ignored-qualifiers implicit \
    implicit-fallthrough implicit-function-declaration implicit-int incompatible-pointer-types \
    infinite-recursion init-self inline int-conversion int-in-bool-context int-to-pointer-cast \
    invalid-memory-model invalid-pch invalid-utf8 jump-misses-init leading-whitespace \
    logical-not-parentheses logical-op long-long lto-type-mismatch main maybe-uninitialized memset-elt-size \
    memset-transposed-args misleading-indentation mismatched-dealloc missing-attributes missing-braces \
    missing-declarations missing-field-initializers missing-format-attribute missing-include-dirs \
    missing-noreturn missing-parameter-name missing-parameter-type missing-profile missing-prototypes \
    missing-variable-declarations multichar multistatement-macros narrowing nested-externs nonnull \
    nonnull-compare normalized null-dereference odr old-style-declaration old-style-definition \
    openacc-parallelism openmp-simd overflow overlength-strings override-init override-init-side-effects \
    packed packed-bitfield-compat packed-not-aligned padded parentheses pedantic pointer-arith \
    pointer-compare pointer-sign pointer-to-int-cast pragmas prio-ctor-dtor psabi redundant-decls restrict \
    return-local-addr return-mismatch return-type scalar-storage-order self-move sequence-point shadow \
    shadow-compatible-local shadow-local shift-count-negative shift-count-overflow shift-negative-value \
    shift-overflow sign-compare sign-conversion sizeof-array-argument sizeof-array-div sizeof-pointer-div \
    sizeof-pointer-memaccess stack-protector strict-aliasing strict-flex-arrays strict-overflow \
    strict-prototypes string-compare stringop-overflow stringop-overread stringop-truncation switch \
    switch-bool switch-default switch-enum switch-outside-range switch-unreachable sync-nand system-headers \
    tautological-compare traditional traditional-conversion trailing-whitespace trampolines trigraphs \
    trivial-auto-var-init tsan type-limits undef unicode uninitialized unknown-pragmas unreachable-code \
    unsafe-loop-optimizations unsuffixed-float-constants unterminated-string-initialization unused \
    unused-but-set-parameter unused-but-set-variable unused-const-variable unused-function unused-label \
    unused-local-typedefs unused-macros unused-parameter unused-result unused-value unused-variable \
    use-after-free varargs variadic-macros vector-operation-performance vla vla-parameter \
    volatile-register-var write-strings xor-used-as-pow zero-length-bounds";

/// Warnings of Clang for C that GCC does not have, the usual ones.
const CLANG: &str = "\
    assign-enum atomic-implicit-seq-cst backslash-newline-escape bitwise-instead-of-logical \
    bitwise-op-parentheses bool-conversion builtin-requires-header cast-calling-convention comma \
    compare-distinct-pointer-types compound-token-split conditional-uninitialized constant-conversion \
    constant-logical-operand covered-switch-default deprecated-register disabled-macro-expansion \
    dollar-in-identifier-extension duplicate-enum embedded-directive empty-translation-unit everything \
    excess-initializers extern-initializer extra-semi-stmt extra-tokens flexible-array-extensions \
    float-overflow-conversion float-zero-conversion format-pedantic gcc-compat ignored-optimization-argument \
    ignored-pragmas implicit-const-int-float-conversion implicit-fallthrough-per-function \
    implicit-float-conversion implicit-int-conversion implicit-retain-self \
    incompatible-library-redeclaration incompatible-pointer-types-discards-qualifiers \
    inconsistent-missing-override initializer-overrides int-conversions int-to-void-pointer-cast \
    invalid-source-encoding keyword-macro language-extension-token literal-conversion logical-op-parentheses \
    loop-analysis macro-redefined main-return-type microsoft most newline-eof non-literal-null-conversion \
    null-conversion objc-literal-conversion openmp openmp-mapping openmp-target over-aligned \
    parentheses-equality pass-failed pointer-bool-conversion pointer-to-enum-cast poison-system-directories \
    pragma-pack reserved-id-macro reserved-identifier reserved-macro-identifier return-stack-address \
    return-type-c-linkage self-assign self-assign-field shadow-all shadow-uncaptured-local \
    shift-op-parentheses shorten-64-to-32 sometimes-uninitialized source-uses-openmp static-in-inline \
    static-local-in-inline string-conversion strncat-size tautological-constant-out-of-range-compare \
    tautological-unsigned-zero-compare tentative-definition-incomplete-type undef-prefix undefined-internal \
    unknown-attributes unknown-warning-option unneeded-internal-declaration unreachable-code-break \
    unreachable-code-return unsequenced unused-command-line-argument unused-comparison \
    unused-getter-return-value unused-lambda-capture unused-private-field used-but-marked-unused visibility \
    vla-extension void-pointer-to-int-cast zero-length-array";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_accrue_and_of_other_compilers_are_taken() {
        let known = [
            "all",
            "extra",
            "conversion",
            "no-unused-parameter",
            "format=2",
            "no-unknown-pragmas",
            "error=format-security",
            "pedantic",
            "no-error=deprecated-declarations",
            "error",
            "no-error",
            "system-headers",
            "missing-reduction",
            "no-missing-reduction",
            "error=missing-reduction",
            "no-error=launch-size-reduced",
            "no-clause-ignored",
            "shorten-64-to-32",
            "gnu-zero-variadic-macro-arguments",
            "implicit-fallthrough=3",
            "no-routine-variable",
        ];
        known.iter().for_each(|name| assert_eq!(complaint(name), None, "{name}"));
    }

    #[test]
    fn other_names_get_a_suggestion_with_the_prefix() {
        let cases = [
            ("no-missing-reducton", "did you mean `-Wno-missing-reduction`?"),
            ("error=idle-thread", "did you mean `-Werror=idle-threads`?"),
            ("no-error=clause-ignore", "did you mean `-Wno-error=clause-ignored`?"),
            ("conversoin", "did you mean `-Wconversion`?"),
            ("eror", "did you mean `-Werror`?"),
            ("no-undeclared", "`undeclared` is always an error"),
            ("no-lost-result", "found while the program runs"),
        ];
        for (name, expected) in cases {
            let text = complaint(name).unwrap_or_else(|| panic!("{name} is taken"));
            assert!(text.contains(expected), "{name}: {text}");
        }
        assert_eq!(complaint("zebra-stripes").as_deref(), Some("unknown warning option `-Wzebra-stripes`"));
        assert!(complaint("").is_some());
    }
}
