// Pointers that members of a structure hold.
#include "show.h"
#define N 200
struct vector {
    int *data;
    int length;
};
static int a[2 * N], b[N];

static void copy(struct vector *to, const struct vector *from)
{
    int n = to->length;
    int *p = to->data, *q = from->data;
#pragma acc kernels
    for (int i = 0; i < n; i++) // expect: versioned: if p q
        p[i] = q[i] + 1;
}

int main(void)
{
    fill(a, 2 * N, 44);
    struct vector x = {a, N}, y = {b, N}, z = {a + 3, N};
    copy(&y, &x);
    copy(&z, &x);
    show("a", a, 2 * N);
    show("b", b, N);
}
