// Macro expansion: rescanning, self reference, pasting, stringising, empty arguments, variadic forms.
#include <stdio.h>
#include <string.h>

#define STR(...) #__VA_ARGS__
#define XSTR(...) STR(__VA_ARGS__)
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define f(x) (x + f)
#define EMPTY
#define LPAREN (
#define RPAREN )
#define F(x, y) x + y
#define ELLIP_FUNC(...) __VA_ARGS__
#define LOG(format, ...) sprintf(text, format, ##__VA_ARGS__)
#define NAMED(args...) ELLIP_FUNC(args)
#define COUNT(...) PICK(__VA_ARGS__, 5, 4, 3, 2, 1, 0)
#define PICK(a, b, c, d, e, n, ...) n
#define obj z
#define z obj
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
#define t(x, y, w) x ## y ## w
#define nested(x) x x
#define OPTIONAL(x, ...) x __VA_OPT__(and __VA_ARGS__)
#define DEFER(x) x EMPTY
#define first(x) second(x)
#define second(x) x first
#define AND_THEN(a) a /* comment
   inside */ + 1
#define QUOTE(x) #x

int main(void)
{
    char text[100];
    puts(XSTR(f(1) f(f(2))));
    puts(XSTR(obj z));
    puts(join(x, y));
    puts(XSTR([t(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,11,) t(,,12) t(,,)]));
    puts(STR(  spaces   between	tokens  ));
    puts(QUOTE("a\n\"b\"" 'c' '\'' \ @));
    puts(XSTR(ELLIP_FUNC(F, LPAREN, 'a', 'b', RPAREN);));
    puts(XSTR(F LPAREN 1, 2 RPAREN));
    puts(XSTR(nested(nested)(5)));
    puts(XSTR(first(1)(2)(3)));
    puts(XSTR(CAT(X, STR) CAT(, lone) CAT(lone,) CAT(1, .5e) CAT(+, +) CAT(L, 'x')));
    puts(XSTR(AND_THEN(2)));
    puts(XSTR(OPTIONAL(one) OPTIONAL(one, two, three)));
    puts(XSTR(DEFER(F)(1, 2)));
    LOG("none");
    puts(text);
    LOG("%d %s", 3, "three");
    puts(text);
    printf("%d %d %d\n", COUNT(a), COUNT(a, b, c), COUNT((a, b), c));
    int XCAT(variable_, __LINE__) = 4, CAT(a, b) = XCAT(variable_, __LINE__);
    printf("%d\n", ab);
    printf("%d\n", NAMED(1 + (NAMED(2) - 4)));
    puts(STR());
    puts(QUOTE(@ # ## %: %:%:));
#undef f
    int f = 6;
    printf("%d\n", F(f, f));
#define f(x) x
    printf("%d\n", f
           (9));
#undef f
    return 0;
}
