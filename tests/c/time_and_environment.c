// Time, environment and limits, without printing what changes from run to run.
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct timeval a, b;
    struct timespec t;
    gettimeofday(&a, NULL);
    clock_t c = clock();
    clock_gettime(CLOCK_MONOTONIC, &t);
    gettimeofday(&b, NULL);
    printf("%d %d %d\n", b.tv_sec >= a.tv_sec, c != (clock_t)-1, t.tv_nsec < 1000000000);
    time_t zero = 86400 * 365;
    struct tm tm = *gmtime(&zero);
    char text[64];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
    puts(text);
    tm.tm_mday += 40;
    setenv("TZ", "UTC", 1);
    tzset();
    printf("%lld\n", (long long)mktime(&tm));
    printf("%s %d\n", getenv("TZ"), getenv("NO_SUCH_VARIABLE_HERE") == NULL);
    printf("%d\n", getpid() > 0);
    printf("%s\n", setlocale(LC_ALL, "C"));
    int64_t big = INT64_C(9007199254740993);
    printf("%" PRId64 " %" PRIx64 " %" PRIu32 "\n", big, (uint64_t)big, UINT32_MAX);
    printf("%d %d %d\n", CHAR_BIT, INT_MAX == INT32_MAX, LONG_MAX == INT64_MAX);
    return 0;
}
