//! One line of the list, and what all lines look at.

use drills_results::topology::{DeviceClass, NodeClass, Topology};

use crate::host::Root;
use crate::host::memory_mode::{self, Mode};
use crate::host::pages::{self, Thp};
use crate::host::system;

/// A setting as found, and what to think of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Last part of its key.
    pub(super) name: &'static str,
    /// The advice in a few words.
    pub(super) advice: &'static str,
    /// What was found; may be empty for a line that does not apply.
    pub(super) found: String,
    /// What to think of it.
    pub(super) verdict: Verdict,
}

/// What to think of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As advised.
    AsAdvised,
    /// Worth a look; what would change it.
    Look {
        /// A command or a parameter, and its price where it has one.
        fix: String,
    },
    /// Means nothing on this machine, and why.
    NotApplicable(String),
    /// The machine does not say.
    NotTold(String),
}

/// The name and advice of a line, to be completed by what was found.
pub(super) struct Title(pub(super) &'static str, pub(super) &'static str);

impl Title {
    /// As advised, or worth a look with this fix.
    pub(super) fn judged(&self, as_advised: bool, found: impl Into<String>, fix: &str) -> Line {
        let look = || Verdict::Look { fix: fix.to_owned() };
        self.line(found.into(), if as_advised { Verdict::AsAdvised } else { look() })
    }

    /// Not applicable.
    pub(super) fn not_here(&self, found: impl Into<String>, why: impl Into<String>) -> Line {
        self.line(found.into(), Verdict::NotApplicable(why.into()))
    }

    /// Not told.
    pub(super) fn not_told(&self, why: impl Into<String>) -> Line {
        self.line(String::new(), Verdict::NotTold(why.into()))
    }

    fn line(&self, found: String, verdict: Verdict) -> Line {
        Line { name: self.0, advice: self.1, found, verdict }
    }
}

/// The machine that is judged.
pub(super) struct Host<'a> {
    pub(super) root: &'a Root,
    pub(super) topology: &'a Topology,
    /// Who hands out GPU memory; absent where it cannot be told.
    pub(super) mode: Option<Mode>,
    /// Whether the CPU is an Arm, with a choice of base pages.
    pub(super) is_arm: bool,
    /// Base page in bytes, 0 where it is not told.
    pub(super) page_bytes: u64,
    pub(super) thp: Option<Thp>,
    /// The kernel's command line.
    pub(super) command_line: String,
    /// Whether the driver keeps the GPUs ready, where it was asked.
    pub(super) persistent: Option<bool>,
}

impl<'a> Host<'a> {
    /// Reads what several lines need.
    pub(super) fn new(root: &'a Root, topology: &'a Topology, persistent: Option<bool>) -> Self {
        Self {
            root,
            topology,
            mode: memory_mode::read(root, topology),
            is_arm: system::arch(root) == "aarch64",
            page_bytes: system::page_bytes(root),
            thp: pages::thp(root),
            command_line: root.read("proc/cmdline").unwrap_or_default(),
            persistent,
        }
    }

    /// Whether the GPU translates host addresses through the CPU's page tables: Grace and its relatives.
    pub(super) fn is_coherent(&self) -> bool {
        matches!(self.mode, Some(Mode::OneMemory | Mode::Numa | Mode::Driver))
    }

    /// Whether Linux hands out GPU memory.
    pub(super) fn is_numa_mode(&self) -> bool {
        self.mode == Some(Mode::Numa)
    }

    /// Bytes of GPU memory that Linux hands out.
    pub(super) fn gpu_node_bytes(&self) -> u64 {
        let on_gpu = self.topology.nodes.iter().filter(|node| node.class == NodeClass::Gpu);
        on_gpu.map(|node| node.memory_bytes).sum()
    }

    /// Nodes that memory can be put on.
    pub(super) fn nodes_with_memory(&self) -> usize {
        self.topology.nodes.iter().filter(|node| node.memory_bytes > 0).count()
    }

    /// Whether there is a GPU at all.
    pub(super) fn has_gpu(&self) -> bool {
        self.topology.devices.iter().any(|device| device.class == DeviceClass::Gpu)
    }

    /// Value of `name=` on the kernel's command line; the last one counts.
    pub(super) fn boot_parameter(&self, name: &str) -> Option<&str> {
        let words = self.command_line.split_whitespace();
        words.filter_map(|word| word.strip_prefix(name)?.strip_prefix('=')).next_back()
    }
}
