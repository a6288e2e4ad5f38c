/* Strings. */

#include "device.h"

size DEVICE(strlen)(const char *text) {
    size length = 0;
    while (text[length]) length++;
    return length;
}

size DEVICE(strnlen)(const char *text, size limit) {
    size length = 0;
    while (length < limit && text[length]) length++;
    return length;
}

/* Adds the beginning of a format and then a width or a precision; a precision below zero is none. Gives the
   end. */
char *DEVICE(put_size)(char *to, const char *text, size bytes, int value, int is_precision) {
    for (size i = 0; i < bytes; i++) *to++ = text[i];
    if (is_precision && value < 0) return to;
    if (is_precision) *to++ = '.';
    unsigned rest = value < 0 ? 0u - (unsigned)value : (unsigned)value;
    if (value < 0) *to++ = '-';
    char digits[10];
    int count = 0;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    while (count) *to++ = digits[--count];
    return to;
}

int DEVICE(strncmp)(const char *a, const char *b, size limit) {
    for (size i = 0; i < limit; i++) {
        unsigned char first = (unsigned char)a[i];
        unsigned char second = (unsigned char)b[i];
        if (first != second) return first - second;
        if (!first) break;
    }
    return 0;
}

int DEVICE(strcmp)(const char *a, const char *b) { return DEVICE(strncmp)(a, b, (size)-1); }

char *DEVICE(stpcpy)(char *to, const char *from) {
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *DEVICE(strcpy)(char *to, const char *from) {
    DEVICE(stpcpy)(to, from);
    return to;
}

char *DEVICE(strncpy)(char *to, const char *from, size limit) {
    size i = 0;
    for (; i < limit && from[i]; i++) to[i] = from[i];
    for (; i < limit; i++) to[i] = 0;
    return to;
}

char *DEVICE(strcat)(char *to, const char *from) {
    DEVICE(stpcpy)(to + DEVICE(strlen)(to), from);
    return to;
}

char *DEVICE(strncat)(char *to, const char *from, size limit) {
    char *end = to + DEVICE(strlen)(to);
    size i = 0;
    for (; i < limit && from[i]; i++) end[i] = from[i];
    end[i] = 0;
    return to;
}

char *DEVICE(strchr)(const char *text, int value) {
    for (;; text++) {
        if (*text == (char)value) return (char *)text;
        if (!*text) return 0;
    }
}

char *DEVICE(strrchr)(const char *text, int value) {
    char *found = 0;
    for (;; text++) {
        if (*text == (char)value) found = (char *)text;
        if (!*text) return found;
    }
}

char *DEVICE(strstr)(const char *text, const char *part) {
    size length = DEVICE(strlen)(part);
    for (;; text++) {
        if (DEVICE(strncmp)(text, part, length) == 0) return (char *)text;
        if (!*text) return 0;
    }
}

/* How many characters from the start are in the set, or are not. */
static inline size span(const char *text, const char *set, int wanted) {
    size length = 0;
    while (text[length] && (DEVICE(strchr)(set, text[length]) != 0) == wanted) length++;
    return length;
}

size DEVICE(strspn)(const char *text, const char *set) { return span(text, set, 1); }
size DEVICE(strcspn)(const char *text, const char *set) { return span(text, set, 0); }

char *DEVICE(strpbrk)(const char *text, const char *set) {
    const char *found = text + span(text, set, 0);
    return *found ? (char *)found : 0;
}
