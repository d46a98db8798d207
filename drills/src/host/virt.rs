//! What stands between this process and the hardware: hypervisor, sandbox, container.

use super::cpus::cpuinfo_values;
use super::root::Root;

/// Hypervisor or sandbox; absent on bare metal.
pub fn virtualisation(root: &Root) -> Option<String> {
    let name = if is_gvisor(root) {
        "gVisor"
    } else if is_wsl2(root) {
        "WSL2"
    } else if is_firecracker(root) {
        "Firecracker"
    } else {
        return by_vendor(root).or_else(|| {
            has_hypervisor_flag(root).then(|| by_cpuid(root).unwrap_or("unnamed hypervisor").to_owned())
        });
    };
    Some(name.to_owned())
}

/// Container runtime; absent outside a container.
pub fn container(root: &Root) -> Option<String> {
    let groups = root.read("proc/self/cgroup").unwrap_or_default();
    let set = |name: &str| root.is_live() && std::env::var_os(name).is_some();
    let name = if set("KUBERNETES_SERVICE_HOST")
        || root.exists("var/run/secrets/kubernetes.io")
        || groups.contains("kubepods")
    {
        "Kubernetes"
    } else if root.exists("run/.containerenv") || groups.contains("libpod") {
        "Podman"
    } else if root.exists(".dockerenv") || groups.contains("docker") {
        "Docker"
    } else if set("APPTAINER_CONTAINER") || set("SINGULARITY_CONTAINER") || root.exists(".singularity.d") {
        "Apptainer"
    } else if groups.contains("/lxc") {
        "LXC"
    } else {
        // What systemd or the runtime wrote down, such as "lxc" or "systemd-nspawn".
        return root.line("run/systemd/container").filter(|name| !name.is_empty());
    };
    Some(name.to_owned())
}

/// gVisor claims to be Linux 4.4.0 of one fixed build, and has no nodes in /sys.
fn is_gvisor(root: &Root) -> bool {
    let version = root.read("proc/version").unwrap_or_default();
    version.contains("gVisor")
        || (version.starts_with("Linux version 4.4.0 ") && !root.exists("sys/devices/system/node"))
}

fn is_wsl2(root: &Root) -> bool {
    let release = root.read("proc/sys/kernel/osrelease").unwrap_or_default().to_lowercase();
    release.contains("microsoft") || root.exists("dev/dxg")
}

/// Firecracker signs its ACPI tables "FIRECK" (readable by root only). Without them: a hypervisor with
/// no DMI, and either its clock and generation devices or disks and NICs announced on the command line.
fn is_firecracker(root: &Root) -> bool {
    let signed = ["DSDT", "FACP"].iter().any(|table| {
        root.read(&format!("sys/firmware/acpi/tables/{table}")).is_some_and(|text| text.contains("FIRECK"))
    });
    let hidden = !root.exists("sys/class/dmi/id/sys_vendor") && has_hypervisor_flag(root);
    let command_line = root.read("proc/cmdline").unwrap_or_default();
    signed
        || (hidden
            && (command_line.contains("virtio_mmio.device=")
                || root.exists("sys/bus/acpi/devices/VMGENCTR:00")))
}

fn has_hypervisor_flag(root: &Root) -> bool {
    let flags = cpuinfo_values(root, "flags");
    flags.first().is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"))
}

/// Firmware strings that hypervisors and clouds put into DMI.
fn by_vendor(root: &Root) -> Option<String> {
    const VENDORS: [(&str, &str); 10] = [
        ("QEMU", "KVM"),
        ("KVM", "KVM"),
        ("OpenStack", "KVM"),
        ("Google Compute Engine", "KVM"),
        ("VMware", "VMware"),
        ("VirtualBox", "VirtualBox"),
        ("Virtual Machine", "Hyper-V"),
        ("Xen", "Xen"),
        ("Parallels", "Parallels"),
        ("Alibaba Cloud ECS", "KVM"),
    ];
    if root.read("sys/hypervisor/type").is_some_and(|kind| kind == "xen") {
        return Some("Xen".into());
    }
    let dmi = ["sys_vendor", "product_name", "bios_vendor"]
        .map(|file| root.read(&format!("sys/class/dmi/id/{file}")).unwrap_or_default())
        .join("\n");
    // A Nitro instance on bare metal has the same vendor as a virtual one; only the flag tells.
    if dmi.contains("Amazon EC2") && has_hypervisor_flag(root) {
        return Some("KVM (Nitro)".into());
    }
    VENDORS.iter().find(|(text, _)| dmi.contains(text)).map(|(_, name)| (*name).to_owned())
}

/// The signature in CPUID leaf 0x4000_0000, or the clock that the guest chose.
fn by_cpuid(root: &Root) -> Option<&'static str> {
    let clock = root.read("sys/devices/system/clocksource/clocksource0/available_clocksource");
    let clock = clock.unwrap_or_default();
    if clock.contains("kvm-clock") {
        return Some("KVM");
    }
    if clock.contains("hyperv") {
        return Some("Hyper-V");
    }
    #[cfg(target_arch = "x86_64")]
    if root.is_live() {
        let leaf = std::arch::x86_64::__cpuid(0x4000_0000);
        let signature: Vec<u8> =
            [leaf.ebx, leaf.ecx, leaf.edx].iter().flat_map(|r| r.to_le_bytes()).collect();
        return match signature.as_slice() {
            b"KVMKVMKVM\0\0\0" => Some("KVM"),
            b"Microsoft Hv" => Some("Hyper-V"),
            b"VMwareVMware" => Some("VMware"),
            b"XenVMMXenVMM" => Some("Xen"),
            _ => None,
        };
    }
    None
}
