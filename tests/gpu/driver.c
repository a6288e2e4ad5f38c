// A library with the names of NVIDIA's driver that accrue uses, for tests on machines without a GPU: two devices whose
// memory is the host's, streams that do their work at once, and kernels that do nothing but for the runtime's own. It shows that
// what the runtime asks of the driver makes sense: memory is freed once, with a context, in the right place; bytes arrive;
// nothing is left over.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_CONTEXT = 201, ILLEGAL_ADDRESS = 700 };
enum { PROCESSORS = 16, THREADS = 39, MAJOR = 75, MINOR = 76, SHARED = 81, PAGEABLE = 88, POOLS = 115 };

enum { SHARED_BYTES = 1, LOCAL_BYTES = 3, SHARED_PART = 9 };

typedef int Result;
typedef unsigned long long Address;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Address live[1 << 16];
static int blocks, started, streams, launches, graphs, graph_launches, graph_kernels, pinned;
static _Thread_local void *current;

__attribute__((destructor)) static void report(void) {
  if (started && getenv("DRIVER_REPORT"))
    fprintf(stderr, "driver: %d streams, %d blocks of memory, %d graphs left\n", streams, blocks, graphs);
  if (started && getenv("DRIVER_COUNTS"))
    fprintf(stderr, "driver: %d launches, %d of graphs with %d kernels\n", launches, graph_launches, graph_kernels);
  if (started && getenv("DRIVER_PINS"))
    fprintf(stderr, "driver: %d MiB pinned\n", pinned);
}

static void count(int *counter, int by) {
  pthread_mutex_lock(&lock);
  *counter += by;
  pthread_mutex_unlock(&lock);
}

Result cuInit(unsigned flags) { return started = 1, SUCCESS; }
Result cuDriverGetVersion(int *version) { return *version = 12080, SUCCESS; }
Result cuGetErrorString(Result result, const char **text) {
  *text = result == ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "invalid";
  return SUCCESS;
}

Result cuDeviceGetCount(int *number) { return *number = 2, SUCCESS; }
Result cuDeviceGet(int *device, int ordinal) { return *device = ordinal, SUCCESS; }
Result cuDeviceGetName(char *name, int length, int device) {
  return snprintf(name, length, "Device %d", device), SUCCESS;
}
Result cuDeviceTotalMem_v2(size_t *bytes, int device) { return *bytes = 1 << 30, SUCCESS; }
Result cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == PROCESSORS ? 80 : attribute == THREADS ? 2048 : attribute == MAJOR ? 9 : attribute == SHARED ? 233472 : attribute == POOLS;
  return attribute == MINOR || attribute == PAGEABLE || *value ? SUCCESS : INVALID_VALUE;
}
Result cuDevicePrimaryCtxRetain(void **context, int device) { return *context = (char *)0x1000 + device, SUCCESS; }
Result cuCtxSetCurrent(void *context) { return current = context, SUCCESS; }
Result cuDeviceGetDefaultMemPool(void **pool, int device) { return *pool = &lock, SUCCESS; }
Result cuMemPoolSetAttribute(void *pool, int attribute, void *value) { return SUCCESS; }
Result cuMemPoolGetAttribute(void *pool, int attribute, void *value) { return *(unsigned long *)value = 0, SUCCESS; }
Result cuMemPoolSetAccess(void *pool, const void *map, size_t count) { return SUCCESS; }
Result cuDeviceCanAccessPeer(int *can, int device, int peer) { return *can = 1, SUCCESS; }
Result cuMemGetInfo_v2(size_t *free, size_t *total) { return *free = *total = 1 << 30, SUCCESS; }

Result cuModuleLoadDataEx(void **module, const void *text, unsigned n, int *options, void **values) {
  *module = &lock;
  return strncmp(text, ".version", 8) ? INVALID_VALUE : SUCCESS;
}
Result cuModuleGetFunction(void **function, void *module, const char *name) {
  return *function = strdup(name), SUCCESS;
}
Result cuModuleGetGlobal_v2(Address *address, size_t *bytes, void *module, const char *name) {
  return *address = (Address)calloc(1, *bytes = 4096), SUCCESS;
}
Result cuFuncGetAttribute(int *value, int attribute, void *function) {
  return *value = attribute == LOCAL_BYTES ? 65536 : attribute == SHARED_BYTES ? 16384 : 1024, SUCCESS;
}
Result cuFuncSetAttribute(void *function, int attribute, int value) {
  return attribute == SHARED_PART && value >= -1 && value <= 100 ? SUCCESS : INVALID_VALUE;
}
Result cuCtxSetLimit(int limit, size_t bytes) {
  if (getenv("DRIVER_REPORT"))
    fprintf(stderr, "driver: limit %d is %zu\n", limit, bytes);
  return SUCCESS;
}
Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *number, void *function, int threads, size_t shared) {
  return *number = 2048 / threads, SUCCESS;
}

