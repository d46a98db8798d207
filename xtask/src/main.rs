//! `cargo xtask …`: the project's commands. Run it without a word for the list.

mod check;
mod command;
mod fingerprint;
mod lighthouse;
mod serve;
mod shots;
mod site;
mod step;
mod suite;
mod tools;

use std::env;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  serve       install what is missing, build the site, serve it on 127.0.0.1:8080, follow edits
  test        install what is missing, then run every test
  build       write dist/, ready for any static host or sub-folder
  check       formatting, clippy for every package, content
  shots [DIR] pictures of every page, light and dark, 1280 and 390 px wide (default: .shots)
  lighthouse  rate pages as Lighthouse does for a phone
";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let start = Instant::now();
    match dispatch(&words) {
        Ok(true) => {
            println!("done in {}", step::seconds(start.elapsed()));
            ExitCode::SUCCESS
        }
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command; `false` when it ran to its end and what it checked is not good.
fn dispatch(words: &[&str]) -> Result<bool> {
    match words {
        ["serve"] => serve::serve()?,
        ["test", only @ ..] => return suite::test(only),
        ["build"] => site::build(&tools::SiteTools::prepare()?)?,
        ["check"] => check::check()?,
        ["shots"] => shots::shots(".shots")?,
        ["shots", dir] => shots::shots(dir)?,
        ["lighthouse"] => lighthouse::lighthouse()?,
        _ => {
            print!("{USAGE}");
            return Ok(matches!(words, [] | ["help" | "--help" | "-h"]));
        }
    }
    Ok(true)
}
