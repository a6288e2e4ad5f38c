// Flags beside stores.
#include "show.h"
#define N 200
static int a[N], b[N], c[20][N];

int main(void)
{
    fill(a, N, 26);
    fill(b, N, 27);
    fill(&c[0][0], 20 * N, 28);
    int found = 0, negative = 7, none = 5, both = 1, all = 3, seen = 0, rounds = 0, changed, shown = 0;
    _Bool any = 1;
    unsigned char byte = 9;
    short half = -3;
#pragma acc kernels
    {
        for (int i = 0; i < N; i++) // expect: parallel: reduction | found
            if (a[i] > 100) {
                found = 1;
                b[i] = 0;
            }
        for (int i = 0; i < N; i++) { // expect: parallel: reduction | none, reduction | negative
            if (a[i] < 0)
                negative = -4;
            if (a[i] == 99999)
                none = 6;
            b[i] += a[i];
        }
        for (int i = 0; i < N; i++) { // expect: sequential: scalar both
            if (a[i] > 50)
                both = 2;
            else if (a[i] < -50)
                both = 3;
            b[i]++;
        }
        for (int i = 0; i < N; i++) { // expect: sequential: scalar seen
            if (a[i] > 50)
                seen = 1;
            b[i] += seen;
        }
        for (int i = 0; i < 20; i++) // expect: parallel: reduction | any, reduction | byte, reduction | half
            for (int j = 0; j < N; j++) { // expect: parallel: reduction | any, reduction | byte, reduction | half
                if (c[i][j] == 5)
                    any = 0;
                if (c[i][j] > 8000)
                    byte = 200;
                else
                    half = 12;
                c[i][j]++;
            }
        for (int i = 0; i < 20; i++) // expect: parallel: reduction | all
            for (int j = 0; j < N; j++) // expect: parallel: reduction | all
                if (c[i][j] > 8100)
                    all = 11;
        do { // expect: sequential: carried a, distance 1
            changed = 0;
            for (int i = 0; i < N; i++) // expect: parallel: reduction | changed
                if (a[i] > 10) {
                    a[i] /= 2;
                    changed = 1;
                }
            rounds++;
        } while (changed);
        for (int i = 0; i < N; i++) { // expect: parallel: last shown
            shown = 4;
            b[i] -= i;
        }
    }
    show("a", a, N);
    show("b", b, N);
    show("c", &c[0][0], 20 * N);
    printf("%d %d %d %d %d %d %d %d %d %d %d\n", found, negative, none, both, all, seen, rounds, shown, any, byte, half);
}
