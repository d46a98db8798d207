//! A static file server: what a plain host does with `dist/`, and nothing it would not do.
//!
//! In addition it can send the Content Security Policy as a header, mount the site in a sub-folder
//! (tests), and tell open pages to reload (`cargo xtask serve`).

use std::io::{self, Cursor, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use tiny_http::{Header, Method, Request, Response, Server as Http};

/// Where the script that reloads pages is served. Never part of `dist/`.
const RELOAD_SCRIPT: &str = "/.xtask/reload.js";
/// Where that script listens.
const RELOAD_EVENTS: &str = "/.xtask/events";

/// What to serve and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder with the built site.
    pub dist: PathBuf,
    /// Address to listen on; port 0 takes a free one.
    pub address: String,
    /// Sub-folder the site appears in, such as `/a/b`; empty for the root.
    pub prefix: String,
    /// Value of the `Content-Security-Policy` header; empty for none.
    pub policy: String,
    /// Counts builds; pages reload when it changes. `None` leaves pages as they are in `dist/`.
    pub builds: Option<Arc<AtomicU64>>,
}

/// A running server. It stops with the process.
#[derive(Debug)]
pub struct Server {
    /// Where the site is: `http://127.0.0.1:8080/`, with the sub-folder if there is one.
    pub url: String,
}

/// Starts serving in the background.
///
/// # Errors
/// When the address cannot be listened on, usually because another server has it.
pub fn start(options: Options) -> io::Result<Server> {
    let http = Http::http(options.address.as_str()).map_err(io::Error::other)?;
    let address = http.server_addr().to_ip().ok_or_else(|| io::Error::other("not an IP address"))?;
    let url = format!("http://{address}{}/", options.prefix);
    let (http, options) = (Arc::new(http), Arc::new(options));
    for _ in 0..4 {
        let (http, options) = (Arc::clone(&http), Arc::clone(&options));
        thread::spawn(move || {
            for request in http.incoming_requests() {
                // A reader who went away is no error of ours.
                let _ = answer(request, &options);
            }
        });
    }
    Ok(Server { url })
}

fn answer(request: Request, options: &Options) -> io::Result<()> {
    let path = request.url().split(['?', '#']).next().unwrap_or("/").to_owned();
    if let Some(builds) = &options.builds {
        match path.as_str() {
            RELOAD_EVENTS => {
                let builds = Arc::clone(builds);
                thread::spawn(move || send_events(request, &builds));
                return Ok(());
            }
            RELOAD_SCRIPT => {
                let script = include_str!("reload.js").as_bytes().to_vec();
                return request.respond(reply(200, "text/javascript; charset=utf-8", script, options));
            }
            _ => {}
        }
    }
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(reply(405, "text/plain", b"only GET and HEAD".to_vec(), options));
    }
    match locate(&path, options) {
        Found::File(file) => send_file(request, 200, &file, options),
        Found::Moved(to) => {
            let mut moved = reply(301, "text/plain", Vec::new(), options);
            header("Location", &to).into_iter().for_each(|location| moved.add_header(location));
            request.respond(moved)
        }
        Found::Nothing => send_file(request, 404, &options.dist.join("404.html"), options),
    }
}

#[derive(Debug, PartialEq)]
enum Found {
    File(PathBuf),
    /// A folder asked for without its slash: relative links would point wrong.
    Moved(String),
    Nothing,
}

fn locate(path: &str, options: &Options) -> Found {
    let Some(inside) = path.strip_prefix(options.prefix.as_str()) else { return Found::Nothing };
    if inside.is_empty() {
        return Found::Moved(format!("{}/", options.prefix));
    }
    let relative = PathBuf::from(decode(inside.trim_start_matches('/')));
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return Found::Nothing;
    }
    let file = options.dist.join(&relative);
    if !file.is_dir() {
        return if file.is_file() { Found::File(file) } else { Found::Nothing };
    }
    let index = file.join("index.html");
    match (index.is_file(), inside.ends_with('/')) {
        (false, _) => Found::Nothing,
        (true, false) => Found::Moved(format!("{path}/")),
        (true, true) => Found::File(index),
    }
}

