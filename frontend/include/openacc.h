/* <openacc.h>: the run-time interface of OpenACC 3.3 (chapter 3). The values of the enumerators are those of GCC's
   library, so that programs that print or store them agree. */
#ifndef _OPENACC_H
#define _OPENACC_H 1

#include <stddef.h>

#define __ACCRUE_NOTHROW __attribute__((__nothrow__))

typedef enum acc_device_t {
    acc_device_current = -1,
    acc_device_none = 0,
    acc_device_default = 1,
    acc_device_host = 2,
    acc_device_not_host = 4,
    acc_device_nvidia = 5,
    acc_device_radeon = 8
} acc_device_t;

typedef enum acc_device_property_t {
    acc_property_none = 0,
    acc_property_memory = 1,
    acc_property_free_memory = 2,
    acc_property_shared_memory_support = 3,
    acc_property_name = 0x10001,
    acc_property_vendor = 0x10002,
    acc_property_driver = 0x10003
} acc_device_property_t;

typedef enum acc_async_t {
    acc_async_noval = -1,
    acc_async_sync = -2,
    acc_async_default = -3
} acc_async_t;

/* Devices (OpenACC 3.3, 3.2.1 to 3.2.8) */
int acc_get_num_devices(acc_device_t __type) __ACCRUE_NOTHROW;
void acc_set_device_type(acc_device_t __type) __ACCRUE_NOTHROW;
acc_device_t acc_get_device_type(void) __ACCRUE_NOTHROW;
void acc_set_device_num(int __number, acc_device_t __type) __ACCRUE_NOTHROW;
int acc_get_device_num(acc_device_t __type) __ACCRUE_NOTHROW;
size_t acc_get_property(int __number, acc_device_t __type, acc_device_property_t __property) __ACCRUE_NOTHROW;
const char *acc_get_property_string(int __number, acc_device_t __type, acc_device_property_t __property) __ACCRUE_NOTHROW;
void acc_init(acc_device_t __type) __ACCRUE_NOTHROW;
void acc_init_device(int __number, acc_device_t __type) __ACCRUE_NOTHROW;
void acc_shutdown(acc_device_t __type) __ACCRUE_NOTHROW;
void acc_shutdown_device(int __number, acc_device_t __type) __ACCRUE_NOTHROW;
int acc_on_device(acc_device_t __type) __ACCRUE_NOTHROW;

/* Queues */
int acc_async_test(int __queue) __ACCRUE_NOTHROW;
int acc_async_test_device(int __queue, int __number) __ACCRUE_NOTHROW;
int acc_async_test_all(void) __ACCRUE_NOTHROW;
int acc_async_test_all_device(int __number) __ACCRUE_NOTHROW;
void acc_wait(int __queue) __ACCRUE_NOTHROW;
void acc_wait_device(int __queue, int __number) __ACCRUE_NOTHROW;
void acc_wait_async(int __queue, int __waiting_queue) __ACCRUE_NOTHROW;
void acc_wait_device_async(int __queue, int __waiting_queue, int __number) __ACCRUE_NOTHROW;
void acc_wait_all(void) __ACCRUE_NOTHROW;
void acc_wait_all_device(int __number) __ACCRUE_NOTHROW;
void acc_wait_all_async(int __waiting_queue) __ACCRUE_NOTHROW;
void acc_wait_all_device_async(int __waiting_queue, int __number) __ACCRUE_NOTHROW;
int acc_wait_any(int __count, int *__queues) __ACCRUE_NOTHROW;
int acc_wait_any_device(int __count, int *__queues, int __number) __ACCRUE_NOTHROW;
void acc_async_wait(int __queue) __ACCRUE_NOTHROW;
void acc_async_wait_all(void) __ACCRUE_NOTHROW;
int acc_get_default_async(void) __ACCRUE_NOTHROW;
void acc_set_default_async(int __queue) __ACCRUE_NOTHROW;

/* Memory */
void *acc_malloc(size_t __bytes) __ACCRUE_NOTHROW;
void acc_free(void *__device) __ACCRUE_NOTHROW;
void *acc_copyin(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void *acc_present_or_copyin(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void *acc_pcopyin(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void *acc_create(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void *acc_present_or_create(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void *acc_pcreate(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void acc_copyout(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void acc_copyout_finalize(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void acc_delete(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void acc_delete_finalize(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void acc_update_device(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void acc_update_self(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void acc_copyin_async(void *__host, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_create_async(void *__host, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_copyout_async(void *__host, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_copyout_finalize_async(void *__host, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_delete_async(void *__host, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_delete_finalize_async(void *__host, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_update_device_async(void *__host, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_update_self_async(void *__host, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_map_data(void *__host, void *__device, size_t __bytes) __ACCRUE_NOTHROW;
void acc_unmap_data(void *__host) __ACCRUE_NOTHROW;
void *acc_deviceptr(void *__host) __ACCRUE_NOTHROW;
void *acc_hostptr(void *__device) __ACCRUE_NOTHROW;
int acc_is_present(void *__host, size_t __bytes) __ACCRUE_NOTHROW;
void acc_memcpy_to_device(void *__to, void *__from, size_t __bytes) __ACCRUE_NOTHROW;
void acc_memcpy_to_device_async(void *__to, void *__from, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_memcpy_from_device(void *__to, void *__from, size_t __bytes) __ACCRUE_NOTHROW;
void acc_memcpy_from_device_async(void *__to, void *__from, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_memcpy_device(void *__to, void *__from, size_t __bytes) __ACCRUE_NOTHROW;
void acc_memcpy_device_async(void *__to, void *__from, size_t __bytes, int __queue) __ACCRUE_NOTHROW;
void acc_memcpy_d2d(void *__to, void *__from, size_t __bytes, int __to_number, int __from_number) __ACCRUE_NOTHROW;
void acc_memcpy_d2d_async(void *__to, void *__from, size_t __bytes, int __to_number, int __from_number, int __queue) __ACCRUE_NOTHROW;
void acc_attach(void **__pointer) __ACCRUE_NOTHROW;
void acc_attach_async(void **__pointer, int __queue) __ACCRUE_NOTHROW;
void acc_detach(void **__pointer) __ACCRUE_NOTHROW;
void acc_detach_async(void **__pointer, int __queue) __ACCRUE_NOTHROW;
void acc_detach_finalize(void **__pointer) __ACCRUE_NOTHROW;
void acc_detach_finalize_async(void **__pointer, int __queue) __ACCRUE_NOTHROW;

/* CUDA interoperation */
void *acc_get_current_cuda_device(void) __ACCRUE_NOTHROW;
void *acc_get_current_cuda_context(void) __ACCRUE_NOTHROW;
void *acc_get_cuda_stream(int __queue) __ACCRUE_NOTHROW;
int acc_set_cuda_stream(int __queue, void *__stream) __ACCRUE_NOTHROW;

/* Where a thread is, by the names of NVIDIA's compilers, in compute constructs and routines */
#define __pgi_gangidx() __builtin_goacc_parlevel_id(0)
#define __pgi_workeridx() __builtin_goacc_parlevel_id(1)
#define __pgi_vectoridx() __builtin_goacc_parlevel_id(2)

#endif
