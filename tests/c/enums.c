// Enumerations: values, negative and repeated ones, expressions, in arrays and switches, incomplete uses.
#include <stdio.h>

enum day { MON, TUE, WED = 10, THU, FRI = TUE, SAT, SUN = SAT + 20 };
enum { LOW = -5, HIGH = 1 << 20 };
enum big { HUGE_ONE = 0x7fffffff };
enum unsigned_one { TOP = 0x80000000u };
enum letters { A = 'a', B = sizeof(int), C = (int)3.7, D = A > B ? A : B };
typedef enum { OFF, ON } toggle;
struct with { enum { RED, GREEN } colour; enum day day; };
static int names[SUN + 1] = {[MON] = 1, [SUN] = 7};

static enum day next(enum day d) { return d == SUN ? MON : d + 1; }
static const char *text(toggle t) { return t ? "on" : "off"; }

int main(void)
{
    enum day d = WED;
    struct with w = {GREEN, next(d)};
    printf("%d %d %d %d %d %d %d\n", MON, TUE, WED, THU, FRI, SAT, SUN);
    printf("%d %d %d %u\n", LOW, HIGH, HUGE_ONE, TOP);
    printf("%d %d %d %d\n", A, B, C, D);
    printf("%d %d %d\n", w.colour, w.day, next(SUN));
    printf("%s %s\n", text(ON), text(OFF));
    printf("%d %zu\n", names[SUN], sizeof names / sizeof *names);
    d++;
    d += 1;
    printf("%d %d\n", d, d == 12);
    d = -1;
    printf("%d %zu %zu\n", (int)d < 0, sizeof d, sizeof(enum big));
    for (toggle t = OFF; t <= ON; t++)
        switch (t) {
        case OFF: printf("0 "); break;
        case ON: printf("1\n");
        }
    enum local { X = 3, Y = X * 2 } l = Y;
    printf("%d\n", l | X);
    int array[Y] = {0};
    printf("%zu\n", sizeof array / sizeof(int));
    return 0;
}
