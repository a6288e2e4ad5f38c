//! golden explain: explain
/* Nests whose iterations take several ways: gangs have rows of their own where an iteration is short, since these spare the
   division for it; where it is long, that is little. */
#define EXCHANGE(a, b)                                                                                                               \
    if (value[a] > value[b]) {                                                                                                       \
        float less = value[b];                                                                                                       \
        value[b] = value[a];                                                                                                         \
        value[a] = less;                                                                                                             \
        exchanged++;                                                                                                                 \
    }

void ways(int n, const float *restrict x, float *restrict least, float *restrict median)
{
#pragma acc parallel loop collapse(2) present(x, least)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            if (x[i * n + j] < x[i * n + j - 1])
                least[i * n + j] = x[i * n + j];
            else
                least[i * n + j] = x[i * n + j - 1];
#pragma acc parallel loop collapse(2) present(x, median)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float value[9];
            int exchanged = 0;
            for (int k = 0; k < 9; k++)
                value[k] = x[(i + k / 3 - 1) * n + j + k % 3 - 1];
            EXCHANGE(1, 2) EXCHANGE(4, 5) EXCHANGE(7, 8) EXCHANGE(0, 1) EXCHANGE(3, 4) EXCHANGE(6, 7) EXCHANGE(1, 2)
            EXCHANGE(4, 5) EXCHANGE(7, 8) EXCHANGE(0, 3) EXCHANGE(5, 8) EXCHANGE(4, 7) EXCHANGE(3, 6) EXCHANGE(1, 4)
            EXCHANGE(2, 5) EXCHANGE(4, 7) EXCHANGE(4, 2) EXCHANGE(6, 4) EXCHANGE(4, 2)
            median[i * n + j] = value[4] + exchanged;
        }
}
