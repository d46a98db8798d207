//! Output of other programs as a results file: `drills import`.

mod copies;
mod machine;
mod reduce;

use std::time::SystemTime;

use drills_results::foreign::{self, BandwidthRun, CollectiveRun, ForeignError, Program};
use drills_results::{Environment, Measurement, Provenance, Report, Schema, Tool, keys};

use crate::host::one_line;

/// Version of a program whose output does not tell it.
const UNKNOWN: &str = "unknown";

/// A file to read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, for messages.
    pub name: String,
    /// Its content.
    pub text: String,
    /// When it was last written to; the programs' own dates have no time zone, or are missing.
    pub written: SystemTime,
}

/// Why the files make no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// Neither program.
    #[error(
        "{file}: not the output of nccl-tests or nvbandwidth; give it as text, or as their -J and -j write it"
    )]
    Unknown {
        /// Which file.
        file: String,
    },
    /// One of the programs, but broken.
    #[error("{file}: {source}")]
    Broken {
        /// Which file.
        file: String,
        /// What is wrong.
        source: ForeignError,
    },
    /// An older table of nccl-tests, which looks the same for several operations.
    #[error(
        "{file}: the table does not say which operation it is of; add --operation all_reduce, or its name"
    )]
    WhichOperation {
        /// Which file.
        file: String,
    },
    /// Two files of the same quantity.
    #[error("{file}: {key} is in an earlier file as well; make a results file of each run")]
    Twice {
        /// The later file.
        file: String,
        /// What both have.
        key: String,
    },
}

/// What one file holds.
enum Run {
    Collective(CollectiveRun),
    Bandwidth(BandwidthRun),
}

impl Run {
    fn read(source: &Source) -> Result<Self, Trouble> {
        let text = source.text.trim_start_matches('\u{feff}');
        let Some(program) = foreign::program(text) else {
            return Err(Trouble::Unknown { file: source.name.clone() });
        };
        let read = match program {
            Program::NcclTests => foreign::nccl_tests(text).map(Self::Collective),
            Program::NcclTestsJson => foreign::nccl_tests_json(text).map(Self::Collective),
            Program::Nvbandwidth => foreign::nvbandwidth(text).map(Self::Bandwidth),
            Program::NvbandwidthJson => foreign::nvbandwidth_json(text).map(Self::Bandwidth),
        };
        read.map_err(|error| Trouble::Broken { file: source.name.clone(), source: error })
    }

    /// The program and its version, unknown where the file does not tell.
    fn tool(&self) -> Tool {
        let (name, version) = match self {
            Self::Collective(run) => ("nccl-tests", &run.version),
            Self::Bandwidth(run) => ("nvbandwidth", &run.version),
        };
        Tool { name: name.into(), version: version.clone().unwrap_or_else(|| UNKNOWN.into()) }
    }

    fn unknown_lines(&self) -> usize {
        match self {
            Self::Collective(run) => run.unknown_lines,
            Self::Bandwidth(run) => run.unknown_lines,
        }
    }
}

/// The report of all files together.
///
/// # Errors
/// The first file that cannot be read or that repeats another.
pub fn report(sources: &[Source], operation: Option<&str>, label: Option<String>) -> Result<Report, Trouble> {
    let mut runs = Vec::new();
    let mut measurements: Vec<Measurement> = Vec::new();
    let mut warnings = Vec::new();
    for source in sources {
        let run = Run::read(source)?;
        let found = match &run {
            Run::Collective(run) => reduce::measurements(run, operation)
                .ok_or_else(|| Trouble::WhichOperation { file: source.name.clone() })?,
            Run::Bandwidth(run) => copies::measurements(run, &mut warnings),
        };
        if found.iter().any(|m| keys::find(&m.key).is_none()) {
            warnings
                .push(format!("{} is of an operation that tables have no row for.", one_line(&source.name)));
        }
        if let Some(twice) = found.iter().find(|m| measurements.iter().any(|other| other.key == m.key)) {
            return Err(Trouble::Twice { file: source.name.clone(), key: twice.key.clone() });
        }
        measurements.extend(found);
        runs.push(run);
    }
    let unknown: usize = runs.iter().map(Run::unknown_lines).sum();
    if unknown > 0 {
        warnings.push(format!("Lines of the input that were of something else and passed over: {unknown}."));
    }
    warnings.push("The time is the one at which the first file was last written to.".into());
    let tools: Vec<Tool> = runs.iter().map(Run::tool).collect();
    let taken_at = sources.first().map_or(SystemTime::UNIX_EPOCH, |source| source.written);
    let machine = machine::of(&runs);
    Ok(Report {
        schema: Schema::default(),
        tool: Tool { name: joined(&tools, |tool| &tool.name), version: joined(&tools, |tool| &tool.version) },
        taken_at: humantime::format_rfc3339_seconds(taken_at).to_string(),
        label: label.unwrap_or_else(|| machine.class.clone()),
        provenance: Provenance::Reported,
        source: Some(format!(
            "output of {}, read by drills {}",
            joined_names(&tools),
            env!("CARGO_PKG_VERSION")
        )),
        machine,
        environment: Environment { warnings, ..Environment::default() },
        measurements,
        unknown: Default::default(),
    })
}

/// Each different text once, in order.
fn joined(tools: &[Tool], text: impl Fn(&Tool) -> &String) -> String {
    let mut different: Vec<&str> = tools.iter().map(|tool| text(tool).as_str()).collect();
    different.dedup();
    different.join(" + ")
}

fn joined_names(tools: &[Tool]) -> String {
    let name = |tool: &Tool| match tool.version.as_str() {
        UNKNOWN => tool.name.clone(),
        version => format!("{} {version}", tool.name),
    };
    let mut names: Vec<String> = tools.iter().map(name).collect();
    names.dedup();
    names.join(" and ")
}
