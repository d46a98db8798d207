//! NCCL, loaded at run time.
//!
//! Own declarations of the few functions that are needed: cudarc looks for libnccl under many names, but not
//! under `libnccl.so.2`, the only one that packages and wheels have, and reads status codes into an enum that a
//! newer library's codes do not fit.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;

use cudarc::driver::sys::CUstream;
use drills_results::foreign::nccl_version;
use libloading::Library;

use super::Outcome;
use crate::gpu::trouble::Trouble;

const NAMES: [&str; 2] = ["libnccl.so.2", "libnccl.so"];
/// 2.10: older ones are from before the GPUs that this program knows.
const OLDEST: c_int = 21_000;
// Values of nccl.h.
const FLOAT_32: c_int = 7;
const SUM: c_int = 0;

/// What names a communicator to all its ranks, as nccl.h has it.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct UniqueId {
    pub(super) bytes: [u8; 128],
}

/// A communicator. Lives until the process ends: destroying one can hang.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comm(*mut c_void);

/// The library. Never unloaded: its threads may still run.
pub(super) struct Nccl {
    library: &'static Library,
    /// Version as text, such as "2.27.7".
    pub(super) version: String,
}

impl Nccl {
    /// Loads the library from a file or folder, or from wherever the loader finds it.
    pub(super) fn load(path: Option<&Path>) -> Outcome<Self> {
        let candidates: Vec<std::path::PathBuf> = match path {
            Some(folder) if folder.is_dir() => NAMES.iter().map(|name| folder.join(name)).collect(),
            Some(file) => vec![file.to_owned()],
            None => NAMES.iter().map(Into::into).collect(),
        };
        // SAFETY: loading NCCL runs its initialisers, which is what it is for; a path is the user's word.
        let open = |path: &std::path::PathBuf| unsafe { Library::new(path) };
        let mut why = String::new();
        let library = candidates.iter().find_map(|path| open(path).map_err(|e| why = e.to_string()).ok());
        let library = library.ok_or(Trouble::NoNccl { why })?;
        let mut nccl = Self { library: Box::leak(Box::new(library)), version: String::new() };
        let mut code = 0;
        type Version = unsafe extern "C" fn(*mut c_int) -> c_int;
        // SAFETY: the type is that of nccl.h and the pointer is valid for one c_int.
        nccl.check("ncclGetVersion", unsafe { nccl.symbol::<Version>("ncclGetVersion")?(&mut code) })?;
        nccl.version = nccl_version(code.unsigned_abs());
        if code < OLDEST { Err(Trouble::OldNccl { found: nccl.version }) } else { Ok(nccl) }
    }

    /// A name for a new communicator.
    pub(super) fn unique_id(&self) -> Outcome<UniqueId> {
        type Get = unsafe extern "C" fn(*mut UniqueId) -> c_int;
        let mut id = UniqueId { bytes: [0; 128] };
        // SAFETY: the type is that of nccl.h and the library fills the struct it is given.
        self.check("ncclGetUniqueId", unsafe { self.symbol::<Get>("ncclGetUniqueId")?(&mut id) })?;
        Ok(id)
    }

    /// Joins a communicator with the GPU whose context is current.
    pub(super) fn join(&self, id: UniqueId, rank: u32, ranks: u32) -> Outcome<Comm> {
        type Init = unsafe extern "C" fn(*mut *mut c_void, c_int, UniqueId, c_int) -> c_int;
        let mut comm = std::ptr::null_mut();
        // SAFETY: the type is that of nccl.h; the id goes by value.
        let code = unsafe {
            let init = self.symbol::<Init>("ncclCommInitRank")?;
            init(&mut comm, ranks as c_int, id, rank as c_int)
        };
        self.check("ncclCommInitRank", code)?;
        Ok(Comm(comm))
    }

    /// Communicators of one process, one for each device, in their order.
    pub(super) fn join_all(&self, devices: &[c_int]) -> Outcome<Vec<Comm>> {
        type Init = unsafe extern "C" fn(*mut *mut c_void, c_int, *const c_int) -> c_int;
        let mut comms = vec![std::ptr::null_mut(); devices.len()];
        // SAFETY: the type is that of nccl.h, and both arrays have the length that is passed.
        let code = unsafe {
            let init = self.symbol::<Init>("ncclCommInitAll")?;
            init(comms.as_mut_ptr(), devices.len() as c_int, devices.as_ptr())
        };
        self.check("ncclCommInitAll", code)?;
        Ok(comms.into_iter().map(Comm).collect())
    }

    /// Runs `calls`, which queue one operation on each of several communicators of this process, as one.
    pub(super) fn together(&self, calls: impl FnOnce() -> Outcome<()>) -> Outcome<()> {
        type Group = unsafe extern "C" fn() -> c_int;
        // SAFETY: the type is that of nccl.h.
        self.check("ncclGroupStart", unsafe { self.symbol::<Group>("ncclGroupStart")?() })?;
        let queued = calls();
        // SAFETY: as above; a group that was opened is closed whatever happened in it.
        self.check("ncclGroupEnd", unsafe { self.symbol::<Group>("ncclGroupEnd")?() })?;
        queued
    }

