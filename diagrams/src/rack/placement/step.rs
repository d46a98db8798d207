//! What the reader does to the tray, one step at a time.

use super::nodes::{COUNT, grace_of, is_grace};

/// Kinds of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// `malloc`, then every page touched.
    Malloc,
    /// A file read through the page cache.
    File,
    /// `cudaHostAlloc`: pinned.
    Pinned,
    /// `cudaMalloc`.
    Cuda,
    /// `cudaMallocManaged`, then every page touched.
    Managed,
    /// `cudaMemPrefetchAsync` of the youngest `malloc` or managed buffer.
    Prefetch,
    /// `echo 3 > /proc/sys/vm/drop_caches`.
    Drop,
    /// The youngest process that holds memory ends.
    Exit,
}

/// Kinds with their letter in links and the name that readers see. The first five allocate.
pub const WHATS: [(What, char, &str); 8] = [
    (What::Malloc, 'm', "malloc"),
    (What::File, 'f', "file read"),
    (What::Pinned, 'h', "cudaHostAlloc"),
    (What::Cuda, 'c', "cudaMalloc"),
    (What::Managed, 'u', "cudaMallocManaged"),
    (What::Prefetch, 'p', "cudaMemPrefetchAsync"),
    (What::Drop, 'd', "drop_caches"),
    (What::Exit, 'x', "exit"),
];

impl What {
    /// Its name.
    pub fn name(self) -> &'static str {
        WHATS[self as usize].2
    }

    /// Whether it takes memory.
    pub fn allocates(self) -> bool {
        (self as usize) < 5
    }

    /// Whether `numactl` decides about it: pages that the kernel places for a process.
    pub fn can_bind(self) -> bool {
        matches!(self, Self::Malloc | Self::File)
    }
}

/// Where `numactl` or a cpuset allows pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bind {
    /// Anywhere.
    #[default]
    Anywhere,
    /// `numactl -m 0,1`: the Graces.
    Graces,
    /// `numactl -m` with the node of a GPU.
    Gpu,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub what: What,
    /// Node of the CPU or GPU that touches first, or on which the call is made.
    pub who: usize,
    /// Where pages may go.
    pub bind: Bind,
    /// How much, in gigabytes.
    pub gb: u32,
}

/// Largest amount of one step.
pub const MAX_GB: u32 = 1_800;

impl Step {
    /// A step without binding.
    pub const fn new(what: What, who: usize, gb: u32) -> Self {
        Self { what, who, bind: Bind::Anywhere, gb }
    }

    /// The GPU concerned: the actor, or the first GPU of a CPU's superchip.
    pub fn gpu(&self) -> usize {
        if is_grace(self.who) { 2 + 2 * self.who } else { self.who }
    }

    /// The Grace concerned.
    pub fn grace(&self) -> usize {
        grace_of(self.who)
    }

    /// The GPU that this step's process opens, if any: those of CUDA calls and of kernels that touch.
    pub fn opens(&self) -> Option<usize> {
        match self.what {
            What::Pinned | What::Cuda | What::Managed => Some(self.gpu()),
            What::Malloc if !is_grace(self.who) => Some(self.who),
            _ => None,
        }
    }

    /// The same step by somebody who can do it: a CPU reads files.
    pub fn sound(mut self) -> Self {
        if self.what == What::File {
            self.who = self.grace();
        }
        if !self.what.can_bind() {
            self.bind = Bind::Anywhere;
        }
        self
    }

    /// The actor: a CPU bears the number of its Grace.
    pub fn actor(&self) -> String {
        let (kind, number) = if is_grace(self.who) { ("CPU ", self.who) } else { ("GPU ", self.who - 2) };
        kind.to_owned() + &number.to_string()
    }

    /// As it stands in a link: `m0:1100`, `m0l:1100` bound to the Graces, `m2g:60` bound to the GPU.
    pub fn code(&self) -> String {
        let bind = match self.bind {
            Bind::Anywhere => "",
            Bind::Graces => "l",
            Bind::Gpu => "g",
        };
        let mut code = String::from(WHATS[self.what as usize].1);
        code += &self.who.to_string();
        code += bind;
        code += ":";
        code += &self.gb.to_string();
        code
    }

    /// Reads one step of a link.
    pub fn parse(code: &str) -> Option<Self> {
        let (head, gb) = code.split_once(':')?;
        let mut head = head.chars();
        let letter = head.next()?;
        let what = WHATS.iter().find(|w| w.1 == letter)?.0;
        let who = head.next()?.to_digit(10)? as usize;
        let bind = match head.next() {
            None => Bind::Anywhere,
            Some('l') => Bind::Graces,
            Some('g') => Bind::Gpu,
            Some(_) => return None,
        };
        let gb = gb.parse().ok().filter(|gb| (1..=MAX_GB).contains(gb))?;
        let known = who < COUNT && (bind == Bind::Anywhere || what.can_bind()) && head.next().is_none();
        known.then(|| Self { what, who, bind, gb }.sound())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_survive_a_link() {
        for (what, ..) in WHATS {
            for bind in [Bind::Anywhere, Bind::Graces, Bind::Gpu] {
                let step = Step { what, who: 1, bind, gb: 120 };
                let back = Step::parse(&step.code());
                let fits = bind == Bind::Anywhere || what.can_bind();
                assert_eq!(back, fits.then_some(step), "{}", step.code());
            }
        }
    }

    #[test]
    fn nonsense_is_no_step() {
        for code in ["", "m", "m0", "z0:1", "m6:1", "m0:0", "m0:99999", "m0q:1", "m0ll:1", "c2l:1", "m0:1e3"]
        {
            assert_eq!(Step::parse(code), None, "{code}");
        }
    }

    #[test]
    fn a_file_is_read_by_a_cpu() {
        assert_eq!(Step::parse("f4:10").map(|s| s.who), Some(1));
    }

    #[test]
    fn kinds_stand_at_their_place_in_the_table() {
        for (i, (what, ..)) in WHATS.iter().enumerate() {
            assert_eq!(*what as usize, i);
        }
    }
}
