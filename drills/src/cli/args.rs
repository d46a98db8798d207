//! What can be typed.

use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};

const AFTER_HELP: &str = "\
Results go to stdout, progress to stderr. Ctrl-C keeps every finished measurement and marks the rest
`interrupted`. Nothing is sent anywhere; results hold no host name, serial number, MAC address or user
name unless --no-redact is given.

Examples:
  drills                                       quick look at this machine, about 90 s
  drills machine topo                          how it is wired
  drills machine --json results.json           everything of this module, for the course's results page
  srun -N 16 --ntasks-per-node=1 drills report --json 'results-%h.json'
  drills compare results-*.json                which of the machines is the odd one out

Environment:
  DRILLS_MEMORY_MIB      host memory to use at most, for machines that others need
  DRILLS_GPU_DEADLINE_S  give the NVIDIA driver up after this many seconds without a sign of life
  NO_COLOR               no colour

Exit codes:
  0    measured (single measurements may have been skipped with a reason)
  1    an argument made no sense for this machine, or a file could not be read or written
  2    the command line could not be understood
  3    something failed or its data was wrong; for compare: a machine stands out
  4    nothing of what was asked for could be measured here
  130  ended by the user; what was finished is kept";

/// Measures this Linux box and writes a results file that the course reads.
#[derive(Debug, Parser)]
#[command(name = "drills", version, after_help = AFTER_HELP, propagate_version = true)]
pub struct Cli {
    /// What to do; without it, `report --quick`.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options that every command takes.
    #[command(flatten)]
    pub common: Common,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// How the box is wired and what its wires carry; without a name, all four drills.
    #[command(visible_alias = "m1")]
    Machine {
        /// Only this drill.
        drill: Option<MachineDrill>,
    },
    /// Every drill, one report.
    Report,
    /// All drills: what they measure, what they need, how long they take.
    List,
    /// Sets results files side by side and marks the machine that stands out.
    Compare {
        /// Results files; two or more.
        #[arg(required = true, num_args = 2..)]
        files: Vec<PathBuf>,
    },
    /// Prints the JSON Schema of results files.
    Schema,
}

/// The drills of the first module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MachineDrill {
    /// CPUs, caches, nodes, PCIe tree, distances.
    Topo,
    /// From an L1 hit to waking a thread.
    Latency,
    /// Copies between host and GPU, and memcpy.
    Bw,
    /// The same copies from each kind of core or each node.
    Place,
}

impl MachineDrill {
    /// The word that is typed.
    pub fn word(self) -> &'static str {
        match self {
            Self::Topo => "topo",
            Self::Latency => "latency",
            Self::Bw => "bw",
            Self::Place => "place",
        }
    }
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Write results as JSON to FILE, or to stdout with `-`.
    ///
    /// `%h` in FILE becomes this host's name, so that many hosts can write into one folder; the name
    /// stays out of the file's content. The file appears whole or not at all.
    #[arg(long, global = true, value_name = "FILE|-")]
    pub json: Option<String>,
    /// Fewer samples and smaller sweeps.
    #[arg(long, global = true)]
    pub quick: bool,
    /// Name for column heads; `%h` becomes the host's name. Written into the file as it is.
    #[arg(long, global = true, value_name = "TEXT")]
    pub label: Option<String>,
    /// Read /sys and /proc under DIR: a recorded machine. Nothing is measured then.
    #[arg(long, global = true, value_name = "DIR", default_value = "/", hide_default_value = true)]
    pub root: PathBuf,
    /// Write the host's name into the results.
    #[arg(long, global = true)]
    pub no_redact: bool,
    /// GPUs to use, by index, UUID or PCI address, with commas; `none` leaves the driver alone.
    #[arg(long, global = true, value_name = "LIST|none", value_delimiter = ',')]
    pub gpu: Vec<String>,
    /// Colour: on a terminal only, always, or never. NO_COLOR is honoured.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true)]
    pub color: ColorChoice,
    /// No progress, and no table when results go to a file.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// A line on stderr for each step and measurement.
    #[arg(short, long, global = true)]
    pub verbose: bool,
}
