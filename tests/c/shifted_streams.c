/* Loops whose iterations come to what others write, a constant number of elements away, in each order. */
#include <stdio.h>

enum { N = 97, MIDDLE = 20 };

static unsigned sum_of(const int *x)
{
    unsigned sum = 0;
    for (int i = 0; i < N + 2 * MIDDLE; i++)
        sum = sum * 31 + (unsigned)x[i];
    return sum;
}

#define BOTH(type, name, by, to)                                                                                 \
    __attribute__((noinline)) void copy_##name(type *x, const type *y)                                           \
    {                                                                                                            \
        for (int k = 0; k < 2; k++)                                                                              \
            for (int i = MIDDLE; i < N + MIDDLE; i++)                                                            \
                x[i + (by)] = x[i] / 2 + y[i];                                                                   \
    }                                                                                                            \
    __attribute__((noinline)) void store_first_##name(type *x, const type *y, type *restrict z)                  \
    {                                                                                                            \
        for (int k = 0; k < 2; k++)                                                                              \
            for (int i = MIDDLE; i < N + MIDDLE; i++) {                                                          \
                x[i + (by)] = y[i] + k;                                                                          \
                z[i] = x[i] - 1;                                                                                 \
            }                                                                                                    \
    }                                                                                                            \
    __attribute__((noinline)) void stores_##name(type *x, const type *y)                                         \
    {                                                                                                            \
        for (int k = 0; k < 2; k++)                                                                              \
            for (int i = MIDDLE; i < N + MIDDLE; i++) {                                                          \
                x[i] = y[i] + 1;                                                                                 \
                x[i + (by)] = y[i] * 2;                                                                          \
            }                                                                                                    \
    }                                                                                                            \
    __attribute__((noinline)) void down_##name(type *x, const type *y)                                           \
    {                                                                                                            \
        for (int k = 0; k < 2; k++)                                                                              \
            for (int i = N + MIDDLE - 1; i >= MIDDLE; i--)                                                       \
                x[i + (by)] = x[i] / 2 + y[i];                                                                   \
    }                                                                                                            \
    static void all_##name(void)                                                                                 \
    {                                                                                                            \
        type x[N + 2 * MIDDLE], y[N + 2 * MIDDLE], z[N + 2 * MIDDLE];                                            \
        int seen[N + 2 * MIDDLE];                                                                                \
        for (int form = 0; form < 4; form++) {                                                                   \
            for (int i = 0; i < N + 2 * MIDDLE; i++)                                                             \
                x[i] = i % 7, y[i] = i % 5, z[i] = 0;                                                            \
            if (form == 0)                                                                                       \
                copy_##name(x, y);                                                                               \
            else if (form == 1)                                                                                  \
                store_first_##name(x, y, z);                                                                     \
            else if (form == 2)                                                                                  \
                stores_##name(x, y);                                                                             \
            else                                                                                                 \
                down_##name(x, y);                                                                               \
            for (int i = 0; i < N + 2 * MIDDLE; i++)                                                             \
                seen[i] = (int)(x[i] * 16 + z[i] * 256);                                                         \
            printf("%x%s", sum_of(seen), form == 3 ? to : " ");                                                  \
        }                                                                                                        \
    }

#define EACH(by, name)                                                                                           \
    BOTH(float, float_##name, by, " ")                                                                           \
    BOTH(double, double_##name, by, "\n")

EACH(0, same)
EACH(1, up1)
EACH(2, up2)
EACH(3, up3)
EACH(4, up4)
EACH(5, up5)
EACH(8, up8)
EACH(11, up11)
EACH(16, up16)
EACH(-1, down1)
EACH(-2, down2)
EACH(-3, down3)
EACH(-4, down4)
EACH(-7, down7)
EACH(-8, down8)
EACH(-16, down16)

/* The distance is known at run time only. */
__attribute__((noinline)) void shift(int *to, const int *from, int n)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++)
            to[i] = from[i] + 3;
}

__attribute__((noinline)) void shift_and_look(int *to, const int *from, int *restrict seen, int n)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++) {
            to[i] = i + k;
            seen[i] = from[i];
        }
}

/* A byte is not an element. */
__attribute__((noinline)) void unaligned(char *bytes, int by, int n)
{
    typedef float number __attribute__((aligned(1)));
    number *x = (number *)(bytes + 64), *y = (number *)(bytes + 64 + by);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++)
            y[i] = x[i] + 1;
}

#define ALL(name) all_float_##name(), all_double_##name()

int main(void)
{
    ALL(same), ALL(up1), ALL(up2), ALL(up3), ALL(up4), ALL(up5), ALL(up8), ALL(up11), ALL(up16);
    ALL(down1), ALL(down2), ALL(down3), ALL(down4), ALL(down7), ALL(down8), ALL(down16);
    for (int by = -18; by <= 18; by++) {
        int x[N + 2 * MIDDLE], seen[N + 2 * MIDDLE] = {0};
        for (int i = 0; i < N + 2 * MIDDLE; i++)
            x[i] = i * i % 23;
        shift(x + MIDDLE + by, x + MIDDLE, N);
        printf("%x ", sum_of(x));
        shift_and_look(x + MIDDLE + by, x + MIDDLE, seen, N);
        printf("%x%c", sum_of(x) + sum_of(seen), by % 6 ? ' ' : '\n');
    }
    for (int by = -20; by <= 20; by++) {
        static char bytes[512];
        for (int i = 0; i < 512; i++)
            bytes[i] = i % 4 == 3 ? 0x40 : i % 11;
        unaligned(bytes, by, 80);
        unsigned sum = 0;
        for (int i = 0; i < 512; i++)
            sum = sum * 31 + (unsigned char)bytes[i];
        printf("%x%c", sum, by % 8 ? ' ' : '\n');
    }
    printf("\n");
    return 0;
}
