//! "Did you mean": the nearest of the words that would have been right, or the header that was forgotten.

/// The candidate nearest to `word`, if it is near enough to be meant. Among equals, the first.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().take(MAX_WORD + 1).count();
    if length == 0 || length > MAX_WORD {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let longest = length.max(candidate.chars().take(MAX_WORD + 1).count());
        if candidate == word || longest > MAX_WORD {
            continue;
        }
        // Letters to insert, delete, replace or swap with their neighbour; `A` and `a` are one letter.
        let distance = strsim::osa_distance(&lower, &candidate.to_ascii_lowercase());
        // A third of the letters may be wrong; one may be in a word of two.
        let allowed = if longest <= 1 { 0 } else { (longest / 3).max(1) };
        if distance <= allowed && best.is_none_or(|(known, _)| distance < known) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The header that declares a name of the C library, POSIX or the runtime: the names that programs use most.
pub fn header_of(name: &str) -> Option<&'static str> {
    const HEADERS: &[(&str, &str)] = &[
        (
            "stdio.h",
            "printf fprintf sprintf snprintf vprintf vfprintf scanf fscanf sscanf puts putchar fputs fputc getchar \
             fgets fgetc fopen fclose fread fwrite fflush fseek ftell rewind feof perror remove FILE EOF stdin stdout \
             stderr",
        ),
        (
            "stdlib.h",
            "malloc calloc realloc free posix_memalign exit abort atexit atoi atol atof strtol strtoul strtod rand \
             srand random srandom drand48 srand48 qsort bsearch getenv system RAND_MAX EXIT_SUCCESS EXIT_FAILURE",
        ),
        (
            "string.h",
            "strlen strcmp strncmp strcpy strncpy strcat strncat strchr strrchr strstr strtok strdup strerror memset \
             memcpy memmove memcmp",
        ),
        (
            "math.h",
            "sqrt sqrtf pow powf exp expf log logf log2 log10 sin sinf cos cosf tan asin acos atan atan2 sinh cosh tanh \
             floor floorf ceil ceilf round trunc fmod hypot cbrt fabs fabsf fmax fmaxf fmin fminf isnan isinf M_PI M_E \
             INFINITY NAN HUGE_VAL",
        ),
        ("complex.h", "creal cimag cabs cexp conj crealf cimagf complex I"),
        (
            "limits.h",
            "INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN CHAR_BIT SHRT_MAX",
        ),
        ("float.h", "DBL_MAX DBL_MIN DBL_EPSILON FLT_MAX FLT_MIN FLT_EPSILON"),
        ("stdbool.h", "bool true false"),
        (
            "stdint.h",
            "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t INT32_MAX INT64_MAX \
             UINT32_MAX UINT64_MAX",
        ),
        ("stddef.h", "NULL size_t ptrdiff_t offsetof"),
        ("assert.h", "assert"),
        ("time.h", "time clock clock_gettime CLOCKS_PER_SEC CLOCK_MONOTONIC time_t clock_t"),
        ("sys/time.h", "gettimeofday"),
        ("unistd.h", "sleep usleep getopt"),
        ("ctype.h", "isdigit isalpha isspace isupper islower toupper tolower"),
        ("pthread.h", "pthread_create pthread_join pthread_t pthread_mutex_t"),
    ];
    if name.starts_with("acc_") {
        return Some("openacc.h");
    }
    if name.starts_with("omp_") {
        return Some("omp.h");
    }
    let (header, _) =
        HEADERS.iter().find(|(_, names)| names.split_whitespace().any(|known| known == name))?;
    Some(header)
}

/// Nobody means a word this long by another one, and the cost grows with the square.
const MAX_WORD: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let clauses = ["reduction", "nowait", "private", "copy", "copyin", "gang"];
        for (word, expected) in [
            ("redution", Some("reduction")),
            ("nowiat", Some("nowait")),
            ("Copyn", Some("copy")),
            ("gagn", Some("gang")),
            ("zebra", None),
            ("copy", Some("copyin")),
            ("", None),
        ] {
            assert_eq!(nearest(word, clauses), expected, "{word}");
        }
    }

    #[test]
    fn headers_of_common_names_are_known() {
        assert_eq!(header_of("printf"), Some("stdio.h"));
        assert_eq!(header_of("sqrt"), Some("math.h"));
        assert_eq!(header_of("acc_init"), Some("openacc.h"));
        assert_eq!(header_of("prinft"), None);
    }

    #[test]
    fn long_words_cost_nothing() {
        assert_eq!(nearest(&"x".repeat(1 << 20), ["copy"]), None);
        let long = "x".repeat(1 << 20);
        assert_eq!(nearest("coyp", [&*long, "copy"]), Some("copy"));
    }
}
