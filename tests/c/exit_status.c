// args: 3 "x" -y
// status: 42
// Arguments of main, and the exit status of a program.
#include <stdio.h>
#include <stdlib.h>

static void cleanup(void) { printf("cleanup\n"); }

int main(int argc, char *argv[])
{
    atexit(cleanup);
    printf("%d %s %s %s %d\n", argc, argv[1], argv[2], argv[3], argv[argc] == 0);
    exit(atoi(argv[1]) * 14);
}
