use super::*;

fn machine(ops: &str) -> Machine {
    AddressSpaces::story(ops, 0, 0).so_far().0
}

#[test]
fn a_promise_raises_virt_and_nothing_else() {
    let m = machine("Am,Am,Am");
    assert_eq!((m.sizes(0).virt, m.sizes(0).rss, m.frames.used()), (12.0, 0.0, 0));
}

#[test]
fn reading_untouched_memory_takes_no_frame() {
    let m = machine("Am,Ar0,Ar1,Ar2,Ar3");
    assert_eq!((m.sizes(0).rss, m.frames.used()), (0.0, 0));
    assert_eq!(machine("Am,Ar0,Aw0").sizes(0).rss, 1.0);
}

#[test]
fn two_readers_share_the_page_cache() {
    let m = machine("Af,Ar0,Bf,Br0");
    assert_eq!(m.frames.used(), 1);
    assert_eq!((m.sizes(0).rss, m.sizes(0).pss, m.sizes(0).uss), (1.0, 0.5, 0.0));
    // The cache outlives its readers.
    let m = machine("Af,Ar0,Bf,Br0,Au0,Bu0");
    assert_eq!((m.frames.used(), m.frames.mapped()), (1, 0));
}

#[test]
fn fork_shares_and_the_first_writer_copies() {
    let m = machine("Am,AW0,Ak");
    assert_eq!((m.frames.used(), m.sizes(0).uss, m.sizes(1).pss), (4, 0.0, 2.0));
    assert!(m.is_cow(0, 0) && m.is_cow(1, 0));
    let m = machine("Am,AW0,Ak,Bw0");
    assert_eq!((m.frames.used(), m.sizes(1).uss, m.sizes(1).rss), (5, 1.0, 4.0));
    // The parent's page is not shared any more, yet still read-only: one more fault, no copy.
    assert!(m.is_cow(0, 0));
    let (_, last) = AddressSpaces::story("Am,AW0,Ak,Bw0,Aw0", 0, 0).so_far();
    assert!(matches!(last, Some((_, Outcome::Kept(_)))));
}

#[test]
fn shared_memory_stays_shared_across_fork_and_writes() {
    let m = machine("As,Ak,AW0,Br0,Bw1");
    assert_eq!((m.frames.used(), m.sizes(1).rss, m.sizes(1).uss), (4, 2.0, 0.0));
    assert_eq!(machine("As,Ak,AW0,Br0,Au0,Bu0").frames.used(), 0);
}

#[test]
fn a_write_to_a_private_file_page_leaves_the_file_alone() {
    let m = machine("Af,Aw0");
    let kinds: Vec<Kind> = m.frames.iter().map(|(_, f)| f.kind).filter(|k| *k != Kind::Free).collect();
    assert_eq!(kinds, [Kind::File { page: 0 }, Kind::Anonymous]);
    assert_eq!((m.sizes(0).rss, m.sizes(0).uss), (1.0, 1.0));
}

#[test]
fn too_many_promises_end_in_the_oom_killer() {
    let story = AddressSpaces::presets().pop().map(|p| p.state).unwrap_or_default();
    let (m, _) = story.so_far();
    assert!(m.processes[0].killed && !m.processes[1].killed);
    assert!(matches!(story.so_far().1, Some((_, Outcome::OutOfMemory(0)))));
    assert_eq!(m.sizes(1).rss, 12.0);
}

#[test]
fn an_address_without_an_area_is_a_signal() {
    let (m, last) = AddressSpaces::story("Am,AW0,Ar9", 0, 0).so_far();
    assert!(matches!(last, Some((_, Outcome::Segv))));
    assert!(m.processes[0].killed);
    assert_eq!(m.frames.used(), 0);
}

#[test]
fn links_reproduce_the_state_and_survive_nonsense() {
    for preset in AddressSpaces::presets() {
        assert_eq!(AddressSpaces::from_query(&preset.state.to_query()), preset.state, "{}", preset.name);
    }
    let hash = "#fig-address-spaces?ops=Am,Zz,Ar99,,Aw,Bk&step=77&who=C&page=1000";
    let query = Query::from_hash("address-spaces", hash).unwrap_or_default();
    let state = AddressSpaces::from_query(&query);
    assert_eq!((state.ops.len(), state.step, state.actor, state.page), (2, 2, 1, 0));
    let mut empty = AddressSpaces { ops: Vec::new(), step: 0, actor: 0, page: 0 };
    assert_eq!(AddressSpaces::from_query(&empty.to_query()), empty);
    empty.act(Deed::Malloc);
    assert_eq!((empty.step, empty.page), (1, 0));
}
