// Members of structures: those that are written are not those that are read.
#include "show.h"
#define N 200
struct point {
    int x, y;
    int rest[3];
};
static struct point p[N], q[N];
static int a[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        p[i].y = 3 * i + 1, q[i].y = i * i;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel
            p[i].x = p[i].y + 1;
        for (int i = 1; i < N; i++) // expect: parallel
            p[i].x = p[i - 1].y * 2;
        for (int i = 1; i < N; i++) // expect: sequential: carried q, distance 1
            q[i].y = q[i - 1].y + 1;
        for (int i = 0; i < N; i++) // expect: parallel
            for (int j = 1; j < 3; j++) // expect: parallel
                p[i].rest[j] = p[i].rest[0] + i * j;
        for (int i = 0; i < N; i++) // expect: parallel
            p[i] = q[N - 1 - i];
    }
    for (int i = 0; i < N; i++)
        a[i] = p[i].x + 5 * p[i].y + 7 * q[i].y + 11 * p[i].rest[2];
    show("a", a, N);
}
