use super::*;

#[test]
fn every_preset_survives_a_link_and_the_first_is_the_default() {
    let presets = FabricHandle::presets();
    assert_eq!(presets[0].state, FabricHandle::default());
    for preset in presets {
        assert!(preset.state.step <= preset.state.reach(), "{}", preset.name);
        assert_eq!(FabricHandle::from_query(&preset.state.to_query()), preset.state, "{}", preset.name);
    }
}

#[test]
fn every_state_survives_a_link() {
    for (path, ..) in PATHS {
        let mut state = FabricHandle { path, broken: None, step: 0 };
        for broken in (0..BREAKS.len()).map(Some).chain([None]) {
            state.choose_break(broken);
            for step in 0..=state.reach() {
                state.go(step);
                assert_eq!(FabricHandle::from_query(&state.to_query()), state);
                assert_eq!(state.table().rows.len(), state.path.steps().len());
            }
        }
    }
}

#[test]
fn a_broken_link_gives_a_sound_state() {
    let state =
        |hash: &str| FabricHandle::from_query(&Query::from_hash("fabric-handle", hash).expect("is ours"));
    assert_eq!(state("#fig-fabric-handle?path=moon&broken=x&step=-1"), FabricHandle::default());
    // A break of another path is none here, and a step behind the failure does not exist.
    assert_eq!(state("#fig-fabric-handle?path=host&broken=channel&step=99").step, 7);
    assert_eq!(state("#fig-fabric-handle?broken=channel&step=99").step, 1);
}

#[test]
fn nothing_comes_behind_a_failure() {
    let mut state = FabricHandle::default();
    state.choose_break(BREAKS.iter().position(|b| b.id == "channel"));
    assert_eq!((state.step, state.reach()), (1, 1));
    state.go(5);
    assert_eq!(state.step, 1);
    assert!(state.failed().is_some());
    state.go(0);
    assert!(state.failed().is_none());
    state.choose_break(None);
    assert_eq!(state.step, 7);
}

#[test]
fn another_path_mends_what_it_does_not_have() {
    let mut state = FabricHandle::default();
    state.choose_break(BREAKS.iter().position(|b| b.id == "daemon"));
    state.choose_path(Path::Host);
    assert_eq!((state.broken, state.failed()), (None, None));
    // A piece that one host does not have leads to two trays.
    state.choose_break(BREAKS.iter().position(|b| b.id == "other"));
    assert_eq!((state.path, state.step), (Path::Trays, 4));
    state.choose_break(BREAKS.iter().position(|b| b.id == "access"));
    state.choose_path(Path::Process);
    assert_eq!(state.step, 4);
    assert!(state.failed().is_some());
}

#[test]
fn the_sentence_names_the_error_and_its_double() {
    let at = |id: &str| {
        let mut state = FabricHandle::default();
        state.choose_break(BREAKS.iter().position(|b| b.id == id));
        state.sentence()
    };
    let daemon = at("daemon");
    assert!(daemon.contains("step 4") || daemon.contains("Step 4"), "{daemon}");
    assert!(daemon.contains("INVALID_HANDLE (400)") && daemon.contains("Another clique"), "{daemon}");
    assert!(at("clique").contains("IMEX daemon down"));
    assert!(!at("channel").contains("same code"));
}

#[test]
fn without_a_break_every_path_ends_with_a_load() {
    for (path, ..) in PATHS {
        let state = FabricHandle { path, broken: None, step: path.steps().len() };
        assert!(state.sentence().contains("ld.global"), "{}", state.sentence());
        assert!(state.note().expect("has a note").contains("NVLink"));
    }
}
