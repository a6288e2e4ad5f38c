/* Blocks of memory. */

#include "device.h"

/* Eight bytes of an object of any type. */
typedef uint64 __attribute__((__may_alias__)) word;

#define WORD sizeof(word)

static inline int aligned(const void *a, const void *b) { return (((size)a | (size)b) & (WORD - 1)) == 0; }

void *DEVICE(memcpy)(void *to, const void *from, size length) {
    unsigned char *target = to;
    const unsigned char *source = from;
    size done = 0;
    if (aligned(to, from)) {
        for (; done + WORD <= length; done += WORD) *(word *)(target + done) = *(const word *)(source + done);
    }
    for (; done < length; done++) target[done] = source[done];
    return to;
}

void *DEVICE(memmove)(void *to, const void *from, size length) {
    /* Forwards, unless that would overwrite what is still to be read. */
    if ((size)to - (size)from >= length) return DEVICE(memcpy)(to, from, length);
    unsigned char *target = to;
    const unsigned char *source = from;
    size left = length;
    if (aligned(to, from)) {
        while (left % WORD) {
            left--;
            target[left] = source[left];
        }
        for (; left; left -= WORD) *(word *)(target + left - WORD) = *(const word *)(source + left - WORD);
    }
    while (left) {
        left--;
        target[left] = source[left];
    }
    return to;
}

void *DEVICE(mempcpy)(void *to, const void *from, size length) {
    return (unsigned char *)DEVICE(memcpy)(to, from, length) + length;
}

void *DEVICE(memset)(void *to, int value, size length) {
    unsigned char *target = to;
    size done = 0;
    if (aligned(to, to)) {
        word repeated = (unsigned char)value * 0x0101010101010101u;
        for (; done + WORD <= length; done += WORD) *(word *)(target + done) = repeated;
    }
    for (; done < length; done++) target[done] = (unsigned char)value;
    return to;
}

void DEVICE(bzero)(void *to, size length) { DEVICE(memset)(to, 0, length); }

int DEVICE(memcmp)(const void *a, const void *b, size length) {
    const unsigned char *first = a;
    const unsigned char *second = b;
    for (size i = 0; i < length; i++) {
        if (first[i] != second[i]) return first[i] - second[i];
    }
    return 0;
}

void *DEVICE(memchr)(const void *in, int value, size length) {
    const unsigned char *bytes = in;
    for (size i = 0; i < length; i++) {
        if (bytes[i] == (unsigned char)value) return (void *)(bytes + i);
    }
    return 0;
}
