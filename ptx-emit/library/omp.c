/* <omp.h>: what device code may ask about itself. Teams are gangs. What the compiler makes of constructs in functions that
   a device calls is here for a team of one thread, which such a function has. */

#include "device.h"

int DEVICE(omp_is_initial_device)(void) { return 0; }

/* The number of the device, and how many there are: code is the same for all of them, and the runtime tells each. */
int DEVICE(devices)[2];
#pragma acc declare create(DEVICE(devices))

int DEVICE(omp_get_device_num)(void) { return DEVICE(devices)[0]; }
int DEVICE(omp_get_num_devices)(void) { return DEVICE(devices)[1]; }
/* The host comes behind the devices. */
int DEVICE(omp_get_initial_device)(void) { return DEVICE(devices)[1]; }

#pragma acc routine seq
int DEVICE(omp_get_team_num)(void) { return __builtin_goacc_parlevel_id(0); }

#pragma acc routine seq
int DEVICE(omp_get_num_teams)(void) { return __builtin_goacc_parlevel_size(0); }

/* What asks outside of loops that threads share: `ir/src/passes/ask_threads.rs` has answered the others. */

int DEVICE(omp_get_thread_num)(void) { return 0; }
int DEVICE(omp_get_num_threads)(void) { return 1; }
int DEVICE(omp_get_max_threads)(void) { return 1; }
int DEVICE(omp_in_parallel)(void) { return 0; }
int DEVICE(omp_get_active_level)(void) { return 0; }

#pragma acc routine seq
int DEVICE(omp_get_thread_limit)(void)
{
    return __builtin_goacc_parlevel_size(1) * __builtin_goacc_parlevel_size(2);
}

/* Control variables are those of a task that ends with the construct, and bound nothing there. */

void DEVICE(omp_set_num_threads)(int threads) { (void)threads; }
void DEVICE(omp_set_dynamic)(int dynamic) { (void)dynamic; }
void DEVICE(omp_set_nested)(int nested) { (void)nested; }
void DEVICE(omp_set_max_active_levels)(int levels) { (void)levels; }
void DEVICE(omp_set_schedule)(int kind, int chunk) { (void)kind, (void)chunk; }
int DEVICE(omp_get_dynamic)(void) { return 0; }
int DEVICE(omp_get_nested)(void) { return 0; }
int DEVICE(omp_get_max_active_levels)(void) { return 1; }
int DEVICE(omp_get_supported_active_levels)(void) { return 1; }
int DEVICE(omp_get_cancellation)(void) { return 0; }

int DEVICE(omp_loop_start)(const char *place, int schedule, long chunk, unsigned long trip, unsigned long *from,
                           unsigned long *to)
{
    (void)place, (void)schedule, (void)chunk;
    *from = 0;
    *to = trip;
    return trip != 0;
}

int DEVICE(omp_loop_next)(unsigned long *from, unsigned long *to)
{
    (void)from, (void)to;
    return 0;
}

void DEVICE(omp_loop_end)(void) {}
void DEVICE(omp_ordered_start)(unsigned long iteration) { (void)iteration; }
void DEVICE(omp_ordered_end)(void) {}
void DEVICE(omp_ordered_iteration)(unsigned long iteration) { (void)iteration; }
void DEVICE(omp_ordered_called)(void) {}
void DEVICE(omp_ordered_left)(void) {}
void DEVICE(omp_doacross)(unsigned long stride) { (void)stride; }
void DEVICE(omp_doacross_wait)(unsigned long done) { (void)done; }
void DEVICE(omp_doacross_post)(unsigned long done) { (void)done; }
int DEVICE(omp_single_start)(void) { return 1; }
void DEVICE(omp_barrier)(void) {}
void DEVICE(omp_meet)(void) {}

/* The iterations that a thread of a gang's team has of a loop: neighbours, about as many for each. */

int DEVICE(omp_share_of_team)(int number, int count, unsigned long trip, unsigned long *from, unsigned long *to)
{
    unsigned long share = trip / count, left = trip % count, own = number;
    *from = own * share + (own < left ? own : left);
    *to = *from + share + (own < left);
    return *from < *to;
}

/* Loops whose iterations exclude each other have one thread, and leagues one team, so that nobody has to wait. */

void DEVICE(omp_alone)(void) {}

struct lock {
    int state;
};

struct nest_lock {
    int state, count;
    void *owner;
};

void DEVICE(omp_init_lock)(struct lock *lock) { lock->state = 0; }
void DEVICE(omp_init_lock_with_hint)(struct lock *lock, int hint) { (void)hint, lock->state = 0; }
void DEVICE(omp_destroy_lock)(struct lock *lock) { (void)lock; }
void DEVICE(omp_set_lock)(struct lock *lock) { lock->state = 1; }
void DEVICE(omp_unset_lock)(struct lock *lock) { lock->state = 0; }

int DEVICE(omp_test_lock)(struct lock *lock)
{
    int is_free = lock->state == 0;
    lock->state = 1;
    return is_free;
}

