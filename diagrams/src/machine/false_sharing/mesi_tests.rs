use super::*;
use State::{Exclusive as E, Invalid as I, Modified as M, Shared as S};

#[test]
fn every_own_transition() {
    let (read, add) = (Action::Read, Action::Add);
    // (state, action, other has a copy) -> (message, next); the text-book table, all of it.
    let table = [
        (M, read, false, None, M),
        (M, read, true, None, M),
        (E, read, false, None, E),
        (E, read, true, None, E),
        (S, read, false, None, S),
        (S, read, true, None, S),
        (I, read, false, Some(Message::BusRd), E),
        (I, read, true, Some(Message::BusRd), S),
        (M, add, false, None, M),
        (M, add, true, None, M),
        (E, add, false, None, M),
        (E, add, true, None, M),
        (S, add, false, Some(Message::BusUpgr), M),
        (S, add, true, Some(Message::BusUpgr), M),
        (I, add, false, Some(Message::BusRdX), M),
        (I, add, true, Some(Message::BusRdX), M),
    ];
    let all: std::collections::HashSet<_> = table.iter().map(|t| (t.0, t.1, t.2)).collect();
    assert_eq!(all.len(), 16, "a row is missing");
    for (state, action, other, message, next) in table {
        assert_eq!(own(state, action, other), (message, next), "{state:?} {action:?} {other}");
    }
}

#[test]
fn every_snooped_transition() {
    let (rd, rdx, upgr) = (Message::BusRd, Message::BusRdX, Message::BusUpgr);
    let table = [
        (M, rd, S, true, true),
        (E, rd, S, true, false),
        (S, rd, S, true, false),
        (I, rd, I, false, false),
        (M, rdx, I, true, false),
        (E, rdx, I, true, false),
        (S, rdx, I, true, false),
        (I, rdx, I, false, false),
        (M, upgr, I, false, false),
        (E, upgr, I, false, false),
        (S, upgr, I, false, false),
        (I, upgr, I, false, false),
    ];
    let all: std::collections::HashSet<_> = table.iter().map(|t| (t.0, t.1)).collect();
    assert_eq!(all.len(), 12, "a row is missing");
    for (state, message, next, supplies, writes_back) in table {
        assert_eq!(snoop(state, message), Answer { next, supplies, writes_back }, "{state:?} {message:?}");
    }
}

/// Numbers without a pattern, the same at each run.
fn random(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

#[test]
fn random_walks_keep_the_invariants_and_the_values() {
    for start in 0..50 {
        let mut seed = start;
        let mut line = Line::default();
        let mut truth = [0u32; SLOTS];
        for _ in 0..400 {
            let (who, slot) = (random(&mut seed) % 2, random(&mut seed) % SLOTS);
            let action = if random(&mut seed).is_multiple_of(3) { Action::Add } else { Action::Read };
            let (value, access) = line.access(who, action, slot);
            truth[slot] += u32::from(action == Action::Add);
            assert_eq!(value, truth[slot], "core {who} sees an old value");
            let [a, b] = line.states();
            assert!(!(a.writable() && b.readable() || b.writable() && a.readable()), "{a:?} beside {b:?}");
            for cache in 0..2 {
                if line.states()[cache].readable() {
                    assert_eq!(line.words(cache), &truth, "copy of cache {cache} is old");
                }
                if matches!(line.states()[cache], E | S) {
                    assert_eq!(line.memory(), &truth, "clean, but memory is old");
                }
            }
            assert!(!access.invalidated || access.message.is_some(), "invalidated without a message");
        }
    }
}
