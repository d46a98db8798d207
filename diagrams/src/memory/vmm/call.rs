//! The calls, their names, and how they travel in an address.

/// One call of one process. Addresses and sizes in MiB, memories by index: 0 is A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "a field means the same in every variant, and the line above says what")]
pub enum Call {
    /// `cuMemAddressReserve` with a hint.
    Reserve { process: usize, at: u32, mib: u32 },
    /// `cuMemCreate` on a device, with a handle type or without.
    Create { process: usize, mib: u32, device: usize, shareable: bool },
    /// `cuMemMap`.
    Map { process: usize, at: u32, mib: u32, memory: usize },
    /// `cuMemSetAccess`: read and write for a device.
    SetAccess { process: usize, at: u32, mib: u32, device: usize },
    /// `cuMemsetD8` by the process's own GPU.
    Write { process: usize, at: u32, mib: u32 },
    /// `cuMemExportToShareableHandle`.
    Export { process: usize, memory: usize },
    /// `cuMemImportFromShareableHandle` of the descriptor that was exported last.
    Import { process: usize },
    /// `cuMemUnmap`.
    Unmap { process: usize, at: u32, mib: u32 },
    /// `cuMemRelease`.
    Release { process: usize, memory: usize },
    /// `cuMemAddressFree`.
    Free { process: usize, at: u32, mib: u32 },
    /// `cuMulticastCreate` for a team of two.
    TeamCreate { process: usize, mib: u32 },
    /// `cuMulticastAddDevice`.
    TeamAdd { process: usize, team: usize, device: usize },
    /// `cuMulticastBindMem`.
    TeamBind { process: usize, team: usize, memory: usize },
}

/// Letter of a memory.
pub fn letter(memory: usize) -> char {
    char::from(b'A' + memory.min(25) as u8)
}

impl Call {
    /// Who calls.
    pub fn process(self) -> usize {
        match self {
            Self::Reserve { process, .. }
            | Self::Create { process, .. }
            | Self::Map { process, .. }
            | Self::SetAccess { process, .. }
            | Self::Write { process, .. }
            | Self::Export { process, .. }
            | Self::Import { process }
            | Self::Unmap { process, .. }
            | Self::Release { process, .. }
            | Self::Free { process, .. }
            | Self::TeamCreate { process, .. }
            | Self::TeamAdd { process, .. }
            | Self::TeamBind { process, .. } => process,
        }
    }

