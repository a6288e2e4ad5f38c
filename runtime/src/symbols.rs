//! The names under which compiled code finds the runtime.

use crate::api::{devices::*, memory::*, queues::*};
use crate::omp::*;
use crate::{abi, data, launch};

/// A name and the address of the function behind it.
pub type Symbol = (&'static str, *const u8);

/// All names.
pub fn table() -> Vec<Symbol> {
    [entries(), devices(), queues(), memory(), openmp()].concat()
}

macro_rules! symbols {
    ($($name:expr => $function:expr,)*) => { vec![$(($name, $function as *const () as *const u8),)*] };
}

fn entries() -> Vec<Symbol> {
    symbols! {
        abi::LAUNCH_SYMBOL => launch::launch,
        abi::DATA_SYMBOL => data::data,
    }
}

fn devices() -> Vec<Symbol> {
    symbols! {
        "acc_get_num_devices" => acc_get_num_devices,
        "acc_set_device_type" => acc_set_device_type,
        "acc_get_device_type" => acc_get_device_type,
        "acc_set_device_num" => acc_set_device_num,
        "acc_get_device_num" => acc_get_device_num,
        "acc_get_property" => acc_get_property,
        "acc_get_property_string" => acc_get_property_string,
        "acc_init" => acc_init,
        "acc_init_device" => acc_init_device,
        "acc_shutdown" => acc_shutdown,
        "acc_shutdown_device" => acc_shutdown_device,
        "acc_on_device" => acc_on_device,
        "acc_get_current_cuda_device" => no_cuda_handle,
        "acc_get_current_cuda_context" => no_cuda_handle,
        "acc_get_cuda_stream" => acc_get_cuda_stream,
        "acc_set_cuda_stream" => acc_set_cuda_stream,
    }
}

fn queues() -> Vec<Symbol> {
    symbols! {
        "acc_async_test" => acc_async_test,
        "acc_async_test_device" => acc_async_test_device,
        "acc_async_test_all" => acc_async_test_all,
        "acc_async_test_all_device" => acc_async_test_all_device,
        "acc_wait" => acc_wait,
        "acc_async_wait" => acc_wait,
        "acc_wait_device" => acc_wait_device,
        "acc_wait_async" => acc_wait_async,
        "acc_wait_device_async" => acc_wait_device_async,
        "acc_wait_all" => acc_wait_all,
        "acc_async_wait_all" => acc_wait_all,
        "acc_wait_all_device" => acc_wait_all_device,
        "acc_wait_all_async" => acc_wait_all_async,
        "acc_wait_all_device_async" => acc_wait_all_device_async,
        "acc_wait_any" => acc_wait_any,
        "acc_wait_any_device" => acc_wait_any_device,
        "acc_get_default_async" => acc_get_default_async,
        "acc_set_default_async" => acc_set_default_async,
    }
}

fn memory() -> Vec<Symbol> {
    symbols! {
        "acc_malloc" => acc_malloc,
        "acc_free" => acc_free,
        "acc_copyin" => enter,
        "acc_present_or_copyin" => enter,
        "acc_pcopyin" => enter,
        "acc_create" => enter,
        "acc_present_or_create" => enter,
        "acc_pcreate" => enter,
        "acc_copyout" => leave,
        "acc_copyout_finalize" => leave,
        "acc_delete" => leave,
        "acc_delete_finalize" => leave,
        "acc_update_device" => leave,
        "acc_update_self" => leave,
        "acc_copyin_async" => move_async,
        "acc_create_async" => move_async,
        "acc_copyout_async" => move_async,
        "acc_copyout_finalize_async" => move_async,
        "acc_delete_async" => move_async,
        "acc_delete_finalize_async" => move_async,
        "acc_update_device_async" => move_async,
        "acc_update_self_async" => move_async,
        "acc_map_data" => acc_map_data,
        "acc_unmap_data" => acc_unmap_data,
        "acc_deviceptr" => same_address,
        "acc_hostptr" => same_address,
        "acc_is_present" => acc_is_present,
        "acc_memcpy_to_device" => copy,
        "acc_memcpy_to_device_async" => copy_async,
        "acc_memcpy_from_device" => copy,
        "acc_memcpy_from_device_async" => copy_async,
        "acc_memcpy_device" => copy,
        "acc_memcpy_device_async" => copy_async,
        "acc_memcpy_d2d" => acc_memcpy_d2d,
        "acc_memcpy_d2d_async" => acc_memcpy_d2d_async,
        "acc_attach" => attach,
        "acc_attach_async" => attach_async,
        "acc_detach" => attach,
        "acc_detach_async" => attach_async,
        "acc_detach_finalize" => attach,
        "acc_detach_finalize_async" => attach_async,
    }
}

fn openmp() -> Vec<Symbol> {
    symbols! {
        "omp_get_wtime" => omp_get_wtime,
        "omp_get_wtick" => omp_get_wtick,
        "omp_get_num_procs" => omp_get_num_procs,
        "omp_get_num_threads" => one,
        "omp_get_max_threads" => one,
        "omp_get_thread_limit" => one,
        "omp_get_num_teams" => one,
        "omp_is_initial_device" => one,
        "omp_get_max_active_levels" => one,
        "omp_get_supported_active_levels" => one,
        "omp_get_thread_num" => zero,
        "omp_in_parallel" => zero,
        "omp_in_final" => zero,
        "omp_get_level" => zero,
        "omp_get_active_level" => zero,
        "omp_get_dynamic" => zero,
        "omp_get_nested" => zero,
        "omp_get_cancellation" => zero,
        "omp_get_team_num" => zero,
        "omp_get_max_task_priority" => zero,
        "omp_get_num_devices" => zero,
        "omp_get_default_device" => zero,
        "omp_get_initial_device" => zero,
        "omp_get_device_num" => zero,
        "omp_set_num_threads" => ignore,
        "omp_set_dynamic" => ignore,
        "omp_set_nested" => ignore,
        "omp_set_max_active_levels" => ignore,
        "omp_set_default_device" => ignore,
        "omp_target_alloc" => omp_target_alloc,
        "omp_target_free" => omp_target_free,
        "omp_target_is_present" => omp_target_is_present,
        "omp_target_memcpy" => omp_target_memcpy,
        "omp_init_lock" => clear_lock,
        "omp_destroy_lock" => clear_lock,
        "omp_set_lock" => omp_set_lock,
        "omp_unset_lock" => clear_lock,
        "omp_test_lock" => omp_test_lock,
    }
}
