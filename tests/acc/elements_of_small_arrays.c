// Computed subscripts in a thread's arrays of a few elements, beside constant ones: of a box's sides, rows of a
// matrix that change places, counters, and an element whose address is kept while the subscript changes.
#include <stdio.h>

enum { N = 5000 };

struct box {
    float low[3], high[3];
};

int main(void)
{
    static float x[3 * N], y[N];
    static int k[N], z[N], w[N];
    static short q[N];
    for (int i = 0; i < 3 * N; i++)
        x[i] = (i * 7919 % 1000) / 8.0f;
    for (int i = 0; i < N; i++)
        k[i] = i * 31 % 3;
#pragma acc parallel loop copyin(x, k) copyout(w, y, z, q)
    for (int i = 0; i < N; i++) {
        float v[3] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
        int axis = v[0] > v[1] ? (v[0] > v[2] ? 0 : 2) : (v[1] > v[2] ? 1 : 2);
        float most = v[axis];
        v[k[i]] = -most;
        v[(axis + 1) % 3] += 0.5f;
        struct box b;
        for (int d = 0; d < 3; d++) {
            b.low[d] = v[d] - 0.25f;
            b.high[d] = v[d] + 0.5f;
        }
        b.low[axis] = b.high[k[i]];
        b.high[2] = b.low[axis] + b.low[k[i]];
        y[i] = b.low[0] + 2 * b.low[1] + 4 * b.high[1] + 8 * b.high[2];

        int t[5][6];
        for (int r = 0; r < 5; r++)
            for (int c = 0; c < 6; c++)
                t[r][c] = (i * (r + 2) + c * c * 17) % 101;
        for (int c = 0; c < 5; c++) {
            int pivot = c;
            for (int r = c + 1; r < 5; r++)
                if (t[r][c] > t[pivot][c])
                    pivot = r;
            for (int j = 0; j < 6; j++) {
                int other = t[pivot][j];
                t[pivot][j] = t[c][j];
                t[c][j] = other;
            }
            for (int r = c + 1; r < 5; r++)
                for (int j = c; j < 6; j++)
                    t[r][j] = (t[r][j] * 3 - t[c][j]) % 1009;
        }
        z[i] = t[4][5] + 7 * t[3][4] + t[2][2];

        int many[4] = {0};
        for (int step = 0; step < 20; step++)
            many[(step * k[i] + axis + step / 3) & 3]++;
        w[i] = many[0] + 10 * many[1] + 100 * many[2] + 1000 * many[3];

        short s[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        int at = k[i];
        s[at + axis] = 9;
        short *kept = &s[at];
        at = 7;
        *kept += 3;
        q[i] = s[axis + 3] * s[at] + s[2];
    }
    double sums[4] = {0};
    for (int i = 0; i < N; i++) {
        sums[0] += y[i];
        sums[1] += z[i];
        sums[2] += w[i];
        sums[3] += q[i];
    }
    printf("%.9g %.9g %.9g %.9g\n", sums[0], sums[1], sums[2], sums[3]);
    return 0;
}
