#ifndef MULTI_FILE_H
#define MULTI_FILE_H
struct point { int x, y; };
extern int shared_counter, table[], table_length;
extern struct point origin;
extern const char *const messages[];
int one(void), two(void);
void bump(int by);
struct point moved(struct point p, int dx, int dy);
const char *message(int i);
int callback(int (*f)(void));
static inline int common_inline(int x) { return x * x; }
#endif
