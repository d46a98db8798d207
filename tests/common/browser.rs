//! A Chromium for one test, started through its driver and ended with the test.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde_json::json;
use thirtyfour::prelude::*;

use super::built::{at_root, told};
use super::page::Page;

/// How the browser is set up before the first page.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// Address of the site, ending in `/`.
    pub(crate) site: &'static str,
    /// Window in CSS pixels.
    pub(crate) size: (u32, u32),
    /// What the system prefers.
    pub(crate) dark: bool,
    /// Whether the reader asked for less motion.
    pub(crate) still: bool,
    /// Whether the device is a phone: touch instead of a mouse, mobile viewport.
    pub(crate) phone: bool,
    /// Whether pages may run scripts.
    pub(crate) scripts: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self { site: at_root(), size: (1280, 900), dark: false, still: false, phone: false, scripts: true }
    }
}

impl Setup {
    /// A phone, 390 px wide, driven by touch.
    pub(crate) fn phone() -> Self {
        Self { size: (390, 844), phone: true, ..Self::default() }
    }

    /// Where the reader has turned scripts off.
    pub(crate) fn without_scripts() -> Self {
        Self { scripts: false, ..Self::default() }
    }

    /// Where the system is dark.
    pub(crate) fn dark() -> Self {
        Self { dark: true, ..Self::default() }
    }
}

/// Runs `test` in a fresh browser and ends the browser whatever happens.
///
/// # Panics
/// When the test fails, with its chain of errors: that is how libtest wants to hear it.
pub(crate) fn drive<F, T>(setup: Setup, test: T)
where
    F: Future<Output = Result<()>> + 'static,
    T: FnOnce(Page) -> F,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let local = tokio::task::LocalSet::new();
    let outcome = local.block_on(&runtime, async {
        let mut chromedriver = Driver::start()?;
        let driver = session(&chromedriver.url).await?;
        let page = Page::prepare(driver.clone(), setup).await;
        let outcome = match page {
            // A task of its own, so that a failed assertion does not leave Chromium running.
            Ok(page) => tokio::task::spawn_local(test(page)).await,
            Err(error) => Ok(Err(error)),
        };
        let _ = driver.quit().await;
        chromedriver.stop();
        outcome.map_err(|panic| anyhow!(message_of(panic)))?
    });
    if let Err(error) = outcome {
        // Chromedriver adds addresses of its own code, which tell us nothing.
        let text = format!("{error:#}");
        panic!("{}", text.split("Stacktrace:").next().unwrap_or_default().trim_end());
    }
}

fn message_of(error: tokio::task::JoinError) -> String {
    let Ok(panic) = error.try_into_panic() else { return "the test was cancelled".into() };
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

/// One chromedriver process.
struct Driver {
    child: Child,
    url: String,
}

impl Driver {
    /// Two drivers that look for a free port at one moment may find the same; then one of them ends.
    fn start() -> Result<Self> {
        Self::start_once().or_else(|_| Self::start_once()).or_else(|_| Self::start_once())
    }

    fn start_once() -> Result<Self> {
        let program = told("COURSE_CHROMEDRIVER")?;
        let mut child = Command::new(&program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let stdout = child.stdout.take().context("chromedriver has no output")?;
        let mut lines = BufReader::new(stdout).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                Some(line.split_once("successfully on port ")?.1.trim_end_matches('.').to_owned())
            })
            .context("chromedriver ended before it named its port")?;
        // Keeps reading, so that the driver never waits for a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { child, url: format!("http://127.0.0.1:{port}") })
    }

    fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn session(url: &str) -> Result<WebDriver> {
    let mut capabilities = DesiredCapabilities::chrome();
    capabilities.set_binary(&told("COURSE_CHROMIUM")?)?;
    for flag in [
        "--headless",
        // Chromium's sandbox does not work for root, as whom containers run.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--force-device-scale-factor=1",
    ] {
        capabilities.add_arg(flag)?;
    }
    capabilities.set("goog:loggingPrefs", json!({ "browser": "ALL", "performance": "ALL" }))?;
    let driver = WebDriver::new(url, capabilities).await.context("chromedriver could not start Chromium")?;
    driver.set_script_timeout(Duration::from_secs(60)).await?;
    Ok(driver)
}
