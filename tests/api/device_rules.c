// What the OpenACC routines accept, what they answer, and which calls end the program: each line is tried in a process
// of its own, whose messages are not looked at.
#include <openacc.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int data[4];

#define TRY(...)                                                                                                       \
    do {                                                                                                               \
        fflush(stdout);                                                                                                \
        pid_t child = fork();                                                                                          \
        if (child == 0) {                                                                                              \
            close(2);                                                                                                  \
            __VA_ARGS__;                                                                                               \
            _exit(0);                                                                                                  \
        }                                                                                                              \
        int status = 0;                                                                                                \
        waitpid(child, &status, 0);                                                                                    \
        printf("%s%d %s\n", WIFSIGNALED(status) ? "signal " : "",                                                      \
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), #__VA_ARGS__);                            \
    } while (0)

static void order(void)
{
    TRY(acc_init(acc_device_default));
    TRY(acc_init(acc_device_host); acc_init(acc_device_host));
    TRY(acc_init(acc_device_host); acc_shutdown(acc_device_host); acc_init(acc_device_host));
    TRY(acc_shutdown(acc_device_host));
    TRY(acc_init(acc_device_host); acc_shutdown(acc_device_host); acc_shutdown(acc_device_host));
    TRY(acc_copyin(data, sizeof data); acc_shutdown(acc_device_default));
    TRY(acc_set_device_num(0, acc_device_default); acc_shutdown(acc_device_default));
    TRY(acc_get_num_devices(acc_device_host); acc_shutdown(acc_device_default));
    TRY(
_Pragma("acc data copy(data)")
        acc_shutdown(acc_device_host));
    TRY(
_Pragma("acc init")
_Pragma("acc init")
_Pragma("acc shutdown")
_Pragma("acc shutdown")
        ;);
}

static void types(void)
{
    TRY(acc_init((acc_device_t)99));
    TRY(acc_set_device_type(acc_device_nvidia));
    TRY(acc_set_device_type(acc_device_not_host));
    TRY(acc_set_device_num(1, acc_device_host));
    TRY(acc_set_device_num(-1, acc_device_host));
    TRY(acc_set_device_num(0, acc_device_none));
    TRY(acc_get_device_num(acc_device_none));
    TRY(acc_get_num_devices((acc_device_t)99));
    TRY(acc_get_property(1, acc_device_host, acc_property_memory));
    printf("devices: %d host, %d none, %d not host, %d nvidia\n", acc_get_num_devices(acc_device_host),
           acc_get_num_devices(acc_device_none), acc_get_num_devices(acc_device_not_host),
           acc_get_num_devices(acc_device_nvidia));
    printf("type %d, number %d\n", acc_get_device_type(), acc_get_device_num(acc_device_default));
    printf("shared %zu, string of a number %p\n",
           acc_get_property(0, acc_device_current, acc_property_shared_memory_support),
           (void *)acc_get_property_string(0, acc_device_host, acc_property_memory));
}

static void ranges(void)
{
    TRY(acc_copyin(data, 0));
    TRY(acc_create(NULL, 4));
    TRY(acc_copyin_async(NULL, 4, 1));
    TRY(acc_copyout(NULL, 4); acc_delete(data, 0); acc_update_self(NULL, 0));
    TRY(acc_map_data(data, data, sizeof data));
    TRY(acc_free(NULL));
    printf("malloc(0) %p, present %d %d, own counterpart %d\n", acc_malloc(0), acc_is_present(data, sizeof data),
           acc_is_present(NULL, 4), acc_deviceptr(data) == data);
}

static void queues(void)
{
    TRY(acc_wait(-4));
    TRY(acc_async_test(-100));
    TRY(acc_set_default_async(-4));
    int bad = -7;
    (void)bad;
    TRY(
_Pragma("acc parallel async(bad)")
        ;);
    TRY(
_Pragma("acc wait(bad)")
        ;);
    TRY(acc_wait(acc_async_noval); acc_wait_async(1, acc_async_sync); acc_wait_all_async(3); acc_wait_all());
    printf("default queue %d", acc_get_default_async());
    acc_set_default_async(7);
    printf(" %d", acc_get_default_async());
#pragma acc set default_async(8)
    printf(" %d", acc_get_default_async());
    acc_set_default_async(acc_async_default);
    printf(" %d\n", acc_get_default_async());
    int all[] = {3, 4};
    printf("any of two %d, of none %d, done %d\n", acc_wait_any(2, all), acc_wait_any(0, all), acc_async_test_all());
}

int main(void)
{
    order();
    types();
    ranges();
    queues();
    return 0;
}
