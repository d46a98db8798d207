//! What can be typed.

use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};

use super::rack_args::{RackArgs, RackDrill};

const AFTER_HELP: &str = "\
Results go to stdout, progress to stderr. Ctrl-C keeps every finished measurement and marks the rest
`interrupted`. Nothing is sent anywhere; results hold no host name, serial number, MAC address or user
name unless --no-redact is given.

Examples:
  drills                                       quick look at this machine, about 90 s
  drills machine topo                          how it is wired
  drills machine --json results.json           everything of this module, for the course's results page
  drills memory faults                         page faults of this machine, predicted and counted
  srun -N 16 --ntasks-per-node=1 drills report --json 'results-%h.json'
  drills compare results-*.json                which of the machines is the odd one out
  torchrun --nproc-per-node=8 --no-python drills rack allreduce --json all.json
  drills import all_reduce.txt --json old.json runs that you have already

Environment:
  DRILLS_MEMORY_MIB      host memory to use at most, for machines that others need
  DRILLS_NCCL            libnccl.so.2 for rack allreduce, or its folder
  DRILLS_RENDEZVOUS      where the ranks of rack allreduce meet
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
    /// What virtual memory costs: faults, TLB, files, copies on write; without a name, all six drills.
    #[command(visible_alias = "m2")]
    Memory {
        /// Only this drill, or a file for loaders of your own.
        #[command(subcommand)]
        command: Option<MemoryCommand>,
    },
    /// What an NVL72 tray has to answer, on any box: coherence, nodes, settings, fabric; without a name,
    /// all drills.
    #[command(visible_alias = "m5")]
    Rack {
        /// Only this drill.
        drill: Option<RackDrill>,
        /// Options of these drills.
        #[command(flatten)]
        options: RackArgs,
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
    /// Makes a results file of what nccl-tests or nvbandwidth printed, or wrote with -J and -j.
    Import {
        /// Their output; one run in each file.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// What a table of nccl-tests is of, where it does not say so itself: all_reduce, all_gather, ...
        #[arg(long, value_name = "NAME")]
        operation: Option<String>,
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

/// The drills of the second module, and files for other programs to load.
#[derive(Clone, Debug, Subcommand)]
pub enum MemoryCommand {
    /// Page sizes, huge pages, promises, what the GPU may touch.
    Info,
    /// Page faults: counts beside their predictions, and time.
    Faults,
    /// What missing the TLB costs, and how far it reaches.
    Tlb,
    /// A safetensors file into host memory by five ways, cold and warm.
    Load,
    /// The same file into the GPU by four ways.
    ToGpu,
    /// Workers that only read, and the price of a fork.
    Cow,
    /// Makes a safetensors file with random content, and leaves it there.
    Make {
        /// Where.
        file: PathBuf,
        /// Size, in GiB or with a unit: 2, 512MiB, 1.5GiB.
        #[arg(default_value = "1", value_parser = parse_size)]
        size: u64,
        /// The same by name.
        #[arg(long = "size", value_name = "SIZE", value_parser = parse_size, conflicts_with = "size")]
        size_by_name: Option<u64>,
    },
    /// Takes a file out of the page cache, and proves it.
    Evict {
        /// Which file.
        file: PathBuf,
    },
}

/// What a [`MemoryCommand`] asks for.
#[derive(Clone, Debug)]
pub enum MemoryWork {
    /// To measure.
    Drill(&'static str),
    /// To make a file of a size in bytes.
    Make {
        /// Where.
        file: PathBuf,
        /// Bytes.
        size: u64,
    },
    /// To evict a file.
    Evict {
        /// Which file.
        file: PathBuf,
    },
}

impl MemoryCommand {
    /// Drills by the word that is typed, the rest with what it needs.
    pub fn work(self) -> MemoryWork {
        MemoryWork::Drill(match self {
            Self::Info => "info",
            Self::Faults => "faults",
            Self::Tlb => "tlb",
            Self::Load => "load",
            Self::ToGpu => "to-gpu",
            Self::Cow => "cow",
            Self::Make { file, size, size_by_name } => {
                return MemoryWork::Make { file, size: size_by_name.unwrap_or(size) };
            }
            Self::Evict { file } => return MemoryWork::Evict { file },
        })
    }
}

/// Bytes of "2" (GiB), "512MiB", "1.5 GiB", "200MB".
fn parse_size(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = (text[..split].trim(), text[split..].trim());
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "g" | "gib" => (1u64 << 30) as f64,
        "m" | "mib" => (1u64 << 20) as f64,
        "gb" => 1e9,
        "mb" => 1e6,
        _ => return Err(format!("\"{unit}\" is no unit; use MiB or GiB")),
    };
    let number: f64 = number.parse().map_err(|_| format!("\"{number}\" is no number"))?;
    let bytes = number * factor;
    // 2^50 bytes are more than any drive here has, and far from what a number of 64 bits cannot hold.
    if bytes >= 1.0 && bytes <= (1u64 << 50) as f64 {
        Ok(bytes as u64)
    } else {
        Err("a size from 1 MiB up is wanted".to_owned())
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
    /// Where drills make the files that they load; they are gone when the drill ends.
    #[arg(long, global = true, value_name = "DIR", default_value = ".", hide_default_value = true)]
    pub dir: PathBuf,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_gib_unless_they_say_otherwise() {
        assert_eq!(parse_size("2"), Ok(2 << 30));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert_eq!(parse_size("512 MiB"), Ok(512 << 20));
        assert_eq!(parse_size("200MB"), Ok(200_000_000));
        for wrong in ["", "-1", "0", "two", "3 furlongs", "1e300"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_is_made_with_a_size_in_either_place() {
        let size = |line: &[&str]| match Cli::try_parse_from(line).expect("a command").command {
            Some(Command::Memory { command: Some(command) }) => match command.work() {
                MemoryWork::Make { size, .. } => size,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        assert_eq!(size(&["drills", "memory", "make", "x", "2"]), 2 << 30);
        assert_eq!(size(&["drills", "m2", "make", "x", "--size", "3"]), 3 << 30);
        assert_eq!(size(&["drills", "memory", "make", "x"]), 1 << 30);
    }
}
