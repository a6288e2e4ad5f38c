// A sum that each iteration stores in the same element, or in elements of an array that each iteration sets
// first: of the parts of the loop, the last one's would have to stay, so that the loop is sequential.
#include "show.h"
#define N 3000
static int a[N], last[8], row[4], b[N];

static void in_one_element(int n)
{
    int s = 7, most = 0;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scan s
        s += a[i];
        last[3] = s + i;
    }
#pragma acc kernels
    for (int i = 0; i < n; i += 2) { // expect: sequential: scan most
        if (a[i] > most)
            most = a[i];
        last[5] = most - i;
    }
    printf("%d %d\n", s, most);
    show("last", last, 8);
}

static void in_an_array_of_each_iteration(int n)
{
    int s = 1;
#pragma acc kernels
    for (int i = 0; i < n; i++) { // expect: sequential: scan s
        for (int k = 0; k < 4; k++) // expect: parallel
            row[k] = a[i] + k;
        s += row[a[i] & 3];
        b[i] = s - row[i & 3];
    }
    show("row", row, 4);
    show("b", b, N);
}

int main(void)
{
    fill(a, N, 21);
    static const int lengths[] = {N, 2500, 1, 0};
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        in_one_element(lengths[i]);
        in_an_array_of_each_iteration(lengths[i]);
    }
    return 0;
}
