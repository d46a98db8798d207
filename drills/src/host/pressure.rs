//! Pressure stall information: how long threads waited for CPU, memory or I/O.

use super::root::Root;

/// What the kernel says about one resource.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pressure {
    /// Kernel without PSI, or a sandbox that hides it.
    Absent,
    /// Built in but switched off: boot with `psi=1`.
    Off,
    /// Share of the last 10 seconds, in percent.
    Known {
        /// At least one thread waited.
        some: f64,
        /// All threads waited. Old kernels have no such line for the CPU.
        full: Option<f64>,
    },
}

impl Pressure {
    /// `some avg10`, when known.
    pub fn some_percent(self) -> Option<f64> {
        match self {
            Self::Known { some, .. } => Some(some),
            _ => None,
        }
    }
}

/// Pressure of `cpu`, `memory` or `io`.
pub fn read(root: &Root, resource: &str) -> Pressure {
    from(root.try_read(&format!("proc/pressure/{resource}")))
}

fn from(file: std::io::Result<String>) -> Pressure {
    let text = match file {
        Ok(text) => text,
        Err(error) if error.raw_os_error() == Some(libc::EOPNOTSUPP) => return Pressure::Off,
        Err(_) => return Pressure::Absent,
    };
    match avg10(&text, "some") {
        Some(some) => Pressure::Known { some, full: avg10(&text, "full") },
        None => Pressure::Absent,
    }
}

/// `some avg10=0.12 avg60=0.05 avg300=0.01 total=12345`
fn avg10(text: &str, kind: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(kind))?;
    let value = line.split_whitespace().find_map(|word| word.strip_prefix("avg10="))?;
    value.parse().ok().filter(|percent: &f64| percent.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_states_are_told_apart() {
        let known =
            "some avg10=1.50 avg60=0.80 avg300=0.20 total=99\nfull avg10=0.25 avg60=0 avg300=0 total=1";
        assert_eq!(from(Ok(known.into())), Pressure::Known { some: 1.5, full: Some(0.25) });
        let old = "some avg10=1.50 avg60=0.80 avg300=0.20 total=99";
        assert_eq!(from(Ok(old.into())), Pressure::Known { some: 1.5, full: None });
        assert_eq!(from(Err(std::io::Error::from_raw_os_error(libc::EOPNOTSUPP))), Pressure::Off);
        assert_eq!(from(Err(std::io::ErrorKind::NotFound.into())), Pressure::Absent);
        assert_eq!(from(Ok("some avg10=nan".into())), Pressure::Absent);
    }
}
