// Types of objects whose lengths are computed, named by typeof and __auto_type.
#include <stdio.h>

int m[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
const __auto_type seven = 7LL;
extern const long long seven;

static int by_value(int n) {
    __auto_type p = (int (*)[n])m;
    return p[1][0] + 100 * (int)sizeof *p;
}

static int by_type(int n) {
    typeof((int (*)[n])m) p = (void *)m;
    typeof(*p) row;
    return p[2][1] + 100 * (int)sizeof row;
}

static int by_size(int n) {
    return sizeof(typeof(*(++n, (char (*)[n])m))) * 100 + n;
}

static int out_of_block(void) {
    __auto_type rows = *({ int n = 2; (int (*)[6][n])m; });
    return rows[2][1] * 100 + (int)(sizeof(rows[0]) / sizeof(int));
}

static int not_evaluated(int n) {
    typeof(n++) a = n;
    typeof(&n) b = &a;
    return *b * 100 + n;
}

int main(void) {
    printf("%d %d %d %d %d\n", by_value(3), by_type(4), by_size(5), out_of_block(), not_evaluated(6));
    int nested = ({ __auto_type x = ({ __auto_type y = ({ __auto_type z = 40; z; }); y + 1; }); x + 1; });
    printf("%d %lld\n", nested, seven);
    return 0;
}
