/* Splits lines of comma-separated fields with quotes, and keeps sums for each of some columns. */
#include "../loops/timing.h"
#include <string.h>
#include <ctype.h>

#define FIELDS 16

struct row {
    char *field[FIELDS];
    int length[FIELDS];
    int count;
};

char *text, *buffer;
size_t length;

static char *read_row(char *s, struct row *row)
{
    row->count = 0;
    for (;;) {
        char *out = s, *start = s;
        if (*s == '"') {
            s++;
            for (;;) {
                if (*s == '"') {
                    if (s[1] != '"')
                        break;
                    s++;
                }
                *out++ = *s++;
            }
            s++;
        } else {
            while (*s != ',' && *s != '\n' && *s)
                *out++ = *s++;
        }
        if (row->count < FIELDS) {
            row->field[row->count] = start;
            row->length[row->count++] = out - start;
        }
        char end = *s;
        *out = 0;
        s++;
        if (end != ',')
            return s;
    }
}

static long to_int(const char *s, int n)
{
    long value = 0;
    int negative = 0;
    while (n && isspace((unsigned char)*s))
        s++, n--;
    if (n && *s == '-')
        negative = 1, s++, n--;
    while (n-- && isdigit((unsigned char)*s))
        value = value * 10 + (*s++ - '0');
    return negative ? -value : value;
}

void setup(long n)
{
    text = malloc(n * 120 + 1);
    buffer = malloc(n * 120 + 1);
    char *s = text;
    for (long i = 0; i < n; i++)
        s += sprintf(s, "%ld,\"name, \"\"%ld\"\"\",%d, -%d,plain text field,%ld\n", i, i * 31, (int)(i % 1000), (int)(i % 91), i * i % 10007);
    *s = 0;
    length = s - text;
}

double kernel(long n)
{
    long sums[FIELDS] = {0}, upper = 0;
    memcpy(buffer, text, length + 1);
    char *s = buffer;
    struct row row;
    while (*s) {
        s = read_row(s, &row);
        for (int i = 0; i < row.count; i++) {
            sums[i] += to_int(row.field[i], row.length[i]);
            if (i == 4)
                for (char *c = row.field[i]; *c; c++)
                    upper += toupper((unsigned char)*c);
        }
    }
    double total = upper;
    for (int i = 0; i < FIELDS; i++)
        total += sums[i] % 100003;
    return total;
}
