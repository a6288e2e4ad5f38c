// Accesses of other sizes to the same bytes: through a union, and through a pointer to characters.
#include "show.h"
#define N 100
union word {
    int whole;
    short half[2];
    unsigned char byte[4];
};
static union word u[N], v[N];
static int a[N + 1], b[N + 1];

int main(void)
{
    for (int i = 0; i < N; i++)
        v[i].whole = i * 1000003;
    fill(a, N + 1, 110);
    fill(b, N + 1, 111);
    unsigned char *c = (unsigned char *)a, *d = (unsigned char *)b;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = 0; j < 4; j++) // expect: parallel
                u[i].byte[j] = (unsigned char)(v[i].half[j / 2] >> j);
        for (int i = 1; i < N; i++) // expect: sequential: carried v, distance 1
            v[i].whole = v[i - 1].byte[3] + i;
        for (int i = 0; i < N; i++) // expect: sequential: carried c, distance 1
            a[i] = c[4 * i + 5] + i;
        for (int i = 0; i < N; i++) // expect: parallel
            b[i] = d[4 * i + 3] + i;
    }
    for (int i = 0; i < N; i++)
        a[i] += u[i].whole % 1000 + v[i].whole;
    show("a", a, N + 1);
    show("b", b, N + 1);
}
