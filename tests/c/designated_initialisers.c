// Designated initialisers: arrays, ranges, nested designators, overriding, continuing after a designator.
#include <stdio.h>

struct point { int x, y; };
struct shape {
    const char *name;
    struct point corners[3];
    struct { double weight; int tags[4]; } extra;
    int tail;
};

static int sparse[] = {[3] = 30, 40, [1] = 10, 20, [6] = 60};
static int ranges[10] = {[0 ... 3] = 1, [5 ... 7] = 9, [6] = 2};
static struct shape shape = {
    .corners[1].y = 11,
    .corners[2] = {.y = 22, .x = 21},
    .name = "triangle",
    .extra.tags[2] = 5, 6, 7,
};
static struct shape list[] = {[1] = {.name = "b", .extra = {1.5, {1, 2}}}, {"c", {{1, 2}, 3, 4}, .tail = 9}};
static char text[8] = {[2] = 'c', 'd', [0] = 'a', 'b'};
static int grid[3][4] = {[1][2] = 5, 6, [2] = {[3] = 9}};
static const char *const names[] = {[2] = "two", [0] = "zero", "one"};

int main(void)
{
    printf("%zu:", sizeof sparse / sizeof *sparse);
    for (unsigned i = 0; i < sizeof sparse / sizeof *sparse; i++)
        printf(" %d", sparse[i]);
    printf("\n");
    for (int i = 0; i < 10; i++)
        printf(" %d", ranges[i]);
    printf("\n%s %d %d %d %d %d %d\n", shape.name, shape.corners[0].x, shape.corners[1].y, shape.corners[2].x,
           shape.corners[2].y, shape.extra.tags[2], shape.extra.tags[3]);
    printf("%d\n", shape.tail);
    printf("%zu %s %g %d %s %d %d %d %d\n", sizeof list / sizeof *list, list[1].name, list[1].extra.weight,
           list[1].extra.tags[1], list[2].name, list[2].corners[0].y, list[2].corners[1].x, list[2].corners[1].y,
           list[2].tail);
    printf("%s\n", text);
    for (int i = 0; i < 12; i++)
        printf(" %d", grid[i / 4][i % 4]);
    printf("\n");
    for (int i = 0; i < 3; i++)
        printf(" %s", names[i]);
    int n = 3;
    struct shape local = {"local", .corners = {[1] = {n, n * n}}, .tail = n + 1};
    struct point p = {.y = n++, .x = 100};
    printf("\n%d %d %d %d %d %d\n", local.corners[1].x, local.corners[1].y, local.tail, local.extra.tags[3], p.x, p.y);
    struct shape copy[2] = {[1] = local, [0] = local};
    copy[1].tail = 77;
    printf("%s %d %d\n", copy[1].name, copy[0].tail, copy[1].tail);
    return 0;
}
