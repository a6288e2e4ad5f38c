/* A heap of n records, ordered by a function of two of them. */
#include "../loops/timing.h"

typedef struct {
    int key;
    float value;
} record;

static int before(record a, record b)
{
    return a.key < b.key || (a.key == b.key && a.value < b.value);
}

static void swap(record *a, record *b)
{
    record t = *a;
    *a = *b;
    *b = t;
}

static void sift(record *r, long at, long n)
{
    for (;;) {
        long largest = at, left = 2 * at + 1, right = left + 1;
        if (left < n && before(r[largest], r[left]))
            largest = left;
        if (right < n && before(r[largest], r[right]))
            largest = right;
        if (largest == at)
            return;
        swap(&r[at], &r[largest]);
        at = largest;
    }
}

record *records;

void setup(long n)
{
    records = array(n, sizeof *records);
}

double kernel(long n)
{
    unsigned seed = 1;
    for (long i = 0; i < n; i++) {
        seed = seed * 1103515245 + 12345;
        records[i] = (record){(int)(seed >> 20), i};
    }
    for (long i = n / 2; i-- > 0;)
        sift(records, i, n);
    for (long i = n; i-- > 1;) {
        swap(&records[0], &records[i]);
        sift(records, 0, i);
    }
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += records[i].key * (i % 3) + records[i].value;
    return sum;
}
