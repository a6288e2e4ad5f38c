// Errors of data clauses and routines: what the message says. Each is tried in a process of its own.
// options: --memory discrete
#include <acc_prof.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int a[8], *p = a;
struct node {
  int *data;
} s = {a};

/* Prints a text without what differs from run to run: addresses, and the folder of the file. */
static void print(const char *text) {
  const char *file = strstr(text, "errors.c");
  if (file) {
    printf("accrue: %s", strstr(text, " in function") ? "fault at " : "");
    text = file;
  }
  while (*text) {
    if (strncmp(text, "0x", 2) == 0) {
      printf("ADDRESS");
      for (text += 2; *text && strchr("0123456789abcdef", *text); text++)
        ;
    } else {
      putchar(*text++);
    }
  }
}

#define TRY(...)                                                                                                       \
  do {                                                                                                                 \
    fflush(stdout);                                                                                                    \
    int ends[2];                                                                                                       \
    if (pipe(ends))                                                                                                    \
      abort();                                                                                                         \
    pid_t child = fork();                                                                                              \
    if (child == 0) {                                                                                                  \
      dup2(ends[1], 2);                                                                                                \
      __VA_ARGS__;                                                                                                     \
      _exit(0);                                                                                                        \
    }                                                                                                                  \
    close(ends[1]);                                                                                                    \
    char text[1000] = "";                                                                                              \
    int length = 0, status = 0;                                                                                        \
    for (int n; length < 999 && (n = read(ends[0], text + length, 999 - length)) > 0; length += n)                     \
      ;                                                                                                                \
    waitpid(child, &status, 0);                                                                                        \
    close(ends[0]);                                                                                                    \
    printf("%d ", WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));                                      \
    print(text[0] ? text : "nothing\n");                                                                               \
  } while (0)

static void not_present(void) {
#pragma acc serial present(a)
  a[0] = 1;
}

static void partly_present(void) {
#pragma acc enter data create(a[2:2])
#pragma acc enter data copyin(p[0:4])
}

static void partly_implicit(void) {
#pragma acc enter data create(p[0:4])
#pragma acc parallel loop
  for (int i = 0; i < 4; i++)
    a[i] = i; // all that the construct can mean is the part that is there
}

static void no_update(void) {
#pragma acc update self(a[1:3])
}

static void no_device_address(void) {
#pragma acc host_data use_device(a)
  a[0] = 1;
}

static void missing_section(void) {
  int *q = malloc(64);
#pragma acc parallel loop default(present)
  for (int i = 0; i < 4; i++)
    q[i] = i;
}

static void detached_twice(void) {
#pragma acc enter data copyin(s, a)
#pragma acc data attach(s.data)
  {
#pragma acc exit data detach(s.data)
  }
}

static void negative(int n) {
#pragma acc enter data create(p[0:n])
}

static int rows[4][6];

static void gaps(int n) {
#pragma acc enter data create(rows[0:2][0:n])
}

static void beyond(int n) {
#pragma acc enter data create(rows)
#pragma acc update self(rows[0:2][0:n])
}

static void part_of_a_row(void) {
#pragma acc enter data create(rows[1:2])
#pragma acc update self(rows[0:3][2:2])
}

static void asks(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) { acc_is_present(a, 4); }

int main(void) {
  TRY(not_present());
  TRY(partly_present());
  TRY(partly_implicit());
  TRY(no_update());
  TRY(no_device_address());
  TRY(missing_section());
  TRY(detached_twice());
  TRY(negative(-1));
  TRY(gaps(6));
  TRY(gaps(5));
  TRY(beyond(7));
  TRY(part_of_a_row());
  TRY(acc_copyin(a, 16); acc_create(a, 32));
  TRY(acc_copyin(a, 16); acc_copyout(a, 32));
  TRY(acc_update_self(a, 4));
  TRY(acc_copyin(a, 16); acc_free(acc_deviceptr(a + 1)));
  TRY(acc_free(a));
  TRY(acc_copyin(a, 16); acc_unmap_data(a));
  TRY(acc_unmap_data(a));
  TRY(acc_map_data(a, acc_malloc(8), 0));
  TRY(void *d = acc_malloc(8); acc_map_data(a, d, 8); acc_map_data(a + 1, d, 8));
  TRY(void *d = acc_malloc(8); acc_map_data(a, d, 8); acc_map_data(a + 4, d, 8));
  TRY(acc_attach((void **)&s.data));
  TRY(acc_copyin(&s, sizeof s); acc_attach((void **)&s.data));
  TRY(acc_copyin(&s, sizeof s); acc_detach((void **)&s.data));
  TRY(acc_memcpy_to_device(NULL, a, 4));
  TRY(acc_prof_register(acc_ev_enqueue_upload_start, asks, acc_reg); acc_copyin(a, 16));
  return 0;
}
