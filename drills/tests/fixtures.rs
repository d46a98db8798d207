//! What a user relies on, on machines of many shapes.

mod support;

use drills::host::{self, pressure};
use drills::machine::topo::{max_rate, narrowest};
use drills_results::topology::{DeviceClass, NodeClass, Topology};
use support::{Machine, caches, code, device, kinds};

const KIB: u64 = 1024;

fn classes(topology: &Topology) -> Vec<(u32, NodeClass)> {
    topology.nodes.iter().map(|node| (node.id, node.class)).collect()
}

fn count(topology: &Topology, class: DeviceClass) -> usize {
    topology.devices.iter().filter(|d| d.class == class).count()
}

#[test]
fn gb10_has_two_interleaved_kinds_and_a_gpu_that_is_not_graded_by_pcie() {
    let machine = Machine::load("gb10");
    let t = machine.topology();
    assert_eq!(
        kinds(&t),
        [("Cortex-X925", "5-9,15-19", "midr"), ("Cortex-A725", "0-4,10-14", "midr")],
        "ten X925 of unequal capacity are one kind, and the fast ones come first"
    );
    assert_eq!((t.cpus, t.cores, t.packages), (20, Some(20), Some(1)));
    assert_eq!(caches(&t, 3, "unified"), [(8192 * KIB, 1), (16384 * KIB, 1)]);
    assert_eq!(classes(&t), [(0, NodeClass::CpuAndMemory)]);

    let gpu = device(&t, "000f:01:00.0");
    assert_eq!((gpu.name.as_str(), gpu.coherent, gpu.link), ("NVIDIA GB10", true, None));
    assert_eq!(gpu.numa_node, None, "the kernel's -1 is not a node");
    assert_eq!(code(&t, "000f:01:00.0", "0000:01:00.0"), "NODE", "one node: nothing can cross sockets");

    let nic = device(&t, "0000:01:00.0");
    assert_eq!(nic.interfaces, ["rocep1s0f0", "enp1s0f0np0"]);
    assert_eq!(nic.port_gbit_per_s, Some(200.0));
    assert_eq!(device(&t, "0000:01:00.1").port_gbit_per_s, None, "a port that is down has no speed");
    assert_eq!(device(&t, "0004:01:00.0").name, "nvme0");

    let about = host::machine(&machine.root());
    assert_eq!((about.arch.as_str(), about.page_bytes), ("aarch64", 4096));
    assert_eq!(about.cpu_model, "Cortex-A725 + Cortex-X925");
}

#[test]
fn i9_has_p_and_e_cores_and_favoured_cores_are_no_kind() {
    let machine = Machine::load("i9_13900k_rtx4090");
    let t = machine.topology();
    assert_eq!(kinds(&t), [("P-core", "0-15", "pmu"), ("E-core", "16-31", "pmu")]);
    assert_eq!((t.cpus, t.cores, t.packages), (32, Some(24), Some(1)));
    assert_eq!(caches(&t, 2, "unified"), [(2048 * KIB, 8), (4096 * KIB, 4)]);
    assert_eq!(count(&t, DeviceClass::Gpu), 1, "the card's sound function is no GPU");

    let gpu = device(&t, "0000:01:00.0");
    let link = gpu.link.expect("a link");
    assert_eq!((link.gt_per_s, link.width, link.max_gt_per_s, link.max_width), (2.5, 16, 16.0, 16));
    assert_eq!(gpu.parents, ["0000:00:01.0"]);
    assert_eq!(code(&t, "0000:01:00.0", "0000:05:00.0"), "PHB");
    assert_eq!(device(&t, "0000:00:14.3").name, "wlx…", "a MAC address is no name");

    let about = host::machine(&machine.root());
    assert_eq!(about.nvidia_driver.as_deref(), Some("550.144.03"));
    assert_eq!(host::environment(&machine.root()).virtualisation, None);
}

#[test]
fn without_pmu_lists_the_frequencies_still_tell_the_kinds() {
    let machine = Machine::load("i9_13900k_rtx4090");
    std::fs::remove_dir_all(machine.path().join("sys/devices/cpu_core")).expect("removed");
    std::fs::remove_dir_all(machine.path().join("sys/devices/cpu_atom")).expect("removed");
    let t = machine.topology();
    assert_eq!(kinds(&t), [("big core", "0-15", "max-frequency"), ("small core", "16-31", "max-frequency")]);
}

