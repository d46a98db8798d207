//! An open page: what a reader can do to it, and what can be seen of it from outside.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use thirtyfour::action_chain::ActionChain;
use thirtyfour::common::command::{Command, ExtensionCommand};
use thirtyfour::prelude::*;

use super::browser::Setup;

/// Runs in every page before anything else: takes notes of what the tests ask for later.
const WITNESS: &str = include_str!("witness.js");

/// The browser's one tab.
#[derive(Clone)]
pub(crate) struct Page {
    /// For what has no shorthand here.
    pub(crate) driver: WebDriver,
    /// How the browser was set up.
    pub(crate) setup: Setup,
}

impl Page {
    pub(crate) async fn prepare(driver: WebDriver, setup: Setup) -> Result<Self> {
        let page = Self { driver, setup };
        page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WITNESS })).await?;
        page.devtools("Network.enable", json!({})).await?;
        page.prefer().await?;
        let (width, height) = page.setup.size;
        page.resize(width, height).await?;
        if !page.setup.scripts {
            page.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await?;
        }
        if page.setup.phone {
            let touch = json!({ "enabled": true, "maxTouchPoints": 1 });
            page.devtools("Emulation.setTouchEmulationEnabled", touch).await?;
        }
        Ok(page)
    }

    /// Tells pages what the system prefers.
    async fn prefer(&self) -> Result<()> {
        let scheme = if self.setup.dark { "dark" } else { "light" };
        let motion = if self.setup.still { "reduce" } else { "no-preference" };
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await?;
        Ok(())
    }

    /// Changes what the system prefers while a page is open.
    pub(crate) async fn set_dark(&mut self, dark: bool) -> Result<()> {
        self.setup.dark = dark;
        self.prefer().await
    }

    /// Sets the viewport in CSS pixels.
    pub(crate) async fn resize(&self, width: u32, height: u32) -> Result<()> {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": self.setup.phone });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
        Ok(())
    }

    /// Opens an address relative to the root of the site and waits until it is loaded and painted.
    pub(crate) async fn open(&self, path: &str) -> Result<()> {
        let url = format!("{}{path}", self.setup.site);
        // An address that differs only in its hash would not load anything.
        self.driver.goto("about:blank").await?;
        self.driver.goto(&url).await.with_context(|| format!("cannot open {url}"))?;
        self.painted().await?;
        self.laid_out().await
    }

    /// Waits until the sections off the screen are laid out, which happens soon after the page is loaded.
    async fn laid_out(&self) -> Result<()> {
        if !self.setup.scripts {
            return Ok(());
        }
        let script = "return document.querySelector('.prose > section:not(.laid)') === null";
        self.wait_for("sections to be laid out", script, Vec::new()).await?;
        self.painted().await
    }

    /// Waits until what was asked for before is on the screen.
    pub(crate) async fn painted(&self) -> Result<()> {
        if !self.setup.scripts {
            // No callback ever runs there.
            tokio::time::sleep(Duration::from_millis(200)).await;
            return Ok(());
        }
        let script =
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))";
        self.driver.execute_async(script, Vec::new()).await?;
        Ok(())
    }

    /// Runs a script in the page and returns what it returns.
    pub(crate) async fn js<T: DeserializeOwned>(&self, script: &str, args: Vec<Value>) -> Result<T> {
        let answer =
            self.driver.execute(script, args).await.with_context(|| format!("in the page: {script}"))?;
        serde_json::from_value(answer.json().clone()).with_context(|| format!("in the page: {script}"))
    }

    /// Sends a command of the DevTools protocol.
    pub(crate) async fn devtools(&self, method: &str, params: Value) -> Result<Value> {
        self.driver.cdp().send_raw(method, params).await.with_context(|| method.to_owned())
    }

    /// Waits until a script returns true; `what` completes "waited in vain for …".
    pub(crate) async fn wait_for(&self, what: &str, script: &str, args: Vec<Value>) -> Result<()> {
        let start = Instant::now();
        while !self.js::<bool>(script, args.clone()).await? {
            ensure!(start.elapsed() < Duration::from_secs(15), "waited in vain for {what}");
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
        Ok(())
    }

    /// The first element that fits.
    pub(crate) async fn find(&self, css: &str) -> Result<WebElement> {
        self.driver.find(By::Css(css)).await.with_context(|| format!("no `{css}` on the page"))
    }

    /// How many elements fit.
    pub(crate) async fn count(&self, css: &str) -> Result<usize> {
        Ok(self.driver.find_all(By::Css(css)).await?.len())
    }

    /// The rendered text of the first element that fits.
    pub(crate) async fn text(&self, css: &str) -> Result<String> {
        let script =
            "const found = document.querySelector(arguments[0]); return found && found.innerText.trim()";
        let text: Option<String> = self.js(script, vec![json!(css)]).await?;
        text.with_context(|| format!("no `{css}` on the page"))
    }

    /// Clicks as a mouse does, after scrolling there.
    pub(crate) async fn click(&self, css: &str) -> Result<()> {
        let element = self.find(css).await?;
        self.scroll_to(css).await?;
        element.click().await.with_context(|| format!("cannot click `{css}`"))?;
        self.painted().await
    }

    /// Brings an element to the middle of the window at once.
    pub(crate) async fn scroll_to(&self, css: &str) -> Result<()> {
        let script =
            "document.querySelector(arguments[0]).scrollIntoView({ block: 'center', behavior: 'instant' })";
        self.js::<Value>(script, vec![json!(css)]).await?;
        self.painted().await
    }

    /// Touches an element with one finger.
    pub(crate) async fn tap(&self, css: &str) -> Result<()> {
        self.scroll_to(css).await?;
        let script = "const box = document.querySelector(arguments[0]).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]";
        let (x, y): (f64, f64) = self.js(script, vec![json!(css)]).await?;
        self.touch("touchStart", json!([{ "x": x, "y": y }])).await?;
        self.touch("touchEnd", json!([])).await?;
        self.painted().await
    }

    /// Sends one touch event.
    pub(crate) async fn touch(&self, kind: &str, points: Value) -> Result<()> {
        self.devtools("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points })).await?;
        Ok(())
    }

    /// A chain of actions without the pauses of a demonstration.
    pub(crate) fn actions(&self) -> ActionChain {
        self.driver.action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO))
    }

    /// Presses keys, wherever the focus is.
    pub(crate) async fn press(&self, keys: impl Into<TypingData>) -> Result<()> {
        self.actions().send_keys(keys).perform().await?;
        self.painted().await
    }

    /// Brings figure `id` into view and waits until it can be driven.
    pub(crate) async fn wake(&self, id: &str) -> Result<()> {
        self.scroll_to(&format!("#fig-{id}")).await?;
        let alive = format!("return !!document.querySelector('#fig-{id} .figure-controls:not([disabled])')");
        self.wait_for(&format!("figure {id} to come alive"), &alive, Vec::new()).await?;
        self.painted().await
    }

    /// Opens a page of the site unless it is open.
    pub(crate) async fn at(&self, path: &str) -> Result<()> {
        let there = self.driver.current_url().await?;
        let there = there.as_str().split('#').next().unwrap_or_default();
        if there == format!("{}{path}", self.setup.site) { Ok(()) } else { self.open(path).await }
    }

    /// Opens the page of a figure unless it is open, and wakes the figure.
    pub(crate) async fn reach(&self, path: &str, id: &str) -> Result<()> {
        self.at(path).await?;
        self.wake(id).await
    }

    /// Ids of the figures on this page.
    pub(crate) async fn figures(&self) -> Result<Vec<String>> {
        let script =
            "return [...document.querySelectorAll('[data-island=figure]')].map(f => f.dataset.figure)";
        self.js(script, Vec::new()).await
    }

    /// What the witness has noted on this page.
    async fn noted<T: DeserializeOwned>(&self, what: &str) -> Result<T> {
        self.js("return window.__witness[arguments[0]]", vec![json!(what)]).await
    }

    /// Layout shifts that no input of the reader explains, each with its score and what moved.
    pub(crate) async fn layout_shifts(&self) -> Result<Vec<String>> {
        self.painted().await?;
        self.noted("shifts").await
    }

    /// Fails unless this page is quiet: no message on the console, no violation of the policy, no
    /// failed or foreign request since the browser started.
    pub(crate) async fn assert_quiet(&self) -> Result<()> {
        let reports: Vec<String> = self.noted("reports").await?;
        ensure!(reports.is_empty(), "the page's policy was violated: {reports:#?}");
        let console = self.console().await?;
        ensure!(console.is_empty(), "the console is not empty: {console:#?}");
        let foreign: Vec<_> =
            self.requests().await?.into_iter().filter(|url| !is_ours(url, self.setup.site)).collect();
        ensure!(foreign.is_empty(), "requests to somebody else: {foreign:#?}");
        Ok(())
    }

    /// Warnings and errors on the console since the last call.
    pub(crate) async fn console(&self) -> Result<Vec<String>> {
        let lines = self.log("browser").await?;
        let loud = lines.iter().filter(|line| matches!(line["level"].as_str(), Some("SEVERE" | "WARNING")));
        Ok(loud.map(|line| line["message"].as_str().unwrap_or_default().to_owned()).collect())
    }

    /// Addresses that were asked for since the last call.
    pub(crate) async fn requests(&self) -> Result<Vec<String>> {
        let mut urls = Vec::new();
        for line in self.log("performance").await? {
            let event: Value = serde_json::from_str(line["message"].as_str().unwrap_or("null"))?;
            if event["message"]["method"] == "Network.requestWillBeSent" {
                let url = event["message"]["params"]["request"]["url"].as_str();
                urls.extend(url.map(str::to_owned));
            }
        }
        Ok(urls)
    }

    async fn log(&self, kind: &'static str) -> Result<Vec<Value>> {
        let command = Command::ExtensionCommand(Box::new(TakeLog(kind)));
        Ok(self.driver.handle().cmd(command).await?.value()?)
    }

    /// A picture of the whole page.
    pub(crate) async fn picture(&self) -> Result<Vec<u8>> {
        let height: f64 = self.js("return document.documentElement.scrollHeight", Vec::new()).await?;
        self.clip(json!({ "x": 0, "y": 0, "width": self.setup.size.0, "height": height, "scale": 1 })).await
    }

    /// A picture of one element with a little air around it.
    pub(crate) async fn picture_of(&self, css: &str) -> Result<Vec<u8>> {
        // The bar at the top stays in view and would lie across a tall figure.
        let script = "document.querySelector('.bar').style.visibility = 'hidden';
            const b = document.querySelector(arguments[0]).getBoundingClientRect();
            return { x: b.x + scrollX - 12, y: b.y + scrollY - 12, width: b.width + 24, height: b.height + 24, scale: 1 }";
        let picture = self.clip(self.js(script, vec![json!(css)]).await?).await;
        let show = "document.querySelector('.bar').style.visibility = ''; return null";
        self.js::<Value>(show, Vec::new()).await?;
        picture
    }

    async fn clip(&self, clip: Value) -> Result<Vec<u8>> {
        let params = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let answer = self.devtools("Page.captureScreenshot", params).await?;
        let Some(data) = answer["data"].as_str() else { bail!("the browser took no picture") };
        use base64::Engine;
        Ok(base64::engine::general_purpose::STANDARD.decode(data)?)
    }
}

fn is_ours(url: &str, site: &str) -> bool {
    let host = site.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    url.starts_with(&host) || ["data:", "blob:", "about:"].iter().any(|scheme| url.starts_with(scheme))
}

/// Chromedriver's way to read the browser's logs.
#[derive(Debug)]
struct TakeLog(&'static str);

impl ExtensionCommand for TakeLog {
    fn parameters_json(&self) -> Option<Value> {
        Some(json!({ "type": self.0 }))
    }

    fn method(&self) -> http::Method {
        http::Method::POST
    }

    fn endpoint(&self) -> Arc<str> {
        "/se/log".into()
    }
}
