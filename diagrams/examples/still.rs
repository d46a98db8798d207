//! Writes every figure's first state as one HTML page, to look at while drawing:
//! `cargo run -p diagrams --features ssr --example still -- out.html [light|dark]`.

use leptos::prelude::*;

mod trial;

const LIGHT: &str = "--page:#fcfcfa;--panel:#f1f2ef;--text:#1c1e21;--muted:#5a5f66;--link:#0b5cad;--cpu:#0f6e66;\
    --gpu:#4a7510;--wire:#b4470b;--kernel:#6b35b8;--caution:#8f5a00;--trouble:#b3261e;--line:#767b82";
const DARK: &str = "--page:#15171a;--panel:#1f2226;--text:#e7e7e4;--muted:#a3a8af;--link:#7ab8ff;--cpu:#3fc9b8;\
    --gpu:#a5d04a;--wire:#ff9d5c;--kernel:#b79bff;--caution:#f2b84b;--trouble:#ff8a80;--line:#7b8087";

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_else(|| "figures.html".into());
    let tokens = if args.next().as_deref() == Some("dark") { DARK } else { LIGHT };
    let owner = Owner::new();
    let figures: String = owner.with(|| {
        let draw = |f: &diagrams::FigureEntry| {
            let caption = format!("{}: caption of the course text", f.title);
            let still = (f.view)(diagrams::FigureProps { caption: caption.clone() }).to_html();
            format!("<div data-island=figure data-figure={} data-caption='{caption}'>{still}</div>", f.id)
        };
        diagrams::figures().chain([&trial::TRIAL]).map(draw).collect()
    });
    let css = include_str!("../src/kit/kit.css");
    let page = format!(
        "<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <style>:root{{{tokens}}}body{{background:var(--page);color:var(--text);font:17px/1.65 system-ui;\
         max-width:46rem;margin:1rem auto;padding:0 1rem}}figure{{margin:2.5rem 0}}.visually-hidden{{position:absolute;clip-path:inset(50%)}}\
         {css}</style>{figures}"
    );
    std::fs::write(path, page)
}
