use super::super::rules::Fate;
use super::*;

fn fate_of(name: &str, extra: &str) -> Fate {
    let preset = Placement::presets().into_iter().find(|p| p.name == name).expect("preset exists");
    let mut state = preset.state;
    if !extra.is_empty() {
        state.add(Step::parse(extra).expect("the test names a step"));
    }
    state.run().outcomes.last().expect("a step was done").fate
}

#[test]
fn every_preset_survives_a_link_and_the_first_is_the_default() {
    let presets = Placement::presets();
    assert_eq!(presets[0].state, Placement::default());
    for preset in presets {
        let steps = preset.state.steps.len();
        assert!(steps > 1 && preset.state.done <= steps, "{}", preset.name);
        assert_eq!(Placement::from_query(&preset.state.to_query()), preset.state, "{}", preset.name);
    }
}

#[test]
fn odd_states_survive_a_link() {
    let base = Placement::default();
    for state in [
        Placement { steps: Vec::new(), done: 0, ..base.clone() },
        Placement { done: 0, ..base.clone() },
        Placement { done: 3, ..base.clone() },
        Placement {
            steps: vec![FIRST[0]],
            done: 1,
            swap: true,
            distances: Distances::AllEqual,
            ..base.clone()
        },
        Placement { steps: vec![FIRST[0]], done: 0, ..base },
    ] {
        assert_eq!(Placement::from_query(&state.to_query()), state);
    }
}

#[test]
fn a_broken_link_gives_a_sound_state() {
    let hash = "#fig-placement?mode=x&far=&swap=9&steps=m0:100,zz,c9:1,h0:50&done=99&next=m0";
    let state = Placement::from_query(&Query::from_hash("placement", hash).expect("is ours"));
    assert_eq!((state.mode, state.swap, state.steps.len(), state.done), (Mode::Numa, false, 2, 2));
    assert_eq!(state.next, Placement::default().next);
    let long = "m0:1,".repeat(50);
    let state = Placement::from_query(&Query::new().set("steps", long, String::new()));
    assert_eq!(state.steps.len(), MAX_STEPS);
}

#[test]
fn the_captions_order_of_steps_exists() {
    // After the job has outgrown LPDDR, cudaMalloc on a GPU that nobody opened fails, and works in CDMM.
    assert_eq!(fate_of("A job outgrows LPDDR", "c2:120"), Fate::OutOfMemory);
    assert_eq!(fate_of("A job outgrows LPDDR", "c3:120"), Fate::Done);
    assert_eq!(fate_of("The same job, CDMM", "c2:120"), Fate::Done);
    assert_eq!(fate_of("Bound to 0,1", "c2:120"), Fate::Done);
    assert_eq!(fate_of("A data set is read", "c2:120"), Fate::Done);
}

#[test]
fn adding_goes_on_from_where_the_reader_is() {
    let mut state = Placement { done: 1, ..Placement::default() };
    state.allocate();
    assert_eq!((state.steps.len(), state.done), (2, 2));
    assert_eq!(state.steps[1], state.next);
    for _ in 0..20 {
        state.allocate();
    }
    assert_eq!((state.steps.len(), state.done), (MAX_STEPS, MAX_STEPS));
}

#[test]
fn sentences_say_what_happened() {
    let told = |name: &str, extra: &str| {
        let preset = Placement::presets().into_iter().find(|p| p.name == name).expect("preset exists");
        let mut state = preset.state;
        if let Some(step) = Step::parse(extra) {
            state.add(step);
        }
        state.sentence().replace('\u{a0}', " ")
    };
    assert_eq!(told("First touch", ""), "malloc 120 GB, touched first by GPU 0: 120 GB on GPU 0.");
    assert_eq!(
        told("A job outgrows LPDDR", ""),
        "malloc 400 GB, touched first by CPU 0: 259 GB on Grace 1 and 141 GB on GPU 0. Nothing failed, and no limit was hit."
    );
    let failed = told("A job outgrows LPDDR", "c2:120");
    assert!(failed.contains("out of memory, error 2"), "{failed}");
    assert!(failed.contains("nvidia-smi lists none"), "{failed}");
    let killed = told("The same job, CDMM", "");
    assert!(killed.contains("OOM killer ended the largest process"), "{killed}");
    assert!(told("Prefetch, CDMM", "").contains("stays"));
    assert!(told("A data set is read", "c2:150").contains("150 GB of page cache gave way"));
}

#[test]
fn the_table_has_a_row_per_node_and_its_columns_add_up() {
    let state = Placement { done: 3, ..Placement::default() };
    let table = state.table();
    assert_eq!(table.rows.len(), NODES.len() + 1);
    assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
    let tray = state.run().tray;
    for (n, node) in NODES.iter().enumerate() {
        assert_eq!(tray.used(n) + tray.free(n), node.mb);
    }
}
