// The events that a profiling library sees, which is registered because the program defines acc_register_library.
#include <acc_prof.h>
#include <stdio.h>
#include <string.h>

static int data[8];
static int depth, mark;

static const char *name(acc_event_t event)
{
    switch (event) {
    case acc_ev_device_init_start: return "init {";
    case acc_ev_device_init_end: return "} init";
    case acc_ev_device_shutdown_start: return "shutdown {";
    case acc_ev_device_shutdown_end: return "} shutdown";
    case acc_ev_runtime_shutdown: return "end of the runtime";
    case acc_ev_enter_data_start: return "enter data {";
    case acc_ev_enter_data_end: return "} enter data";
    case acc_ev_exit_data_start: return "exit data {";
    case acc_ev_exit_data_end: return "} exit data";
    case acc_ev_update_start: return "update {";
    case acc_ev_update_end: return "} update";
    case acc_ev_compute_construct_start: return "compute {";
    case acc_ev_compute_construct_end: return "} compute";
    case acc_ev_wait_start: return "wait {";
    case acc_ev_wait_end: return "} wait";
    default: return "some other event";
    }
}

static void tell(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    int good = prof->valid_bytes == _ACC_PROF_INFO_VALID_BYTES && prof->version == _ACC_PROF_INFO_VERSION &&
               event->other_event.valid_bytes == _ACC_OTHER_EVENT_INFO_VALID_BYTES &&
               api->valid_bytes == _ACC_API_INFO_VALID_BYTES && event->event_type == prof->event_type &&
               api->device_type == prof->device_type && prof->device_number == 0;
    printf("  %s construct %d, implicit %d, device %d, queue %ld", name(prof->event_type),
           event->other_event.parent_construct, event->other_event.implicit, prof->device_type, prof->async);
    // Calls of routines do not say where they are.
    if (prof->src_file) {
        good &= strstr(prof->src_file, "profiling.c") != NULL;
        printf(", line %d of %s", prof->line_no, prof->func_name);
    } else {
        good &= prof->line_no == -1 && prof->func_name == NULL;
    }
    printf("%s\n", good ? "" : ", badly described");
    fflush(stdout);
}

// What a start leaves behind its end finds; what a callback does makes no events.
static void start(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    event->other_event.tool_info = &mark;
    depth++;
    acc_wait_all();
}

static void end(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
    if (event->other_event.tool_info != &mark)
        printf("  the start's information is lost\n");
    depth--;
}

void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup)
{
    for (int event = acc_ev_device_init_start; event < acc_ev_last; event++)
        reg((acc_event_t)event, tell, acc_reg);
    reg(acc_ev_compute_construct_start, start, acc_reg);
    reg(acc_ev_compute_construct_end, end, acc_reg);
    printf("lookup %d %d\n", lookup("acc_get_device_type") != NULL, lookup("acc_no_such_routine") != NULL);
}

static void directives(void)
{
    printf("constructs\n");
#pragma acc parallel async(3) copy(data)
    data[0] = 1;
#pragma acc serial
    data[0]++;
#pragma acc kernels
    data[0]++;
    printf("data\n");
#pragma acc data copy(data)
    {
#pragma acc update self(data) async(2)
    }
#pragma acc enter data create(data)
#pragma acc exit data delete(data)
#pragma acc host_data use_device(data)
    {
    }
    printf("waits\n");
#pragma acc wait(2)
#pragma acc wait(2) async(3)
    acc_wait(3);
}

static void switches(void)
{
    printf("this thread does not listen\n");
    acc_prof_unregister(acc_ev_none, NULL, acc_toggle_per_thread);
#pragma acc serial
    data[0]++;
    acc_prof_register(acc_ev_none, NULL, acc_toggle_per_thread);
    printf("nobody is told of starts\n");
    acc_prof_unregister(acc_ev_compute_construct_start, NULL, acc_toggle);
    acc_prof_unregister(acc_ev_compute_construct_end, end, acc_reg);
#pragma acc serial
    data[0]++;
    acc_prof_register(acc_ev_compute_construct_start, NULL, acc_toggle);
    printf("registered twice, told once\n");
    acc_prof_register(acc_ev_compute_construct_end, tell, acc_reg);
#pragma acc serial
    data[0]++;
    acc_prof_unregister(acc_ev_compute_construct_end, tell, acc_reg);
    acc_prof_unregister(acc_ev_compute_construct_end, tell, acc_reg);
#pragma acc serial
    data[0]++;
}

int main(void)
{
    directives();
    switches();
    printf("shutdown\n");
    acc_shutdown(acc_device_host);
    acc_init(acc_device_host);
    printf("depth %d, data %d, end of main\n", depth, data[0]);
    fflush(stdout);
    return 0;
}
