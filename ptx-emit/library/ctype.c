/* <ctype.h> of the C locale. */

#include "device.h"

int DEVICE(isdigit)(int c) { return c >= '0' && c <= '9'; }
int DEVICE(isupper)(int c) { return c >= 'A' && c <= 'Z'; }
int DEVICE(islower)(int c) { return c >= 'a' && c <= 'z'; }
int DEVICE(isalpha)(int c) { return DEVICE(isupper)(c) || DEVICE(islower)(c); }
int DEVICE(isalnum)(int c) { return DEVICE(isalpha)(c) || DEVICE(isdigit)(c); }
int DEVICE(isxdigit)(int c) { return DEVICE(isdigit)(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }
int DEVICE(isblank)(int c) { return c == ' ' || c == '\t'; }
int DEVICE(isspace)(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int DEVICE(iscntrl)(int c) { return (c >= 0 && c < ' ') || c == 0x7f; }
int DEVICE(isprint)(int c) { return c >= ' ' && c < 0x7f; }
int DEVICE(isgraph)(int c) { return c > ' ' && c < 0x7f; }
int DEVICE(ispunct)(int c) { return DEVICE(isgraph)(c) && !DEVICE(isalnum)(c); }
int DEVICE(tolower)(int c) { return DEVICE(isupper)(c) ? c + ('a' - 'A') : c; }
int DEVICE(toupper)(int c) { return DEVICE(islower)(c) ? c - ('a' - 'A') : c; }

/* The macros of glibc's header read tables instead, which are indexed from -128 to 255. */

#define UPPER 0x0100
#define LOWER 0x0200
#define ALPHA 0x0400
#define DIGIT 0x0800
#define XDIGIT 0x1000
#define SPACE 0x2000
#define PRINT 0x4000
#define GRAPH 0x8000
#define BLANK 0x0001
#define CNTRL 0x0002
#define PUNCT 0x0004
#define ALNUM 0x0008

#define IN(c, low, high) ((c) >= (low) && (c) <= (high))
#define IS_UPPER(c) IN(c, 'A', 'Z')
#define IS_LOWER(c) IN(c, 'a', 'z')
#define IS_DIGIT(c) IN(c, '0', '9')
#define IS_ALNUM(c) (IS_UPPER(c) || IS_LOWER(c) || IS_DIGIT(c))

#define TRAITS(c)                                                                                     \
    ((IS_UPPER(c) ? UPPER | ALPHA : 0) | (IS_LOWER(c) ? LOWER | ALPHA : 0) | (IS_DIGIT(c) ? DIGIT : 0) \
     | (IS_DIGIT(c) || IN(c, 'A', 'F') || IN(c, 'a', 'f') ? XDIGIT : 0) | (IS_ALNUM(c) ? ALNUM : 0)    \
     | ((c) == ' ' || IN(c, '\t', '\r') ? SPACE : 0) | ((c) == ' ' || (c) == '\t' ? BLANK : 0)         \
     | (IN(c, ' ', '~') ? PRINT : 0) | (IN(c, '!', '~') ? GRAPH : 0)                                   \
     | (IN(c, '!', '~') && !IS_ALNUM(c) ? PUNCT : 0) | (IN(c, 0, 31) || (c) == 127 ? CNTRL : 0))

/* In glibc's tables a negative index stands for the same byte, except that -1 is EOF. */
#define BYTE(c) ((c) < -1 ? (c) + 256 : (c))
#define LOWERED(c) (IS_UPPER(c) ? (c) + ('a' - 'A') : BYTE(c))
#define UPPERED(c) (IS_LOWER(c) ? (c) - ('a' - 'A') : BYTE(c))

#define TIMES4(entry, c) entry((c)), entry((c) + 1), entry((c) + 2), entry((c) + 3)
#define TIMES16(entry, c) TIMES4(entry, c), TIMES4(entry, (c) + 4), TIMES4(entry, (c) + 8), TIMES4(entry, (c) + 12)
#define TIMES64(entry, c) TIMES16(entry, c), TIMES16(entry, (c) + 16), TIMES16(entry, (c) + 32), TIMES16(entry, (c) + 48)
#define ALL_CHARACTERS(entry)                                                                         \
    TIMES64(entry, -128), TIMES64(entry, -64), TIMES64(entry, 0), TIMES64(entry, 64), TIMES64(entry, 128), TIMES64(entry, 192)

static const unsigned short traits[384] = {ALL_CHARACTERS(TRAITS)};
static const int lowered[384] = {ALL_CHARACTERS(LOWERED)};
static const int uppered[384] = {ALL_CHARACTERS(UPPERED)};

static const unsigned short *const traits_of_zero = traits + 128;
static const int *const lowered_of_zero = lowered + 128;
static const int *const uppered_of_zero = uppered + 128;

const unsigned short *const *DEVICE(__ctype_b_loc)(void) { return &traits_of_zero; }
const int *const *DEVICE(__ctype_tolower_loc)(void) { return &lowered_of_zero; }
const int *const *DEVICE(__ctype_toupper_loc)(void) { return &uppered_of_zero; }
