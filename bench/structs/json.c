/* A JSON parser that builds a tree of values in an arena, and sums its numbers. */
#include "../loops/timing.h"
#include <string.h>

enum kind { NIL, BOOL, NUMBER, STRING, ARRAY, OBJECT };

typedef struct value {
    enum kind kind;
    union {
        int truth;
        double number;
        struct { const char *start; size_t length; } string;
        struct value *first;
    } u;
    const char *key;
    size_t key_length;
    struct value *next;
} value;

typedef struct {
    const char *at, *end;
    value *arena;
    size_t used, size;
    int error;
} parser;

char *text;
size_t text_length;
value *arena;
size_t arena_size;

static void skip(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r'))
        p->at++;
}

static value *new_value(parser *p, enum kind kind)
{
    if (p->used == p->size) {
        p->error = 1;
        return NULL;
    }
    value *v = &p->arena[p->used++];
    memset(v, 0, sizeof *v);
    v->kind = kind;
    return v;
}

static int string(parser *p, const char **start, size_t *length)
{
    const char *s = ++p->at;
    while (p->at < p->end && *p->at != '"') {
        if (*p->at == '\\')
            p->at++;
        p->at++;
    }
    *start = s;
    *length = p->at - s;
    p->at++;
    return p->at <= p->end;
}

static double number(parser *p)
{
    int negative = 0, exponent = 0, sign = 1;
    double x = 0, scale = 1;
    if (*p->at == '-') {
        negative = 1;
        p->at++;
    }
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9')
        x = x * 10 + (*p->at++ - '0');
    if (*p->at == '.') {
        p->at++;
        while (p->at < p->end && *p->at >= '0' && *p->at <= '9') {
            scale /= 10;
            x += (*p->at++ - '0') * scale;
        }
    }
    if (*p->at == 'e' || *p->at == 'E') {
        p->at++;
        if (*p->at == '-') {
            sign = -1;
            p->at++;
        }
        while (p->at < p->end && *p->at >= '0' && *p->at <= '9')
            exponent = exponent * 10 + (*p->at++ - '0');
        for (; exponent > 0; exponent--)
            x = sign > 0 ? x * 10 : x / 10;
    }
    return negative ? -x : x;
}

static value *parse(parser *p)
{
    skip(p);
    if (p->at >= p->end) {
        p->error = 1;
        return NULL;
    }
    switch (*p->at) {
    case '{': {
        value *v = new_value(p, OBJECT), **tail = &v->u.first;
        p->at++;
        skip(p);
        while (*p->at != '}') {
            const char *key;
            size_t length;
            if (*p->at != '"' || !string(p, &key, &length)) {
                p->error = 1;
                return v;
            }
            skip(p);
            p->at++;
            value *member = parse(p);
            if (p->error)
                return v;
            member->key = key;
            member->key_length = length;
            *tail = member;
            tail = &member->next;
            skip(p);
            if (*p->at == ',')
                p->at++;
            skip(p);
        }
        p->at++;
        return v;
    }
    case '[': {
        value *v = new_value(p, ARRAY), **tail = &v->u.first;
        p->at++;
        skip(p);
        while (*p->at != ']') {
            value *element = parse(p);
            if (p->error)
                return v;
            *tail = element;
            tail = &element->next;
            skip(p);
            if (*p->at == ',')
                p->at++;
            skip(p);
        }
        p->at++;
        return v;
    }
    case '"': {
        value *v = new_value(p, STRING);
        string(p, &v->u.string.start, &v->u.string.length);
        return v;
    }
    case 't':
    case 'f': {
        value *v = new_value(p, BOOL);
        v->u.truth = *p->at == 't';
        p->at += v->u.truth ? 4 : 5;
        return v;
    }
    case 'n':
        p->at += 4;
        return new_value(p, NIL);
    default: {
        value *v = new_value(p, NUMBER);
        v->u.number = number(p);
        return v;
    }
    }
}

static double total(const value *v)
{
    double sum = 0;
    switch (v->kind) {
    case NIL: return 0;
    case BOOL: return v->u.truth;
    case NUMBER: return v->u.number;
    case STRING: return v->u.string.length;
    case ARRAY:
    case OBJECT:
        for (const value *c = v->u.first; c; c = c->next)
            sum += total(c) + (c->key && c->key_length == 2 && memcmp(c->key, "id", 2) == 0);
    }
    return sum;
}

void setup(long n)
{
    text = malloc(n * 200 + 100);
    char *s = text;
    *s++ = '[';
    for (long i = 0; i < n; i++)
        s += sprintf(s, "%s\n  {\"id\": %ld, \"name\": \"user \\\"%ld\\\"\", \"ok\": %s, \"point\": [%d.%03d, -%d, 1.5e-%d], \"none\": null}",
                     i ? "," : "", i, i * 7919, i % 3 ? "true" : "false", (int)(i % 100), (int)(i * 37 % 1000), (int)(i % 77), (int)(i % 5));
    *s++ = ']';
    text_length = s - text;
    arena_size = n * 10 + 1;
    arena = malloc(arena_size * sizeof *arena);
}

double kernel(long n)
{
    parser p = {text, text + text_length, arena, 0, arena_size, 0};
    value *root = parse(&p);
    return p.error ? -1 : total(root) + p.used;
}
