//! Names of the methods behind the numbers. Results carry the name; the course's page on a drill
//! describes each. A method whose numbers would not compare with before gets a new name.

/// CUDA events around copies that were all queued behind a waiting kernel, so that no gap of the host
/// is in the time. Bytes are counted once.
pub const COPY_EVENTS: &str = "copy.events";
/// CUDA events around copies, without the waiting kernel: the host's time to queue can be in it.
pub const COPY_EVENTS_ONLY: &str = "copy.events_only";
/// Host clock from before the copy call until the stream was idle again; for copies that block.
pub const COPY_HOST_CLOCK: &str = "copy.host_clock";
/// Host clock around the asynchronous copy call alone, on an idle stream.
pub const COPY_RETURNED: &str = "copy.returned";
/// Time until the call returned over time until the copy was done, of the same copy.
pub const COPY_BLOCKED: &str = "copy.blocked";
/// A kernel on all SMs reads host memory in 16-byte loads, coalesced, eight in flight per thread.
pub const COPY_SM_READ: &str = "copy.sm_read";
/// A kernel on all SMs writes host memory in 16-byte stores, coalesced.
pub const COPY_SM_WRITE: &str = "copy.sm_write";
/// Events around the copies of one direction while the other direction runs all the time.
pub const COPY_BIDIRECTIONAL: &str = "copy.bidirectional";
/// Events around copies inside device memory; bytes read and bytes written are both counted.
pub const COPY_DEVICE_LOCAL: &str = "copy.device_local";
/// Host clock around the call that pins or unpins, scaled to 1 GiB.
pub const PIN_HOST_CLOCK: &str = "pin.host_clock";
/// Link speed and width read again and again while copies run; the narrowest hop up to the root.
pub const LINK_SAMPLED: &str = "link.sampled";
/// Host clock around `cuLaunchKernel` of an empty kernel, the queue kept short.
pub const LAUNCH_SUBMIT: &str = "launch.submit";
/// Host clock around the launch of an empty kernel and a stream synchronise.
pub const LAUNCH_ROUND_TRIP: &str = "launch.round_trip";

/// One thread copies memory at least four times the last-level cache with `memcpy`; bytes counted once.
pub const MEMCPY_ONE_THREAD: &str = "memcpy.one_thread";
/// A pinned thread on each CPU copies its own slice, all at once; bytes of all counted once.
pub const MEMCPY_ALL_THREADS: &str = "memcpy.all_threads";

/// Dependent loads in a random order that stays within windows of 32 pages, all even lines of a window
/// long before its odd ones, so that neither missing TLB entries nor the fetch of line pairs is in it.
pub const CHASE_LOCAL: &str = "chase.local";
/// Dependent loads in which each goes to another page than the one before, in random order.
pub const CHASE_SCATTERED: &str = "chase.scattered";
/// Two threads on two CPUs hand a number to and fro through two lines, 128 bytes apart; half a round.
pub const LINE_PING_PONG: &str = "line.ping_pong";
/// Two threads on two CPUs add to their own counters at once, atomically; time of one addition.
pub const COUNTERS_TWO_WRITERS: &str = "counters.two_writers";
/// A loop of one call, thousands of times; time of one.
pub const LOOP: &str = "loop";
/// First write to each page of a fresh mapping; time of one page, its fault count checked.
pub const FAULT_FIRST_TOUCH: &str = "fault.first_touch";
/// From the waker's last instruction before `futex(FUTEX_WAKE)` to the first one of the woken thread.
pub const WAKE_FUTEX: &str = "wake.futex";

