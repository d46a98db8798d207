//! The system's package manager, where we may use it.

use anyhow::{Context, Result, bail};

use crate::command::{command, describe, find, output, run};
use crate::step::step;

/// What a set of programs is called in each system.
pub(super) struct Wanted {
    /// For messages: "Chromium and its driver".
    pub(super) what: &'static str,
    /// Debian, Ubuntu.
    pub(super) apt: &'static [&'static str],
    /// Fedora, RHEL.
    pub(super) dnf: &'static [&'static str],
    /// Arch.
    pub(super) pacman: &'static [&'static str],
    /// openSUSE.
    pub(super) zypper: &'static [&'static str],
    /// Alpine.
    pub(super) apk: &'static [&'static str],
}

impl Wanted {
    /// The program and arguments that install this here.
    fn install(&self) -> Option<Vec<&'static str>> {
        let table: [(&[&'static str], &'static [&'static str]); 5] = [
            (&["apt-get", "install", "--yes", "--no-install-recommends"], self.apt),
            (&["dnf", "install", "--assumeyes"], self.dnf),
            (&["pacman", "--sync", "--needed", "--noconfirm"], self.pacman),
            (&["zypper", "--non-interactive", "install"], self.zypper),
            (&["apk", "add"], self.apk),
        ];
        let (manager, names) = table.into_iter().find(|(manager, _)| find(manager[0]).is_some())?;
        Some([manager, names].concat())
    }
}

/// Installs with the package manager if we are root or `sudo` asks nothing; otherwise fails with
/// the exact command that somebody else has to type.
pub(super) fn install(wanted: &Wanted) -> Result<()> {
    let Some(words) = wanted.install() else {
        bail!("{} missing, and no package manager that I know is here: please install it", wanted.what);
    };
    let Some(prefix) = privilege() else {
        bail!("{} missing. Please run: sudo {}", wanted.what, words.join(" "));
    };
    step(&format!("{}: installing with {}", wanted.what, words[0]), || {
        if words[0] == "apt-get" {
            // Old package lists name files that are gone. If this fails, the next line says why.
            let _ = output(&mut with(prefix, &["apt-get", "update"]));
        }
        let mut install = with(prefix, &words);
        install.env("DEBIAN_FRONTEND", "noninteractive");
        run(&mut install).with_context(|| format!("please run: sudo {}", describe(&with(&[], &words))))
    })
}

/// What to put before a command so that it may change the system; `None` if nothing helps.
fn privilege() -> Option<&'static [&'static str]> {
    if output(command("id").arg("-u")).is_ok_and(|id| id.trim() == "0") {
        return Some(&[]);
    }
    let sudo = find("sudo").is_some() && output(command("sudo").args(["-n", "true"])).is_ok();
    sudo.then_some(&["sudo", "-n"])
}

fn with(prefix: &[&str], words: &[&str]) -> std::process::Command {
    let mut all = prefix.iter().chain(words);
    let mut built = command(all.next().unwrap_or(&"true"));
    built.args(all);
    built
}
