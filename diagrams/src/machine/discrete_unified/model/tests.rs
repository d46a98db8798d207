use super::*;

fn gb_per_s(id: MachineId, transfer: Transfer, mode: Mode) -> f64 {
    1e9 / Route::of(id, transfer).total_ns(1.0, mode) / 1e9
}

fn close(got: f64, want: f64) {
    assert!((got / want - 1.0).abs() < 0.005, "got {got}, want {want}");
}

#[test]
fn the_slowest_wire_of_every_transfer_is_the_published_one() {
    use MachineId::*;
    use Transfer::*;
    let cases = [
        (Rtx4090, DiskToGpu, "NVMe drive", 7.0),
        (Rtx4090, CpuToGpu, "PCIe 4.0 x16 of GPU 0", 31.5),
        (Rtx4090, GpuToGpu, "PCIe 4.0 x16 of GPU 0", 31.5),
        (HgxH200, DiskToGpu, "NVMe drive", 7.0),
        (HgxH200, CpuToGpu, "PCIe 5.0 x16 of GPU 0", 63.0),
        (HgxH200, GpuToGpu, "NVLink 4 through NVSwitch", 450.0),
        (Spark, DiskToGpu, "NVMe drive", 7.0),
        (Spark, CpuToGpu, "LPDDR5X pool", 136.5),
        (Spark, GpuToGpu, "200 Gb/s cable", 25.0),
        (Gb200, DiskToGpu, "NVMe drive", 7.0),
        (Gb200, CpuToGpu, "NVLink-C2C of GPU 0", 223.6),
        (Gb200, GpuToGpu, "NVLink 5 through a switch", 900.0),
    ];
    for (id, transfer, name, gb) in cases {
        for mode in [Mode::StoreAndForward, Mode::Pipelined] {
            let limit = Route::of(id, transfer).bottleneck(mode).expect("crosses wires");
            assert_eq!(limit.wire.name, name, "{id:?} {transfer:?}");
            close(limit.bytes_per_s() / 1e9, gb);
        }
    }
}

/// The copy of a Spark stays below half its memory rate and well above a 4090's link; what Azure measured
/// on GB200 (201 GB/s) and nvbandwidth on an H200 (54.7) lies below the wire the model names.
#[test]
fn measured_copies_stay_below_the_wire_that_limits_them() {
    let cpu = |id| gb_per_s(id, Transfer::CpuToGpu, Mode::Pipelined);
    close(cpu(MachineId::Spark), 273.0 / 2.0);
    assert!(54.7 < cpu(MachineId::HgxH200) && 54.7 > 0.8 * cpu(MachineId::HgxH200));
    assert!(201.0 < cpu(MachineId::Gb200) && 201.0 > 0.8 * cpu(MachineId::Gb200));
    assert!(20.2 < cpu(MachineId::Rtx4090));
}

#[test]
fn gpus_without_a_peer_path_cross_pcie_twice() {
    let route = Route::of(MachineId::Rtx4090, Transfer::GpuToGpu);
    assert_eq!(route.slowest_wires(Mode::StoreAndForward).len(), 2);
    let pcie = route.loads(&route.hops).iter().filter(|l| l.wire.name.starts_with("PCIe")).count();
    assert_eq!((pcie, route.dram_passes(), route.hops.len()), (2, 2, 2));
    close(gb_per_s(MachineId::Rtx4090, Transfer::GpuToGpu, Mode::StoreAndForward), 31.5 / 2.0);
    close(gb_per_s(MachineId::Rtx4090, Transfer::GpuToGpu, Mode::Pipelined), 31.5);
}

#[test]
fn host_dram_is_passed_as_often_as_the_mechanism_says() {
    use MachineId::*;
    let passes = |id, transfer| Route::of(id, transfer).dram_passes();
    assert_eq!([Rtx4090, HgxH200, Spark, Gb200].map(|m| passes(m, Transfer::CpuToGpu)), [1, 1, 2, 1]);
    assert_eq!([Rtx4090, HgxH200, Spark, Gb200].map(|m| passes(m, Transfer::DiskToGpu)), [2, 2, 3, 2]);
    assert_eq!([Rtx4090, HgxH200, Spark, Gb200].map(|m| passes(m, Transfer::GpuToGpu)), [2, 0, 6, 0]);
}

#[test]
fn every_step_of_every_route_is_a_wire_of_its_machine() {
    for id in LEFT.into_iter().chain(RIGHT) {
        for transfer in Transfer::ALL {
            let route = Route::of(id, transfer);
            for pair in route.hops.iter().flat_map(|hop| hop.places.windows(2)) {
                assert!(route.wire(pair[0], pair[1]).is_some(), "{id:?} {transfer:?} {pair:?}");
            }
        }
    }
}

#[test]
fn a_link_restores_the_state_and_nonsense_is_ignored() {
    for preset in DiscreteUnified::presets() {
        assert_eq!(DiscreteUnified::from_query(&preset.state.to_query()), preset.state, "{}", preset.name);
    }
    let hash = "#fig-discrete-unified?left=spark&right=cray&move=moon&size=999&pipelined=maybe";
    let state = Query::from_hash("discrete-unified", hash).map(|q| DiscreteUnified::from_query(&q));
    assert_eq!(state, Some(DiscreteUnified::default()));
}

#[test]
fn the_sentence_names_both_limits() {
    let text = DiscreteUnified::default().sentence().replace('\u{a0}', " ");
    assert!(text.contains("PCIe 4.0 x16 of GPU 0, 31.5 GB/s)"), "{text}");
    assert!(text.contains("LPDDR5X pool, 273 GB/s shared by 2 passes, so 137 GB/s)"), "{text}");
}
