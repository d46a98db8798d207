//! Recorded machines: `fixtures/NAME.txt` unpacked into a directory for `--root`.
//!
//! A fixture is one text file, readable in a review:
//!
//! - `path = value` a file with one line; `path <<` a file with the lines up to `<<` alone
//! - `path -> target` a symbolic link; `path/` an empty directory
//! - `{0-3,8}` in a path: once for each id. In the value `{id}` is the id and `{group}` its group:
//!   `{0-7 by 2}` makes groups of neighbours, `{0-3 with 8-11}` pairs two lists
//! - `cache LIST index LEVEL TYPE SIZE GROUPS` the files of one cache, GROUPS being `each`, `all`, `by N`
//!   or `with LIST`
//! - `node ID cpus=LIST mem=KIB distance=A,B` the files of one NUMA node; also `free=`, `file=` and `anon=`
//! - `pci PATH class=… id=VENDOR:DEVICE …` a PCI device below /sys/devices, with `node=`, `cpus=`,
//!   `link=NOW/MAX` as `32x16/32x16`, `net=NAME:MBIT`, `rdma=NAME:GBIT`, `nvme=NAME`

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use drills::host::{Root, lists};
use drills_results::topology::{PciDevice, Topology};

/// A fixture on disk, removed when dropped.
pub struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    /// Unpacks `fixtures/NAME.txt`.
    pub fn load(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(format!("{name}.txt"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Self::of(&text)
    }

    /// Unpacks a text.
    pub fn of(text: &str) -> Self {
        // Thousands of small files: in memory where there is such a place.
        let memory = Path::new("/dev/shm");
        let dir =
            tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()).expect("a temporary directory");
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let at = format!("line {}", number + 1);
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(path) = line.strip_suffix("<<") {
                let body: Vec<&str> =
                    lines.by_ref().map(|(_, l)| l).take_while(|l| l.trim() != "<<").collect();
                write(dir.path(), path.trim(), &body.join("\n"));
            } else {
                entry(dir.path(), line).unwrap_or_else(|| panic!("{at}: cannot read {line:?}"));
            }
        }
        Self { dir }
    }

    pub fn path(&self) -> PathBuf {
        self.dir.path().to_owned()
    }

    pub fn root(&self) -> Root {
        Root::new(self.dir.path())
    }

    pub fn topology(&self) -> Topology {
        drills::host::topology(&self.root())
    }
}

fn entry(dir: &Path, line: &str) -> Option<()> {
    if let Some(rest) = line.strip_prefix("cache ") {
        return cache(dir, rest);
    }
    if let Some(rest) = line.strip_prefix("node ") {
        return node(dir, rest);
    }
    if let Some(rest) = line.strip_prefix("pci ") {
        return pci(dir, rest);
    }
    if let Some((path, target)) = line.split_once(" -> ") {
        for (path, _) in expand(path.trim(), "") {
            link(dir, &path, target.trim());
        }
        return Some(());
    }
    if let Some((path, value)) = line.split_once(" =") {
        for (path, value) in expand(path.trim(), value.trim()) {
            write(dir, &path, &value);
        }
        return Some(());
    }
    let path = line.strip_suffix('/')?;
    std::fs::create_dir_all(dir.join(path)).ok()
}

/// Every path that a pattern stands for, with its value.
fn expand(path: &str, value: &str) -> Vec<(String, String)> {
    let Some((before, rest)) = path.split_once('{') else {
        return vec![(path.to_owned(), value.to_owned())];
    };
    let (pattern, after) = rest.split_once('}').expect("a closing brace");
    groups(pattern)
        .into_iter()
        .map(|(id, group)| {
            let value = value.replace("{id}", &id.to_string()).replace("{group}", &group);
            (format!("{before}{id}{after}"), value)
        })
        .collect()
}

/// Each id of `0-7 by 2`, `0-3 with 8-11` or `0-7` with the list of its group.
fn groups(pattern: &str) -> BTreeMap<u32, String> {
    let mut found = BTreeMap::new();
    if let Some((first, second)) = pattern.split_once(" with ") {
        for (a, b) in lists::parse(first).into_iter().zip(lists::parse(second)) {
            let group = lists::format(&[a.min(b), a.max(b)]);
            found.extend([(a, group.clone()), (b, group)]);
        }
        return found;
    }
    let (list, size) = pattern.split_once(" by ").unwrap_or((pattern, "1"));
    for chunk in lists::parse(list).chunks(size.trim().parse().expect("a group size")) {
        found.extend(chunk.iter().map(|&id| (id, lists::format(chunk))));
    }
    found
}

