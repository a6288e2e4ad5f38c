// What stands beside a reduced or atomically updated object belongs to everybody: elements outside of a reduced section may be
// read in the loop, and a byte may be used while another of its word is updated.
// also: --gangs 3
#include <stdio.h>

enum { N = 64, ROWS = 3 };
static int wrong;
#define CHECK(condition) ((condition) ? 0 : (wrong++, printf("line %d: %s\n", __LINE__, #condition)))

struct mixed {
    char tag;
    short s[2];
    unsigned char c;
    double d;
    int tail[3];
};

// The section has a constant length, and one that is known at run time.
static void sections(int length)
{
    signed char g[6] = {1, 2, 3, 4, 5, 6}, h[6] = {1, 2, 3, 4, 5, 6};
    int one = 0, two = 0, out[ROWS][2];
#pragma acc parallel loop gang worker vector reduction(+:g[1:2], one) copy(g)
    for (int i = 0; i < N; i++) {
        g[1 + (i & 1)] += 1;
        one += g[0] + g[3] * g[5];
    }
#pragma acc parallel loop gang worker vector reduction(+:h[1:length], two) copy(h)
    for (int i = 0; i < N; i++) {
        h[1 + i % length] += 1;
        two += h[0] + h[length + 1] * h[5];
    }
    for (int i = 0; i < 6; i++) {
        CHECK(g[i] == i + 1 + (i == 1 || i == 2 ? N / 2 : 0));
        CHECK(h[i] == i + 1 + (i > 0 && i <= length ? N / length : 0));
    }
    CHECK(one == N * (1 + 4 * 6) && two == N * (1 + (length + 2) * 6));

    // In arrays of a gang, on loops over workers and over lanes.
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyout(out)
    for (int r = 0; r < ROWS; r++) {
        short own[8] = {9, 0, 0, 0, 0, r, r + 1, r + 2};
        int seen = 0;
#pragma acc loop worker reduction(+:own[1:length], seen)
        for (int i = 0; i < N; i++) {
            own[1 + i % length] += 1;
            seen += own[7] + own[0];
        }
#pragma acc loop vector reduction(max:own[2:2]) reduction(+:seen)
        for (int i = 0; i < N; i++) {
            own[2 + (i & 1)] = own[2 + (i & 1)] > i + own[5] ? own[2 + (i & 1)] : i + own[5];
            seen += own[6];
        }
        out[r][0] = seen;
        out[r][1] = own[1] * 10000 + own[2] * 100 + own[3];
    }
    for (int r = 0; r < ROWS; r++) {
        CHECK(out[r][0] == N * (r + 2 + 9) + N * (r + 1));
        CHECK(out[r][1] == N / length * 10000 + (N - 2 + r) * 100 + N - 1 + r);
    }
}

int main(void)
{
    sections(2);
    sections(4);

    // Members of one word, with a hole between them.
    struct mixed m = {1, {2, 3}, 4, 5, {6, 7, 8}};
#pragma acc parallel loop reduction(+:m)
    for (int i = 0; i < N; i++) {
        m.tag += 1;
        m.s[i & 1] += i;
        m.c += 2;
        m.d += 0.5;
        m.tail[i % 3] += 1;
    }
    CHECK(m.tag == N + 1 && m.s[0] == 2 + 992 && m.s[1] == 3 + 1024 && m.c == (4 + 2 * N) % 256 && m.d == 5 + N / 2);
    CHECK(m.tail[0] == 28 && m.tail[1] == 28 && m.tail[2] == 29);

    // Atomic updates of some elements, plain use of others in the same word.
    char c[8] = {0};
    short h[4] = {0};
#pragma acc parallel loop gang vector copy(c, h) num_gangs(8)
    for (int i = 0; i < N; i++) {
        if (i % 4 == 0) {
#pragma acc atomic
            c[0] += 1;
        }
        if (i == 1)
            c[1] = 7;
        if (i == 34)
            c[2] = c[3] + 3;
        if (i == 9)
            h[1] = 4;
        if (i % 2 == 0) {
#pragma acc atomic
            h[0] += 1;
        }
    }
    CHECK(c[0] == N / 4 && c[1] == 7 && c[2] == 3 && h[0] == N / 2 && h[1] == 4);
    return wrong != 0;
}
