use super::*;

const TRAY: u8 = 11;

fn broken(fault: Fault) -> Rack {
    Rack { fault, gpu: TRAY * 4 + 1, ..Rack::default() }
}

fn count(outcome: &Outcome, gpu: Gpu) -> usize {
    outcome.gpus.iter().filter(|g| **g == gpu).count()
}

#[test]
fn a_healthy_rack_is_72_ranks_and_no_kernel_that_reports() {
    let outcome = Rack::default().outcome();
    assert_eq!((count(&outcome, Gpu::Works), outcome.reporting(), outcome.stopped(Job::Whole)), (72, 0, 0));
    assert_eq!(outcome.slowest_gb_per_s(), 900.0);
    assert_eq!(outcome.imports, 18 * 17);
    assert_eq!(outcome.start, Start::Yes);
}

#[test]
fn a_process_is_cleaned_up_by_its_kernel_and_takes_its_communicator_along() {
    let outcome = broken(Fault::Process).outcome();
    assert_eq!(outcome.kernels[usize::from(TRAY)], Kernel::CleanedUp);
    assert_eq!((outcome.stopped(Job::Whole), outcome.reporting(), outcome.start), (72, 1, Start::Yes));
    assert_eq!(count(&outcome, Gpu::Lost), 0);
}

#[test]
fn a_gpu_is_noticed_by_its_tray_and_stops_every_communicator_with_its_rank() {
    let outcome = broken(Fault::Gpu).outcome();
    assert_eq!(outcome.kernels[usize::from(TRAY)], Kernel::Xid);
    assert_eq!((outcome.stopped(Job::Whole), outcome.reporting()), (72, 1));
    assert_eq!((count(&outcome, Gpu::Lost), outcome.start), (1, Start::TooFew));
    let small = Rack { job: Job::PerTray, ..broken(Fault::Gpu) }.outcome();
    assert_eq!((small.stopped(Job::PerTray), small.start), (4, Start::Some(17)));
}

#[test]
fn a_tray_takes_four_gpus_and_17_kernels_are_fine() {
    let outcome = broken(Fault::Tray).outcome();
    assert_eq!((count(&outcome, Gpu::Lost), count(&outcome, Gpu::Stopped)), (4, 68));
    assert_eq!((outcome.reporting(), outcome.stopped(Job::Whole)), (1, 72));
    assert_eq!(outcome.daemons.iter().filter(|d| **d == Daemon::LostPeer).count(), 17);
    let small = Rack { job: Job::PerTray, ..broken(Fault::Tray) }.outcome();
    assert_eq!(small.stopped(Job::PerTray), 4);
}

#[test]
fn a_job_of_64_leaves_two_trays_in_reserve() {
    let spares = |gpu| Rack { job: Job::Spares, gpu, ..broken(Fault::Tray) }.outcome();
    let used = spares(0);
    assert_eq!((used.stopped(Job::Spares), used.start), (64, Start::Yes));
    assert_eq!(count(&used, Gpu::Spare), 8);
    let reserve = spares(71);
    assert_eq!((reserve.stopped(Job::Spares), reserve.imports), (0, 16 * 15));
    // The whole rack has nothing in reserve.
    assert_eq!(broken(Fault::Tray).outcome().start, Start::TooFew);
}

#[test]
fn a_switch_tray_is_a_ninth_and_the_mode_decides() {
    let adaptive = broken(Fault::Switch).outcome();
    assert_eq!((adaptive.slowest_gb_per_s(), adaptive.stopped(Job::Whole)), (800.0, 0));
    assert_eq!((count(&adaptive, Gpu::Slow), adaptive.reporting(), adaptive.start), (72, 18, Start::Yes));
    assert!((100.0f64 / 900.0 - 1.0 / 9.0).abs() < 1e-12);
    for job in Job::ALL {
        let full = Rack { mode: Mode::Full, job, ..broken(Fault::Switch) }.outcome();
        assert_eq!(full.start, Start::NoFabric);
        assert_eq!(full.stopped(job), super::super::words::ranks(job));
    }
}

