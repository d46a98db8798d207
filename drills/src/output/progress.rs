//! Progress on stderr: one live line on a terminal, nothing (or plain lines with `-v`) otherwise.

use std::io::IsTerminal;
use std::time::Duration;

use drills_results::Measurement;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How much to say on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbosity {
    /// Nothing.
    Quiet,
    /// A live line, only on a terminal.
    Normal,
    /// A plain line for each step and measurement, terminal or not.
    Verbose,
}

/// Handle of the progress display; clones share it.
#[derive(Clone, Debug)]
pub struct Progress {
    bar: ProgressBar,
    verbose: bool,
}

impl Progress {
    /// A display on stderr.
    pub fn new(verbosity: Verbosity) -> Self {
        let live = verbosity == Verbosity::Normal && std::io::stderr().is_terminal();
        let bar = if live {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {wide_msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        } else {
            ProgressBar::hidden()
        };
        Self { bar, verbose: verbosity == Verbosity::Verbose }
    }

    /// The drill that runs now.
    pub fn drill(&self, command: &str) {
        self.bar.set_prefix(command.to_owned());
        self.line(command);
    }

    /// What the drill does now.
    pub fn step(&self, text: &str) {
        self.bar.set_message(text.to_owned());
        self.line(&format!("  {text}"));
    }

    /// A measurement was finished.
    pub fn measured(&self, measurement: &Measurement) {
        self.line(&format!("  {} done", measurement.key));
    }

    /// Takes the live line away, so that results start on a clean one.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, text: &str) {
        if self.verbose {
            anstream::eprintln!("{text}");
        }
    }
}
