//! Mounts every figure live, to try them while drawing: build for wasm32-unknown-unknown with feature
//! `csr`, run wasm-bindgen (`--target web`) over it, and call it from any page with kit.css.

use leptos::prelude::*;

fn main() {
    for figure in diagrams::figures() {
        let caption = format!("{}: caption of the course text", figure.title);
        mount_to_body(move || (figure.view)(diagrams::FigureProps { caption }));
    }
}
