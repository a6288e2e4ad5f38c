// sources: more/multi_file_one.c more/multi_file_two.c
// A program of several files: extern objects and functions, static ones with equal names, a shared header, inline.
#include "more/multi_file.h"
#include <stdio.h>

static int private_value = 1;
static int helper(void) { return private_value; }
int shared_counter = 100;
struct point origin = {1, 2};
const char *const messages[] = {"zero", "one", 0};

int main(void)
{
    printf("%d %d %d\n", helper(), one(), two());
    bump(5);
    bump(7);
    printf("%d\n", shared_counter);
    struct point p = moved(origin, 10, 20);
    printf("%d %d\n", p.x, p.y);
    printf("%d %d\n", table[2], table_length);
    printf("%s %d\n", message(1), common_inline(4));
    printf("%d\n", callback(helper));
    return 0;
}
