//! The command line: arguments in, exit code out.

mod args;
mod assemble;
pub mod catalogue;
mod compare;
mod deliver;
mod import;
mod memory;
mod rack;
mod rack_args;
mod runner;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{ColorChoice, Parser};
use drills_results::{Report, Status};

use crate::host::{Root, one_line};
use crate::output::file::expand_host;
use crate::output::width;
use crate::run::{Context, GpuChoice, RackOptions};
use args::{Cli, Command, Common};
use catalogue::Drill;

const FAILED: u8 = 3;
const NOTHING_MEASURED: u8 = 4;
const INTERRUPTED: u8 = 130;

/// Why a command gave up.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A results file was refused.
    #[error("{path}: {source}")]
    Import {
        /// Which file.
        path: String,
        /// What is wrong with it.
        source: drills_results::ImportError,
    },
    /// Output of another program was refused.
    #[error("{0}")]
    Foreign(#[from] crate::import::Trouble),
    /// The report broke a rule of its own format.
    #[error("the report would not be valid ({0}); please report this as a bug of drills")]
    Invalid(#[from] drills_results::ImportError),
    /// A file would take more than may be taken.
    #[error(
        "{path}: {wanted} would take more than a quarter of the free space; at most {allowed} may be taken"
    )]
    TooLarge {
        /// Which file.
        path: String,
        /// Its size.
        wanted: String,
        /// Size that may be had.
        allowed: String,
    },
    /// The user ended the command.
    #[error("ended by the user; nothing was written")]
    Stopped,
    /// `--root` is no directory.
    #[error("--root {0}: no such directory")]
    NoRoot(String),
    /// `--root` was given something that holds neither `/sys` nor `/proc`.
    #[error("--root {0}: holds neither sys/ nor proc/; give the folder that contains them")]
    EmptyRoot(String),
}

impl CliError {
    fn io(path: impl Into<String>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}

/// Runs the command and says how it went.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    anstream_choice(cli.common.color).write_global();
    match dispatch(cli) {
        Ok(code) => code,
        // The reader of our output has had enough, as in `drills | head`.
        Err(CliError::Io { source, .. }) if source.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("drills: {error}");
            if matches!(error, CliError::Stopped) { ExitCode::from(INTERRUPTED) } else { ExitCode::FAILURE }
        }
    }
}

fn anstream_choice(choice: ColorChoice) -> anstream::ColorChoice {
    match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
}

fn dispatch(cli: Cli) -> Result<ExitCode, CliError> {
    let mut common = cli.common;
    match cli.command {
        None => {
            common.quick = true;
            measure(&common, &catalogue::all())
        }
        Some(Command::Report) => measure(&common, &catalogue::all()),
        Some(Command::Machine { drill }) => {
            measure(&common, &catalogue::of("machine", drill.map(args::MachineDrill::word)))
        }
        Some(Command::Memory { command }) => match command.map(args::MemoryCommand::work) {
            None => measure(&common, &catalogue::of("memory", None)),
            Some(args::MemoryWork::Drill(name)) => measure(&common, &catalogue::of("memory", Some(name))),
            Some(args::MemoryWork::Make { file, size }) => memory::make(&file, size, common.quiet),
            Some(args::MemoryWork::Evict { file }) => memory::evict(&file),
        },
        Some(Command::Rack { drill, options }) => rack::run(&common, drill, options),
        Some(Command::Import { files, operation }) => import::run(&files, operation.as_deref(), &common),
        Some(Command::List) => {
            let text =
                if common.json.is_some() { catalogue::json() } else { catalogue::table(width::of_stdout()) };
            print(&text)?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Compare { files }) => compare::run(&files),
        Some(Command::Schema) => {
            print(drills_results::JSON_SCHEMA)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn measure(common: &Common, drills: &[&'static Drill]) -> Result<ExitCode, CliError> {
    measure_with(common, drills, RackOptions::default())
}

fn measure_with(common: &Common, drills: &[&'static Drill], rack: RackOptions) -> Result<ExitCode, CliError> {
    let context = Context { rack, ..context(common)? };
    let host = crate::host::system::host_name(&context.root);
    let label = common.label.as_deref().map(|label| one_line(&expand_host(label, &host)));
    let output = deliver::open(common, &host)?;
    let naming = assemble::Naming { label, host: common.no_redact.then_some(host) };
    let (report, interrupted) = runner::run(&context, common, drills, naming);
    deliver::deliver(&report, common, output)?;
    Ok(ExitCode::from(exit_code(&report, interrupted)))
}

fn exit_code(report: &Report, interrupted: bool) -> u8 {
    let wrong = |m: &drills_results::Measurement| m.status == Status::Failed || m.verified == Some(false);
    if interrupted {
        INTERRUPTED
    } else if report.measurements.iter().any(wrong) {
        FAILED
    } else if !report.measurements.iter().any(|m| m.status.has_value()) {
        NOTHING_MEASURED
    } else {
        0
    }
}

fn context(common: &Common) -> Result<Context, CliError> {
    let root = Root::new(&common.root);
    let shown = || common.root.display().to_string();
    if !common.root.is_dir() {
        return Err(CliError::NoRoot(shown()));
    }
    if !root.exists("sys") && !root.exists("proc") {
        return Err(CliError::EmptyRoot(shown()));
    }
    let gpu = match common.gpu.as_slice() {
        [] => GpuChoice::All,
        [none] if none == "none" => GpuChoice::None,
        list => GpuChoice::Only(list.to_vec()),
    };
    Ok(Context {
        root,
        quick: common.quick,
        gpu,
        dir: common.dir.clone(),
        names: common.no_redact,
        rack: RackOptions::default(),
    })
}

/// Prints a result on stdout.
fn print(text: &str) -> Result<(), CliError> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|e| CliError::io("stdout", e))
}
