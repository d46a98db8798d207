//! Ranks as threads that meet over the loop.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::*;

const SOON: Duration = Duration::from_secs(10);

fn seat(rank: u32, ranks: u32, meeting: &Meeting) -> Seat {
    Seat { rank, ranks, local: None, launcher: "srun".into(), meeting: meeting.clone() }
}

/// A port that was free a moment ago.
fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").to_string()
}

/// All ranks meet, rank 0 tells a number, each answers with its rank more.
fn work_together(meeting: &Meeting, ranks: u32) {
    let work = |rank: u32| {
        let mut team = meet(&seat(rank, ranks, meeting), SOON, SOON).expect("a team");
        assert_eq!(team.leads(), rank == 0);
        let told = team.tell(|| 100).expect("everybody hears");
        let all = team.gather(told + rank).expect("everybody answers");
        let wanted: Vec<u32> =
            if rank == 0 { (0..ranks).map(|rank| 100 + rank).collect() } else { Vec::new() };
        assert_eq!(all, wanted);
    };
    std::thread::scope(|scope| {
        // The last rank first, so that it has to wait for rank 0.
        for rank in (0..ranks).rev() {
            scope.spawn(move || work(rank));
        }
    });
}

#[test]
fn ranks_meet_at_an_address() {
    work_together(&Meeting::Address(free_address()), 4);
}

#[test]
fn ranks_meet_through_a_file_which_is_gone_afterwards() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("meet");
    // Left behind by a run that was killed, with an address where nobody listens.
    let old = Notice { magic: MAGIC.into(), token: "old".into(), addresses: vec![free_address()] };
    std::fs::write(&path, serde_json::to_string(&old).expect("JSON")).expect("written");
    work_together(&Meeting::File(path.clone()), 3);
    assert!(!path.exists());
}

#[test]
fn strangers_and_doubles_are_sent_away() {
    let address = free_address();
    let meeting = Meeting::Address(address.clone());
    std::thread::scope(|scope| {
        let lead = scope.spawn(|| meet(&seat(0, 3, &meeting), SOON, SOON));
        let stranger = || {
            let mut stream = loop {
                match TcpStream::connect(&address) {
                    Ok(stream) => break stream,
                    Err(_) => std::thread::sleep(TICK),
                }
            };
            stream.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("sent");
            let mut heard = String::new();
            // Closed without a word, or reset since not all of it was read.
            let _ = stream.read_to_string(&mut heard);
            assert_eq!(heard, "");
        };
        stranger();
        let member = |rank, ranks| meet(&seat(rank, ranks, &meeting), SOON, SOON);
        let first = member(1, 3).expect("a team");
        let refused = |rank, ranks| match member(rank, ranks) {
            Err(TeamError::Refused(why)) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(1, 3), "rank 1 is there already");
        assert_eq!(refused(2, 4), "it counts 4 ranks and rank 0 counts 3");
        assert_eq!(refused(3, 3), "there is no place for a rank 3");
        let second = member(2, 3).expect("a team");
        let team = lead.join().expect("no panic").expect("a team");
        let Team::Lead(lines) = team else { panic!("rank 0 leads") };
        assert_eq!(lines.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2]);
        drop((first, second));
    });
}

#[test]
fn nobody_waits_for_ever() {
    let meeting = Meeting::Address(free_address());
    let short = Duration::from_millis(200);
    let alone = meet(&seat(0, 2, &meeting), short, SOON).expect_err("nobody came");
    assert!(matches!(alone, TeamError::Missing { came: 1, ranks: 2, .. }), "{alone}");
    let lost = meet(&seat(1, 2, &meeting), short, SOON).expect_err("nobody listens");
    assert!(matches!(lost, TeamError::NoLead { .. }), "{lost}");
    let nowhere = Meeting::File("/no/such/folder/meet".into());
    assert!(matches!(meet(&seat(0, 2, &nowhere), short, SOON), Err(TeamError::Place { .. })));
}

#[test]
fn a_rank_that_leaves_is_noticed() {
    let meeting = Meeting::Address(free_address());
    std::thread::scope(|scope| {
        let member = scope.spawn(|| drop(meet(&seat(1, 2, &meeting), SOON, SOON).expect("a team")));
        let mut team = meet(&seat(0, 2, &meeting), SOON, SOON).expect("a team");
        member.join().expect("no panic");
        assert!(matches!(team.gather(1u32), Err(TeamError::Left { rank: 1, .. })));
    });
}
