// Copies move what nobody set, and nothing depends on it: padding, members of other cases, elements behind the last.
#include <stdio.h>

struct point {
    char tag;
    double at;
    short weight;
};

struct result {
    int found;
    double value;
};

static double line[64], copy[64], twice[64];

#pragma acc routine seq
static struct result search(int i)
{
    struct result r;
    r.found = i % 3 == 0;
    if (r.found)
        r.value = i * 0.5;
    return r;
}

static int points(void)
{
    struct point from[48], to[48];
    int wrong = 0;
    for (int i = 0; i < 48; i++) {
        from[i].tag = 'a' + i % 26;
        from[i].at = i;
        from[i].weight = i / 2;
    }
#pragma acc data create(to) copyin(from)
    {
#pragma acc parallel loop
        for (int i = 0; i < 48; i++) {
            struct point p;
            p.tag = from[i].tag;
            p.at = -from[i].at;
            p.weight = from[i].weight;
            to[i] = p;
        }
#pragma acc update self(to)
    }
    for (int i = 0; i < 48; i++)
        wrong += to[i].tag != 'a' + i % 26 || to[i].at != -i || to[i].weight != i / 2;
    return wrong;
}

static int results(void)
{
    struct result r[48];
    int wrong = 0;
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 48; i++)
        r[i] = search(i);
    for (int i = 0; i < 48; i++)
        wrong += r[i].found != (i % 3 == 0) || (r[i].found && r[i].value != i * 0.5);
    return wrong;
}

int main(void)
{
    int wrong = 0;
#pragma acc data create(line, twice) copyout(copy)
    {
#pragma acc parallel loop
        for (int i = 0; i < 40; i++)
            line[i] = i;
        // The last elements are garbage, here and there.
#pragma acc parallel loop
        for (int i = 0; i < 64; i++) {
            copy[i] = line[i];
            twice[i] = 2 * line[i];
        }
#pragma acc parallel loop reduction(+ : wrong)
        for (int i = 0; i < 40; i++)
            wrong += copy[i] != i || twice[i] != 2 * i;
#pragma acc update self(twice[0:40])
    }
    for (int i = 0; i < 40; i++)
        wrong += copy[i] != i || twice[i] != 2 * i;
    printf("%d %d %d\n", wrong, points(), results());
    return 0;
}
