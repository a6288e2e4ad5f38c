// The rounds of nests.c, codes.c, apps.c, suites.c: what the first round of a loop leaves in `c` is added up and printed.
#define CHECKED(name, type, count, call)                                   \
    do {                                                                   \
        if (round == 0)                                                    \
            clear(c);                                                      \
        call;                                                              \
        if (round == 0) {                                                  \
            const type *out = (const type *)c;                             \
            double sum = 0;                                                \
            _Pragma("acc update self(c[0:N])")                             \
            for (long i = 0; i < (count); i += 97)                         \
                sum += out[i];                                             \
            printf("%s %.9g\n", name, sum);                                \
        }                                                                  \
    } while (0)

static void clear(float *restrict c)
{
#pragma acc parallel loop present(c)
    for (int i = 0; i < N; i++)
        c[i] = 0;
}