    /// The function's name.
    pub fn function(self) -> &'static str {
        match self {
            Self::Reserve { .. } => "cuMemAddressReserve",
            Self::Create { .. } => "cuMemCreate",
            Self::Map { .. } => "cuMemMap",
            Self::SetAccess { .. } => "cuMemSetAccess",
            Self::Write { .. } => "cuMemsetD8",
            Self::Export { .. } => "cuMemExportToShareableHandle",
            Self::Import { .. } => "cuMemImportFromShareableHandle",
            Self::Unmap { .. } => "cuMemUnmap",
            Self::Release { .. } => "cuMemRelease",
            Self::Free { .. } => "cuMemAddressFree",
            Self::TeamCreate { .. } => "cuMulticastCreate",
            Self::TeamAdd { .. } => "cuMulticastAddDevice",
            Self::TeamBind { .. } => "cuMulticastBindMem",
        }
    }

    /// What it is called with, in short.
    pub fn arguments(self) -> String {
        let range = |at: u32, mib: u32| format!("+{at}, {mib} MiB");
        match self {
            Self::Reserve { at, mib, .. }
            | Self::Write { at, mib, .. }
            | Self::Unmap { at, mib, .. }
            | Self::Free { at, mib, .. } => range(at, mib),
            Self::Create { mib, device, shareable, .. } => {
                format!("{mib} MiB, GPU {device}{}", if shareable { ", fd" } else { "" })
            }
            Self::Map { at, mib, memory, .. } => format!("{}, {}", range(at, mib), letter(memory)),
            Self::SetAccess { at, mib, device, .. } => format!("{}, GPU {device}", range(at, mib)),
            Self::Export { memory, .. } | Self::Release { memory, .. } => letter(memory).to_string(),
            Self::Import { .. } => "fd".into(),
            Self::TeamCreate { mib, .. } => format!("{mib} MiB, 2 GPUs"),
            Self::TeamAdd { team, device, .. } => format!("{}, GPU {device}", letter(team)),
            Self::TeamBind { team, memory, .. } => format!("{}, {}", letter(team), letter(memory)),
        }
    }

    /// The call as text.
    pub fn text(self) -> String {
        format!("{}({})", self.function(), self.arguments())
    }

    /// The call as a letter and one digit (base 36) per argument.
    pub fn code(self) -> String {
        let digit = |n: usize| char::from_digit(n.min(35) as u32, 36).unwrap_or('0');
        let word = |op: char, args: &[usize]| {
            std::iter::once(op).chain(args.iter().map(|&a| digit(a))).collect::<String>()
        };
        match self {
            Self::Reserve { process, at, mib } => word('R', &[process, at as usize, mib as usize]),
            Self::Create { process, mib, device, shareable } => {
                word('C', &[process, mib as usize, device, usize::from(shareable)])
            }
            Self::Map { process, at, mib, memory } => {
                word('M', &[process, at as usize, mib as usize, memory])
            }
            Self::SetAccess { process, at, mib, device } => {
                word('A', &[process, at as usize, mib as usize, device])
            }
            Self::Write { process, at, mib } => word('W', &[process, at as usize, mib as usize]),
            Self::Export { process, memory } => word('X', &[process, memory]),
            Self::Import { process } => word('I', &[process]),
            Self::Unmap { process, at, mib } => word('U', &[process, at as usize, mib as usize]),
            Self::Release { process, memory } => word('D', &[process, memory]),
            Self::Free { process, at, mib } => word('F', &[process, at as usize, mib as usize]),
            Self::TeamCreate { process, mib } => word('T', &[process, mib as usize]),
            Self::TeamAdd { process, team, device } => word('P', &[process, team, device]),
            Self::TeamBind { process, team, memory } => word('B', &[process, team, memory]),
        }
    }
}

/// Largest address, size and memory that a call may name. Larger ones are no calls of this figure.
pub const LIMITS: (u32, u32, usize) = (15, 16, 7);

/// Calls from their codes; reading stops at what is none.
pub fn read_calls(text: &str, most: usize) -> Vec<Call> {
    let mut rest = text.chars();
    std::iter::from_fn(|| read_call(&mut rest)).take(most).collect()
}

fn read_call(rest: &mut std::str::Chars<'_>) -> Option<Call> {
    let op = rest.next()?;
    let mut digit = |most: u32| rest.next()?.to_digit(36).filter(|d| *d <= most);
    let process = digit(1)? as usize;
    let (at, mib, memory) = (LIMITS.0, LIMITS.1, LIMITS.2 as u32);
    Some(match op {
        'R' => Call::Reserve { process, at: digit(at)?, mib: digit(mib)? },
        'C' => {
            Call::Create { process, mib: digit(mib)?, device: digit(1)? as usize, shareable: digit(1)? == 1 }
        }
        'M' => Call::Map { process, at: digit(at)?, mib: digit(mib)?, memory: digit(memory)? as usize },
        'A' => Call::SetAccess { process, at: digit(at)?, mib: digit(mib)?, device: digit(1)? as usize },
        'W' => Call::Write { process, at: digit(at)?, mib: digit(mib)? },
        'X' => Call::Export { process, memory: digit(memory)? as usize },
        'I' => Call::Import { process },
        'U' => Call::Unmap { process, at: digit(at)?, mib: digit(mib)? },
        'D' => Call::Release { process, memory: digit(memory)? as usize },
        'F' => Call::Free { process, at: digit(at)?, mib: digit(mib)? },
        'T' => Call::TeamCreate { process, mib: digit(mib)? },
        'P' => Call::TeamAdd { process, team: digit(memory)? as usize, device: digit(1)? as usize },
        'B' => Call::TeamBind { process, team: digit(memory)? as usize, memory: digit(memory)? as usize },
        _ => return None,
    })
}
