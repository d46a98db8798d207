use super::*;

fn model(case: Case, world: World) -> PageFault {
    PageFault { case, world, ..PageFault::default() }
}

fn total(case: Case, world: World) -> f64 {
    PageFault::total_ns(&model(case, world).steps())
}

#[test]
fn measured_faults_add_up_to_what_was_measured() {
    assert!((total(Case::FirstTouch, World::X86) * 262_144.0 - 208e6).abs() < 1.0);
    assert!((total(Case::Drive, World::X86) - 73_000.0).abs() < 1e-6);
    // 2 GiB of a warm map, 16 pages a fault, took 0.14 s.
    assert!((total(Case::PageCache, World::X86) * 32_768.0 - 0.14e9).abs() < 1.0);
    // Huge pages: hardly anything but clearing is left.
    let huge = total(Case::Huge, World::X86) * 512.0;
    assert!((huge / 130e6 - 1.0).abs() < 0.002, "{huge}");
}

#[test]
fn a_major_fault_is_92_minor_ones_and_the_thread_sleeps() {
    let ratio = total(Case::Drive, World::X86) / total(Case::FirstTouch, World::X86);
    assert_eq!(ratio.round(), 92.0);
    let steps = model(Case::Drive, World::X86).steps();
    let asleep: f64 = steps.iter().filter(|s| s.waits()).map(|s| s.ns).sum();
    assert!(asleep / 73_000.0 >= 0.99, "{}", asleep / 73_000.0);
    // No other branch sleeps.
    for case in Case::ALL.into_iter().filter(|c| *c != Case::Drive) {
        assert!(model(case, World::X86).steps().iter().all(|s| !s.waits()), "{case:?}");
    }
}

#[test]
fn clearing_is_nearly_two_thirds_of_a_minor_fault() {
    let steps = model(Case::FirstTouch, World::X86).steps();
    let clear: f64 = steps.iter().filter(|s| s.node == Station::Clear).map(|s| s.ns).sum();
    let part = clear / PageFault::total_ns(&steps);
    assert!((0.6..0.667).contains(&part), "{part}");
}

#[test]
fn a_base_page_of_64_kib_clears_16_times_as_much_and_maps_no_neighbours() {
    let clear = |world| {
        let steps = model(Case::FirstTouch, world).steps();
        steps.iter().find(|s| s.node == Station::Clear).map_or(0.0, |s| s.ns)
    };
    assert!((clear(World::Arm64k) / clear(World::Arm4k) - 16.0).abs() < 1e-9);
    let functions =
        |world| model(Case::PageCache, world).steps().iter().map(|s| s.functions).collect::<String>();
    assert!(functions(World::Arm4k).contains("do_fault_around"));
    assert!(!functions(World::Arm64k).contains("do_fault_around"));
    let huge = total(Case::Huge, World::Arm64k);
    assert!((huge / 65e6 - 1.0).abs() < 0.01, "an empty 512 MiB takes 65 ms: {huge}");
}

#[test]
fn nobody_sleeps_or_leaves_with_a_lock() {
    for case in Case::ALL {
        for world in World::ALL {
            for step in model(case, world).steps() {
                if step.waits() || matches!(step.node, Station::Return | Station::Signal | Station::Access) {
                    assert_eq!(step.lock, Lock::None, "{case:?} {step:?}");
                }
                assert!(step.ns >= 0.0 && !step.functions.is_empty());
            }
        }
    }
}

#[test]
fn presets_show_the_step_that_they_name() {
    let nodes: Vec<Station> =
        PageFault::presets().iter().map(|p| p.state.steps()[p.state.step].node).collect();
    use Station::*;
    assert_eq!(nodes, [Access, Clear, Drive, Copy, ClearHuge, Clear, ClearHuge, Signal]);
}

#[test]
fn error_codes_are_those_of_the_processor() {
    assert_eq!(Case::NoArea.error_code(), 4);
    assert_eq!(Case::NoPermission.error_code(), 7);
    assert_eq!(Case::FirstTouch.error_code(), 6);
    assert_eq!(Case::Cow.error_code(), 7);
}

#[test]
fn the_readers_times_replace_the_published_ones_on_the_same_page_only() {
    let yours = Machine::measured("box".into(), 4_096.0, 262_144.0, 300e6, 100e6);
    let state = PageFault { yours: yours.clone(), ..model(Case::FirstTouch, World::Arm4k) };
    assert!((PageFault::total_ns(&state.steps()) * 262_144.0 - 300e6).abs() < 1.0);
    let other = PageFault { yours, ..model(Case::FirstTouch, World::Arm64k) };
    assert_eq!(other.machine(), Machine::rtx4090());
    assert_eq!(Machine::measured("odd".into(), 4_096.0, 262_144.0, 100e6, 200e6), None);
    assert_eq!(Machine::measured("odd".into(), 4_096.0, 0.0, 100e6, 50e6), None);
}

#[test]
fn links_reproduce_the_state_and_survive_nonsense() {
    let state = PageFault { step: 5, ..model(Case::Cow, World::Arm64k) };
    assert_eq!(PageFault::from_query(&state.to_query()), state);
    let query = Query::from_hash("page-fault", "#fig-page-fault?case=77&on=-3&step=900").unwrap_or_default();
    let state = PageFault::from_query(&query);
    assert_eq!(
        (state.case, state.world, state.step),
        (Case::FirstTouch, World::X86, state.steps().len() - 1)
    );
}
