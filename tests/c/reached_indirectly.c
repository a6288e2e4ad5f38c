// Functions that main reaches by other ways than calls that can be read off its body.
#include <stdio.h>

static int one(void) { return 1; }
static int two(void) { return 2; }
static int three(void) { return 3; }

typedef int (*function)(void);
static function table[] = {one, two};
struct entry {
    const function *functions;
    function extra;
};
static const struct entry entry = {table, three};
static const struct entry *const entries[] = {&entry};

static int dimension(void) { return 4; }

int original(void) { return 5; }
int other_name(void) __attribute__((alias("original")));

static int started;
__attribute__((constructor)) static void start(void) { started = 6; }

static int nobody_calls_this(int n) { return n ? nobody_calls_this(n - 1) : (int)sizeof(entry); }

int main(void)
{
    int sum = 0, gangs = 0;
    for (int i = 0; i < 2; i++)
        sum += entries[0]->functions[i]();
    sum += entries[0]->extra();
#pragma acc parallel loop vector_length(dimension()) reduction(+:gangs)
    for (int i = 0; i < 10; i++)
        gangs += i;
    printf("%d %d %d %d\n", sum, gangs, other_name(), started);
    return 0;
}