fn cache(dir: &Path, rest: &str) -> Option<()> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [cpus, index, level, kind, size, groups @ ..] = words.as_slice() else { return None };
    let pattern = match groups {
        ["each"] => (*cpus).to_owned(),
        ["all"] => format!("{cpus} by 100000"),
        [word, n] => format!("{cpus} {word} {n}"),
        _ => return None,
    };
    let base = format!("sys/devices/system/cpu/cpu{{{pattern}}}/cache/{index}");
    let files = [("level", *level), ("type", *kind), ("size", *size), ("coherency_line_size", "64")];
    for (file, value) in files.into_iter().chain([("shared_cpu_list", "{group}")]) {
        for (path, value) in expand(&format!("{base}/{file}"), value) {
            write(dir, &path, &value);
        }
    }
    Some(())
}

fn node(dir: &Path, rest: &str) -> Option<()> {
    let (id, rest) = rest.split_once(' ')?;
    let base = format!("sys/devices/system/node/node{id}");
    let mut values = fields(rest)?;
    write(dir, &format!("{base}/cpulist"), values.remove("cpus").unwrap_or(""));
    let mut meminfo = String::new();
    for (name, field) in
        [("mem", "MemTotal"), ("free", "MemFree"), ("file", "FilePages"), ("anon", "AnonPages")]
    {
        let value = values.remove(name).or_else(|| (name == "free").then_some("1"));
        if let Some(kib) = value {
            meminfo += &format!("Node {id} {field}:       {kib} kB\n");
        }
    }
    write(dir, &format!("{base}/meminfo"), meminfo.trim_end());
    write(dir, &format!("{base}/distance"), &values.remove("distance")?.replace(',', " "));
    values.is_empty().then_some(())
}

fn pci(dir: &Path, rest: &str) -> Option<()> {
    let (path, rest) = rest.split_once(' ')?;
    let base = format!("sys/devices/{path}");
    let address = path.rsplit('/').next()?;
    let put = |file: &str, value: &str| write(dir, &format!("{base}/{file}"), value);
    for (name, value) in fields(rest)? {
        match name {
            "class" => put("class", value),
            "id" => {
                let (vendor, device) = value.split_once(':')?;
                put("vendor", &format!("0x{vendor}"));
                put("device", &format!("0x{device}"));
            }
            "node" => put("numa_node", value),
            "cpus" => put("local_cpulist", value),
            "link" => {
                let (now, most) = value.split_once('/')?;
                for (prefix, text) in [("current", now), ("max", most)] {
                    let (speed, width) = text.split_once('x')?;
                    put(&format!("{prefix}_link_speed"), &format!("{speed} GT/s PCIe"));
                    put(&format!("{prefix}_link_width"), width);
                }
            }
            "net" => {
                let (name, mbit) = value.split_once(':')?;
                put(&format!("net/{name}/speed"), mbit);
                put(&format!("net/{name}/address"), "02:00:5e:10:20:30");
            }
            "rdma" => {
                let (name, gbit) = value.split_once(':')?;
                put(&format!("infiniband/{name}/ports/1/rate"), &format!("{gbit} Gb/sec (4X NDR)"));
                put(&format!("infiniband/{name}/ports/1/state"), "4: ACTIVE");
                put(&format!("infiniband/{name}/node_guid"), "b8ce:f603:00aa:bbcc");
            }
            "nvme" => put(&format!("nvme/{value}/serial"), "S3RIALN0"),
            _ => return None,
        }
    }
    link(dir, &format!("sys/bus/pci/devices/{address}"), &format!("../../../devices/{path}"));
    Some(())
}

fn fields(rest: &str) -> Option<BTreeMap<&str, &str>> {
    rest.split_whitespace().map(|word| word.split_once('=')).collect()
}

fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    std::fs::write(&path, format!("{text}\n")).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

fn link(dir: &Path, path: &str, target: &str) {
    let path = dir.join(path);
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    symlink(target, &path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// The device at `address`.
pub fn device<'t>(topology: &'t Topology, address: &str) -> &'t PciDevice {
    topology
        .devices
        .iter()
        .find(|d| d.address == address)
        .unwrap_or_else(|| panic!("no device {address} among {:?}", addresses(topology)))
}

pub fn addresses(topology: &Topology) -> Vec<&str> {
    topology.devices.iter().map(|d| d.address.as_str()).collect()
}

/// Kinds as (name, CPUs, evidence).
pub fn kinds(topology: &Topology) -> Vec<(&str, &str, &str)> {
    topology.core_kinds.iter().map(|k| (k.name.as_str(), k.cpus.as_str(), k.evidence.as_str())).collect()
}

/// Code between two addresses, in either order, as a word.
pub fn code(topology: &Topology, a: &str, b: &str) -> String {
    let pair = topology.distances.iter().find(|d| (d.from == a && d.to == b) || (d.from == b && d.to == a));
    pair.map_or_else(|| "none".to_owned(), |d| format!("{:?}", d.code).to_uppercase())
}

/// Caches of a level as (size, number of instances).
pub fn caches(topology: &Topology, level: u32, kind: &str) -> Vec<(u64, usize)> {
    let of_level = topology.caches.iter().filter(|c| c.level == level && c.kind == kind);
    of_level.map(|c| (c.bytes, c.shared_by.len())).collect()
}