/// Undoes `%20` and the like; what is no valid escape stays as it is.
fn decode(text: &str) -> String {
    let (bytes, mut out, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let escape = (byte == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        if let Some(value) = escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            out.push(value);
            at += 3;
        } else {
            out.push(byte);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn send_file(request: Request, status: u16, file: &Path, options: &Options) -> io::Result<()> {
    let Ok(mut body) = std::fs::read(file) else {
        return request.respond(reply(404, "text/plain; charset=utf-8", b"not found\n".to_vec(), options));
    };
    let mime = mime(file);
    if options.builds.is_some() && mime.starts_with("text/html") {
        body.extend_from_slice(format!("<script src=\"{RELOAD_SCRIPT}\" defer></script>\n").as_bytes());
    }
    if !takes_gzip(&request) || !is_text(mime) {
        return request.respond(reply(status, mime, body, options));
    }
    let mut packed = reply(status, mime, gzip(&body)?, options);
    header("Content-Encoding", "gzip").into_iter().for_each(|encoding| packed.add_header(encoding));
    request.respond(packed)
}

/// Static hosts compress what they send; measured speed means nothing without.
fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn takes_gzip(request: &Request) -> bool {
    let accepts =
        |header: &Header| header.field.equiv("Accept-Encoding") && header.value.as_str().contains("gzip");
    request.headers().iter().any(accepts)
}

fn is_text(mime: &str) -> bool {
    ["text/", "application/", "image/svg"].iter().any(|kind| mime.starts_with(kind))
        && mime != "application/zip"
}

fn reply(status: u16, mime: &str, body: Vec<u8>, options: &Options) -> Response<Cursor<Vec<u8>>> {
    let length = body.len();
    let mut headers = Vec::new();
    headers.extend(header("Content-Type", mime));
    headers.extend(header("Cache-Control", "no-cache"));
    headers.extend(header("Content-Security-Policy", &options.policy).filter(|_| !options.policy.is_empty()));
    // Chunks would hide the length from progress bars and budgets.
    Response::new(status.into(), headers, Cursor::new(body), Some(length), None)
        .with_chunked_threshold(usize::MAX)
}

/// `None` when the value cannot be sent, such as one with a line break.
fn header(name: &str, value: &str) -> Option<Header> {
    Header::from_bytes(name, value).ok()
}

fn send_events(request: Request, builds: &AtomicU64) {
    let mut writer = request.into_writer();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
    let mut sent = None;
    if writer.write_all(head.as_bytes()).is_err() {
        return;
    }
    loop {
        let build = builds.load(Ordering::Relaxed);
        // A comment keeps the line alive and finds out whether the page is still there.
        let line =
            if sent == Some(build) { ": still here\n\n".to_owned() } else { format!("data: {build}\n\n") };
        if writer.write_all(line.as_bytes()).and_then(|()| writer.flush()).is_err() {
            return;
        }
        sent = Some(build);
        for _ in 0..50 {
            if sent != Some(builds.load(Ordering::Relaxed)) {
                break;
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
}

/// The type of a file by its ending. Browsers refuse WebAssembly and modules under a wrong one.
pub fn mime(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "xml" => "application/xml",
        "txt" | "md" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "zip" => "application/zip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::net::TcpStream;

    fn site() -> PathBuf {
        use std::sync::atomic::AtomicU32;
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("xtask-server-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(dir.join("machine")).expect("temporary folder");
        for (file, text) in
            [("index.html", "home"), ("machine/index.html", "machine"), ("404.html", "lost"), ("a.wasm", "w")]
        {
            std::fs::write(dir.join(file), text).expect("temporary file");
        }
        dir
    }

    fn served(prefix: &str, builds: Option<Arc<AtomicU64>>) -> Server {
        let (address, policy) = ("127.0.0.1:0".into(), "default-src 'none'".into());
        start(Options { dist: site(), address, prefix: prefix.into(), policy, builds }).expect("a free port")
    }

    fn get(server: &Server, path: &str) -> String {
        let host = server.url.trim_start_matches("http://").split('/').next().expect("host");
        let mut stream = TcpStream::connect(host).expect("the server listens");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        answer
    }

    #[test]
    fn pages_come_with_type_and_policy() {
        let answer = get(&served("", None), "/machine/?x=1");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(answer.contains("Content-Type: text/html"), "{answer}");
        assert!(answer.contains("Content-Security-Policy: default-src 'none'"), "{answer}");
        assert!(answer.ends_with("machine"), "{answer}");
    }

    #[test]
    fn wasm_has_the_type_browsers_insist_on() {
        assert!(get(&served("", None), "/a.wasm").contains("Content-Type: application/wasm"));
    }

    #[test]
    fn a_missing_page_is_the_404_page() {
        let answer = get(&served("", None), "/nowhere");
        assert!(answer.starts_with("HTTP/1.1 404") && answer.ends_with("lost"), "{answer}");
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/machine/../../x"] {
            assert!(get(&served("", None), path).starts_with("HTTP/1.1 404"), "{path}");
        }
    }

    #[test]
    fn a_folder_without_its_slash_moves() {
        assert!(get(&served("", None), "/machine").contains("Location: /machine/"));
        assert!(get(&served("/a/b", None), "/a/b").contains("Location: /a/b/"));
    }

    #[test]
    fn a_sub_folder_serves_the_same_site() {
        let server = served("/a/b", None);
        assert!(server.url.ends_with("/a/b/"));
        assert!(get(&server, "/a/b/machine/").ends_with("machine"));
        assert!(get(&server, "/machine/").starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn text_is_compressed_for_those_who_take_it() {
        let server = served("", None);
        assert!(!get(&server, "/").contains("Content-Encoding"));
        let host = server.url.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host).expect("the server listens");
        let ask = "GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip, br\r\nConnection: close\r\n\r\n";
        stream.write_all(ask.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("answered");
        let text = String::from_utf8_lossy(&answer);
        assert!(text.contains("Content-Encoding: gzip"), "{text}");
        assert!(answer.windows(2).any(|pair| pair == [0x1f, 0x8b]), "no gzip data");
    }

    #[test]
    fn only_serve_mode_adds_the_reload_script() {
        assert!(!get(&served("", None), "/").contains("<script"));
        let live = served("", Some(Arc::default()));
        assert!(get(&live, "/").contains(RELOAD_SCRIPT));
        assert!(get(&live, RELOAD_SCRIPT).contains("EventSource"));
    }

    #[test]
    fn escapes_are_undone_and_garbage_kept() {
        assert_eq!(decode("a%20b"), "a b");
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz%é"), "%zz%é");
    }
}
