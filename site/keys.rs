//! Keys of the browser's storage. All start alike, so that other sites on the same host are left
//! alone and the reader can see and delete them together.

/// What every key starts with.
pub const PREFIX: &str = "aihost:v1:";
/// The reader's chosen machine, a results file.
pub const MACHINE: &str = "aihost:v1:machine";
/// Sections read, a list of `word#section`; written by `static/boot.js`.
pub const READ: &str = "aihost:v1:read";
/// Self-check questions answered, a list of `word#question`.
pub const ANSWERED: &str = "aihost:v1:answered";
/// `light` or `dark`; absent means what the system says. Written by `static/boot.js`.
pub const THEME: &str = "aihost:v1:theme";
/// `off` when single-key shortcuts are off. Written by `static/boot.js`.
pub const SHORTCUTS: &str = "aihost:v1:shortcuts";

/// What is kept under a key, in a reader's words.
pub fn describe(key: &str) -> &'static str {
    match key {
        MACHINE => "Your machine: the results file you chose",
        READ => "Sections you have read",
        ANSWERED => "Self-check questions you have answered",
        THEME => "Light or dark",
        SHORTCUTS => "Whether single-key shortcuts are on",
        _ if key.ends_with(":aside") => "Something unreadable that was set aside",
        _ => "Kept by an older version of this site",
    }
}
