// GNU statement expressions and typeof.
#include <stdio.h>

#define MAX(a, b)               \
    ({                          \
        __typeof__(a) left = (a); \
        __typeof__(b) right = (b); \
        left > right ? left : right; \
    })
#define SWAP(a, b) do { typeof(a) keep = a; a = b; b = keep; } while (0)

struct s { int x, y; };
static int calls;
static int next(void) { return ++calls; }

int main(void)
{
    int a = 3, b = 4;
    printf("%d %d %g\n", MAX(a, b), MAX(next(), 0), MAX(2.5, 1));
    printf("%d\n", calls);
    printf("%d\n", MAX(MAX(1, 7), MAX(5, 2)));
    SWAP(a, b);
    printf("%d %d\n", a, b);
    struct s s = ({ struct s t = {1, 2}; t.y *= 10; t; });
    printf("%d %d\n", s.x, s.y);
    int sum = ({ int t = 0; for (int i = 0; i < 5; i++) { if (i == 3) continue; t += i; } t; });
    printf("%d\n", sum);
    typeof(int[3]) array = {1, 2, 3};
    typeof(array) other = {4};
    typeof(&array[0]) p = array + 1;
    typeof(s.x) field = 5;
    const typeof(*p) constant = 6;
    __typeof__(next) *f = next;
    printf("%zu %d %d %d %d %d\n", sizeof other, other[0], *p, field, constant, f());
    ({ a++; });
    int early = ({ if (a > 100) goto end; a; });
    printf("%d\n", early);
    typeof(({ long long q = 1; q; })) wide = 1;
    printf("%zu\n", sizeof wide);
end:
    return 0;
}
