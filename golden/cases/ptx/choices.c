//! golden ptx: ptx
/* Short branches that become choices: subscripts within bounds, bytes of a word, and what is left as it is. */

/* A mean over neighbours, where the border counts for what is outside: one minimum and maximum for each row and column. */
void blurred(const float *restrict x, float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x, y)
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 128; j++) {
            float sum = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++) {
                    int r = i + di, s = j + dj;
                    r = r < 0 ? 0 : r > 63 ? 63 : r;
                    if (s < 0)
                        s = 0;
                    if (s >= 128)
                        s = 127;
                    sum += x[r * 128 + s];
                }
            y[i * 128 + j] = sum;
        }
}

/* Four letters for each number, stored as one word. */
void spelled(int n, const unsigned *restrict x, unsigned char *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            unsigned nibble = x[i] >> (4 * k) & 15;
            unsigned char letter = '0' + nibble;
            if (nibble > 9)
                letter = 'a' + nibble - 10;
            y[4 * i + k] = letter;
        }
}

/* Counts of two words are added to where a condition holds. */
void counted(int n, const float *restrict x, long *restrict y)
{
#pragma acc parallel loop present(x, y)
    for (int i = 0; i < n; i++) {
        long below = 0;
        float most = 0, scale = 1;
        for (int k = 0; k < 32; k++) {
            if (x[i * 32 + k] < 0.5f)
                below++;
            most = x[i * 32 + k] > most ? x[i * 32 + k] : most;
        }
        if (most > 0.9f)
            scale = -scale * most;
        y[i] = below + (long)(scale * 100);
    }
}
