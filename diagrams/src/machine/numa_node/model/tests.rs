use super::super::chassis::Code;
use super::*;

fn codes(cabling: Cabling) -> Vec<String> {
    let chassis = Chassis::new(cabling);
    let row = |gpu| {
        let code = |nic| chassis.code(chassis.device(Kind::Gpu, gpu), chassis.device(Kind::Nic, nic)).text();
        (0..chassis.count(Kind::Nic)).map(code).collect::<Vec<_>>().join(" ")
    };
    (0..GPUS).map(row).collect()
}

/// GPUs in pairs, as most boxes repeat each row.
fn pairs(rows: [&str; 4]) -> Vec<String> {
    rows.into_iter().flat_map(|row| [row.to_owned(), row.to_owned()]).collect()
}

#[test]
fn every_pair_of_a_healthy_box_has_the_code_of_the_published_picture() {
    let want = pairs(["PIX NODE SYS SYS", "NODE PIX SYS SYS", "SYS SYS PIX NODE", "SYS SYS NODE PIX"]);
    assert_eq!(codes(Cabling::Healthy), want);
}

#[test]
fn a_nic_below_the_wrong_switch_is_far_from_its_own_gpus_and_near_others() {
    let want = pairs(["PIX NODE PIX SYS", "NODE PIX NODE SYS", "SYS SYS SYS NODE", "SYS SYS SYS PIX"]);
    assert_eq!(codes(Cabling::Badly), want);
}

#[test]
fn rails_have_pix_to_their_own_and_pxb_to_the_neighbour() {
    let rows = codes(Cabling::EightRails);
    assert_eq!(rows[0], "PIX PXB NODE NODE SYS SYS SYS SYS");
    assert_eq!(rows[5], "SYS SYS SYS SYS PXB PIX NODE NODE");
}

#[test]
fn without_switches_the_nearest_is_a_host_bridge_away() {
    let want = pairs(["PHB NODE SYS SYS", "NODE PHB SYS SYS", "SYS SYS PHB NODE", "SYS SYS NODE PHB"]);
    assert_eq!(codes(Cabling::NoSwitches), want);
}

#[test]
fn gpudirect_is_on_up_to_the_level_and_node_counts_as_phb() {
    use Code::*;
    let on = |level: GdrLevel| [Pix, Pxb, Phb, Node, Sys].map(|code| u8::from(level.allows(code)));
    assert_eq!(on(GdrLevel::Loc), [0, 0, 0, 0, 0]);
    assert_eq!(on(GdrLevel::Pix), [1, 0, 0, 0, 0]);
    assert_eq!(on(GdrLevel::Pxb), [1, 1, 0, 0, 0]);
    assert_eq!(on(GdrLevel::Phb), [1, 1, 1, 1, 0]);
    assert_eq!(on(GdrLevel::Sys), [1, 1, 1, 1, 1]);
}

fn gb(state: NumaNode) -> f64 {
    state.verdict(&state.chassis()).bytes_per_s / 1e9
}

fn close(got: f64, want: f64) {
    assert!((got - want).abs() < 0.01, "got {got}, want {want}");
}

#[test]
fn a_pair_alone_gets_the_narrowest_hop() {
    let base = NumaNode::default();
    close(gb(base), 50.0);
    // Level LOC stages in DRAM, and two passes of 50 fit into 307.
    close(gb(NumaNode { level: GdrLevel::Loc, ..base }), 50.0);
    let far = NumaNode { cabling: Cabling::Badly, gpu: 4, nic: 2, ..base };
    close(gb(far), 22.0);
    close(gb(NumaNode { link: SocketLink::Measured, ..far }), 50.0);
}

#[test]
fn two_ranks_on_one_nic_both_see_pix_and_get_half() {
    let all = NumaNode { others: Others::OwnNic, ..NumaNode::default() };
    for gpu in 0..GPUS {
        let state = NumaNode { gpu, nic: gpu / 2, ..all };
        let now = state.verdict(&state.chassis());
        assert_eq!((now.code, now.direct), (Code::Pix, true));
        close(now.bytes_per_s / 1e9, 25.0);
    }
    for gpu in 0..GPUS {
        close(gb(NumaNode { cabling: Cabling::EightRails, gpu, nic: gpu, ..all }), 50.0);
    }
}

