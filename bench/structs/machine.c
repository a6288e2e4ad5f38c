/* A machine with a stack that does n rounds of a small program. */
#include "../loops/timing.h"

enum { PUSH, ADD, TIMES, SWAP, DECREMENT, REPEAT, HALT };

typedef struct {
    int operation;
    long argument;
} instruction;

typedef struct {
    long stack[32];
    int top;
    long at;
} machine;

static void push(machine *m, long value)
{
    m->stack[m->top++] = value;
}

static long pop(machine *m)
{
    return m->stack[--m->top];
}

static long run(const instruction *code)
{
    machine m = {{0}, 0, 0};
    for (;;) {
        instruction i = code[m.at++];
        switch (i.operation) {
        case PUSH:
            push(&m, i.argument);
            break;
        case ADD:
            push(&m, pop(&m) + pop(&m));
            break;
        case TIMES:
            push(&m, pop(&m) * pop(&m) % 1000003);
            break;
        case SWAP: {
            long a = pop(&m), b = pop(&m);
            push(&m, a);
            push(&m, b);
            break;
        }
        case DECREMENT:
            push(&m, pop(&m) - 1);
            break;
        case REPEAT: {
            long count = pop(&m);
            push(&m, count);
            if (count > 0)
                m.at = i.argument;
            break;
        }
        default:
            pop(&m);
            return pop(&m);
        }
    }
}

instruction *code;

void setup(long n)
{
    instruction program[] = {{PUSH, 1}, {PUSH, n}, {SWAP, 0},      {PUSH, 3},   {TIMES, 0}, {PUSH, 7},
                             {ADD, 0},  {SWAP, 0}, {DECREMENT, 0}, {REPEAT, 2}, {HALT, 0}};
    code = array(11, sizeof *code);
    for (int i = 0; i < 11; i++)
        code[i] = program[i];
}

double kernel(long n)
{
    (void)n;
    return run(code);
}
