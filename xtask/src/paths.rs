//! Where things are: the clone, the built site, the tools outside the clone.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the clone.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The built site, ready for any static host.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Tools that are built or fetched once and used by every clone.
pub fn tools() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|dir| dir.is_absolute())
        .or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))
        .unwrap_or_else(env::temp_dir);
    cache.join("ai-host-course").join("tools")
}

/// The policy that every page carries in a `<meta>` and the server sends as a header.
pub fn content_security_policy() -> PathBuf {
    root().join("site").join("csp.txt")
}