#[test]
fn with_one_link_less_everybody_waits_or_the_gpu_is_parked() {
    let adaptive = broken(Fault::Link).outcome();
    assert_eq!((adaptive.slowest_gb_per_s(), adaptive.stopped(Job::Whole)), (850.0, 0));
    assert_eq!((count(&adaptive, Gpu::Slow), count(&adaptive, Gpu::Waits)), (1, 71));
    let small = Rack { job: Job::PerTray, ..broken(Fault::Link) }.outcome();
    assert_eq!(count(&small, Gpu::Waits), 3);
    let full = Rack { mode: Mode::Full, ..broken(Fault::Link) }.outcome();
    assert_eq!((count(&full, Gpu::Parked), full.stopped(Job::Whole), full.start), (1, 72, Start::TooFew));
    let spare = Rack { job: Job::Spares, gpu: 70, ..broken(Fault::Link) }.outcome();
    assert_eq!((spare.slowest_gb_per_s(), count(&spare, Gpu::Waits)), (900.0, 0));
}

#[test]
fn a_dead_daemon_stops_nobody_and_the_next_import_fails() {
    let outcome = broken(Fault::Daemon).outcome();
    assert_eq!((outcome.stopped(Job::Whole), outcome.reporting()), (0, 0));
    assert_eq!((outcome.imports, outcome.invalid), (306, 0));
    assert_eq!(outcome.start, Start::ImportFails);
    // Jobs of one tray need no daemon, and nobody imports from a tray in reserve.
    assert_eq!(Rack { job: Job::PerTray, ..broken(Fault::Daemon) }.outcome().start, Start::Yes);
    assert_eq!(Rack { job: Job::Spares, gpu: 71, ..broken(Fault::Daemon) }.outcome().start, Start::Yes);
}

#[test]
fn a_new_instance_of_a_daemon_makes_imports_from_its_tray_invalid() {
    let back = Rack { stage: Stage::Back, ..broken(Fault::Daemon) }.outcome();
    assert_eq!(back.daemons[usize::from(TRAY)], Daemon::NewInstance);
    assert_eq!((back.invalid, back.stopped(Job::Whole)), (17, 72));
    let small = Rack { job: Job::PerTray, stage: Stage::Back, ..broken(Fault::Daemon) }.outcome();
    assert_eq!((small.invalid, small.stopped(Job::PerTray)), (0, 0));
}

#[test]
fn the_grace_time_makes_them_invalid_without_a_return() {
    let lost = Rack { grace: true, ..broken(Fault::Daemon) }.outcome();
    assert_eq!((lost.invalid, lost.stopped(Job::Whole)), (17, 72));
    let alone = Rack { grace: true, ..broken(Fault::Management) }.outcome();
    assert_eq!((alone.invalid, alone.stopped(Job::Whole)), (306, 72));
    let small = Rack { grace: true, job: Job::PerTray, ..broken(Fault::Management) }.outcome();
    assert_eq!(small.stopped(Job::PerTray), 0);
}

#[test]
fn the_management_network_stops_new_jobs_only_and_returns_without_harm() {
    let outcome = broken(Fault::Management).outcome();
    assert_eq!((outcome.stopped(Job::Whole), outcome.reporting(), outcome.imports), (0, 0, 306));
    assert_eq!(outcome.start, Start::ImportFails);
    assert_eq!(Rack { job: Job::PerTray, ..broken(Fault::Management) }.outcome().start, Start::Yes);
    let back = Rack { stage: Stage::Back, ..broken(Fault::Management) }.outcome();
    assert_eq!((back.invalid, back.stopped(Job::Whole)), (0, 0));
}

#[test]
fn what_is_back_works_again() {
    for fault in [Fault::Process, Fault::Gpu, Fault::Link, Fault::Tray, Fault::Switch, Fault::Management] {
        for mode in [Mode::Adaptive, Mode::Full] {
            let back = Rack { stage: Stage::Back, mode, ..broken(fault) }.outcome();
            assert_eq!(
                (back.stopped(Job::Whole), back.reporting(), back.start),
                (0, 0, Start::Yes),
                "{fault:?}"
            );
        }
    }
}
