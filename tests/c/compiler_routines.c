/* Routines of the compiler's own library, which a program may call by name. */
#include <stdio.h>

typedef unsigned __int128 wide;

wide __udivti3(wide, wide);
int __popcountdi2(long);
int __ctzdi2(long);

int main(void)
{
    wide quotient = __udivti3((wide)1 << 100, 1000);
    printf("%llx %llx\n", (unsigned long long)(quotient >> 64), (unsigned long long)quotient);
    printf("%d %d\n", __popcountdi2(0xff0f), __ctzdi2(0x80));
    return 0;
}
