// Atomic operations of every form in loops, which a process with one thread does plainly: among them loops that call
// functions, loops in loops, and updates whose old value is used.
#include <math.h>
#include <stdio.h>

enum { N = 1000, BINS = 16 };

static int other(int x)
{
    return x * 7 + 3;
}

#pragma acc routine seq
static int told(int x)
{
    if (x < 0)
        printf("%d is below 0\n", x);
    return x;
}

int main(void)
{
    static int bins[BINS], old[N], far[N];
    static unsigned char bytes[BINS];
    static short places[N];
    double sum = 0, product = 1;
    long count = 0, last = -1, flag = 0;
    unsigned bits = 0;
    int seen = 0;
#pragma acc parallel loop copy(bins, bytes, sum, count, bits)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        bins[other(i) % BINS]++;
#pragma acc atomic
        bytes[i % BINS] += 3;
#pragma acc atomic
        sum += 0.5;
#pragma acc atomic
        bits |= 1u << i % 31;
#pragma acc atomic
        bits &= ~(1u << 30);
        for (int k = 0; k < 3; k++) {
#pragma acc atomic
            count += k;
        }
    }
#pragma acc serial loop copy(old, last, flag, seen, places, product)
    for (int i = 0; i < N; i++) {
#pragma acc atomic capture
        {
            old[i] = seen;
            seen += i;
        }
#pragma acc atomic write
        flag = i;
        long read;
#pragma acc atomic read
        read = flag;
#pragma acc atomic capture
        {
            places[i] = last;
            last = read;
        }
#pragma acc atomic
        product = 3 - product;
    }
#pragma acc parallel loop copy(far, seen)
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        far[told(i)] += sqrt(i);
#pragma acc atomic
        seen -= 1;
    }
    long check = 0;
    for (int i = 0; i < N; i++)
        check = check * 31 + old[i] + 7 * places[i] + 13 * far[i];
    for (int i = 0; i < BINS; i++)
        check = check * 17 + bins[i] + 3 * bytes[i];
    printf("%ld %g %ld %u %d %ld %ld %g\n", check, sum, count, bits, seen, last, flag, product);
    return !(check == 4216468746777509224 && sum == 500 && count == 3000 && bits == 0x3fffffff && seen == 498500 &&
             last == 999 && flag == 999 && product == 1);
}
