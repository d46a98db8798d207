//! The wiring.

use super::{Node, Read};
use crate::topology::{
    Cache, CoreKind, DeviceClass, Distance, Link, NodeClass, NumaNode, PathCode, PciDevice, Topology,
};

impl Read for Topology {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self {
            cpus: fields.or_default("cpus"),
            cores: fields.optional("cores"),
            packages: fields.optional("packages"),
            core_kinds: fields.or_default("core_kinds"),
            caches: fields.or_default("caches"),
            nodes: fields.or_default("nodes"),
            devices: fields.or_default("devices"),
            distances: fields.or_default("distances"),
            unknown: fields.unknown(),
        }
    }
}

impl Read for CoreKind {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self { name: fields.need("name"), cpus: fields.need("cpus"), evidence: fields.need("evidence") }
    }
}

impl Read for Cache {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self {
            level: fields.need("level"),
            kind: fields.need("kind"),
            bytes: fields.need("bytes"),
            line_bytes: fields.optional("line_bytes"),
            shared_by: fields.need("shared_by"),
        }
    }
}

impl Read for NodeClass {
    fn read(node: Node<'_>) -> Self {
        node.one_of(&[
            ("cpu_and_memory", Self::CpuAndMemory),
            ("cpu_only", Self::CpuOnly),
            ("memory_only", Self::MemoryOnly),
            ("gpu", Self::Gpu),
            ("empty", Self::Empty),
        ])
    }
}

impl Read for NumaNode {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self {
            id: fields.need("id"),
            class: fields.need("class"),
            cpus: fields.need("cpus"),
            memory_bytes: fields.need("memory_bytes"),
            distances: fields.or_default("distances"),
            gpu: fields.optional("gpu"),
        }
    }
}

impl Read for DeviceClass {
    fn read(node: Node<'_>) -> Self {
        node.one_of(&[
            ("gpu", Self::Gpu),
            ("nic", Self::Nic),
            ("storage", Self::Storage),
            ("bridge", Self::Bridge),
            ("nv_switch", Self::NvSwitch),
        ])
    }
}

impl Read for PciDevice {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self {
            address: fields.need("address"),
            class: fields.need("class"),
            name: fields.need("name"),
            id: fields.need("id"),
            parents: fields.or_default("parents"),
            numa_node: fields.optional("numa_node"),
            local_cpus: fields.or_default("local_cpus"),
            link: fields.optional("link"),
            coherent: fields.or_default("coherent"),
            interfaces: fields.or_default("interfaces"),
            port_gbit_per_s: fields.optional("port_gbit_per_s"),
            unknown: fields.unknown(),
        }
    }
}

impl Read for Link {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self {
            gt_per_s: fields.need("gt_per_s"),
            width: fields.need("width"),
            max_gt_per_s: fields.need("max_gt_per_s"),
            max_width: fields.need("max_width"),
        }
    }
}

impl Read for PathCode {
    fn read(node: Node<'_>) -> Self {
        node.one_of(&[
            ("NV", Self::Nv),
            ("PIX", Self::Pix),
            ("PXB", Self::Pxb),
            ("PHB", Self::Phb),
            ("NODE", Self::Node),
            ("SYS", Self::Sys),
        ])
    }
}

impl Read for Distance {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self {
            from: fields.need("from"),
            to: fields.need("to"),
            code: fields.need("code"),
            nvlinks: fields.optional("nvlinks"),
        }
    }
}
