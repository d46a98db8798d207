use super::*;

fn seen_all(storage: Storage, deed: Deed) -> ForkCow {
    ForkCow { deed, storage, share: SHARES.len() - 1, ..ForkCow::default() }
}

#[test]
fn the_remedy_that_everybody_tries_first_does_not_stop_the_growth() {
    let list = seen_all(Storage::List, Deed::ReadShuffled);
    let frozen = seen_all(Storage::Frozen, Deed::ReadShuffled);
    assert_eq!(list.books(), frozen.books());
    assert!(list.books().worker.uss > 159e6);
    assert_eq!(seen_all(Storage::Frozen, Deed::Collect).books().worker.uss, 0.0);
    assert!(seen_all(Storage::List, Deed::Collect).books().worker.uss > 159e6);
}

#[test]
fn one_header_is_one_page() {
    for (page, page_bytes) in PAGES.into_iter().enumerate() {
        let model = ForkCow { page, ..seen_all(Storage::Numpy, Deed::ReadShuffled) };
        assert_eq!(model.books().worker.uss, page_bytes as f64);
    }
}

#[test]
fn eight_workers_own_what_the_text_counts() {
    let model = ForkCow { workers: 3, ..seen_all(Storage::List, Deed::ReadInOrder) };
    let all = 8.0 * model.books().worker.uss;
    assert!((all / 1.28e9 - 1.0).abs() < 0.001, "{all}");
    // The list's pointers stay shared: 8 MB divided by nine.
    let pointers = model.books().worker.pss - model.books().worker.uss;
    assert!((pointers - 8e6 / 9.0).abs() < 1.0, "{pointers}");
}

#[test]
fn drawn_pages_agree_with_the_expectation() {
    for (size, object_bytes) in SIZES.into_iter().enumerate() {
        for (page, page_bytes) in PAGES.into_iter().enumerate() {
            for share in 0..SHARES.len() {
                let model = ForkCow { size, page, share, workers: 3, ..ForkCow::default() };
                let cells = (0..8).flat_map(|w| (0..COLUMNS).map(move |c| (w, c)));
                let copied = cells.filter(|&(w, c)| model.cell(w, c).copied).count() as f64;
                let q = model.copied_pages() / model.pages() as f64;
                // Where only some pages have headers, evenly spaced pages need not hit their share.
                if object_bytes <= page_bytes {
                    let spread = 4.5 * (128.0 * q * (1.0 - q)).sqrt() + 1.0;
                    assert!((copied - 128.0 * q).abs() <= spread, "{size} {page} {share}: {copied}, {q}");
                }
            }
        }
    }
}

#[test]
fn sharers_are_the_parent_and_those_without_a_copy() {
    let fresh = ForkCow { share: 0, ..ForkCow::default() };
    assert!((0..COLUMNS).all(|c| fresh.sharers(c) == 5));
    let done = seen_all(Storage::List, Deed::ReadShuffled);
    assert!((0..COLUMNS).all(|c| done.sharers(c) == 1));
}

#[test]
fn links_reproduce_the_state_and_survive_nonsense() {
    let state =
        ForkCow { deed: Deed::Collect, storage: Storage::Numpy, size: 3, page: 2, ..ForkCow::default() };
    assert_eq!(ForkCow::from_query(&state.to_query()), state);
    let hash = "#fig-fork-cow?do=9&store=x&size=99&base=-1&workers=7&share=1e9&page=400";
    let query = Query::from_hash("fork-cow", hash).unwrap_or_default();
    assert_eq!(ForkCow::from_query(&query), ForkCow::default());
}
