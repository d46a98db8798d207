//! `drills machine topo`: the wiring as the kernel tells it.
