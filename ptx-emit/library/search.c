/* qsort, bsearch. */

#include "device.h"

typedef int comparison(const void *, const void *);

static void swap(char *a, char *b, size length) {
    for (size i = 0; i < length; i++) {
        char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Lets the element at `root` of a heap of `count` elements sink to its place. */
static void sink(char *base, size root, size count, size length, comparison *compare) {
    for (;;) {
        size child = 2 * root + 1;
        if (child >= count) return;
        if (child + 1 < count && compare(base + child * length, base + (child + 1) * length) < 0) child++;
        if (compare(base + root * length, base + child * length) >= 0) return;
        swap(base + root * length, base + child * length, length);
        root = child;
    }
}

/* Heap sort: neither recursion nor memory, both of which are scarce on a device. */
void DEVICE(qsort)(void *elements, size count, size length, comparison *compare) {
    char *base = elements;
    for (size root = count / 2; root-- > 0;) sink(base, root, count, length, compare);
    for (size last = count; last-- > 1;) {
        swap(base, base + last * length, length);
        sink(base, 0, last, length, compare);
    }
}

void *DEVICE(bsearch)(const void *key, const void *elements, size count, size length, comparison *compare) {
    const char *base = elements;
    while (count > 0) {
        const char *middle = base + count / 2 * length;
        int order = compare(key, middle);
        if (order == 0) return (void *)middle;
        if (order > 0) {
            base = middle + length;
            count--;
        }
        count /= 2;
    }
    return 0;
}
