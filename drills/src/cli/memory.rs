//! `drills memory make` and `evict`: files for loaders of your own.

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drills_results::Unit;

use super::{CliError, FAILED, print, runner};
use crate::host::filesystem;
use crate::memory;
use crate::memory::load::checkpoint;
use crate::memory::scratch::{self, Trouble};
use crate::output::file::OutputFile;
use crate::output::units;

/// Writes a checkpoint; whole, or not at all.
pub(super) fn make(path: &Path, size: u64, quiet: bool) -> Result<ExitCode, CliError> {
    let shown = path.display().to_string();
    let io = |source| CliError::io(&shown, source);
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let readable = |bytes: u64| units::quantity(Unit::Bytes, bytes as f64);
    let allowed = match scratch::allowed_bytes(folder, 0) {
        Ok(allowed) => allowed,
        Err(Trouble::Io { source, .. }) => return Err(io(source)),
        Err(_) => 0,
    };
    if size > allowed {
        let (wanted, allowed) = (readable(size), readable(allowed));
        return Err(CliError::TooLarge { path: shown, wanted, allowed });
    }
    let stop = Arc::new(AtomicBool::new(false));
    runner::catch_signals(&stop);
    let mut output = OutputFile::create(path).map_err(io)?;
    let written = checkpoint::write(output.file(), size, &|| stop.load(Ordering::Relaxed)).map_err(io)?;
    let bytes = written.ok_or(CliError::Stopped)?;
    output.finish(&[]).map_err(io)?;
    if !quiet {
        print(&format!("{shown}: {}, safetensors with random bfloat16 values\n", readable(bytes)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Takes a file out of the page cache and says what is left.
pub(super) fn evict(path: &Path) -> Result<ExitCode, CliError> {
    let shown = path.display().to_string();
    let io = |source| CliError::io(&shown, source);
    let file = File::open(path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    if bytes == 0 {
        return Err(io(std::io::Error::new(std::io::ErrorKind::InvalidInput, "the file is empty")));
    }
    let before = memory::residency(&file, bytes).map_err(io)?;
    let left = memory::evict(&file, bytes).map_err(io)?;
    let mut text = format!(
        "{shown}: {} of {} pages were in the page cache, {} are left ({})\n",
        before.cached, before.pages, left.cached, left.proof
    );
    if left.is_cold() {
        print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let name = filesystem::of(path);
    match name.as_deref().and_then(filesystem::caveat) {
        Some(caveat) => text += &format!("On {}, {caveat}.\n", name.unwrap_or_default()),
        None => text += "Somebody maps it, or it may only be evicted by its owner.\n",
    }
    print(&text)?;
    Ok(ExitCode::from(FAILED))
}
