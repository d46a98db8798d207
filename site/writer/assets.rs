//! Style, scripts and WebAssembly: named by their content, with integrity values computed last.

use super::minify;
use super::output::{Output, integrity};
use super::{WriteError, output};
use crate::page::{Asset, Assets, Data};

/// The browser half as Trunk left it.
pub(crate) struct Web {
    glue: Asset,
    wasm: Asset,
}

/// Style sheets in the order of the cascade.
const STYLES: [&str; 9] = [
    include_str!("../style/tokens.css"),
    include_str!("../style/base.css"),
    include_str!("../style/frame.css"),
    include_str!("../style/prose.css"),
    include_str!("../style/code.css"),
    include_str!("../style/tables.css"),
    include_str!("../style/pages.css"),
    include_str!("../../diagrams/src/kit/kit.css"),
    include_str!("../style/media.css"),
];

/// Finds Trunk's output and gives it names that change with its content.
pub(crate) fn take_web(output: &mut Output) -> Result<Web, WriteError> {
    let names = output.names()?;
    let glue = take(output, &names, "course-web", ".js", "js")?;
    let wasm = take(output, &names, "course-web", "_bg.wasm", "wasm")?;
    Ok(Web { glue, wasm })
}

/// Takes the fresh file if Trunk has just written one, else the one renamed in an earlier run.
fn take(
    output: &mut Output,
    names: &[String],
    stem: &str,
    fresh: &str,
    extension: &str,
) -> Result<Asset, WriteError> {
    let fresh = format!("{stem}{fresh}");
    let is_renamed =
        |name: &&String| name.starts_with("course-web-") && name.ends_with(&format!(".{extension}"));
    let renamed: Vec<&String> = names.iter().filter(is_renamed).collect();
    let from = if names.contains(&fresh) { Some(&fresh) } else { renamed.first().copied() };
    let from = from.ok_or_else(|| WriteError::NoWasm { folder: output.folder().to_owned() })?;
    let bytes = output.read(from)?;
    output.remove(from)?;
    for old in renamed.into_iter().filter(|old| *old != from) {
        output.remove(old)?;
    }
    let name = output.write_hashed(stem, extension, &bytes)?;
    Ok(Asset { name, integrity: integrity(&bytes) })
}

/// Writes style and scripts.
pub(crate) fn write(output: &mut Output, web: Option<&Web>, data: Data) -> Result<Assets, WriteError> {
    let style = minify::css(&STYLES.concat());
    let theme = minify::script(include_str!("../static/theme.js"));
    let boot = minify::script(&boot(web));
    Ok(Assets {
        style: asset(output, "style", "css", &style)?,
        theme: asset(output, "theme", "js", &theme)?,
        boot: asset(output, "boot", "js", &boot)?,
        data,
    })
}

fn asset(output: &mut Output, stem: &str, extension: &str, text: &str) -> Result<Asset, WriteError> {
    let name = output.write_hashed(stem, extension, text.as_bytes())?;
    Ok(Asset { name, integrity: output::integrity(text.as_bytes()) })
}

/// The loader, told where the WebAssembly is and what it must be.
fn boot(web: Option<&Web>) -> String {
    let text = include_str!("../static/boot.js");
    let empty = Asset { name: String::new(), integrity: String::new() };
    let (glue, wasm) = web.map_or((&empty, &empty), |web| (&web.glue, &web.wasm));
    text.replace("__GLUE__", &glue.name)
        .replace("__GLUE_INTEGRITY__", &glue.integrity)
        .replace("__WASM__", &wasm.name)
        .replace("__WASM_INTEGRITY__", &wasm.integrity)
}
