// Executes the golden case of choices beside the host's own loops.
#include <stdio.h>

#include "../../golden/cases/ptx/choices.c"

enum { ROWS = 64, COLUMNS = 128, NUMBERS = 300 };

static float x[ROWS * COLUMNS], y[ROWS * COLUMNS], parts[NUMBERS * 32];
static unsigned numbers[NUMBERS];
static unsigned char letters[4 * NUMBERS + 8];
static long counts[NUMBERS];

static int within(int at, int end)
{
    return at < 0 ? 0 : at >= end ? end - 1 : at;
}

int main(void)
{
    int wrong[3] = {0};
    for (int i = 0; i < ROWS * COLUMNS; i++)
        x[i] = i * 2654435761u >> 24;
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = i * 2246822519u;
    for (int i = 0; i < NUMBERS * 32; i++)
        parts[i] = (i * 2654435761u >> 22) / 1024.f;
    unsigned char *odd = letters + 1;
#pragma acc data copyin(x, numbers, parts) copyout(y, counts) copy(letters)
    {
        blurred(x, y);
        counted(NUMBERS, parts, counts);
        spelled(NUMBERS, numbers, letters);
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            float sum = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    sum += x[within(i + di, ROWS) * COLUMNS + within(j + dj, COLUMNS)];
            wrong[0] += y[i * COLUMNS + j] != sum;
        }
    for (int i = 0; i < NUMBERS; i++) {
        long below = 0;
        float most = 0;
        for (int k = 0; k < 32; k++) {
            below += parts[i * 32 + k] < 0.5f;
            most = parts[i * 32 + k] > most ? parts[i * 32 + k] : most;
        }
        wrong[1] += counts[i] != below + (long)((most > 0.9f ? -most : 1) * 100);
    }
    // Once more to an address that is no multiple of four.
    for (int from = 0; from < 2; from++) {
        if (from > 0) {
#pragma acc data copyin(numbers) copy(letters)
            spelled(NUMBERS, numbers, odd);
        }
        for (int i = 0; i < 4 * NUMBERS; i++)
            wrong[2] += letters[from + i] != "0123456789abcdef"[numbers[i / 4] >> (4 * (i % 4)) & 15];
    }
    printf("%d %d %d\n", wrong[0], wrong[1], wrong[2]);
    return 0;
}
