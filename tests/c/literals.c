// Literals: integers in every base and suffix with their types, characters, escapes, wide and Unicode strings, joining.
#include <stddef.h>
#include <stdio.h>
#include <uchar.h>
#include <wchar.h>

#define TYPE(x) _Generic((x), int: 'i', unsigned: 'u', long: 'l', unsigned long: 'm', long long: 'q', \
    unsigned long long: 'r', float: 'f', double: 'd', long double: 'e', default: '?')

int main(void)
{
    printf("%c%c%c%c%c%c\n", TYPE(2147483647), TYPE(2147483648), TYPE(0x7fffffff), TYPE(0xffffffff), TYPE(0x100000000),
           TYPE(0xffffffffffffffff));
    printf("%c%c%c%c%c%c%c\n", TYPE(1u), TYPE(1l), TYPE(1ul), TYPE(1LL), TYPE(1uLL), TYPE(1LLU), TYPE(037777777777));
    printf("%c%c%c%c%c\n", TYPE(1.f), TYPE(1.), TYPE(.5L), TYPE(0x1p3), TYPE(1e3F));
    printf("%d %d %d %d %d\n", 0x1F, 017, 0b1011, 0, -0);
    printf("%g %g %g %g\n", 0x1.8p1, 0x.4p0, 1e-5, .5e+2);
    printf("%d %d %d %d %d %d\n", 'a', '\n', '\0', '\x41', '\101', '\\');
    printf("%d %d %d\n", '\a', '\e', '\?');
    printf("%d %d\n", '\xff' < 0, 'ab' == 'a' * 256 + 'b');
    printf("%s\n", "join" "ed " "\x41" "B" "\1011");
    printf("%zu %zu %zu %zu\n", sizeof "abc", sizeof L"abc", sizeof u"abc", sizeof U"abc");
    printf("%zu %zu\n", sizeof u8"\u00e9", sizeof "é");
    printf("%x %x %x\n", (unsigned)L'\u20ac', (unsigned)u'\u00df', (unsigned)U'\U0001F600');
    const char *euro = "\u20ac";
    printf("%x %x %x\n", euro[0] & 255, euro[1] & 255, euro[2] & 255);
    const char16_t *pair = u"\U0001F600";
    printf("%x %x %d\n", pair[0], pair[1], pair[2]);
    wchar_t wide[] = L"wide" L" and joined";
    printf("%zu %ls\n", wcslen(wide), wide);
    char16_t s16[] = {u'x', u'y'};
    char32_t s32[3] = U"ab";
    printf("%d %d\n", s16[1], (int)s32[1]);
    char exact[3] = "xyz", longer[6] = "xy";
    printf("%c %d\n", exact[2], longer[5]);
    printf("%d\n", "constant"[3]);
    double below = -1;
    printf("%d %d %zu\n", below < -9223372036854775808, -9223372036854775808 < 0, sizeof 18446744073709551615);
    int caf\u00e9 = 3, naïve = 4;
    printf("%d\n", café + na\u00efve);
    return 0;
}