#[test]
fn gh200_gpu_memory_is_a_node_of_its_own_and_placeholders_are_empty() {
    let machine = Machine::load("gh200");
    let t = machine.topology();
    let expected: Vec<(u32, NodeClass)> = [(0, NodeClass::CpuAndMemory), (1, NodeClass::Gpu)]
        .into_iter()
        .chain((2..=8).map(|id| (id, NodeClass::Empty)))
        .collect();
    assert_eq!(classes(&t), expected);
    assert_eq!(t.nodes[1].gpu.as_deref(), Some("0009:01:00.0"));
    assert_eq!(t.nodes[0].distances, [10, 80, 80, 80, 80, 80, 80, 80, 80]);
    assert_eq!(host::distance::cpu_nodes(&t), 1);
    assert_eq!(kinds(&t), [("core", "0-71", "single")]);

    let gpu = device(&t, "0009:01:00.0");
    assert_eq!((gpu.coherent, gpu.link), (true, None));
    assert_eq!(code(&t, "0009:01:00.0", "0000:01:00.0"), "NODE");

    let about = host::machine(&machine.root());
    assert_eq!((about.cpu_model.as_str(), about.page_bytes), ("Neoverse-V2", 65536));
    assert_eq!(about.nvidia_driver.as_deref(), Some("570.124.06"));
}

#[test]
fn gb200_tray_has_two_cpu_nodes_and_four_gpu_nodes() {
    let t = Machine::load("gb200_tray").topology();
    let gpu_nodes: Vec<(u32, &str)> =
        t.nodes.iter().filter_map(|node| Some((node.id, node.gpu.as_deref()?))).collect();
    assert_eq!(
        gpu_nodes,
        [(2, "0008:01:00.0"), (10, "0009:01:00.0"), (18, "0018:01:00.0"), (26, "0019:01:00.0")]
    );
    assert_eq!((host::distance::cpu_nodes(&t), t.packages), (2, Some(2)));
    assert_eq!(code(&t, "0008:01:00.0", "0009:01:00.0"), "NODE");
    assert_eq!(code(&t, "0008:01:00.0", "0018:01:00.0"), "SYS");
    assert_eq!(code(&t, "0018:01:00.0", "0010:03:00.0"), "NODE");
    assert!(t.devices.iter().filter(|d| d.class == DeviceClass::Gpu).all(|gpu| gpu.coherent));
}

#[test]
fn hgx_codes_follow_the_switches_and_show_the_badly_placed_nic() {
    let t = Machine::load("hgx_h200").topology();
    assert_eq!((t.cpus, t.cores, t.packages), (224, Some(112), Some(2)));
    assert_eq!(count(&t, DeviceClass::Gpu), 8, "the management controller's display is no GPU");
    assert_eq!(count(&t, DeviceClass::NvSwitch), 4);
    assert_eq!(count(&t, DeviceClass::Nic), 9, "a virtual function is not another NIC");

    let (gpu0, gpu1, gpu2, gpu7) = ("0000:18:00.0", "0000:1a:00.0", "0000:3a:00.0", "0000:bc:00.0");
    let (mlx5_0, mlx5_7, management) = ("0000:19:00.0", "0000:5a:00.0", "0000:03:00.0");
    assert_eq!(code(&t, gpu0, mlx5_0), "PIX");
    assert_eq!(code(&t, gpu0, gpu1), "PIX");
    assert_eq!(code(&t, gpu0, gpu2), "NODE");
    assert_eq!(code(&t, gpu0, gpu7), "SYS");
    assert_eq!(code(&t, gpu0, management), "NODE");
    assert_eq!(code(&t, gpu7, mlx5_7), "SYS", "its own GPU is on the other socket");
    let pairs = 8 * 7 / 2 + 8 * 9;
    assert_eq!(t.distances.len(), pairs, "each pair once");
    assert_eq!(device(&t, gpu7).local_cpus, "56-111,168-223");
    assert_eq!(device(&t, gpu0).parents, ["0000:17:00.0", "0000:16:00.0", "0000:15:01.0"]);
}

#[test]
fn hgx_narrowest_hop_is_the_switch_port_with_half_its_lanes() {
    let t = Machine::load("hgx_h200").topology();
    let (hop, link) = narrowest(&t, device(&t, "0000:9c:00.0"), max_rate).expect("a hop");
    assert_eq!((hop.address.as_str(), link.max_width), ("0000:99:02.0", 8));
    let (hop, link) = narrowest(&t, device(&t, "0000:9a:00.0"), max_rate).expect("a hop");
    assert_eq!((hop.address.as_str(), link.max_width), ("0000:9a:00.0", 16), "equal hops: the GPU's own");
}

