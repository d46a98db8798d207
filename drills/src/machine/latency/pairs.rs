//! Which two CPUs stand for "neighbours", "same socket", "other socket".

use drills_results::topology::Topology;

use crate::host::lists;

/// How two CPUs lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// Hardware threads of one core.
    Smt,
    /// Two cores of one kind that share a cache.
    SharedCache,
    /// Two cores of one socket that share no cache.
    CrossCluster,
    /// Two cores of different sockets.
    CrossSocket,
    /// Two kinds of core.
    CrossKind,
}

impl Relation {
    /// All of them, nearest first.
    pub(super) const ALL: [Self; 5] =
        [Self::Smt, Self::SharedCache, Self::CrossCluster, Self::CrossSocket, Self::CrossKind];

    /// Key of the line transfer.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Smt => "latency.line.smt",
            Self::SharedCache => "latency.line.shared_l3",
            Self::CrossCluster => "latency.line.cross_cluster",
            Self::CrossSocket => "latency.line.cross_socket",
            Self::CrossKind => "latency.line.cross_kind",
        }
    }

    /// What a machine without such a pair lacks.
    pub(super) fn missing(self) -> &'static str {
        match self {
            Self::Smt => "No two usable CPUs are hardware threads of one core.",
            Self::SharedCache => "No two usable cores share a cache.",
            Self::CrossCluster => "All usable cores of a socket share a cache.",
            Self::CrossSocket => "All usable CPUs are in one socket.",
            Self::CrossKind => "All usable cores are of one kind.",
        }
    }
}

/// Where a CPU sits.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seat {
    cpu: u32,
    core: Option<usize>,
    kind: Option<usize>,
    package: Option<u32>,
    /// Instances of caches above the first level.
    caches: Vec<(usize, usize)>,
}

/// Seats of the usable CPUs.
#[derive(Clone, Debug)]
pub(super) struct Seats(Vec<Seat>);

impl Seats {
    /// From the wiring; `package_of` tells the socket of a CPU.
    pub(super) fn of(topology: &Topology, package_of: impl Fn(u32) -> Option<u32>, allowed: &[u32]) -> Self {
        let seat = |cpu: &u32| {
            let holds = |cpus: &String| lists::parse(cpus).contains(cpu);
            let l1 = topology.caches.iter().find(|cache| cache.level == 1 && cache.kind != "instruction");
            let above = topology.caches.iter().enumerate().filter(|(_, cache)| cache.level > 1);
            Seat {
                cpu: *cpu,
                core: l1.and_then(|cache| cache.shared_by.iter().position(holds)),
                kind: topology.core_kinds.iter().position(|kind| holds(&kind.cpus)),
                package: package_of(*cpu),
                caches: above
                    .filter_map(|(index, cache)| Some((index, cache.shared_by.iter().position(holds)?)))
                    .collect(),
            }
        };
        Self(allowed.iter().map(seat).collect())
    }

    /// The first pair of that relation.
    pub(super) fn pair(&self, relation: Relation) -> Option<(u32, u32)> {
        self.0.iter().enumerate().find_map(|(index, a)| {
            let b = self.0[index + 1..].iter().find(|b| relation_of(a, b) == Some(relation))?;
            Some((a.cpu, b.cpu))
        })
    }

    /// Two different cores, the nearest there are; hardware threads of one core if need be.
    pub(super) fn neighbours(&self) -> Option<(u32, u32)> {
        let cores = Relation::ALL.into_iter().filter(|relation| *relation != Relation::Smt);
        cores.chain([Relation::Smt]).find_map(|relation| self.pair(relation)).or_else(|| {
            // Nothing is known about them, but they are two.
            self.0.first().zip(self.0.get(1)).map(|(a, b)| (a.cpu, b.cpu))
        })
    }
}

fn relation_of(a: &Seat, b: &Seat) -> Option<Relation> {
    let differ = |a: Option<usize>, b: Option<usize>| a.zip(b).map(|(a, b)| a != b);
    if differ(a.core, b.core) == Some(false) && a.caches == b.caches {
        return Some(Relation::Smt);
    }
    if differ(a.kind, b.kind) == Some(true) {
        return Some(Relation::CrossKind);
    }
    if a.package.zip(b.package).is_some_and(|(a, b)| a != b) {
        return Some(Relation::CrossSocket);
    }
    if a.caches.iter().any(|cache| b.caches.contains(cache)) {
        return Some(Relation::SharedCache);
    }
    // Without any word about caches nothing can be said.
    (!a.caches.is_empty() && !b.caches.is_empty()).then_some(Relation::CrossCluster)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drills_results::topology::{Cache, CoreKind};

    fn cache(level: u32, shared_by: &[&str]) -> Cache {
        Cache {
            level,
            kind: if level == 1 { "data" } else { "unified" }.into(),
            bytes: 1 << (10 + level),
            line_bytes: Some(64),
            shared_by: shared_by.iter().map(|cpus| (*cpus).to_owned()).collect(),
        }
    }

    fn kind(cpus: &str) -> CoreKind {
        CoreKind { name: cpus.into(), cpus: cpus.into(), evidence: "midr".into() }
    }

    /// Two sockets of two clusters of two cores of two threads, siblings 8 apart.
    fn two_sockets() -> Seats {
        let l1 = cache(1, &["0,8", "1,9", "2,10", "3,11", "4,12", "5,13", "6,14", "7,15"]);
        let l3 = cache(3, &["0-1,8-9", "2-3,10-11", "4-5,12-13", "6-7,14-15"]);
        let topology =
            Topology { caches: vec![l1, l3], core_kinds: vec![kind("0-15")], ..Topology::default() };
        let all: Vec<u32> = (0..16).collect();
        Seats::of(&topology, |cpu| Some(cpu % 8 / 4), &all)
    }

    #[test]
    fn each_relation_has_its_pair() {
        let seats = two_sockets();
        let pairs: Vec<_> = Relation::ALL.iter().map(|relation| seats.pair(*relation)).collect();
        assert_eq!(pairs, [Some((0, 8)), Some((0, 1)), Some((0, 2)), Some((0, 4)), None]);
        assert_eq!(seats.neighbours(), Some((0, 1)));
    }

    #[test]
    fn kinds_that_share_a_cache_are_two_kinds() {
        let l1 = cache(1, &["0", "1", "2"]);
        let l3 = cache(3, &["0-2"]);
        let core_kinds = vec![kind("0-1"), kind("2")];
        let topology = Topology { caches: vec![l1, l3], core_kinds, ..Topology::default() };
        let seats = Seats::of(&topology, |_| Some(0), &[0, 1, 2]);
        assert_eq!(seats.pair(Relation::CrossKind), Some((0, 2)));
        assert_eq!(seats.pair(Relation::SharedCache), Some((0, 1)));
        assert_eq!(seats.pair(Relation::Smt), None);
    }

    #[test]
    fn a_sandbox_that_tells_nothing_still_has_two_cpus() {
        let seats = Seats::of(&Topology::default(), |_| None, &[3, 4]);
        assert_eq!(seats.pair(Relation::CrossCluster), None);
        assert_eq!(seats.neighbours(), Some((3, 4)));
        assert_eq!(Seats::of(&Topology::default(), |_| None, &[3]).neighbours(), None);
    }
}
