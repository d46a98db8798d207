use super::super::plant::{LINK_GB_PER_S, LINKS, SWITCH_LINKS};
use super::super::words;
use super::*;

#[test]
fn the_rack_adds_up() {
    assert_eq!((GPUS, SWITCHES * SWITCH_LINKS, LINKS), (72, 18, 18));
    assert_eq!(f64::from(LINKS) * LINK_GB_PER_S, 900.0);
    // Per switch tray 144 links of 100 GB/s both ways, 14.4 TB/s; nine make 130 TB/s.
    let tray = f64::from(GPUS) * f64::from(SWITCH_LINKS) * 2.0 * LINK_GB_PER_S;
    assert_eq!((tray, tray * f64::from(SWITCHES)), (14_400.0, 129_600.0));
    let rows = words::rows();
    assert_eq!(rows.len(), 27);
    assert_eq!(
        (rows[0], rows[9], rows[10], rows[26]),
        ((Pick::Tray, 17), (Pick::Tray, 8), (Pick::Switch, 8), (Pick::Tray, 0))
    );
}

#[test]
fn pressing_a_part_looks_at_it_and_a_fault_follows() {
    let mut state = Rack::default();
    state.choose(PART_TRAY + 4);
    assert_eq!((state.pick, state.tray(), state.gpu), (Pick::Tray, 4, 16));
    state.choose(18);
    state.choose(PART_DAEMON + 4);
    assert_eq!((state.pick, state.gpu), (Pick::Daemon, 18), "the GPU of the same tray stays");
    state.choose(PART_SWITCH + 8);
    assert_eq!((state.pick, state.switch, state.gpu), (Pick::Switch, 8, 18));
    let before = state.clone();
    for nonsense in [72, 99, PART_TRAY + 18, PART_SWITCH + 9, 400, usize::MAX] {
        state.choose(nonsense);
    }
    assert_eq!(state, before);
    state.fail(Fault::Tray);
    assert_eq!((state.pick, state.outcome().gpus[18]), (Pick::Tray, super::super::Gpu::Lost));
}

#[test]
fn the_first_preset_is_the_default_and_all_survive_their_links() {
    let all = presets();
    assert_eq!(all[0].state, Rack::default());
    assert!(Rack::default().to_query().is_empty());
    for preset in all {
        assert_eq!(Rack::from_query(&preset.state.to_query()), preset.state, "{}", preset.name);
    }
    let query =
        Query::from_hash("rack", "#fig-rack?look=x&gpu=72&switch=-1&fails=all&when=&job=9&full=7&grace=");
    assert_eq!(Rack::from_query(&query.expect("is ours")), Rack::default());
}

#[test]
fn sentences_say_who_stops_and_who_notices() {
    let said = |state: Rack| state.sentence();
    let broken = |fault, stage| {
        let mut state = Rack::default();
        state.fail(fault);
        Rack { stage, ..state }
    };
    let tray = said(broken(Fault::Tray, Stage::Fails));
    assert!(
        tray.contains("Tray 12 fails: 72 of 72 ranks stop") && tray.contains("other 17 report nothing"),
        "{tray}"
    );
    let daemon = said(broken(Fault::Daemon, Stage::NextJob));
    assert!(daemon.contains("all 72 ranks run on. No kernel reports") && daemon.contains("400"), "{daemon}");
    let back = said(broken(Fault::Daemon, Stage::Back));
    assert!(back.contains("17 trays invalid") && back.contains("72 ranks stop"), "{back}");
    let link = said(broken(Fault::Link, Stage::Fails));
    assert!(link.contains("850\u{a0}GB/s") && link.contains("wait"), "{link}");
}

#[test]
fn every_state_has_words_and_a_table_of_27_trays() {
    for fault in Fault::ALL {
        for stage in Stage::ALL {
            for job in Job::ALL {
                for (mode, grace) in [(Mode::Adaptive, false), (Mode::Full, true)] {
                    let state = Rack { fault, stage, job, mode, grace, ..Rack::default() };
                    assert!(state.sentence().ends_with('.') && state.note().is_some());
                    assert_eq!(state.table().rows.len(), 27);
                    assert!(state.table().rows.iter().all(|row| row.len() == 6));
                    assert_eq!(state.counters().len(), 5);
                }
            }
        }
    }
}
