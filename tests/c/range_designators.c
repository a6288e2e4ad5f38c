// A range designator gives one item to all its elements; what follows goes on behind the last of them.
#include <stdio.h>

struct inner { int j, k[3], l; };
struct outer { int n; struct inner o[3]; int p; };
struct pair { int a, b; };
union either { int i; float f; };

struct outer nested[] = {[0 ... 5].o[1 ... 2].k[0 ... 1] = 4, 5, 6, 7};
struct outer listed[] = {[0 ... 5].o = {[1 ... 2].k[0 ... 1] = 4}, [5].o[2].k[2] = 5, 6, 7};
int overridden[][2][4] = {[2 ... 4][0 ... 1][2 ... 3] = 1, [2] = 2, [2][0][2] = 3};
int rows[4][3] = {[0 ... 1] = 1, 2, 3, 4};
int deep[6][2][2] = {[1 ... 2] = 1, 2, 3, 4, 5, 6, [4 ... 5][1] = 7, 8};
int plain[8] = {[0 ... 2] = 9, 8, 7, [6] = 1, 2};
struct pair pairs[4] = {[0 ... 2] = 1, 2, 3, 4};
struct { struct pair x; int y; } members[3] = {[0 ... 1].x.a = 3, 4, 5, 6};
union either unions[4] = {[0 ... 1] = 5, 6, 7};
char strings[4][4] = {[0 ... 1] = "ab", "cd"};

static void show(const char *name, const void *object, int count) {
    const int *values = object;
    printf("%s", name);
    for (int i = 0; i < count; i++)
        printf(" %d", values[i]);
    printf("\n");
}

#define SHOW(x) show(#x, x, sizeof x / sizeof(int))

int main(void) {
    struct pair value = {1, 2};
    struct pair copies[4] = {[0 ... 1] = value, 3, 4};
    SHOW(nested);
    SHOW(listed);
    SHOW(overridden);
    SHOW(rows);
    SHOW(deep);
    SHOW(plain);
    SHOW(pairs);
    SHOW(members);
    SHOW(unions);
    SHOW(strings);
    SHOW(copies);
    return 0;
}
