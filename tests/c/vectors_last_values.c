// What variables of an iteration hold behind loops that are vectors, of every number of iterations.
#include <stdio.h>

enum { N = 64 };

static float in[N + 1];
static double wide[N + 1];
static int out[N + 1];

static int up(int n) {
    float last = -1;
    double far = -2;
    int i, positive = 7;
    for (i = 0; i < n; i++) {
        last = in[i] * 2;
        positive = last > 20;
        out[i] = positive + 3;
    }
    for (int k = 0; k < n; k++) {
        far = wide[k] - 1;
        wide[k] = far + 1;
    }
    return (int)last * 1000 + (int)far * 10 + positive + i;
}

static int down(long n) {
    int last = -3;
    for (long i = n; i-- > 0;) {
        last = out[i] ^ 5;
        out[i] = last ^ 5;
    }
    int steps = 0;
    unsigned most = 0;
    for (float *p = in + n; p > in; p--) {
        float at = p[-1];
        most = at > 30;
        steps += at > 7;
        p[-1] = at;
    }
    return last * 1000 + steps * 10 + (int)most;
}

int main(void) {
    unsigned long sum = 0;
    for (int n = 0; n <= N; n++) {
        for (int i = 0; i <= N; i++) in[i] = i * 11 % 23, wide[i] = i * 7 % 19, out[i] = i * 5 % 17;
        int a = up(n), b = down(n);
        if (n < 12 || n % 13 == 0) printf("%d: %d %d\n", n, a, b);
        for (int i = 0; i <= N; i++) sum = sum * 31 + (unsigned long)out[i] + (unsigned long)in[i] + (unsigned long)wide[i];
    }
    printf("%lu\n", sum);
    return 0;
}
