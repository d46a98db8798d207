//! `cargo xtask serve`: builds, serves, watches, builds again, and open pages reload.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use crate::fingerprint;
use crate::site;
use crate::step::note;
use crate::tools::SiteTools;
use xtask::{paths, server};

const ADDRESS: &str = "127.0.0.1:8080";
/// How often files are looked at, and how long an edit has to be over before a build starts.
const LOOK: Duration = Duration::from_millis(250);

/// Never returns unless something fails.
pub(crate) fn serve() -> Result<()> {
    let tools = SiteTools::prepare()?;
    site::build_if_changed(&tools)?;
    // Starts from the clock so that a page of an earlier server sees a new number, too.
    let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |age| age.as_secs());
    let builds = Arc::new(AtomicU64::new(started));
    let served = server::start(server::Options {
        dist: paths::dist(),
        address: ADDRESS.into(),
        prefix: String::new(),
        policy: policy()?,
        builds: Some(Arc::clone(&builds)),
    })
    .with_context(|| format!("cannot listen on {ADDRESS}; is another server running there?"))?;
    println!(
        "\n  {}\n\nCtrl-C stops. Edits of content/, site/ and diagrams/ show up by themselves.",
        served.url
    );
    watch(&tools, &builds)
}

/// The Content Security Policy on one line.
pub(crate) fn policy() -> Result<String> {
    let file = paths::content_security_policy();
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn watch(tools: &SiteTools, builds: &AtomicU64) -> Result<()> {
    let watched = site::sources();
    let mut seen = fingerprint::of_times(&watched)?;
    loop {
        thread::sleep(LOOK);
        let now = fingerprint::of_times(&watched)?;
        if now == seen {
            continue;
        }
        thread::sleep(LOOK);
        seen = fingerprint::of_times(&watched)?;
        if seen != now {
            // Still being written: look again. `seen` differs from the build, so nothing is lost.
            seen = 0;
            continue;
        }
        match site::build_if_changed(tools) {
            Ok(site::Work::Nothing) => {}
            Ok(_) => {
                builds.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => {
                note(&format!("not built: {error:#}. The last good pages stay up; save again to retry."))
            }
        }
    }
}