#[test]
fn a_card_with_a_bridge_of_its_own_does_not_hide_a_narrow_slot() {
    let t = Machine::of(
        "sys/devices/system/cpu/online = 0\n\
         pci pci0000:00/0000:00:03.1 class=0x060400 id=1022:1483 node=-1 link=8x4/16x4\n\
         pci pci0000:00/0000:00:03.1/0000:2b:00.0 class=0x060400 id=1002:1478 node=-1 link=8x4/16x16\n\
         pci pci0000:00/0000:00:03.1/0000:2b:00.0/0000:2c:00.0 class=0x060400 id=1002:1479 node=-1 link=16x16/16x16\n\
         pci pci0000:00/0000:00:03.1/0000:2b:00.0/0000:2c:00.0/0000:2d:00.0 class=0x030000 id=1002:73bf node=-1 link=16x16/16x16\n",
    )
    .topology();
    let (hop, link) = narrowest(&t, device(&t, "0000:2d:00.0"), max_rate).expect("a hop");
    assert_eq!((hop.address.as_str(), link.max_width), ("0000:00:03.1", 4));
}

#[test]
fn two_switches_on_the_way_are_pxb() {
    let t = Machine::of(
        "pci pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:00.0/0000:03:00.0/0000:04:00.0/0000:05:00.0 class=0x030200 id=10de:20b0 node=0\n\
         pci pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:06:00.0 class=0x020000 id=15b3:101b node=0\n\
         pci pci0000:00/0000:00:02.0/0000:09:00.0 class=0x020000 id=15b3:101b node=0\n",
    )
    .topology();
    assert_eq!(code(&t, "0000:05:00.0", "0000:06:00.0"), "PXB");
    assert_eq!(code(&t, "0000:05:00.0", "0000:09:00.0"), "PHB");
}

#[test]
fn ultra_185h_low_power_cores_are_told_by_their_missing_l3() {
    let t = Machine::load("ultra_185h").topology();
    assert_eq!(
        kinds(&t),
        [("P-core", "0-11", "pmu"), ("E-core", "12-19", "pmu"), ("LP-E-core", "20-21", "pmu+l3")]
    );
    assert_eq!((t.cpus, t.cores), (22, Some(16)), "cores are counted by siblings, not multiplied");
}

#[test]
fn gvisor_is_told_and_only_what_is_there_is_reported() {
    let machine = Machine::load("gvisor");
    let t = machine.topology();
    assert_eq!(host::environment(&machine.root()).virtualisation.as_deref(), Some("gVisor"));
    assert_eq!((t.cpus, t.cores, t.packages), (8, None, None));
    assert!(t.caches.is_empty() && t.nodes.is_empty() && t.devices.is_empty());
    assert_eq!(kinds(&t), [("core", "0-7", "single")]);
    assert_eq!(pressure::read(&machine.root(), "cpu"), pressure::Pressure::Absent);
}

#[test]
fn firecracker_equal_capacities_are_one_kind_and_v1_limits_are_found() {
    let machine = Machine::load("firecracker");
    let t = machine.topology();
    let around = host::environment(&machine.root());
    assert_eq!(around.virtualisation.as_deref(), Some("Firecracker"));
    assert_eq!(kinds(&t), [("core", "0-1", "single")]);
    assert_eq!(around.cpu_pressure_percent_before, Some(12.5));
    assert_eq!(around.load_1min_before, Some(1.25));
    assert_eq!(around.memory_limit_bytes, Some(4 << 30), "the parent's limit counts");
    assert_eq!(around.cpu_quota_cpus, None, "-1 is no quota");
    let disk = device(&t, "0000:00:02.0");
    assert_eq!((disk.class, disk.name.as_str(), disk.link), (DeviceClass::Storage, "vda", None));
    assert_eq!(device(&t, "0000:00:03.0").name, "eth0");
}

#[test]
fn a_guest_without_l3_has_two_levels() {
    let machine = Machine::load("no_l3");
    let t = machine.topology();
    assert_eq!(caches(&t, 1, "data"), [(32 * KIB, 8)]);
    assert_eq!(caches(&t, 2, "unified"), [(4096 * KIB, 8)]);
    assert!(caches(&t, 3, "unified").is_empty());
    assert_eq!(t.packages, Some(2));
    assert_eq!(host::environment(&machine.root()).virtualisation.as_deref(), Some("KVM"));
}

