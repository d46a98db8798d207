use super::*;

const SEEN: Evidence = Evidence::Seen;

fn reserve(at: u32, mib: u32) -> Call {
    Call::Reserve { process: 0, at, mib }
}
fn create(mib: u32) -> Call {
    Call::Create { process: 0, mib, device: 0, shareable: false }
}
fn map(at: u32, mib: u32, memory: usize) -> Call {
    Call::Map { process: 0, at, mib, memory }
}
fn access(at: u32, mib: u32) -> Call {
    Call::SetAccess { process: 0, at, mib, device: 0 }
}
fn write(at: u32, mib: u32) -> Call {
    Call::Write { process: 0, at, mib }
}
fn unmap(at: u32, mib: u32) -> Call {
    Call::Unmap { process: 0, at, mib }
}
fn release(memory: usize) -> Call {
    Call::Release { process: 0, memory }
}

/// A driver after calls that all succeed.
fn after(calls: &[Call]) -> Driver {
    let mut driver = Driver::default();
    for call in calls {
        let outcome = driver.call(*call);
        assert!(outcome.is_success(), "{call:?}: {outcome:?}");
    }
    driver
}

/// The call fails as on the H200 host and changes nothing.
fn fails(driver: &mut Driver, call: Call, status: Status) {
    let before = driver.clone();
    let outcome = driver.call(call);
    assert_eq!((outcome.status, outcome.evidence), (status, SEEN), "{call:?}: {}", outcome.why);
    assert_eq!(*driver, before, "{call:?} changed something");
}

fn mapped() -> Driver {
    after(&[reserve(0, 8), create(4), map(0, 4, 0)])
}

#[test]
fn sizes_below_the_granularity() {
    fails(&mut Driver::default(), create(1), Status::InvalidValue);
    fails(&mut Driver::default(), reserve(0, 1), Status::InvalidValue);
}

#[test]
fn maps_at_addresses_that_were_not_reserved_or_not_whole() {
    fails(&mut after(&[create(4)]), map(0, 4, 0), Status::InvalidValue);
    fails(&mut after(&[reserve(0, 8), create(4)]), map(1, 4, 0), Status::InvalidValue);
    fails(&mut after(&[reserve(0, 2), create(4)]), map(0, 4, 0), Status::InvalidValue);
}

#[test]
fn half_a_handle() {
    fails(&mut after(&[reserve(0, 8), create(4)]), map(0, 2, 0), Status::NotSupported);
}

#[test]
fn a_map_over_a_mapping() {
    let mut driver = mapped();
    driver.call(create(4));
    fails(&mut driver, map(0, 4, 1), Status::InvalidValue);
    fails(&mut driver, map(2, 4, 1), Status::InvalidValue);
}

#[test]
fn access_to_what_is_not_mapped() {
    fails(&mut mapped(), access(4, 4), Status::InvalidValue);
    fails(&mut mapped(), access(0, 8), Status::InvalidValue);
}

#[test]
fn a_write_before_access() {
    fails(&mut mapped(), write(0, 4), Status::InvalidValue);
    let mut driver = mapped();
    assert!(driver.call(access(0, 4)).is_success());
    assert!(driver.call(write(1, 2)).is_success());
    fails(&mut driver, write(2, 4), Status::InvalidValue);
}

#[test]
fn half_an_unmap() {
    fails(&mut mapped(), unmap(0, 2), Status::InvalidValue);
    fails(&mut mapped(), unmap(2, 4), Status::InvalidValue);
}

#[test]
fn free_while_mapped() {
    fails(&mut mapped(), Call::Free { process: 0, at: 0, mib: 8 }, Status::InvalidValue);
}

#[test]
fn an_export_without_handle_type() {
    fails(&mut mapped(), Call::Export { process: 0, memory: 0 }, Status::InvalidValue);
}

#[test]
fn a_second_release() {
    let mut driver = mapped();
    assert!(driver.call(release(0)).is_success());
    fails(&mut driver, release(0), Status::InvalidValue);
}

#[test]
fn an_alias_is_a_second_view() {
    let mut driver = mapped();
    let outcome = driver.call(map(4, 4, 0));
    assert_eq!((outcome.status, outcome.evidence), (Status::Success, SEEN));
    assert_eq!((driver.mapped(0), driver.used_mib(0)), (2, 4));
}

#[test]
fn a_released_handle_frees_nothing_until_the_last_unmap() {
    let mut driver = after(&[reserve(0, 8), create(4), map(0, 4, 0), map(4, 4, 0), access(0, 4), release(0)]);
    assert_eq!(driver.used_mib(0), 4);
    assert!(driver.call(write(0, 4)).is_success(), "the memory stays usable");
    assert!(driver.call(unmap(0, 4)).is_success());
    assert_eq!(driver.used_mib(0), 4);
    assert!(driver.call(unmap(4, 4)).is_success());
    assert_eq!(driver.used_mib(0), 0);
}

#[test]
fn an_unmapped_memory_stays_with_its_handle() {
    let mut driver = mapped();
    assert!(driver.call(unmap(0, 4)).is_success());
    assert_eq!(driver.used_mib(0), 4);
    assert!(driver.call(map(4, 4, 0)).is_success(), "and can be mapped elsewhere");
    assert!(driver.call(unmap(4, 4)).is_success());
    assert!(driver.call(release(0)).is_success());
    assert_eq!(driver.used_mib(0), 0);
    assert!(driver.call(Call::Free { process: 0, at: 0, mib: 8 }).is_success());
    assert!(driver.reservations.is_empty());
}

