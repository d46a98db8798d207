//! The document without its measurements and its wiring.

use super::{Fields, Node, Read};
use crate::{Environment, Machine, Provenance, Report, Schema, Tool};

/// The fields of a document whose `schema` is read already.
pub(crate) fn report(mut fields: Fields<'_>, schema: Schema) -> Report {
    Report {
        schema,
        tool: fields.need("tool"),
        taken_at: fields.need("taken_at"),
        label: fields.need("label"),
        provenance: fields.or_default("provenance"),
        source: fields.optional("source"),
        machine: fields.need("machine"),
        environment: fields.or_default("environment"),
        measurements: fields.need("measurements"),
        unknown: fields.unknown(),
    }
}

impl Read for Schema {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self { name: fields.need("name"), version: fields.need("version") }
    }
}

impl Read for Tool {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self { name: fields.need("name"), version: fields.need("version") }
    }
}

impl Read for Provenance {
    fn read(node: Node<'_>) -> Self {
        node.one_of(&[
            ("measured", Self::Measured),
            ("reported", Self::Reported),
            ("expected", Self::Expected),
        ])
    }
}

impl Read for Machine {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self {
            class: fields.or_default("class"),
            arch: fields.or_default("arch"),
            kernel: fields.or_default("kernel"),
            os: fields.or_default("os"),
            cpu_model: fields.or_default("cpu_model"),
            page_bytes: fields.or_default("page_bytes"),
            memory_bytes: fields.or_default("memory_bytes"),
            host: fields.optional("host"),
            nvidia_driver: fields.optional("nvidia_driver"),
            topology: fields.optional("topology"),
            unknown: fields.unknown(),
        }
    }
}

impl Read for Environment {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self {
            virtualisation: fields.optional("virtualisation"),
            container: fields.optional("container"),
            allowed_cpus: fields.or_default("allowed_cpus"),
            cpu_quota_cpus: fields.optional("cpu_quota_cpus"),
            memory_limit_bytes: fields.optional("memory_limit_bytes"),
            cpu_pressure_percent_before: fields.optional("cpu_pressure_percent_before"),
            cpu_pressure_percent_after: fields.optional("cpu_pressure_percent_after"),
            load_1min_before: fields.optional("load_1min_before"),
            steal_fraction: fields.optional("steal_fraction"),
            warnings: fields.or_default("warnings"),
            unknown: fields.unknown(),
        }
    }
}
