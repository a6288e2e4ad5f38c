// A `switch`, every way of which writes the element.
#include "show.h"
#define N 200
static int a[N], b[N];

int main(void)
{
    int t;
    fill(b, N, 127);
#pragma acc kernels
    for (int i = 0; i < N; i++) { // expect: parallel: private t
        switch (b[i] & 3) {
        case 0:
            t = 5;
            break;
        case 1:
            t = b[i];
            break;
        default:
            t = i;
        }
        a[i] = t * 3;
    }
    show("a", a, N);
}