/// Page faults of the touching thread for a touch of each page of an aligned mapping, and the time; per GiB.
pub const FAULT_COUNTED: &str = "fault.counted";
/// The same over memory that this machine has not handed out yet, as far as that can be arranged.
pub const FAULT_COLD: &str = "fault.cold";
/// Random pages of an evicted file, one after another, readahead off; time of one, device included.
pub const FAULT_MAJOR: &str = "fault.major";
/// A child writes to pages that it shares with its parent; time of one copy.
pub const FAULT_COW_BREAK: &str = "fault.cow_break";
/// Host clock around `munmap` of a touched region, alone and beside running threads of the process.
pub const SHOOTDOWN_MUNMAP: &str = "shootdown.munmap";
/// Dependent loads through one line in each page, over working sets that double.
pub const CHASE_ONE_LINE_PER_PAGE: &str = "chase.one_line_per_page";
/// Host clock from the open file until each page of it was touched in host memory.
pub const LOAD_HOST_CLOCK: &str = "load.host_clock";
/// Host clock from the open file until its last byte is in GPU memory; processor time of the process.
pub const TO_GPU_PIPELINE: &str = "to_gpu.pipeline";
/// Children write counters in objects that the parent built; their memory by `smaps` of that mapping.
pub const COW_CHILDREN: &str = "cow.children";
/// Host clock around `fork` with touched memory, less that without; per GiB.
pub const FORK_HOST_CLOCK: &str = "fork.host_clock";
/// A device attribute as the driver reports it.
pub const ATTRIBUTE_READ: &str = "attribute.read";
/// A kernel reads one page of ordinary host memory, in a child process of its own.
pub const ATTRIBUTE_TESTED: &str = "attribute.tested";
/// A kernel on all SMs reads memory where it lies, in 16-byte loads, coalesced, eight in flight per thread.
pub const SM_READ: &str = "sm.read";
/// A kernel on all SMs writes memory where it lies, in 16-byte stores, coalesced.
pub const SM_WRITE: &str = "sm.write";
/// A kernel on all SMs copies device memory; bytes read and bytes written are both counted.
pub const SM_COPY: &str = "sm.copy";
/// Host clock around many calls of `ncclAllReduce`, the slowest rank's, divided by their number.
pub const ALLREDUCE_NCCL: &str = "allreduce.nccl";
/// Taken from the output of nccl-tests.
pub const IMPORT_NCCL_TESTS: &str = "import.nccl_tests";
/// Taken from the output of nvbandwidth.
pub const IMPORT_NVBANDWIDTH: &str = "import.nvbandwidth";
/// Files of `/sys` and `/proc`.
pub const KERNEL_FILES: &str = "topo.sysfs";

/// The coherence class that attributes imply, unless a kernel that tried it says otherwise.
pub const COHERENCE_CLASS: &str = "coherence.class";
/// Who hands out GPU memory, by the kernel's memory map and nodes.
pub const MEMORY_MODE: &str = "coherence.memory_mode";
/// A value that NVML reports.
pub const NVML_READ: &str = "nvml.read";
/// `meminfo` and `distance` of the NUMA nodes.
pub const NUMA_MEMINFO: &str = "numa.meminfo";
/// A setting of kernel or driver beside the advice for this kind of machine.
pub const SETTING_READ: &str = "setting.read";
/// `cuMemCreate` of a fabric handle, its export and the import of that.
pub const FABRIC_HANDLE: &str = "fabric.handle";
/// Channel devices that may be opened; the IMEX daemon by its process or its port.
pub const IMEX_PROBE: &str = "imex.probe";
/// As [`COPY_EVENTS`], the host's buffer bound to one NUMA node and registered.
pub const NODE_COPY: &str = "node.copy";
/// A kernel on all SMs reads a registered buffer that is bound to one NUMA node.
pub const NODE_SM_READ: &str = "node.sm_read";

/// All of them, for whoever has to describe them.
pub const ALL: &[&str] = &[
    COPY_EVENTS,
    COPY_EVENTS_ONLY,
    COPY_HOST_CLOCK,
    COPY_RETURNED,
    COPY_BLOCKED,
    COPY_SM_READ,
    COPY_SM_WRITE,
    COPY_BIDIRECTIONAL,
    COPY_DEVICE_LOCAL,
    PIN_HOST_CLOCK,
    LINK_SAMPLED,
    LAUNCH_SUBMIT,
    LAUNCH_ROUND_TRIP,
    MEMCPY_ONE_THREAD,
    MEMCPY_ALL_THREADS,
    CHASE_LOCAL,
    CHASE_SCATTERED,
    LINE_PING_PONG,
    COUNTERS_TWO_WRITERS,
    LOOP,
    FAULT_FIRST_TOUCH,
    WAKE_FUTEX,
    FAULT_COUNTED,
    FAULT_COLD,
    FAULT_MAJOR,
    FAULT_COW_BREAK,
    SHOOTDOWN_MUNMAP,
    CHASE_ONE_LINE_PER_PAGE,
    LOAD_HOST_CLOCK,
    TO_GPU_PIPELINE,
    COW_CHILDREN,
    FORK_HOST_CLOCK,
    ATTRIBUTE_READ,
    ATTRIBUTE_TESTED,
    COHERENCE_CLASS,
    MEMORY_MODE,
    NVML_READ,
    NUMA_MEMINFO,
    SETTING_READ,
    FABRIC_HANDLE,
    IMEX_PROBE,
    NODE_COPY,
    NODE_SM_READ,
    SM_READ,
    SM_WRITE,
    SM_COPY,
    ALLREDUCE_NCCL,
    IMPORT_NCCL_TESTS,
    IMPORT_NVBANDWIDTH,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_course_describes_every_method() {
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../content/methods.md"))
            .expect("the course has a page on methods");
        for method in ALL {
            assert!(text.contains(&format!("## {method} ")), "content/methods.md does not describe {method}");
        }
    }
}