Result cuMemAllocAsync(Address *address, size_t bytes, void *stream) {
  if (!current || !stream)
    return INVALID_CONTEXT;
  *address = (Address)memset(malloc(bytes), 0xee, bytes);
  pthread_mutex_lock(&lock);
  live[blocks++] = *address;
  pthread_mutex_unlock(&lock);
  return SUCCESS;
}
Result cuMemFreeAsync(Address address, void *stream) {
  Result result = INVALID_VALUE;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < blocks; i++)
    if (live[i] == address) {
      live[i] = live[--blocks];
      free((void *)address);
      result = SUCCESS;
      break;
    }
  pthread_mutex_unlock(&lock);
  return result;
}
// DRIVER_PINS: how many MiB it is able to pin.
static int pins(size_t bytes) {
  char *most = getenv("DRIVER_PINS");
  if (most && pinned + bytes / 1048576 > atoi(most))
    return 0;
  count(&pinned, bytes / 1048576);
  return 1;
}
Result cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
  if (!pins(bytes))
    return OUT_OF_MEMORY;
  return *memory = malloc(bytes), SUCCESS;
}
Result cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags) {
  return pins(bytes) ? SUCCESS : OUT_OF_MEMORY;
}

Result cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, void *stream) {
  return memcpy((void *)to, from, bytes), SUCCESS;
}
Result cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, void *stream) {
  return memcpy(to, (void *)from, bytes), SUCCESS;
}
Result cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, void *stream) {
  return memmove((void *)to, (void *)from, bytes), SUCCESS;
}
Result cuMemcpyPeerAsync(Address to, void *target, Address from, void *source, size_t bytes, void *stream) {
  return memmove((void *)to, (void *)from, bytes), SUCCESS;
}
Result cuMemsetD8Async(Address at, unsigned char byte, size_t bytes, void *stream) {
  return memset((void *)at, byte, bytes), SUCCESS;
}

Result cuStreamCreate(void **stream, unsigned flags) {
  count(&streams, 1);
  return *stream = malloc(64), SUCCESS;
}
Result cuStreamDestroy_v2(void *stream) {
  count(&streams, -1);
  return free(stream), SUCCESS;
}
Result cuStreamSynchronize(void *stream) {
  return launches && getenv("DRIVER_FAILS") ? ILLEGAL_ADDRESS : SUCCESS;
}
Result cuStreamQuery(void *stream) { return SUCCESS; }
Result cuStreamWaitEvent(void *stream, void *event, unsigned flags) { return SUCCESS; }
Result cuEventCreate(void **event, unsigned flags) { return *event = malloc(16), SUCCESS; }
Result cuEventDestroy_v2(void *event) { return free(event), SUCCESS; }
Result cuEventRecord(void *event, void *stream) { return SUCCESS; }
Result cuEventQuery(void *event) { return SUCCESS; }
Result cuEventSynchronize(void *event) { return SUCCESS; }
Result cuEventElapsedTime(float *milliseconds, void *from, void *to) { return *milliseconds = 0.125f, SUCCESS; }

struct call {
  void (*function)(void *);
  void *data;
};

static void *make(void *argument) {
  struct call call = *(struct call *)argument;
  call.function(call.data);
  return NULL;
}

// On a thread of its own, as the real one does it.
Result cuLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
  struct call call = {function, data};
  pthread_t thread;
  pthread_create(&thread, NULL, make, &call);
  pthread_join(thread, NULL);
  return SUCCESS;
}

