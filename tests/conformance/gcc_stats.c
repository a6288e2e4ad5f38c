/* Preloaded into programs built by GCC: counts the compute constructs they execute.

   The count lies as a 64-bit number in the file that ACCRUE_STATS names; the file is mapped, so the count survives
   whatever ends the program. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static long long here;
__attribute__((visibility("hidden"))) long long *accrue_regions = &here;
__attribute__((visibility("hidden"))) void *accrue_launch;

__attribute__((constructor)) static void start(void)
{
    accrue_launch = dlsym(RTLD_NEXT, "GOACC_parallel_keyed");
    const char *name = getenv("ACCRUE_STATS");
    if (!name)
        return;
    int file = open(name, O_RDWR | O_CREAT, 0644);
    if (file < 0 || ftruncate(file, sizeof here) < 0)
        return;
    void *map = mmap(0, sizeof here, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED)
        accrue_regions = map;
    close(file);
}

/* The entry is variadic, so the arguments are left where they are. */
__asm__(".text\n"
        ".globl GOACC_parallel_keyed\n"
        ".type GOACC_parallel_keyed, @function\n"
        "GOACC_parallel_keyed:\n"
        "    movq accrue_regions(%rip), %rax\n"
        "    lock incq (%rax)\n"
        "    movq accrue_launch(%rip), %r11\n"
        "    xorl %eax, %eax\n"
        "    jmp *%r11\n"
        ".size GOACC_parallel_keyed, . - GOACC_parallel_keyed\n");
