//! A walk in words.

use super::machine::Machine;
use super::space::Region;
use super::walk::{Access, Finding, Outcome, Read, Walk};
use crate::kit::capital;
use crate::kit::units::bytes;

const COUNTS: [&str; 6] = ["No", "One", "Two", "Three", "Four", "Five"];

/// A small number at the head of a sentence.
pub fn count(number: usize) -> &'static str {
    COUNTS.get(number).copied().unwrap_or("Many")
}

/// "One read", "two reads".
fn reads(number: usize) -> String {
    format!("{} read{}", count(number), if number == 1 { "" } else { "s" })
}

/// What one read finds.
pub fn tell_read(machine: Machine, read: &Read) -> String {
    let level = machine.levels()[read.level];
    let found = match read.finding {
        Finding::Table(next) => format!("names the next table, {next:#x}"),
        Finding::Page { base, bytes: size } => format!("maps a page of {}, at {base:#x}", bytes(size as f64)),
        Finding::Nothing => "has no present bit: nothing is mapped below it".to_owned(),
    };
    format!(
        "Read {}: the {} lies at {:#x}. Its entry {} is at {:#x} and {found}.",
        read.level + 1,
        level.name,
        read.table,
        read.index,
        read.entry,
    )
}

/// How the walk ends, and what comes next.
pub fn tell_outcome(machine: Machine, walk: &Walk, access: Access) -> String {
    let made = reads(walk.reads.len());
    match walk.outcome {
        Outcome::Reached { physical, bytes: size } => {
            let chain = match walk.reads.len() {
                1 => "",
                _ => ", each waiting for the one before,",
            };
            format!(
                "{made}{chain} lead to a page of {}. The byte lies at {physical:#x}, and only now does the {} itself begin.",
                bytes(size as f64),
                deed(access),
            )
        }
        Outcome::NotCanonical if machine.is_x86() => format!(
            "Bits 63 to {} are not all equal, so the address is not canonical. No table is read: the core raises a general protection fault, and the program gets SIGSEGV.",
            machine.address_bits() - 1
        ),
        Outcome::NotCanonical => {
            "Bits 55 to 48 have to be all zero or all one. They are not, so neither root covers the address: no table is read, and the program gets SIGSEGV.".into()
        }
        Outcome::NotPresent(Some(region)) if !refuses(&region, access) => format!(
            "{made}, then a page fault. A VMA is there ({}), only no page yet: the kernel takes a frame, fills the missing tables, and the {} walks again: a minor fault.",
            region.name,
            deed(access),
        ),
        Outcome::NotPresent(Some(region)) => {
            format!("{made}, then a page fault. {} forbids it: SIGSEGV (SEGV_ACCERR).", capital(region.name))
        }
        Outcome::NotPresent(None) => format!(
            "{made}, then a page fault. No VMA covers the address: SIGSEGV (SEGV_MAPERR). The tree has no branch here, so the walk was short."
        ),
        Outcome::Forbidden(Some(region)) if !refuses(&region, access) => format!(
            "{made} find the page, and its entry forbids writing. The VMA allows it ({}): the kernel copies the page and the store walks again. Copy-on-write.",
            region.name
        ),
        Outcome::Forbidden(Some(region)) => format!(
            "{made} find the page, and its entry forbids this: {} is {}. Page fault, SIGSEGV (SEGV_ACCERR).",
            region.name,
            forbidden_for(&region, access),
        ),
        Outcome::Forbidden(None) => {
            format!("{made} find the page, and its entry is for the kernel only. Page fault, SIGSEGV (SEGV_ACCERR).")
        }
    }
}

/// The ending in one or two words, for the picture and the counters.
pub fn short_outcome(outcome: Outcome, access: Access) -> &'static str {
    match outcome {
        Outcome::Reached { .. } => "reached",
        Outcome::NotCanonical => "not canonical",
        Outcome::NotPresent(Some(region)) if !refuses(&region, access) => "minor fault",
        Outcome::Forbidden(Some(region)) if !refuses(&region, access) => "copy-on-write",
        Outcome::NotPresent(_) | Outcome::Forbidden(_) => "SIGSEGV",
    }
}

/// Whether the VMA itself forbids the access.
fn refuses(region: &Region, access: Access) -> bool {
    region.kernel
        || match access {
            Access::Read => false,
            Access::Write => !region.writable,
            Access::Execute => !region.executable,
        }
}

fn forbidden_for(region: &Region, access: Access) -> &'static str {
    match access {
        _ if region.kernel => "for the kernel only",
        Access::Execute => "not executable",
        _ => "not writable",
    }
}

fn deed(access: Access) -> &'static str {
    match access {
        Access::Read => "load",
        Access::Write => "store",
        Access::Execute => "fetch",
    }
}
