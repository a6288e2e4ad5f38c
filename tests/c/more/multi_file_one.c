#include "multi_file.h"

static int private_value = 10;
static int helper(void) { return private_value + common_inline(2); }
int table[] = {3, 4, 5};
int table_length = sizeof table / sizeof *table;

int one(void) { return helper(); }
void bump(int by) { shared_counter += by; private_value++; }
int callback(int (*f)(void)) { return f() + helper(); }
