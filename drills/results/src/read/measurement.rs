//! One measurement.

use std::collections::BTreeMap;

use super::{Node, Read};
use crate::json::Json;
use crate::{Bin, Histogram, Measurement, Param, Point, Reason, Series, Stats, Status, Unit};

impl Read for Measurement {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self {
            key: fields.need("key"),
            unit: fields.need("unit"),
            status: fields.need("status"),
            reason: fields.optional("reason"),
            value: fields.optional("value"),
            stats: fields.optional("stats"),
            series: fields.optional("series"),
            histogram: fields.optional("histogram"),
            params: fields.or_default("params"),
            method: fields.need("method"),
            verified: fields.optional("verified"),
            unknown: fields.unknown(),
        }
    }
}

impl Read for Unit {
    fn read(node: Node<'_>) -> Self {
        node.one_of(&[
            ("ns", Self::Ns),
            ("ns_per_gib", Self::NsPerGib),
            ("bytes_per_s", Self::BytesPerS),
            ("bytes", Self::Bytes),
            ("count", Self::Count),
            ("ratio", Self::Ratio),
            ("gt_per_s", Self::GtPerS),
        ])
    }
}

impl Read for Status {
    fn read(node: Node<'_>) -> Self {
        node.one_of(&[
            ("ok", Self::Ok),
            ("unstable", Self::Unstable),
            ("skipped", Self::Skipped),
            ("failed", Self::Failed),
            ("interrupted", Self::Interrupted),
        ])
    }
}

impl Read for Reason {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self { code: fields.need("code"), text: fields.need("text"), fix: fields.or_default("fix") }
    }
}

impl Read for Stats {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self {
            n: fields.need("n"),
            min: fields.need("min"),
            p50: fields.need("p50"),
            p90: fields.need("p90"),
            p99: fields.need("p99"),
            max: fields.need("max"),
            mad: fields.need("mad"),
        }
    }
}

impl Read for Series {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self { x: fields.need("x"), x_unit: fields.need("x_unit"), points: fields.need("points") }
    }
}

impl Read for Point {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self { x: fields.need("x"), y: fields.need("y"), range: fields.optional("range") }
    }
}

impl Read for Histogram {
    fn read(node: Node<'_>) -> Self {
        Self { bins: node.fields().need("bins") }
    }
}

impl Read for Bin {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        Self { upto: fields.need("upto"), count: fields.need("count") }
    }
}

impl Read for BTreeMap<String, Param> {
    fn read(node: Node<'_>) -> Self {
        let mut fields = node.fields();
        let mut params = Self::new();
        for (name, json) in std::mem::take(&mut fields.fields) {
            let value = fields.read(&name, json);
            params.insert(name, value);
        }
        params
    }
}

impl Read for Param {
    fn read(node: Node<'_>) -> Self {
        match node.json {
            Json::Flag(flag) => Self::Flag(flag),
            Json::Text(text) => Self::Text(text),
            json @ (Json::Whole(_) | Json::Negative(_) | Json::Fraction(_)) => {
                Self::Number(f64::read(Node::new(json, node.trail)))
            }
            json => {
                Node::new(json, node.trail).refuse("a number, a text, true or false");
                Self::Flag(false)
            }
        }
    }
}
