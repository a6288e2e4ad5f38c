// Initialisers: character arrays, braces left out, nested structures, addresses, constants folded, zero fill.
#include <stdio.h>

struct inner { char name[4]; short values[3]; };
struct outer { int id; struct inner list[2]; const char *text; int (*f)(void); double d; };

static int seven(void) { return 7; }
static int object[4];
static struct outer braces = {1, {{"ab", {1, 2, 3}}, {"cd", {4}}}, "text", seven, 1.0 / 4};
static struct outer none = {2, "xyz", 5, 6, 7, "w", 8, 9, 10, "flat", &seven, 3};
static const char *list[] = {"a", "b" "c", &"xyz"[1], 0};
static int *into[] = {object, &object[1], object + 3, &object[4] - 2};
static char two[][4] = {"one", {"two"}, {'t', 'h'}, ""};
static long folded = (sizeof(struct outer) > 10) * 3 + (1 << 5 | 2) - -~0x10 / (3 > 2 ? 1 : 0 + 1);
static unsigned char wrapped = 300, negative = -1;
static float f = 1, g = 0x10p-2, h = 'a';
static _Bool flags[] = {5, 0.1, 2.5};
static struct { union { int i; char c; } u[2]; } unions = {{{0x4142}, {.c = 'z'}}};
static int scalar = {5};

int main(void)
{
    printf("%d %s %d %s %d %s %d %g\n", braces.id, braces.list[0].name, braces.list[0].values[2], braces.list[1].name,
           braces.list[1].values[2], braces.text, braces.f(), braces.d);
    printf("%d %s %d %s %d %s %d %g\n", none.id, none.list[0].name, none.list[0].values[2], none.list[1].name,
           none.list[1].values[2], none.text, none.f(), none.d);
    printf("%s %s %s %d\n", list[0], list[1], list[2], list[3] == 0);
    for (int i = 0; i < 4; i++)
        object[i] = i * i;
    printf("%d %d %d %d\n", *into[0], *into[1], *into[2], *into[3]);
    printf("%zu %s %s %s %d\n", sizeof two, two[0], two[1], two[2], two[3][0]);
    printf("%ld %d %d %g %g %g\n", folded, wrapped, negative, f, g, h);
    printf("%d %d %d %x %c %d\n", flags[0], flags[1], flags[2], unions.u[0].i, unions.u[1].c, scalar);
    int n = 3;
    struct outer local = {n, .list[1] = {"loc", {n, n + 1}}, .d = n * 0.5};
    printf("%d %s %d %d %g %d\n", local.id, local.list[1].name, local.list[1].values[1], local.list[0].values[0], local.d,
           local.text == 0);
    char partial[10] = "ab", full[] = {'x', 'y', 0};
    printf("%s %d %s %zu\n", partial, partial[9], full, sizeof full);
    int zero[5] = {0}, matrix[2][2] = {{n}, {n, n}};
    printf("%d %d %d\n", zero[4], matrix[0][1], matrix[1][1]);
    return 0;
}