#[test]
fn two_mappings_go_in_one_unmap() {
    let mut driver = after(&[reserve(0, 8), create(2), create(2), map(0, 2, 0), map(2, 2, 1)]);
    assert!(driver.call(unmap(0, 4)).is_success());
    assert!(driver.mappings.is_empty());
}

#[test]
fn a_gpu_can_be_full() {
    let mut driver = after(&[create(6)]);
    assert_eq!(driver.call(create(4)).status, Status::OutOfMemory);
    assert!(driver.call(create(2)).is_success());
    assert!(driver.call(release(0)).is_success());
    assert!(driver.call(create(4)).is_success());
}

#[test]
fn a_hint_is_only_a_hint() {
    let mut driver = after(&[reserve(0, 8), reserve(0, 4)]);
    assert_eq!(driver.reservations, [(0, 0, 8), (0, 8, 4)]);
    assert_eq!(driver.call(reserve(0, 8)).status, Status::OutOfMemory);
}

#[test]
fn a_peer_process_keeps_the_memory_alive() {
    let shared = Call::Create { process: 0, mib: 4, device: 0, shareable: true };
    let mut driver = after(&[shared, Call::Export { process: 0, memory: 0 }, release(0)]);
    assert_eq!(driver.used_mib(0), 4, "the descriptor counts");
    for call in [
        Call::Import { process: 1 },
        Call::Reserve { process: 1, at: 0, mib: 4 },
        Call::Map { process: 1, at: 0, mib: 4, memory: 0 },
        Call::SetAccess { process: 1, at: 0, mib: 4, device: 1 },
        Call::Write { process: 1, at: 0, mib: 4 },
        Call::Release { process: 1, memory: 0 },
    ] {
        assert!(driver.call(call).is_success(), "{call:?}");
    }
    assert_eq!(driver.used_mib(0), 4);
    assert!(driver.call(Call::Unmap { process: 1, at: 0, mib: 4 }).is_success());
    assert_eq!(driver.used_mib(0), 0);
    assert_eq!(driver.call(Call::Import { process: 0 }).status, Status::InvalidValue);
}

#[test]
fn a_team_waits_for_all_of_its_devices() {
    let mut driver = after(&[Call::TeamCreate { process: 0, mib: 2 }, create(2), reserve(0, 2)]);
    let bind = Call::TeamBind { process: 0, team: 0, memory: 1 };
    assert_eq!(driver.call(bind).status, Status::Waits);
    assert_eq!(driver.call(map(0, 2, 0)).status, Status::Waits);
    for device in [0, 1] {
        assert!(driver.call(Call::TeamAdd { process: 0, team: 0, device }).is_success());
    }
    assert!(driver.call(bind).is_success());
    assert_eq!(driver.call(bind).status, Status::InvalidValue);
    assert!(driver.call(map(0, 2, 0)).is_success());
    assert!(driver.call(access(0, 2)).is_success() && driver.call(write(0, 2)).is_success());
    assert!(driver.call(release(1)).is_success());
    assert_eq!(driver.used_mib(0), 2, "the object keeps what is bound to it");
}

#[test]
fn no_order_of_calls_breaks_an_invariant() {
    // Every call with small arguments, in an order that a linear congruential generator picks.
    let mut random = 12_345u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    for _ in 0..300 {
        let mut driver = Driver::default();
        for _ in 0..60 {
            let (process, at, mib) = (next(2) as usize, next(16) as u32, next(9) as u32);
            let (memory, device) = (next(8) as usize, next(2) as usize);
            let call = match next(13) {
                0 => Call::Reserve { process, at, mib },
                1 => Call::Create { process, mib, device, shareable: next(2) == 0 },
                2 => Call::Map { process, at, mib, memory },
                3 => Call::SetAccess { process, at, mib, device },
                4 => Call::Write { process, at, mib },
                5 => Call::Export { process, memory },
                6 => Call::Import { process },
                7 => Call::Unmap { process, at, mib },
                8 => Call::Release { process, memory },
                9 => Call::Free { process, at, mib },
                10 => Call::TeamCreate { process, mib },
                11 => Call::TeamAdd { process, team: memory, device },
                _ => Call::TeamBind { process, team: next(8) as usize, memory },
            };
            let before = driver.clone();
            if !driver.call(call).is_success() {
                assert_eq!(driver, before);
            }
            check(&driver);
        }
    }
}

fn check(driver: &Driver) {
    for device in [0, 1] {
        let mut chunks = driver.chunks_of(device);
        chunks.sort_unstable();
        assert!(chunks.windows(2).all(|w| w[0] < w[1]), "a chunk belongs to one memory");
        assert!(driver.used_mib(device) <= DEVICE_MIB);
    }
    for (i, mapping) in driver.mappings.iter().enumerate() {
        assert!(driver.memories[mapping.memory].alive, "mapped memory is alive");
        let home = |&(p, a, m): &(usize, u32, u32)| {
            p == mapping.process && a <= mapping.at && mapping.end() <= a + m
        };
        assert!(driver.reservations.iter().any(home), "a mapping lies in a reservation");
        let apart = |other: &Mapping| {
            other.process != mapping.process || other.end() <= mapping.at || mapping.end() <= other.at
        };
        assert!(driver.mappings[i + 1..].iter().all(apart), "mappings do not overlap");
    }
}
