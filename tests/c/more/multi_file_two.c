#include "multi_file.h"

static int private_value = 1000;
static int helper(void) { return private_value++; }

int two(void) { helper(); return helper(); }
struct point moved(struct point p, int dx, int dy) { return (struct point){p.x + dx + origin.x, p.y + dy}; }
const char *message(int i) { return messages[i]; }
