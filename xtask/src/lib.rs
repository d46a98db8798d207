//! What the commands of `cargo xtask` share with the tests: paths and the static file server.

pub mod paths;
pub mod server;