void DEVICE(omp_init_nest_lock)(struct nest_lock *lock) { lock->state = lock->count = 0; }
void DEVICE(omp_init_nest_lock_with_hint)(struct nest_lock *lock, int hint) { (void)hint, lock->state = lock->count = 0; }
void DEVICE(omp_destroy_nest_lock)(struct nest_lock *lock) { (void)lock; }
void DEVICE(omp_set_nest_lock)(struct nest_lock *lock) { lock->count++; }
void DEVICE(omp_unset_nest_lock)(struct nest_lock *lock) { lock->count--; }
int DEVICE(omp_test_nest_lock)(struct nest_lock *lock) { return ++lock->count; }

/* All allocators have the same memory. In front of a block stands where the device's own begins, and how long the block is. */

struct block {
    void *start;
    size bytes;
};

void *malloc(size);
void free(void *);

/* An allocator that device code makes is the alignment of its blocks, behind the highest bit, which the host's have not. */

struct trait {
    int key;
    unsigned long value;
};

enum { ALIGNMENT_KEY = 2, POOL_SIZE_KEY = 4 };

#define MADE_HERE (1ul << 63)

unsigned long DEVICE(omp_init_allocator)(unsigned long space, int count, const struct trait *traits)
{
    (void)space;
    unsigned long alignment = 1;
    for (int i = 0; i < count; i++) {
        if (traits[i].key == ALIGNMENT_KEY && traits[i].value != (unsigned long)-1)
            alignment = traits[i].value;
        /* Nobody counts what an allocator has given out. */
        if (traits[i].key == POOL_SIZE_KEY && traits[i].value != (unsigned long)-1)
            return 0;
    }
    return alignment != 0 && (alignment & (alignment - 1)) == 0 ? MADE_HERE | alignment : 0;
}

void DEVICE(omp_destroy_allocator)(unsigned long allocator) { (void)allocator; }

void *DEVICE(omp_aligned_alloc)(size alignment, size bytes, unsigned long allocator)
{
    if (allocator & MADE_HERE && (allocator & ~MADE_HERE) > alignment)
        alignment = allocator & ~MADE_HERE;
    size least = alignment > sizeof(struct block) ? alignment : sizeof(struct block);
    size whole = bytes + 2 * least;
    char *start = bytes == 0 || whole < bytes ? 0 : malloc(whole);
    if (!start)
        return 0;
    struct block *end = (struct block *)(((size)start + 2 * least - 1) / least * least);
    end[-1].start = start;
    end[-1].bytes = bytes;
    return end;
}

void *DEVICE(omp_alloc)(size bytes, unsigned long allocator) { return DEVICE(omp_aligned_alloc)(1, bytes, allocator); }

void *DEVICE(omp_aligned_calloc)(size alignment, size count, size bytes, unsigned long allocator)
{
    if (bytes != 0 && count > (size)-1 / bytes)
        return 0;
    char *block = DEVICE(omp_aligned_alloc)(alignment, count * bytes, allocator);
    if (block)
        __builtin_memset(block, 0, count * bytes);
    return block;
}

void *DEVICE(omp_calloc)(size count, size bytes, unsigned long allocator)
{
    return DEVICE(omp_aligned_calloc)(1, count, bytes, allocator);
}

void DEVICE(omp_free)(void *block, unsigned long allocator)
{
    (void)allocator;
    if (block)
        free(((struct block *)block)[-1].start);
}

void *DEVICE(omp_realloc)(void *block, size bytes, unsigned long allocator, unsigned long old)
{
    char *other = DEVICE(omp_alloc)(bytes, allocator);
    size before = block ? ((struct block *)block)[-1].bytes : 0;
    if (block && other)
        __builtin_memcpy(other, block, before < bytes ? before : bytes);
    if (other || bytes == 0)
        DEVICE(omp_free)(block, old);
    return other;
}

unsigned long DEVICE(omp_get_default_allocator)(void) { return 1; }
void DEVICE(omp_set_default_allocator)(unsigned long allocator) { (void)allocator; }

/* Tasks have been executed where they stand, and what they reduce is the variable itself. */

void DEVICE(omp_reduce_start)(void) {}
void DEVICE(omp_reduce_end)(void) {}
void *DEVICE(omp_reduce_origin)(void *place) { return place; }

void DEVICE(omp_reduce_enter)(void *copy, size bytes, void *original)
{
    (void)copy, (void)bytes, (void)original;
}

void DEVICE(omp_reduce_leave)(void *copy) { (void)copy; }

void DEVICE(omp_taskwait)(const char *place) { (void)place; }
void DEVICE(omp_taskgroup_start)(void) {}
void DEVICE(omp_taskgroup_end)(void) {}
void DEVICE(omp_taskyield)(void) {}

void DEVICE(omp_taskwait_depend)(const char *place, void *depends, long count, int nowait)
{
    (void)place, (void)depends, (void)count, (void)nowait;
}
