/* Functions that are exact or give integers, and those on memory: compared with the host's. */

#include <ctype.h>
#include <strings.h>

static long wrong;
static long compared;

static void expect(const char *name, int right, double x, double y) {
    compared++;
    if (right) return;
    if (wrong++ < 20) printf("%s: wrong at %a, %a\n", name, x, y);
}

#define SAME(name, left, right) expect(name, (left) == (right), x, y)
static int same_bits(const void *left, const void *right, size_t length) { return memcmp(left, right, length) == 0; }

#define SAME_BITS(name, left, right)                                                              \
    do {                                                                                          \
        __typeof__(left) left_value = (left), right_value = (right);                                         \
        expect(name, same_bits(&left_value, &right_value, sizeof left_value) || (isnan(left_value) && isnan(right_value)), x, y); \
    } while (0)

static void check_integers_of(double x, double y) {
    float xf = (float)x, yf = (float)y;
    int n = (int)(random_bits() % 4600) - 2300, mine = 0, theirs = 0;
    SAME("ilogb", DEVICE(ilogb)(x), ilogb(x));
    SAME("ilogbf", DEVICE(ilogbf)(xf), ilogbf(xf));
    SAME("lround", DEVICE(lround)(x), lround(x));
    SAME("lroundf", DEVICE(lroundf)(xf), lroundf(xf));
    SAME("llround", DEVICE(llround)(x), llround(x));
    SAME("llroundf", DEVICE(llroundf)(xf), llroundf(xf));
    SAME("lrint", DEVICE(lrint)(x), lrint(x));
    SAME("lrintf", DEVICE(lrintf)(xf), lrintf(xf));
    SAME("llrint", DEVICE(llrint)(x), llrint(x));
    SAME("llrintf", DEVICE(llrintf)(xf), llrintf(xf));
    SAME("fpclassify", DEVICE(__fpclassify)(x), fpclassify(x));
    SAME("fpclassifyf", DEVICE(__fpclassifyf)(xf), fpclassify(xf));
    SAME("isnan", DEVICE(__isnan)(x), !!isnan(x));
    SAME("isnanf", DEVICE(__isnanf)(xf), !!isnan(xf));
    SAME("isinf", DEVICE(__isinf)(x), isinf(x) ? (x < 0 ? -1 : 1) : 0);
    SAME("isinff", DEVICE(__isinff)(xf), isinf(xf) ? (xf < 0 ? -1 : 1) : 0);
    SAME("finite", DEVICE(__finite)(x), !!isfinite(x));
    SAME("finitef", DEVICE(__finitef)(xf), !!isfinite(xf));
    if (!isnan(x)) SAME("signbit", DEVICE(__signbit)(x), !!signbit(x));
    if (!isnan(x)) SAME("signbitf", DEVICE(__signbitf)(xf), !!signbit(xf));
    SAME_BITS("scalbn", DEVICE(scalbn)(x, n), scalbn(x, n));
    SAME_BITS("scalbn", DEVICE(scalbn)(x, INT_MAX), scalbn(x, INT_MAX));
    SAME_BITS("scalbn", DEVICE(scalbn)(x, INT_MIN), scalbn(x, INT_MIN));
    SAME_BITS("scalbnf", DEVICE(scalbnf)(xf, n / 7), scalbnf(xf, n / 7));
    SAME_BITS("ldexp", DEVICE(ldexp)(x, n), ldexp(x, n));
    SAME_BITS("ldexpf", DEVICE(ldexpf)(xf, n / 7), ldexpf(xf, n / 7));
    SAME_BITS("scalbln", DEVICE(scalbln)(x, n * 1000000l), scalbln(x, n * 1000000l));
    SAME_BITS("scalblnf", DEVICE(scalblnf)(xf, n / 7), scalblnf(xf, n / 7));
    double whole, host_whole;
    float wholef, host_wholef;
    SAME_BITS("modf", DEVICE(modf)(x, &whole), modf(x, &host_whole));
    SAME_BITS("modf", whole, host_whole);
    SAME_BITS("modff", DEVICE(modff)(xf, &wholef), modff(xf, &host_wholef));
    SAME_BITS("modff", wholef, host_wholef);
    SAME_BITS("frexp", DEVICE(frexp)(x, &mine), frexp(x, &theirs));
    if (isfinite(x)) SAME("frexp", mine, theirs);
    SAME_BITS("frexpf", DEVICE(frexpf)(xf, &mine), frexpf(xf, &theirs));
    if (isfinite(xf)) SAME("frexpf", mine, theirs);
    mine = theirs = 0;
    SAME_BITS("remquo", DEVICE(remquo)(x, y, &mine), remquo(x, y, &theirs));
    /* The last three bits of the quotient: others may be there, too. */
    if (isfinite(x) && !isnan(y) && y != 0.0) SAME("remquo", (mine - theirs) % 8, 0);
    mine = theirs = 0;
    SAME_BITS("remquof", DEVICE(remquof)(xf, yf, &mine), remquof(xf, yf, &theirs));
    if (isfinite(xf) && !isnan(yf) && yf != 0.0f) SAME("remquof", (mine - theirs) % 8, 0);
    if (x < 0.0 && isfinite(x) && floor(x) != x) {
        (void)DEVICE(lgamma_r)(x, &mine);
        (void)lgamma_r(x, &theirs);
        SAME("lgamma_r", mine, theirs);
    }
}

