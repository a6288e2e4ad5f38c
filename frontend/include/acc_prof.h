/* <acc_prof.h>: the profiling interface of OpenACC (chapter 5). Layouts and values are those of GCC's library. */
#ifndef _ACC_PROF_H
#define _ACC_PROF_H 1

#include <openacc.h>

#define _ACC_PROF_INFO_VERSION 201711

/* Bytes of a struct up to and with its last member, padding at the end left out. */
#define _ACC_PROF_VALID_BYTES_STRUCT(type, last, bytes_of_last) (offsetof(type, last) + (bytes_of_last))
#define _ACC_PROF_VALID_BYTES_BASICTYPE(type) (sizeof(type))

typedef enum acc_event_t {
    acc_ev_none = 0,
    acc_ev_device_init_start = 1,
    acc_ev_device_init_end = 2,
    acc_ev_device_shutdown_start = 3,
    acc_ev_device_shutdown_end = 4,
    acc_ev_runtime_shutdown = 5,
    acc_ev_create = 6,
    acc_ev_delete = 7,
    acc_ev_alloc = 8,
    acc_ev_free = 9,
    acc_ev_enter_data_start = 10,
    acc_ev_enter_data_end = 11,
    acc_ev_exit_data_start = 12,
    acc_ev_exit_data_end = 13,
    acc_ev_update_start = 14,
    acc_ev_update_end = 15,
    acc_ev_compute_construct_start = 16,
    acc_ev_compute_construct_end = 17,
    acc_ev_enqueue_launch_start = 18,
    acc_ev_enqueue_launch_end = 19,
    acc_ev_enqueue_upload_start = 20,
    acc_ev_enqueue_upload_end = 21,
    acc_ev_enqueue_download_start = 22,
    acc_ev_enqueue_download_end = 23,
    acc_ev_wait_start = 24,
    acc_ev_wait_end = 25,
    acc_ev_last = 26
} acc_event_t;

typedef enum acc_construct_t {
    acc_construct_parallel = 0,
    acc_construct_kernels = 1,
    acc_construct_loop = 2,
    acc_construct_data = 3,
    acc_construct_enter_data = 4,
    acc_construct_exit_data = 5,
    acc_construct_host_data = 6,
    acc_construct_atomic = 7,
    acc_construct_declare = 8,
    acc_construct_init = 9,
    acc_construct_shutdown = 10,
    acc_construct_set = 11,
    acc_construct_update = 12,
    acc_construct_routine = 13,
    acc_construct_wait = 14,
    acc_construct_runtime_api = 15,
    acc_construct_serial = 16
} acc_construct_t;

typedef enum acc_device_api {
    acc_device_api_none = 0,
    acc_device_api_cuda = 1,
    acc_device_api_opencl = 2,
    acc_device_api_coi = 3,
    acc_device_api_other = 4
} acc_device_api;

typedef struct acc_prof_info {
    acc_event_t event_type;
    int valid_bytes;
    int version;
    acc_device_t device_type;
    int device_number;
    int thread_id;
    long async;
    long async_queue;
    const char *src_file;
    const char *func_name;
    int line_no, end_line_no;
    int func_line_no, func_end_line_no;
} acc_prof_info;
#define _ACC_PROF_INFO_VALID_BYTES \
    _ACC_PROF_VALID_BYTES_STRUCT(acc_prof_info, func_end_line_no, _ACC_PROF_VALID_BYTES_BASICTYPE(int))

typedef struct acc_data_event_info {
    acc_event_t event_type;
    int valid_bytes;
    acc_construct_t parent_construct;
    int implicit;
    void *tool_info;
    const char *var_name;
    unsigned long bytes;
    const void *host_ptr;
    const void *device_ptr;
} acc_data_event_info;
#define _ACC_DATA_EVENT_INFO_VALID_BYTES \
    _ACC_PROF_VALID_BYTES_STRUCT(acc_data_event_info, device_ptr, _ACC_PROF_VALID_BYTES_BASICTYPE(void *))

typedef struct acc_launch_event_info {
    acc_event_t event_type;
    int valid_bytes;
    acc_construct_t parent_construct;
    int implicit;
    void *tool_info;
    const char *kernel_name;
    unsigned long num_gangs, num_workers, vector_length;
} acc_launch_event_info;
#define _ACC_LAUNCH_EVENT_INFO_VALID_BYTES \
    _ACC_PROF_VALID_BYTES_STRUCT(acc_launch_event_info, vector_length, _ACC_PROF_VALID_BYTES_BASICTYPE(unsigned long))

typedef struct acc_other_event_info {
    acc_event_t event_type;
    int valid_bytes;
    acc_construct_t parent_construct;
    int implicit;
    void *tool_info;
} acc_other_event_info;
#define _ACC_OTHER_EVENT_INFO_VALID_BYTES \
    _ACC_PROF_VALID_BYTES_STRUCT(acc_other_event_info, tool_info, _ACC_PROF_VALID_BYTES_BASICTYPE(void *))

typedef union acc_event_info {
    acc_event_t event_type;
    acc_data_event_info data_event;
    acc_launch_event_info launch_event;
    acc_other_event_info other_event;
} acc_event_info;

typedef struct acc_api_info {
    acc_device_api device_api;
    int valid_bytes;
    acc_device_t device_type;
    int vendor;
    const void *device_handle;
    const void *context_handle;
    const void *async_handle;
} acc_api_info;
#define _ACC_API_INFO_VALID_BYTES \
    _ACC_PROF_VALID_BYTES_STRUCT(acc_api_info, async_handle, _ACC_PROF_VALID_BYTES_BASICTYPE(void *))

typedef enum acc_register_t {
    acc_reg = 0,
    acc_toggle = 1,
    acc_toggle_per_thread = 2
} acc_register_t;

typedef void (*acc_prof_callback)(acc_prof_info *, acc_event_info *, acc_api_info *);
typedef void (*acc_prof_reg)(acc_event_t, acc_prof_callback, acc_register_t);
typedef void (*acc_query_fn)();
typedef acc_query_fn (*acc_prof_lookup_func)(const char *);

extern void acc_prof_register(acc_event_t, acc_prof_callback, acc_register_t) __ACCRUE_NOTHROW;
extern void acc_prof_unregister(acc_event_t, acc_prof_callback, acc_register_t) __ACCRUE_NOTHROW;
extern acc_query_fn acc_prof_lookup(const char *) __ACCRUE_NOTHROW;
/* The program may define this one itself. */
extern void acc_register_library(acc_prof_reg, acc_prof_reg, acc_prof_lookup_func);

#endif