#[test]
fn spr_hbm_nodes_hold_memory_only() {
    let t = Machine::load("spr_hbm").topology();
    let memory_only: Vec<u32> =
        t.nodes.iter().filter(|n| n.class == NodeClass::MemoryOnly).map(|n| n.id).collect();
    assert_eq!(memory_only, (8..16).collect::<Vec<_>>());
    assert_eq!(host::distance::cpu_nodes(&t), 8);
    assert_eq!(t.nodes[8].memory_bytes, 16 << 30);
}

#[test]
fn offline_cpu_0_and_node_0_are_no_trouble() {
    let machine = Machine::load("offline");
    let t = machine.topology();
    assert_eq!((t.cpus, t.cores), (7, Some(4)), "an offline sibling is not counted");
    assert_eq!(classes(&t), [(1, NodeClass::CpuAndMemory), (64, NodeClass::CpuOnly)]);
    assert_eq!(host::cpus::allowed(&machine.root()), [1, 2, 9], "allowed and online");
    assert_eq!(
        code(&t, "0000:01:00.0", "0000:81:00.0"),
        "none",
        "two nodes and nobody tells which: no code is better than a wrong one"
    );
}

#[test]
fn v2_limits_come_from_any_ancestor() {
    let around = host::environment(&Machine::load("cgroup_v2").root());
    assert_eq!(around.cpu_quota_cpus, Some(2.5));
    assert_eq!(around.memory_limit_bytes, Some(16 << 30));
    assert_eq!(around.allowed_cpus, "3-4", "the cpuset is narrower than the affinity");
    assert_eq!(around.container.as_deref(), Some("Kubernetes"));
}

#[test]
fn v1_limits_are_found_below_the_containers_own_mounts() {
    let around = host::environment(&Machine::load("cgroup_v1").root());
    assert_eq!(around.cpu_quota_cpus, Some(1.5));
    assert_eq!(around.memory_limit_bytes, Some(2 << 30));
    assert_eq!(around.allowed_cpus, "0-7");
    assert_eq!(around.container.as_deref(), Some("Docker"));
}

#[test]
fn more_than_1024_cpus_and_wsl2() {
    let machine = Machine::load("cpus_1280");
    assert_eq!(machine.topology().cpus, 1280);
    assert_eq!(host::cpus::allowed(&machine.root()), [100, 101, 102, 103, 1279]);
    let around = host::environment(&Machine::load("wsl2").root());
    assert_eq!(around.virtualisation.as_deref(), Some("WSL2"));
}

#[test]
fn a_root_full_of_nonsense_is_read_without_a_panic() {
    let machine = Machine::of(
        "sys/devices/system/cpu/online = 4-2,zzz,0-99999999999,1\n\
         sys/devices/system/cpu/cpu1/cache/index0/level = -3\n\
         sys/devices/system/cpu/cpu1/cache/index1/level = 2\n\
         sys/devices/system/cpu/cpu1/cache/index1/size = 99999999999999999999T\n\
         sys/devices/system/cpu/cpu1/cpu_capacity = nan\n\
         sys/devices/system/node/online = 0\n\
         sys/devices/system/node/node0/meminfo = Node 0 MemTotal: 18446744073709551615 kB\n\
         sys/devices/system/node/node0/distance = x 10 -1\n\
         sys/bus/pci/devices/not-an-address/class = 0x030000\n\
         sys/bus/pci/devices/0000:01:00.0/class = 0xzz\n\
         sys/bus/pci/devices/0000:02:00.0/class = 0x030000\n\
         sys/bus/pci/devices/0000:02:00.0/vendor = 0x10de\n\
         sys/bus/pci/devices/0000:02:00.0/current_link_speed = Unknown\n\
         sys/bus/pci/devices/0000:02:00.0/current_link_width = 255\n\
         sys/bus/pci/devices/0000:03:00.0 -> 0000:03:00.0\n\
         proc/self/cgroup = 0::/../../..\n\
         proc/self/mountinfo = 1 2 3 - cgroup2\n\
         proc/pressure/cpu = some avg10=inf\n\
         proc/stat = cpu 1 2\n\
         proc/meminfo = MemTotal: lots kB\n",
    );
    let t = machine.topology();
    assert_eq!(t.cpus, 1);
    assert_eq!(t.nodes.len(), 1);
    assert_eq!(t.nodes[0].memory_bytes, 0);
    assert_eq!(support::addresses(&t), ["0000:02:00.0"]);
    let around = host::environment(&machine.root());
    assert_eq!((around.cpu_quota_cpus, around.cpu_pressure_percent_before), (None, None));
    assert_eq!(host::machine(&machine.root()).memory_bytes, 0);
}