static void check_exact_functions(void) {
    for (long i = 0; i < samples + SPECIALS * SPECIALS; i++) {
        int listed = i < SPECIALS * SPECIALS;
        double x = listed ? special[i / SPECIALS] : first_argument(ALIKE, (int)(i & 1));
        double y = listed ? special[i % SPECIALS] : second_argument(x, ALIKE, 1.0);
        check_integers_of(x, y);
    }
    double x = 0.0, y = 0.0;
    expect("nan", isnan(DEVICE(nan)("")) && isnan(DEVICE(nanf)("")), x, y);
    for (int c = -1; c < 256; c++) {
        y = c;
        SAME("isdigit", !DEVICE(isdigit)(c), !(isdigit)(c));
        SAME("isupper", !DEVICE(isupper)(c), !(isupper)(c));
        SAME("islower", !DEVICE(islower)(c), !(islower)(c));
        SAME("isalpha", !DEVICE(isalpha)(c), !(isalpha)(c));
        SAME("isalnum", !DEVICE(isalnum)(c), !(isalnum)(c));
        SAME("isxdigit", !DEVICE(isxdigit)(c), !(isxdigit)(c));
        SAME("isblank", !DEVICE(isblank)(c), !(isblank)(c));
        SAME("isspace", !DEVICE(isspace)(c), !(isspace)(c));
        SAME("iscntrl", !DEVICE(iscntrl)(c), !(iscntrl)(c));
        SAME("isprint", !DEVICE(isprint)(c), !(isprint)(c));
        SAME("isgraph", !DEVICE(isgraph)(c), !(isgraph)(c));
        SAME("ispunct", !DEVICE(ispunct)(c), !(ispunct)(c));
        SAME("tolower", DEVICE(tolower)(c), (tolower)(c));
        SAME("toupper", DEVICE(toupper)(c), (toupper)(c));
    }
    for (int c = -128; c < 256; c++) {
        y = c;
        SAME("__ctype_b_loc", (*DEVICE(__ctype_b_loc)())[c], (*__ctype_b_loc())[c]);
        SAME("__ctype_tolower_loc", (*DEVICE(__ctype_tolower_loc)())[c], (*__ctype_tolower_loc())[c]);
        SAME("__ctype_toupper_loc", (*DEVICE(__ctype_toupper_loc)())[c], (*__ctype_toupper_loc())[c]);
    }
}

static int sign_of_int(int x) { return (x > 0) - (x < 0); }

