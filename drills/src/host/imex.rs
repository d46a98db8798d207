//! IMEX, the service that decides who may import GPU memory from another host: its daemon and channels.

use super::root::Root;

const CHANNELS: &str = "dev/nvidia-caps-imex-channels";
const NODES_CONFIG: &str = "etc/nvidia-imex/nodes_config.cfg";
/// Name of the process, which the kernel cuts to 15 characters, and the beginning of its helpers' names.
const DAEMON: &str = "nvidia-imex";
/// Port that the daemon listens on for its peers, unless configured otherwise.
const PORT: u16 = 50000;

/// What this process sees of IMEX.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imex {
    /// A process of that name.
    pub process: bool,
    /// Something listens on the daemon's port.
    pub listens: bool,
    /// Addresses in its list of nodes; absent without such a file.
    pub nodes: Option<usize>,
    /// Whether the kernel knows the class of device that channels are.
    pub class_known: bool,
    /// Numbers of the channels whose device is there.
    pub channels: Vec<u32>,
}

impl Imex {
    /// Whether the daemon runs, as far as can be seen. A port alone may be somebody else's.
    pub fn daemon_runs(&self) -> bool {
        self.process || (self.listens && self.nodes.is_some())
    }
}

/// Reads all of it.
pub fn read(root: &Root) -> Imex {
    let devices = root.read("proc/devices").unwrap_or_default();
    let config = root.read(NODES_CONFIG);
    let is_address = |line: &&str| !line.is_empty() && !line.starts_with('#');
    Imex {
        process: root.list("proc").iter().any(|pid| is_daemon(root, pid)),
        listens: ["proc/net/tcp", "proc/net/tcp6"].iter().any(|file| listens(root, file)),
        nodes: config.map(|text| text.lines().map(str::trim).filter(is_address).count()),
        class_known: devices.contains("nvidia-caps-imex-channels"),
        channels: channels(root),
    }
}

fn is_daemon(root: &Root, pid: &str) -> bool {
    pid.bytes().all(|b| b.is_ascii_digit())
        && root.read(&format!("proc/{pid}/comm")).is_some_and(|name| name == DAEMON)
}

/// `  0: 00000000:C350 00000000:0000 0A …`: local address and port in hexadecimal, state 0A is listening.
fn listens(root: &Root, file: &str) -> bool {
    let is_it = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        let port = words.next()?.rsplit(':').next()?;
        let state = words.nth(1)?;
        Some(u16::from_str_radix(port, 16) == Ok(PORT) && state == "0A")
    };
    root.read(file).is_some_and(|text| text.lines().any(|line| is_it(line) == Some(true)))
}

fn channels(root: &Root) -> Vec<u32> {
    let number = |name: &String| name.strip_prefix("channel")?.parse().ok();
    let mut found: Vec<u32> = root.list(CHANNELS).iter().filter_map(number).collect();
    found.sort_unstable();
    found
}

/// Whether this process may open a channel of this machine for reading and writing. Asked without opening.
pub fn may_open(channel: u32) -> bool {
    use rustix::fs::Access;
    let path = format!("/{CHANNELS}/channel{channel}");
    rustix::fs::access(path, Access::READ_OK | Access::WRITE_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::root::made_of as root;

    #[test]
    fn a_port_alone_is_no_daemon() {
        let tcp = "  sl  local_address rem_address   st\n   0: 00000000:C350 00000000:0000 0A 0";
        let (_dir, busy) = root(&[("proc/net/tcp", tcp)]);
        let seen = read(&busy);
        assert!(seen.listens && !seen.daemon_runs());
        let (_dir, ours) = root(&[
            ("proc/net/tcp6", tcp),
            ("etc/nvidia-imex/nodes_config.cfg", "# trays\n10.0.0.1\n\n10.0.0.2"),
        ]);
        let seen = read(&ours);
        assert_eq!((seen.daemon_runs(), seen.nodes), (true, Some(2)));
        let (_dir, peer) = root(&[("proc/net/tcp", "   0: 0100007F:C350 0100007F:1234 01 0")]);
        assert!(!read(&peer).listens, "a connection is no listener");
    }

    #[test]
    fn a_process_and_channels_are_found() {
        let (_dir, tray) = root(&[
            ("proc/812/comm", "nvidia-imex"),
            ("proc/self/comm", "drills"),
            ("proc/devices", "Character devices:\n234 nvidia-caps-imex-channels"),
            ("dev/nvidia-caps-imex-channels/channel0", ""),
            ("dev/nvidia-caps-imex-channels/channel12", ""),
            ("dev/nvidia-caps-imex-channels/other", ""),
        ]);
        let seen = read(&tray);
        assert!(seen.daemon_runs() && seen.class_known);
        assert_eq!(seen.channels, [0, 12]);
        let (_dir, none) = root(&[("proc/812/comm", "nvidia-imex-ctl")]);
        assert_eq!(read(&none), Imex::default());
    }
}
