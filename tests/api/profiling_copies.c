// The events of a device with memory of its own: allocations, copies and launches, with the directive that they belong to.
// options: --memory discrete
#include <acc_prof.h>
#include <openacc.h>
#include <stdio.h>
#include <string.h>

static double table[4][8];
static int listening;

static const char *name(acc_event_t event) {
  switch (event) {
  case acc_ev_alloc: return "alloc";
  case acc_ev_free: return "free";
  case acc_ev_enqueue_launch_start: return "launch {";
  case acc_ev_enqueue_launch_end: return "} launch";
  case acc_ev_enqueue_upload_start: return "upload {";
  case acc_ev_enqueue_upload_end: return "} upload";
  case acc_ev_enqueue_download_start: return "download {";
  case acc_ev_enqueue_download_end: return "} download";
  default: return "some other event";
  }
}

static void place(const acc_prof_info *prof) {
  if (prof->src_file)
    printf(" line %d of %s, queue %ld\n", prof->line_no, prof->func_name, prof->async);
  else
    printf(" by a routine, queue %ld\n", prof->async);
}

static void data(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
  const acc_data_event_info *info = &event->data_event;
  int good = info->valid_bytes == _ACC_DATA_EVENT_INFO_VALID_BYTES && info->device_ptr != NULL;
  if (prof->event_type >= acc_ev_enqueue_upload_start)
    good &= info->host_ptr != NULL;
  if (listening && good) {
    // The device's memory has the name of the block, which is that of the first clause that made it.
    printf("  %-10s %s, %zu bytes,", name(prof->event_type), info->var_name ? info->var_name : "-", info->bytes);
    place(prof);
  }
}

static void launch(acc_prof_info *prof, acc_event_info *event, acc_api_info *api) {
  const acc_launch_event_info *info = &event->launch_event;
  if (listening && info->valid_bytes == _ACC_LAUNCH_EVENT_INFO_VALID_BYTES) {
    printf("  %-10s %s,", name(prof->event_type), info->kernel_name);
    place(prof);
  }
}

static void work(int n, double *x) {
#pragma acc parallel loop copy(x[0:n]) num_gangs(2)
  for (int i = 0; i < n; i++)
    x[i] += 1;
}

int main(void) {
  for (int event = acc_ev_alloc; event <= acc_ev_free; event++)
    acc_prof_register(event, data, acc_reg);
  for (int event = acc_ev_enqueue_upload_start; event <= acc_ev_enqueue_download_end; event++)
    acc_prof_register(event, data, acc_reg);
  acc_prof_register(acc_ev_enqueue_launch_start, launch, acc_reg);
  acc_prof_register(acc_ev_enqueue_launch_end, launch, acc_reg);
  acc_init(acc_get_device_type());
  listening = 1;
  double x[10] = {0};
  work(10, x);
  printf("update of a column\n");
#pragma acc enter data copyin(table) async(2)
#pragma acc update self(table[0:4][1:2]) async(2)
#pragma acc wait(2)
#pragma acc exit data delete(table)
  printf("routines\n");
  acc_copyin(x, sizeof x);
  acc_update_device(x + 1, 8);
  acc_copyout(x, sizeof x);
  listening = 0;
  printf("%g %g\n", x[0], x[9]);
  return 0;
}