// What the runtime's own kernels do: `values` are their arguments.
static void execute(const char *name, const Address *values) {
  if (!strcmp(name, "accrue_poke"))
    memcpy((void *)values[0], &values[1], values[2]);
  else if (!strcmp(name, "accrue_clear"))
    memset((void *)values[0], 0, 4 * values[1]);
  else if (!strcmp(name, "accrue_publish")) {
    for (const Address *copy = values + 2; copy < values + 18; copy += 4) {
      size_t bytes = (unsigned)copy[2];
      memcpy((void *)copy[1], (void *)copy[0], bytes);
      if (copy[2] >> 32)
        memcpy((void *)copy[0], &copy[3], bytes);
    }
    if (values[0])
      *(volatile Address *)values[0] = values[1];
  } else if (!strcmp(name, "accrue_answer")) {
    for (const Address *copy = values; copy < values + 16; copy += 4) {
      unsigned bytes = copy[2], halves[2] = {0};
      if (!bytes)
        continue;
      memcpy(halves, (void *)copy[0], bytes);
      for (int half = 0; half < 2; half++)
        ((volatile Address *)copy[1])[half] = (Address)1 << 32 | halves[half];
      if (copy[2] >> 32)
        memcpy((void *)copy[0], &copy[3], bytes);
    }
  }
}

static int arguments(const char *name) {
  return !strcmp(name, "accrue_poke") ? 3 : !strcmp(name, "accrue_clear") ? 2 : !strcmp(name, "accrue_publish") ? 18 : !strcmp(name, "accrue_answer") ? 16 : 0;
}

Result cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned lanes, unsigned workers,
                      unsigned depth, unsigned shared, void *stream, void **parameters, void **extra) {
  Address values[18];
  count(&launches, 1);
  if (getenv("DRIVER_IS_FULL") && !arguments(function))
    return OUT_OF_MEMORY;
  for (int i = 0; i < arguments(function); i++)
    values[i] = *(Address *)parameters[i];
  execute(function, values);
  return x && y && z && lanes % 32 == 0 && lanes * workers <= 1024 && depth == 1 ? SUCCESS : INVALID_VALUE;
}

struct parameters {
  void *function;
  unsigned grid[3], block[3], shared;
  void **values, **extra;
  void *kernel, *context;
};

struct node {
  struct node *next;
  const char *name;
  Address values[18];
};

// A graph is a list; what is made executable of it is the list itself.
struct graph {
  struct node *first, **end;
};

static void set(struct node *node, const struct parameters *p) {
  node->name = p->function;
  for (int i = 0; i < arguments(node->name); i++)
    node->values[i] = *(Address *)p->values[i];
}

Result cuModuleLoadData(void **module, const void *text) { return *module = &lock, SUCCESS; }
Result cuGraphCreate(struct graph **graph, unsigned flags) {
  count(&graphs, 1);
  *graph = calloc(1, sizeof **graph);
  (*graph)->end = &(*graph)->first;
  return SUCCESS;
}
Result cuGraphAddKernelNode_v2(struct node **node, struct graph *graph, void *const *before, size_t number,
                               const struct parameters *p) {
  if (number || getenv("DRIVER_REFUSES_GRAPHS"))
    return INVALID_VALUE;
  *node = calloc(1, sizeof **node);
  set(*node, p);
  *graph->end = *node;
  graph->end = &(*node)->next;
  return SUCCESS;
}
Result cuGraphAddDependencies_v2(struct graph *graph, struct node **from, struct node **to, const void *edge, size_t number) {
  return number == 1 && (*from)->next == *to ? SUCCESS : INVALID_VALUE;
}
Result cuGraphInstantiateWithFlags(struct graph **executable, struct graph *graph, unsigned long long flags) {
  return *executable = graph, SUCCESS;
}
Result cuGraphExecKernelNodeSetParams_v2(struct graph *graph, struct node *node, const struct parameters *p) {
  if (strcmp(node->name, p->function))
    return INVALID_VALUE;
  return set(node, p), SUCCESS;
}
Result cuGraphLaunch(struct graph *graph, void *stream) {
  count(&graph_launches, 1);
  for (struct node *node = graph->first; node; node = node->next) {
    count(&graph_kernels, 1);
    execute(node->name, node->values);
  }
  return SUCCESS;
}
Result cuGraphExecDestroy(struct graph *graph) { return SUCCESS; }
Result cuGraphDestroy(struct graph *graph) {
  for (struct node *node = graph->first, *next; node; node = next) {
    next = node->next;
    free(node);
  }
  count(&graphs, -1);
  return free(graph), SUCCESS;
}

Result cuLaunchCooperativeKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned lanes, unsigned workers,
                                 unsigned depth, unsigned shared, void *stream, void **parameters) {
  return x <= 80 * (2048 / (lanes * workers)) ? SUCCESS : INVALID_VALUE;
}
