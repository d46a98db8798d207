use super::*;

const MIB: f64 = 1_048_576.0;

fn job(machine: Machine, mib: f64) -> Job {
    Job {
        machine,
        direction: Direction::ToDevice,
        bytes: mib * MIB,
        chunk_bytes: 4.0 * MIB,
        buffers: 2,
        copies: 1,
        kernel_ns: 0.0,
        registration: Registration::Once,
    }
}

fn close(value: f64, published: f64, tolerance: f64, what: &str) {
    let off = (value / published - 1.0).abs();
    assert!(off <= tolerance, "{what}: model {value}, published {published}, {:.1} % off", off * 100.0);
}

#[test]
fn pinned_copies_match_the_h200_within_a_tenth() {
    // PyTorch 2.11 on the H200 host, medians of ten: host to device, pinned.
    for (mib, gb_per_s) in [(1.0, 36.7), (16.0, 53.8), (64.0, 54.6), (256.0, 54.4), (1_024.0, 55.2)] {
        let job = job(Machine::H200, mib);
        close(job.rate(&job.run(Memory::Pinned)) / 1e9, gb_per_s, 0.10, &format!("{mib} MiB"));
    }
}

#[test]
fn pinned_calls_return_at_once() {
    let trace = job(Machine::H200, 256.0).run(Memory::Pinned);
    assert!((3_300.0..=4_700.0).contains(&trace.returned_ns[0]), "{:?}", trace.returned_ns);
    close(trace.arrived_ns, 4.93e6, 0.02, "256 MiB pinned");
}

#[test]
fn pageable_copies_match_the_h200() {
    let job = job(Machine::H200, 256.0);
    let trace = job.run(Memory::Pageable);
    let rate = job.rate(&trace) / 1e9;
    assert!((5.8..=7.3).contains(&rate), "{rate}");
    close(trace.returned_ns[0], 41.7e6, 0.03, "time until the call returned");
    // Blocked for practically the whole transfer.
    assert!(trace.returned_ns[0] / trace.arrived_ns > 0.99);
}

#[test]
fn copies_to_pageable_memory_hold_the_thread_to_the_end() {
    let machine = Machine { memcpy_bytes_per_s: 12.6e9, link_bytes_per_s: 55.3e9, ..Machine::H200 };
    let job = Job { direction: Direction::ToHost, ..job(machine, 256.0) };
    let trace = job.run(Memory::Pageable);
    assert_eq!(trace.returned_ns[0], trace.arrived_ns);
    close(trace.arrived_ns, 21.3e6, 0.03, "device to host, pageable");
    close(job.rate(&trace) / 1e9, 12.6, 0.03, "its rate");
}

#[test]
fn the_4090_matches_its_published_drill() {
    // 256 MiB: 16.0 and 20.2 GB/s; the pageable call blocked 16.5 ms, 124 % of the pinned transfer.
    let job = job(Machine::RTX4090, 256.0);
    let (pageable, pinned) = (job.run(Memory::Pageable), job.run(Memory::Pinned));
    close(job.rate(&pageable) / 1e9, 16.0, 0.01, "pageable");
    close(job.rate(&pinned) / 1e9, 20.2, 0.01, "pinned");
    close(pageable.returned_ns[0], 16.5e6, 0.01, "blocked");
    close(pageable.returned_ns[0] / pinned.arrived_ns, 1.24, 0.01, "share of the pinned transfer");
}

#[test]
fn an_efficiency_core_halves_pageable_and_leaves_pinned() {
    let slow = job(Machine { memcpy_bytes_per_s: 8.05e9, ..Machine::RTX4090 }, 256.0);
    close(slow.rate(&slow.run(Memory::Pageable)) / 1e9, 8.0, 0.01, "pageable from an E-core");
    let fast = job(Machine::RTX4090, 256.0);
    assert_eq!(slow.run(Memory::Pinned), fast.run(Memory::Pinned));
}

#[test]
fn a_faster_link_changes_nothing_for_pageable_and_a_faster_core_does() {
    let rate = |machine| {
        let job = job(machine, 256.0);
        job.rate(&job.run(Memory::Pageable))
    };
    let h200 = Machine::H200;
    let link = Machine { link_bytes_per_s: 2.0 * h200.link_bytes_per_s, ..h200 };
    let core = Machine { memcpy_bytes_per_s: 2.0 * h200.memcpy_bytes_per_s, ..h200 };
    close(rate(link), rate(h200), 0.01, "twice the link");
    close(rate(core), 2.0 * rate(h200), 0.02, "twice the memcpy");
}

