//! CUDA, in the child only. [`Bench`] is one GPU made ready; each module below measures one thing.

mod all_reduce;
mod attributes;
mod bench;
mod both_ways;
mod buffers;
mod copies;
mod curves;
mod device_local;
mod fabric;
mod from_node;
mod from_place;
mod gang;
mod gate;
mod kernels;
mod launch;
mod library;
mod link;
mod load_file;
mod malloc_read;
mod managed;
mod nccl;
mod pin_price;
mod routes;
mod sm;
mod sm_kinds;
mod sums;
mod vmm;

pub(super) use all_reduce::take as all_reduce;
pub(super) use bench::Bench;

use crate::gpu::protocol::Step;
use crate::gpu::trouble::Trouble;
use crate::measure::pattern;
use buffers::Kind;

type Outcome<T> = Result<T, Trouble>;

/// Takes the measurements of one step and hands each to the parent.
pub(super) fn take(bench: &Bench, step: Step) -> Outcome<()> {
    match step {
        Step::Launch => launch::take(bench),
        Step::Pinned => copies::take(bench, step, Kind::Pinned),
        Step::Pageable => copies::take(bench, step, Kind::Pageable),
        Step::Registered => copies::take(bench, step, Kind::Registered),
        Step::Sm => sm::take(bench),
        Step::Bidirectional => both_ways::take(bench),
        Step::DeviceLocal => device_local::take(bench),
        Step::PinPrice => pin_price::take(bench),
        Step::Link => link::take(bench),
        Step::FromPlace => from_place::take(bench),
        Step::Attributes => attributes::take(bench),
        Step::MallocRead => malloc_read::take(bench),
        Step::ToGpu => load_file::take(bench),
        Step::DirectManaged => attributes::direct_managed(bench),
        Step::Fabric => fabric::take(bench),
        Step::FromNode => from_node::take(bench),
        Step::SmDevice => sm_kinds::device(bench),
        Step::SmManaged => sm_kinds::managed(bench),
        Step::SmMalloc => sm_kinds::malloc(bench),
        Step::AllReduce => Err(Trouble::Meaningless("An all-reduce needs GPUs of its own.".into())),
    }
}