    /// Queues a sum of `floats` floats of device memory.
    ///
    /// # Safety
    /// Both addresses must be of that many floats on the communicator's device and live until the stream,
    /// which is of that device, is idle.
    pub(super) unsafe fn all_reduce(
        &self,
        comm: Comm,
        from: u64,
        to: u64,
        floats: u64,
        stream: CUstream,
    ) -> Outcome<()> {
        type AllReduce = unsafe extern "C" fn(u64, u64, usize, c_int, c_int, *mut c_void, CUstream) -> c_int;
        // SAFETY: the type is that of nccl.h, whose two pointers are addresses of the device; the rest is the
        // caller's word.
        let code = unsafe {
            let all_reduce = self.symbol::<AllReduce>("ncclAllReduce")?;
            all_reduce(from, to, floats as usize, FLOAT_32, SUM, comm.0, stream)
        };
        self.check("ncclAllReduce", code)
    }

    fn check(&self, call: &str, code: c_int) -> Outcome<()> {
        if code == 0 {
            return Ok(());
        }
        let (meaning, last) =
            (self.text("ncclGetErrorString", code as usize), self.text("ncclGetLastError", 0));
        let said = [meaning, last].into_iter().flatten().filter(|text| !text.is_empty());
        let message = said.collect::<Vec<_>>().join("; ").chars().take(400).collect();
        Err(Trouble::Nccl { call: call.into(), code, message })
    }

    /// What one of the two functions says that take a number or a null pointer and return a text.
    fn text(&self, function: &str, argument: usize) -> Option<String> {
        type Text = unsafe extern "C" fn(usize) -> *const c_char;
        // SAFETY: a c_int and a pointer are passed like a usize on the 64-bit Linux machines that have NCCL.
        let text = unsafe { self.symbol::<Text>(function).ok()?(argument) };
        // SAFETY: not null; the library returns texts that it owns and that end in a zero.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().trim().to_owned())
    }

    /// A function of the library, or the typed reason that it lacks it.
    ///
    /// # Safety
    /// `T` must be the type of that function.
    unsafe fn symbol<T: Copy>(&self, name: &str) -> Outcome<T> {
        // SAFETY: the caller vouches for the type.
        let found = unsafe { self.library.get::<T>(name.as_bytes()) };
        found.map(|symbol| *symbol).map_err(|_| Trouble::MissingSymbol { name: name.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A library with a version, whose `ncclCommInitRank` looks at all that it is handed.
    fn fake(version: &str) -> (tempfile::TempDir, Outcome<Nccl>) {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("nccl.c");
        let text = r#"
            typedef struct { char internal[128]; } Id;
            int ncclGetVersion(int *v) { *v = VERSION; return 0; }
            int ncclGetUniqueId(Id *id) { for (int i = 0; i < 128; i++) id->internal[i] = i; return 0; }
            int ncclCommInitRank(void **comm, int ranks, Id id, int rank) {
                for (int i = 0; i < 128; i++) if (id.internal[i] != i) return 4;
                *comm = (void *)(long)(100 * ranks + rank);
                return 0;
            }
            int ncclCommInitAll(void **comms, int n, const int *devices) {
                for (int i = 0; i < n; i++) comms[i] = (void *)(long)(devices[i] + 1);
                return 0;
            }
            int ncclAllReduce(const void *from, void *to, unsigned long count, int type, int op, void *comm, void *s) {
                return from == (void *)64 && to == (void *)128 && count == 5 && type == 7 && op == 0
                    && comm == (void *)201 && s == 0 ? 0 : 2;
            }
            const char *ncclGetErrorString(int code) { return code == 2 ? "unhandled system error" : "other"; }
            const char *ncclGetLastError(void *comm) { return comm ? "" : "No space left in /dev/shm"; }
        "#;
        std::fs::write(&source, text).expect("written");
        let library = folder.path().join("libnccl.so.2");
        let done = std::process::Command::new("cc")
            .args(["-shared", "-fPIC", &format!("-DVERSION={version}"), "-o"])
            .args([&library, &source])
            .status()
            .expect("cc runs");
        assert!(done.success(), "the fake library compiles");
        let nccl = Nccl::load(Some(folder.path()));
        (folder, nccl)
    }

    #[test]
    fn a_library_is_found_in_a_folder_and_called_as_its_header_says() {
        let (folder, nccl) = fake("22707");
        let nccl = nccl.expect("a library");
        assert_eq!(nccl.version, "2.27.7");
        assert!(Nccl::load(Some(&folder.path().join("libnccl.so.2"))).is_ok(), "by its file");
        let id = nccl.unique_id().expect("an id");
        let comm = nccl.join(id, 1, 2).expect("the id came by value");
        assert_eq!(comm.0 as usize, 201);
        let comms = nccl.join_all(&[3, 5]).expect("two");
        assert_eq!(comms.iter().map(|comm| comm.0 as usize).collect::<Vec<_>>(), [4, 6]);
        // SAFETY: this library touches no memory.
        let reduce = |count| unsafe { nccl.all_reduce(comm, 64, 128, count, std::ptr::null_mut()) };
        assert_eq!(reduce(5), Ok(()));
        let text = reduce(6).expect_err("refused").to_string();
        assert_eq!(text, "ncclAllReduce returned 2: unhandled system error; No space left in /dev/shm.");
    }

    #[test]
    fn what_cannot_be_used_is_told_by_type() {
        assert!(matches!(fake("2804").1, Err(Trouble::OldNccl { found }) if found == "2.8.4"));
        assert!(matches!(fake("20905").1, Err(Trouble::OldNccl { found }) if found == "2.9.5"));
        assert!(matches!(Nccl::load(Some(Path::new("/no/such"))), Err(Trouble::NoNccl { .. })));
        let (_folder, nccl) = fake("22707");
        let missing = nccl.expect("a library").together(|| Ok(()));
        assert_eq!(missing, Err(Trouble::MissingSymbol { name: "ncclGroupStart".into() }));
    }
}