#[test]
fn one_buffer_makes_the_stages_take_turns() {
    let job = Job { buffers: 1, ..job(Machine::RTX4090, 256.0) };
    let harmonic = 1.0 / (1.0 / 16.2 + 1.0 / 20.2);
    close(job.rate(&job.run(Memory::Pageable)) / 1e9, harmonic, 0.01, "no overlap");
}

#[test]
fn the_engine_stops_waiting_once_memcpy_outruns_the_link() {
    let idle = |memcpy: f64| {
        let machine = Machine { memcpy_bytes_per_s: memcpy * 1e9, ..Machine::H200 };
        job(machine, 256.0).run(Memory::Pageable).engine_idle()
    };
    assert!(idle(6.5) > 0.85);
    assert!(idle(27.0) > 0.45);
    assert!(idle(80.0) < 0.02);
    // The thread is still held: it waits for buffers instead.
    let fast = job(Machine { memcpy_bytes_per_s: 80e9, ..Machine::H200 }, 256.0).run(Memory::Pageable);
    assert!(fast.held_ns / fast.arrived_ns > 0.95);
    assert!(!fast.waiting.is_empty());
}

#[test]
fn registering_pays_once_and_hurts_each_time() {
    let once = Job { copies: 8, ..job(Machine::H200, 1_024.0) };
    let trace = once.run(Memory::Registered);
    close(total_ns(&trace.registering), 71e6, 1e-9, "registered once");
    let each = Job { registration: Registration::EachTime, ..once };
    let trace = each.run(Memory::Registered);
    close(total_ns(&trace.registering), 8.0 * 92e6, 1e-9, "registered and released each time");
    assert!(each.rate(&trace) < once.rate(&once.run(Memory::Registered)) / 3.0);
}

#[test]
fn kernels_overlap_pinned_copies_and_not_pageable_ones() {
    let job = Job { kernel_ns: 4e6, ..job(Machine::H200, 256.0) };
    assert!(job.run(Memory::Pinned).overlap_ns() > 3.9e6);
    let pageable = job.run(Memory::Pageable).overlap_ns();
    assert!(pageable < 0.1e6, "only the last chunk is still on the wire: {pageable}");
}

#[test]
fn small_pageable_copies_go_inside_the_command() {
    let job = Job { bytes: 4_096.0, ..job(Machine::H200, 1.0) };
    let trace = job.run(Memory::Pageable);
    assert!(trace.buffers.iter().all(Vec::is_empty), "no staging");
    assert!(trace.returned_ns[0] < trace.arrived_ns);
    assert!(trace.returned_ns[0] < 10_000.0);
}

#[test]
fn nobody_does_two_things_at_once_and_no_byte_is_lost() {
    let ordered = |spans: &[Span]| {
        spans.iter().all(|s| s.start_ns <= s.end_ns) && spans.windows(2).all(|w| w[0].end_ns <= w[1].start_ns)
    };
    for direction in [Direction::ToDevice, Direction::ToHost] {
        for (buffers, mib, copies) in [(1, 3.7, 1), (2, 64.0, 3), (4, 1.0, 4), (2, 0.004, 2), (4, 100.3, 2)] {
            for memory in Memory::ALL {
                let job = Job { direction, buffers, copies, kernel_ns: 1e5, ..job(Machine::H200, mib) };
                let trace = job.run(memory);
                let mut thread =
                    [&trace.staging[..], &trace.submitting, &trace.registering, &trace.waiting].concat();
                thread.sort_by(|a, b| a.start_ns.total_cmp(&b.start_ns));
                assert!(ordered(&thread), "thread, {memory:?}");
                assert!(ordered(&trace.engine), "engine, {memory:?}");
                assert!(ordered(&trace.kernels), "SMs, {memory:?}");
                assert!(trace.buffers.iter().all(|b| ordered(b)), "buffers, {memory:?}");
                let extra = CHUNK_NS * trace.buffers.iter().map(Vec::len).sum::<usize>() as f64;
                let moved = (total_ns(&trace.engine) - extra) / 1e9 * job.machine.link_bytes_per_s;
                close(moved, job.bytes * copies as f64, 1e-6, "bytes on the wire");
                assert_eq!(trace.returned_ns.len(), copies);
                assert!(trace.end_ns() >= trace.arrived_ns);
            }
        }
    }
}