static int by_value(const void *a, const void *b) {
    int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

#define TEXT 96

static void fill(char *text, size_t length) {
    for (size_t i = 0; i < length; i++) text[i] = (char)('a' + random_bits() % 3);
    text[length] = 0;
}

static void check_blocks(void) {
    char mine[3 * TEXT], theirs[3 * TEXT];
    double x = 0.0, y = 0.0;
    for (size_t i = 0; i < sizeof mine; i++) mine[i] = theirs[i] = (char)random_bits();
    size_t to = random_bits() % TEXT, from = random_bits() % TEXT, length = random_bits() % TEXT;
    if (random_bits() & 1) to &= ~(size_t)7, from &= ~(size_t)7;
    SAME("memmove", DEVICE(memmove)(mine + to, mine + from, length), (void *)(mine + to));
    memmove(theirs + to, theirs + from, length);
    SAME("memmove", memcmp(mine, theirs, sizeof mine), 0);
    SAME("memcpy", DEVICE(memcpy)(mine + TEXT + to, mine + from % 8, length % TEXT % (TEXT - 8)), (void *)(mine + TEXT + to));
    memcpy(theirs + TEXT + to, theirs + from % 8, length % TEXT % (TEXT - 8));
    SAME("memcpy", memcmp(mine, theirs, sizeof mine), 0);
    DEVICE(memset)(mine + to, (int)from, length);
    memset(theirs + to, (int)from, length);
    SAME("memset", memcmp(mine, theirs, sizeof mine), 0);
    SAME("memcmp", sign_of_int(DEVICE(memcmp)(mine, mine + from, length)), sign_of_int(memcmp(mine, mine + from, length)));
    SAME("memchr", DEVICE(memchr)(mine, mine[to], length), memchr(mine, mine[to], length));
}

static void check_strings(void) {
    char a[TEXT], b[TEXT], mine[3 * TEXT] = {0}, theirs[3 * TEXT] = {0};
    double x = 0.0, y = 0.0;
    size_t limit = random_bits() % 12;
    fill(a, random_bits() % 12);
    fill(b, random_bits() % 4);
    SAME("strlen", DEVICE(strlen)(a), strlen(a));
    SAME("strnlen", DEVICE(strnlen)(a, limit), strnlen(a, limit));
    SAME("strcmp", sign_of_int(DEVICE(strcmp)(a, b)), sign_of_int(strcmp(a, b)));
    SAME("strncmp", sign_of_int(DEVICE(strncmp)(a, b, limit)), sign_of_int(strncmp(a, b, limit)));
    SAME("strchr", DEVICE(strchr)(a, 'b'), strchr(a, 'b'));
    SAME("strchr", DEVICE(strchr)(a, 0), strchr(a, 0));
    SAME("strrchr", DEVICE(strrchr)(a, 'b'), strrchr(a, 'b'));
    SAME("strstr", DEVICE(strstr)(a, b), strstr(a, b));
    SAME("strspn", DEVICE(strspn)(a, b), strspn(a, b));
    SAME("strcspn", DEVICE(strcspn)(a, b), strcspn(a, b));
    SAME("strpbrk", DEVICE(strpbrk)(a, b), strpbrk(a, b));
    DEVICE(strcpy)(mine, a), strcpy(theirs, a);
    DEVICE(strcat)(mine, b), strcat(theirs, b);
    DEVICE(strncat)(mine, a, limit), strncat(theirs, a, limit);
    DEVICE(strncpy)(mine + TEXT, a, limit), strncpy(theirs + TEXT, a, limit);
    SAME("stpcpy", DEVICE(stpcpy)(mine + 2 * TEXT, a) - mine, stpcpy(theirs + 2 * TEXT, a) - theirs);
    SAME("strcat", memcmp(mine, theirs, sizeof mine), 0);
}

static void check_memory_functions(void) {
    double x = 0.0, y = 0.0;
    for (int i = 0; i < 3000; i++) {
        check_blocks();
        check_strings();
        int mine[40], theirs[40], count = (int)(random_bits() % 40), key = (int)(random_bits() % 50);
        for (int k = 0; k < count; k++) mine[k] = theirs[k] = (int)(random_bits() % 50) - 10;
        DEVICE(qsort)(mine, (size_t)count, sizeof *mine, by_value);
        qsort(theirs, (size_t)count, sizeof *theirs, by_value);
        SAME("qsort", memcmp(mine, theirs, (size_t)count * sizeof *mine), 0);
        int *found = DEVICE(bsearch)(&key, mine, (size_t)count, sizeof *mine, by_value);
        int *expected = bsearch(&key, theirs, (size_t)count, sizeof *theirs, by_value);
        SAME("bsearch", found ? *found : -1000, expected ? *expected : -1000);
        int a = (int)random_bits(), b = (int)(random_bits() % 1000) + 1;
        SAME("abs", DEVICE(abs)(a | 1), abs(a | 1));
        SAME("labs", DEVICE(labs)(a), labs(a));
        SAME("llabs", DEVICE(llabs)(a), llabs(a));
        SAME("div", DEVICE(div)(a, b).quot, div(a, b).quot);
        SAME("div", DEVICE(div)(a, b).rem, div(a, b).rem);
        SAME("ldiv", DEVICE(ldiv)(a, -b).quot, ldiv(a, -b).quot);
        SAME("lldiv", DEVICE(lldiv)(a, -b).rem, lldiv(a, -b).rem);
        int bit = (int)((unsigned)a << (b % 32));
        SAME("ffs", DEVICE(ffs)(bit), ffs(bit));
        SAME("ffsl", DEVICE(ffsl)(bit * 65536l), ffsl(bit * 65536l));
        SAME("ffsll", DEVICE(ffsll)(bit * 65536ll), ffsll(bit * 65536ll));
        char digits[40];
        snprintf(digits, sizeof digits, " \t%s%dx", a % 3 ? "" : a > 0 ? "+" : "", a);
        SAME("atoi", DEVICE(atoi)(digits), atoi(digits));
        SAME("atol", DEVICE(atol)(digits), atol(digits));
        SAME("atoll", DEVICE(atoll)(digits), atoll(digits));
    }
}

#include "wide_and_complex.h"

static void check_exact(void) {
    check_exact_functions();
    check_arithmetic();
    check_memory_functions();
    printf("%ld exact results compared, %ld wrong\n", compared, wrong);
    failures += wrong != 0;
}
