//! The names under which compiled code finds the runtime.

use crate::api::{
    clocks::*,
    devices::*,
    memory::*,
    processor::{cpuid, cycles},
    queues::*,
};
use crate::direct::DIRECT;
use crate::gangs::{execute, team};
use crate::omp::{
    affinity::*, allocators::*, device_memory::*, devices::*, entries as omp, locks::*, reductions,
    threads::*,
};
use crate::prof::registry::*;
use crate::{abi, data, launch, loops, races, twin};
use std::ffi::{CStr, c_char, c_void};

/// A name and the address of the function, or the object, behind it.
pub type Symbol = (&'static str, *const u8);

macro_rules! symbols {
    ($($name:expr => $function:expr,)*) => { vec![$(($name, $function as *const () as *const u8),)*] };
}

/// All names: the entries of compiled code, and every function that `openacc.h`, `acc_prof.h` and `omp.h`
/// declare.
pub fn table() -> Vec<Symbol> {
    [
        entries(),
        devices(),
        queues(),
        memory(),
        profiling(),
        omp_entries(),
        omp_threads(),
        omp_affinity(),
        omp_devices(),
        omp_locks(),
        omp_allocators(),
        clocks(),
    ]
    .concat()
}

/// The names for code of a device that is host code, where constructs are executed in place.
pub fn table_on_device() -> Vec<Symbol> {
    let inside = symbols! {
        abi::LAUNCH_SYMBOL => launch::launch_on_device,
        abi::DATA_SYMBOL => data::data_on_device,
    };
    let own = |symbol: Symbol| *inside.iter().find(|(name, _)| *name == symbol.0).unwrap_or(&symbol);
    table().into_iter().map(own).collect()
}

/// `acc_prof_lookup`: a routine of the OpenACC interface by its name; null if there is none of that name.
///
/// # Safety
/// `name` is a C string, or null.
pub unsafe extern "C" fn acc_prof_lookup(name: *const c_char) -> *const c_void {
    if name.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the caller's promise.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    let routine = table().into_iter().find(|(known, _)| known.as_bytes() == name);
    match routine {
        Some((known, address)) if known.starts_with("acc_") => address.cast(),
        _ => std::ptr::null(),
    }
}

unsafe extern "C" {
    /// The C library sets it to 0 where a second thread is made (`sys/single_threaded.h`).
    static __libc_single_threaded: c_char;
}

fn entries() -> Vec<Symbol> {
    let mut entries = symbols! {
        abi::LAUNCH_SYMBOL => launch::launch,
        abi::DATA_SYMBOL => data::data,
        abi::TERMS_SYMBOL => twin::terms,
        abi::GANG_AWAIT_TURN_SYMBOL => execute::await_turn,
        abi::GANG_LOCK_SYMBOL => execute::lock,
        abi::GANG_UNLOCK_SYMBOL => execute::unlock,
        abi::LOOP_MARK_SYMBOL => loops::mark,
        abi::LOOP_ENTER_SYMBOL => loops::enter,
        abi::LOOP_ITERATE_SYMBOL => loops::iterate,
        abi::LOOP_LEAVE_SYMBOL => loops::leave,
        abi::LOOP_SPARE_SYMBOL => loops::spare,
        abi::LOOP_ACCESS_SYMBOL => loops::access,
        abi::LOOP_FRESH_SYMBOL => loops::fresh,
        abi::LOOP_FREED_SYMBOL => loops::freed,
        abi::TASK_TABLE_SYMBOL => races::entries::table,
        abi::TASK_ACCESS_SYMBOL => races::entries::access,
        abi::TASK_FRESH_SYMBOL => races::entries::fresh,
        abi::TASK_FREED_SYMBOL => races::entries::freed,
    };
    entries.push((abi::DIRECT_SYMBOL, DIRECT.as_ptr().cast_const().cast()));
    entries.push((abi::ALONE_SYMBOL, (&raw const __libc_single_threaded).cast()));
    entries
}

/// Functions of the C library, of `cpuid.h` and of `immintrin.h`.
fn clocks() -> Vec<Symbol> {
    symbols! {
        "__accrue_cpuid" => cpuid,
        "__accrue_cycles" => cycles,
        "clock" => clock_of_program,
        "clock_gettime" => clock_gettime_of_program,
        "ftime" => ftime_of_program,
        "getrusage" => getrusage_of_program,
        "gettimeofday" => gettimeofday_of_program,
        "time" => time_of_program,
        "times" => times_of_program,
        "timespec_get" => timespec_get_of_program,
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
        "acc_get_current_cuda_device" => acc_get_current_cuda_device,
        "acc_get_current_cuda_context" => acc_get_current_cuda_context,
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
        "acc_copyin" => acc_copyin,
        "acc_present_or_copyin" => acc_copyin,
        "acc_pcopyin" => acc_copyin,
        "acc_create" => acc_create,
        "acc_present_or_create" => acc_create,
        "acc_pcreate" => acc_create,
        "acc_copyout" => acc_copyout,
        "acc_copyout_finalize" => acc_copyout_finalize,
        "acc_delete" => acc_delete,
        "acc_delete_finalize" => acc_delete_finalize,
        "acc_update_device" => acc_update_device,
        "acc_update_self" => acc_update_self,
        "acc_copyin_async" => acc_copyin_async,
        "acc_create_async" => acc_create_async,
        "acc_copyout_async" => acc_copyout_async,
        "acc_copyout_finalize_async" => acc_copyout_finalize_async,
        "acc_delete_async" => acc_delete_async,
        "acc_delete_finalize_async" => acc_delete_finalize_async,
        "acc_update_device_async" => acc_update_device_async,
        "acc_update_self_async" => acc_update_self_async,
        "acc_map_data" => acc_map_data,
        "acc_unmap_data" => acc_unmap_data,
        "acc_deviceptr" => acc_deviceptr,
        "acc_hostptr" => acc_hostptr,
        "acc_is_present" => acc_is_present,
        "acc_memcpy_to_device" => acc_memcpy_to_device,
        "acc_memcpy_to_device_async" => acc_memcpy_to_device_async,
        "acc_memcpy_from_device" => acc_memcpy_from_device,
        "acc_memcpy_from_device_async" => acc_memcpy_from_device_async,
        "acc_memcpy_device" => acc_memcpy_device,
        "acc_memcpy_device_async" => acc_memcpy_device_async,
        "acc_memcpy_d2d" => acc_memcpy_d2d,
        "acc_memcpy_d2d_async" => acc_memcpy_d2d_async,
        "acc_attach" => acc_attach,
        "acc_attach_async" => acc_attach_async,
        "acc_detach" => acc_detach,
        "acc_detach_async" => acc_detach_async,
        "acc_detach_finalize" => acc_detach_finalize,
        "acc_detach_finalize_async" => acc_detach_finalize_async,
    }
}

fn profiling() -> Vec<Symbol> {
    symbols! {
        "acc_prof_register" => acc_prof_register,
        "acc_prof_unregister" => acc_prof_unregister,
        "acc_prof_lookup" => acc_prof_lookup,
        "acc_register_library" => acc_register_library,
    }
}

fn omp_entries() -> Vec<Symbol> {
    symbols! {
        "__accrue_omp_loop_start" => omp::loop_start,
        "__accrue_omp_loop_next" => omp::loop_next,
        "__accrue_omp_loop_memory" => omp::loop_memory,
        "__accrue_omp_loop_end" => omp::loop_end,
        "__accrue_omp_ordered_iteration" => omp::ordered_iteration,
        "__accrue_omp_ordered_called" => omp::ordered_called,
        "__accrue_omp_ordered_left" => omp::ordered_left,
        "__accrue_omp_ordered_start" => omp::ordered_start,
        "__accrue_omp_ordered_end" => omp::ordered_end,
        "__accrue_omp_doacross" => omp::doacross_start,
        "__accrue_omp_doacross_wait" => omp::doacross_wait,
        "__accrue_omp_doacross_post" => omp::doacross_post,
        "__accrue_omp_error" => omp::error,
        "__accrue_omp_league_start" => omp::league_start,
        "__accrue_omp_league_next" => omp::league_next,
        "__accrue_omp_single_start" => omp::single_start,
        "__accrue_omp_copyprivate_give" => omp::copyprivate_give,
        "__accrue_omp_copyprivate_take" => omp::copyprivate_take,
        "__accrue_omp_barrier" => omp::barrier,
        "__accrue_omp_meet" => team::meet,
        "__accrue_omp_run_team" => team::run_team,
        "__accrue_omp_cancel" => omp::cancel,
        "__accrue_omp_cancel_barrier" => omp::cancel_barrier,
        "__accrue_omp_cancellation_point" => omp::cancellation_point,
        "__accrue_omp_critical_start" => omp::critical_start,
        "__accrue_omp_critical_end" => omp::critical_end,
        "__accrue_omp_reduce_start" => omp::reduce_start,
        "__accrue_omp_reduce_end" => omp::reduce_end,
        "__accrue_omp_reduce_origin" => reductions::reduce_origin,
        "__accrue_omp_reduce_enter" => reductions::reduce_enter,
        "__accrue_omp_reduce_leave" => reductions::reduce_leave,
        "__accrue_omp_taskwait" => omp::taskwait,
        "__accrue_omp_taskwait_depend" => omp::taskwait_on,
        "__accrue_omp_taskgroup_start" => omp::taskgroup_start,
        "__accrue_omp_taskgroup_end" => omp::taskgroup_end,
        "__accrue_omp_taskyield" => omp::taskyield,
        "__accrue_omp_taskloop" => omp::taskloop,
        "__accrue_omp_task_number" => omp::task_number,
        "__accrue_omp_event" => omp::event,
        "__accrue_omp_device_pointer" => device_pointer,
    }
}

fn omp_threads() -> Vec<Symbol> {
    symbols! {
        "omp_get_wtime" => omp_get_wtime,
        "omp_get_wtick" => omp_get_wtick,
        "omp_get_num_procs" => omp_get_num_procs,
        "omp_get_num_threads" => omp_get_num_threads,
        "omp_get_max_threads" => omp_get_max_threads,
        "omp_get_thread_limit" => omp_get_thread_limit,
        "omp_set_num_teams" => omp_set_num_teams,
        "omp_get_max_teams" => omp_get_max_teams,
        "omp_set_teams_thread_limit" => omp_set_teams_thread_limit,
        "omp_get_teams_thread_limit" => omp_get_teams_thread_limit,
        "omp_display_env" => omp_display_env,
        "omp_get_supported_active_levels" => omp_get_supported_active_levels,
        "omp_get_thread_num" => omp_get_thread_num,
        "omp_in_parallel" => omp_in_parallel,
        "omp_in_final" => omp_in_final,
        "omp_in_explicit_task" => omp_in_explicit_task,
        "omp_get_level" => omp_get_level,
        "omp_get_active_level" => omp_get_active_level,
        "omp_get_nested" => omp_get_nested,
        "omp_get_cancellation" => omp_get_cancellation,
        "omp_get_max_task_priority" => omp_get_max_task_priority,
        "omp_set_num_threads" => omp_set_num_threads,
        "omp_set_dynamic" => omp_set_dynamic,
        "omp_get_dynamic" => omp_get_dynamic,
        "omp_set_nested" => omp_set_nested,
        "omp_set_max_active_levels" => omp_set_max_active_levels,
        "omp_get_max_active_levels" => omp_get_max_active_levels,
        "omp_set_schedule" => omp_set_schedule,
        "omp_get_schedule" => omp_get_schedule,
        "omp_get_ancestor_thread_num" => omp_get_ancestor_thread_num,
        "omp_get_team_size" => omp_get_team_size,
        "omp_fulfill_event" => omp_fulfill_event,
    }
}

fn omp_affinity() -> Vec<Symbol> {
    symbols! {
        "omp_get_proc_bind" => zero,
        "omp_get_num_places" => zero,
        "omp_get_place_num" => omp_get_place_num,
        "omp_get_partition_num_places" => zero,
        "omp_get_place_num_procs" => omp_get_place_num_procs,
        "omp_get_place_proc_ids" => omp_get_place_proc_ids,
        "omp_get_partition_place_nums" => omp_get_partition_place_nums,
        "omp_set_affinity_format" => omp_set_affinity_format,
        "omp_get_affinity_format" => omp_get_affinity_format,
        "omp_display_affinity" => omp_display_affinity,
        "omp_capture_affinity" => omp_capture_affinity,
    }
}

fn omp_devices() -> Vec<Symbol> {
    symbols! {
        "omp_set_default_device" => omp_set_default_device,
        "omp_get_default_device" => omp_get_default_device,
        "omp_get_num_devices" => omp_get_num_devices,
        "omp_get_device_num" => omp_get_device_num,
        "omp_get_initial_device" => omp_get_initial_device,
        "omp_is_initial_device" => omp_is_initial_device,
        "omp_get_num_teams" => omp_get_num_teams,
        "omp_get_team_num" => omp_get_team_num,
        "omp_get_uid_from_device" => omp_get_uid_from_device,
        "omp_get_device_from_uid" => omp_get_device_from_uid,
        "omp_pause_resource" => omp_pause_resource,
        "omp_pause_resource_all" => omp_pause_resource_all,
        "omp_target_alloc" => omp_target_alloc,
        "omp_target_free" => omp_target_free,
        "omp_target_is_present" => omp_target_is_present,
        "omp_target_is_accessible" => omp_target_is_accessible,
        "omp_get_mapped_ptr" => omp_get_mapped_ptr,
        "omp_target_memcpy" => omp_target_memcpy,
        "omp_target_memcpy_async" => omp_target_memcpy_async,
        "omp_target_memcpy_rect" => omp_target_memcpy_rect,
        "omp_target_memcpy_rect_async" => omp_target_memcpy_rect_async,
        "omp_target_memset" => omp_target_memset,
        "omp_target_memset_async" => omp_target_memset_async,
        "omp_target_associate_ptr" => omp_target_associate_ptr,
        "omp_target_disassociate_ptr" => omp_target_disassociate_ptr,
    }
}

fn omp_locks() -> Vec<Symbol> {
    symbols! {
        "omp_init_lock" => omp_init_lock,
        "omp_destroy_lock" => omp_destroy_lock,
        "omp_set_lock" => omp_set_lock,
        "omp_unset_lock" => omp_unset_lock,
        "omp_init_lock_with_hint" => omp_init_lock_with_hint,
        "omp_test_lock" => omp_test_lock,
        "omp_init_nest_lock" => omp_init_nest_lock,
        "omp_destroy_nest_lock" => omp_destroy_nest_lock,
        "omp_set_nest_lock" => omp_set_nest_lock,
        "omp_unset_nest_lock" => omp_unset_nest_lock,
        "omp_init_nest_lock_with_hint" => omp_init_nest_lock_with_hint,
        "omp_test_nest_lock" => omp_test_nest_lock,
    }
}

fn omp_allocators() -> Vec<Symbol> {
    symbols! {
        "omp_init_allocator" => omp_init_allocator,
        "omp_destroy_allocator" => omp_destroy_allocator,
        "omp_set_default_allocator" => omp_set_default_allocator,
        "omp_get_default_allocator" => omp_get_default_allocator,
        "omp_alloc" => omp_alloc,
        "omp_aligned_alloc" => omp_aligned_alloc,
        "omp_calloc" => omp_calloc,
        "omp_aligned_calloc" => omp_aligned_calloc,
        "omp_realloc" => omp_realloc,
        "omp_free" => omp_free,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const HEADERS: [&str; 3] = [
        include_str!("../../frontend/include/openacc.h"),
        include_str!("../../frontend/include/acc_prof.h"),
        include_str!("../../frontend/include/omp.h"),
    ];

    /// Identifiers of the interface that a parameter list follows: in these headers, the functions.
    fn declared(header: &str) -> impl Iterator<Item = &str> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        header.match_indices('(').filter_map(move |(at, _)| {
            let before = &header[..at];
            let start = before.rfind(|c| !is_word(c)).map_or(0, |index| index + 1);
            let name = &before[start..];
            (name.starts_with("acc_") || name.starts_with("omp_")).then_some(name)
        })
    }

    #[test]
    fn the_table_has_exactly_what_the_headers_declare() {
        let declared: BTreeSet<&str> = HEADERS.into_iter().flat_map(declared).collect();
        let of_c = clocks();
        let is_ours =
            |name: &&str| !name.starts_with("__accrue_") && of_c.iter().all(|(other, _)| other != name);
        let present: BTreeSet<&str> = table().iter().map(|&(name, _)| name).filter(is_ours).collect();
        assert_eq!(
            present.difference(&declared).collect::<Vec<_>>(),
            Vec::<&&str>::new(),
            "declared nowhere"
        );
        assert_eq!(declared.difference(&present).collect::<Vec<_>>(), Vec::<&&str>::new(), "missing");
        assert!(declared.len() > 140, "the headers were not read: {declared:?}");
    }

    #[test]
    fn names_are_unique() {
        let table = table();
        let names: BTreeSet<&str> = table.iter().map(|&(name, _)| name).collect();
        assert_eq!(names.len(), table.len());
    }

    fn lookup(name: &CStr) -> *const c_void {
        // SAFETY: a C string.
        unsafe { acc_prof_lookup(name.as_ptr()) }
    }

    #[test]
    fn lookup_finds_routines_of_the_interface_only() {
        assert!(!lookup(c"acc_get_device_type").is_null());
        assert!(!lookup(c"acc_prof_register").is_null());
        assert!(lookup(c"omp_get_wtime").is_null());
        assert!(lookup(c"__accrue_launch").is_null());
        assert!(lookup(c"acc_no_such_routine").is_null());
        // SAFETY: null is allowed.
        assert!(unsafe { acc_prof_lookup(std::ptr::null()) }.is_null());
    }
}