/// The self-check's slow node: GPU 4 is SYS to its NIC, stages in DRAM and shares the socket link.
#[test]
fn a_far_nic_halves_its_ranks_and_leaves_the_others_alone() {
    let bad =
        NumaNode { cabling: Cabling::Badly, others: Others::OwnNic, gpu: 4, nic: 2, ..NumaNode::default() };
    let now = bad.verdict(&bad.chassis());
    assert_eq!((now.code, now.direct, now.limit), (Code::Sys, false, Limit::Sockets(1)));
    close(now.bytes_per_s / 1e9, 11.0);
    close(now.sockets_used, 1.0);
    close(gb(NumaNode { gpu: 0, nic: 0, ..bad }), 25.0);
    assert_eq!(log_suffix(2, now.direct), "via NET/IB/2");
    assert_eq!(log_suffix(0, true), "via NET/IB/0/GDRDMA");
}

#[test]
fn eight_ranks_on_one_nic_share_its_cable_as_far_as_the_sockets_allow() {
    let all = NumaNode { others: Others::PickedNic, ..NumaNode::default() };
    close(gb(NumaNode { gpu: 4, ..all }), 5.5);
    close(gb(NumaNode { gpu: 1, ..all }), (50.0 - 4.0 * 5.5) / 4.0);
}

#[test]
fn ranks_that_may_choose_avoid_a_far_nic() {
    let chassis = Chassis::new(Cabling::Badly);
    let chosen: Vec<u8> = (0..GPUS).map(|gpu| nearest(&chassis, gpu)).collect();
    assert_eq!(chosen, [0, 2, 1, 1, 3, 3, 3, 3]);
}

#[test]
fn each_hidden_fault_shows_in_the_codes_and_only_the_right_guess_solves_it() {
    for fault in 0..FAULTS.len() as u8 {
        let puzzle = NumaNode { cabling: Cabling::Hidden(fault), ..NumaNode::default() };
        let chassis = puzzle.chassis();
        let wrong: Vec<u8> = (0..4)
            .filter(|&nic| {
                let code = |gpu| chassis.code(chassis.device(Kind::Gpu, gpu), chassis.device(Kind::Nic, nic));
                code(2 * nic) != Code::Pix
            })
            .collect();
        assert_eq!(wrong.len(), 1);
        for nic in 0..4 {
            let state = NumaNode { accused: Some(nic), ..puzzle };
            assert_eq!(state.solved(), Some(nic == wrong[0]));
            assert_eq!(state.hides_wiring(), nic != wrong[0]);
        }
    }
}

#[test]
fn a_link_restores_the_state_and_nonsense_is_ignored() {
    for preset in NumaNode::presets() {
        assert_eq!(NumaNode::from_query(&preset.state.to_query()), preset.state, "{}", preset.name);
    }
    let odd = NumaNode {
        accused: Some(3),
        cabling: Cabling::Hidden(3),
        link: SocketLink::Measured,
        ..NumaNode::default()
    };
    assert_eq!(NumaNode::from_query(&odd.to_query()), odd);
    let hash = "#fig-numa-node?box=x&gpu=8&nic=-1&level=NODE&others=all&sockets=NaN&accused=9";
    let state = Query::from_hash("numa-node", hash).map(|q| NumaNode::from_query(&q));
    assert_eq!(state, Some(NumaNode::default()));
}

#[test]
fn the_table_is_symmetric_and_square() {
    let table = NumaNode::default().table();
    assert_eq!((table.columns.len(), table.rows.len()), (14, 12));
    for i in 0..12 {
        for j in 0..12 {
            assert_eq!(table.rows[i][j + 1], table.rows[j][i + 1]);
        }
    }
}
