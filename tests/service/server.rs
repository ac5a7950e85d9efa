//! `klondike serve` as a real program, asked through real sockets.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use klondike_engine::search::clock::system_clock;
use klondike_service::request::KINDS;
use klondike_service::{Control, Request, answer};
use serde_json::{Value, json};

/// A question that takes far longer than any test.
const LONG: &str = r#"{"deal":"klondike:22","goal":"shortest"}"#;

/// A server that ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn new(options: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_klondike"))
            .args(["serve", "--port", "0"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line
            .trim()
            .strip_prefix("http://")
            .unwrap()
            .trim_end_matches('/');
        Server {
            child,
            address: address.to_owned(),
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        // A test that fails should not hang.
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    /// Sends bytes and reads all that comes back.
    fn raw(&self, bytes: &[u8]) -> Response {
        let mut stream = self.connect();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(bytes);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        Response::new(&all)
    }

    fn get(&self, path: &str, headers: &str) -> Response {
        let host = &self.address;
        self.raw(
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n")
                .as_bytes(),
        )
    }

    fn post(&self, path: &str, body: &str) -> Response {
        self.raw(self.request(path, "Connection: close\r\n", body).as_bytes())
    }

    fn request(&self, path: &str, headers: &str, body: &str) -> String {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n{headers}\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
    }

    /// Begins a stream of events.
    fn stream(&self, path: &str, body: &str) -> Events {
        let mut stream = self.connect();
        let headers = "Accept: text/event-stream\r\nConnection: close\r\n";
        stream
            .write_all(self.request(path, headers, body).as_bytes())
            .unwrap();
        let mut lines = BufReader::new(stream);
        let mut status = String::new();
        lines.read_line(&mut status).unwrap();
        assert!(status.starts_with("HTTP/1.1 200 "), "{status}");
        Events { lines }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A stream of events.
struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The next event with its name; nothing at the end.
    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(rest) = line.strip_prefix("event: ") {
                name = rest.trim().to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).unwrap()));
            }
        }
    }

    /// The last event.
    fn last(mut self) -> (String, Value) {
        let mut last = None;
        while let Some(event) = self.next() {
            last = Some(event);
        }
        last.unwrap()
    }
}

struct Response {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Response {
    fn new(all: &[u8]) -> Response {
        let end = all.windows(4).position(|four| four == b"\r\n\r\n");
        let (head, body) = all.split_at(end.map_or(all.len(), |end| end + 4));
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|word| word.parse().ok())
            .unwrap_or(0);
        Response {
            status,
            body: body.to_vec(),
            head,
        }
    }

    /// The body of a compressed response.
    fn unpacked(&self) -> Vec<u8> {
        for header in [
            "content-encoding: gzip",
            "transfer-encoding: chunked",
            "vary: accept-encoding",
        ] {
            assert!(self.head.contains(header), "{header}\n{}", self.head);
        }
        let (mut rest, mut packed) = (self.body.as_slice(), Vec::new());
        loop {
            let end = rest.windows(2).position(|two| two == b"\r\n").unwrap();
            let size = std::str::from_utf8(&rest[..end]).unwrap();
            let size = usize::from_str_radix(size, 16).unwrap();
            if size == 0 {
                break;
            }
            packed.extend(&rest[end + 2..end + 2 + size]);
            rest = &rest[end + 4 + size..];
        }
        let mut body = Vec::new();
        flate2::read::GzDecoder::new(packed.as_slice())
            .read_to_end(&mut body)
            .unwrap();
        body
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The message of an answer of kind `error`.
    fn message(&self) -> String {
        let answer = self.json();
        assert_eq!(answer["kind"], "error", "{}{answer}", self.head);
        answer["message"].as_str().unwrap().to_owned()
    }
}

#[test]
fn the_server_answers_as_the_service_does() {
    let server = Server::new(&[]);
    let hello = server.get("/api/hello", "").json();
    assert_eq!(
        (&hello["kind"], &hello["kinds"]),
        (&json!("hello"), &json!(KINDS))
    );
    for (kind, body) in [
        ("position", r#"{"deal":"klondike:3","moves":"draw*2"}"#),
        (
            "analyse",
            r#"{"deal":"klondike:3","moves":"draw*2","game":true}"#,
        ),
        ("explain", r#"{"deal":"solvitaire:1"}"#),
        ("prove", r#"{"kind":"prove","deal":"solvitaire:1"}"#),
        (
            "generate",
            r#"{"count":2,"from":{"scheme":"pysol","seed":"7"}}"#,
        ),
        ("schemes", "{}"),
    ] {
        let response = server.post(&format!("/api/{kind}"), body);
        let request = Request::of_kind_json(kind, body).unwrap();
        let wanted = answer(&request, &Control::new(system_clock)).unwrap();
        assert_eq!(String::from_utf8_lossy(&response.body), wanted);
        assert!(
            response.head.contains("content-type: application/json\r\n"),
            "{}",
            response.head
        );
        assert!(
            response.head.contains("cache-control: no-store\r\n"),
            "{}",
            response.head
        );
    }
    let api = server.get("/openapi.json", "").json();
    let paths = api["paths"].as_object().unwrap();
    assert_eq!(paths.len(), KINDS.len() + 1);
    for kind in KINDS {
        let body = &paths[&format!("/api/{kind}")]["post"]["requestBody"];
        let schema = &body["content"]["application/json"]["schema"];
        assert_eq!(schema["additionalProperties"], false, "{kind}");
    }
    // All that is referred to is there.
    let text = api.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(api.pointer(pointer).is_some(), "{pointer}");
    }
}

#[test]
fn a_stream_has_progress_and_ends_with_the_answer() {
    let server = Server::new(&["--time-limit", "0.8"]);
    let mut events = server.stream("/api/solve", LONG);
    let (name, progress) = events.next().unwrap();
    assert_eq!(
        (name.as_str(), &progress["kind"]),
        ("progress", &json!("progress"))
    );
    let (name, last) = events.last();
    // The limit of the server holds, whatever the request says.
    assert_eq!((name.as_str(), &last["limit"]), ("answer", &json!("time")));
    let (name, last) = server.stream("/api/solve", r#"{"deal":"AS"}"#).last();
    assert_eq!((name.as_str(), &last["kind"]), ("error", &json!("error")));
}

/// What is no request gets a status of its own and the words of the command line.
#[test]
fn hostile_requests_are_refused_with_words() {
    let server = Server::new(&[]);
    let long_deal = format!(r#"{{"deal":"{}"}}"#, "AS ".repeat(333_334));
    for (path, body, status, message) in [
        ("/api/solve", "{", 400, "the request is no JSON: EOF"),
        (
            "/api/solve",
            "\u{0}\u{1}",
            400,
            "the request is no JSON: expected value",
        ),
        ("/api/solve", "[[[[[[", 400, "the request is no JSON"),
        (
            "/api/solve",
            r#"{"deal":"klondike:3","x":1}"#,
            400,
            "there is no field `x`",
        ),
        (
            "/api/solve",
            r#"{"kind":"grade","deal":"klondike:3"}"#,
            400,
            "`kind`: this asks for",
        ),
        (
            "/api/solve",
            r#"{"deal":"AS AS"}"#,
            422,
            "the deal: card 2: the card AS stands twice",
        ),
        (
            "/api/solve",
            r#"{"deal":"klondike:3","moves":"draw*4000000000"}"#,
            422,
            "the moves:",
        ),
        (
            "/api/solve",
            &long_deal,
            413,
            "the request is too long: it has more than 65536 bytes",
        ),
        ("/api/solve/", "{}", 404, "there is no such address"),
        (
            "/api/../../etc/passwd",
            "{}",
            404,
            "there is no such address",
        ),
        (
            "/api/%2e%2e%2f%00",
            "{}",
            404,
            "there is no such kind of request",
        ),
        (
            "/api/nothing",
            "{}",
            404,
            "there is no such kind of request",
        ),
        ("/api/hello", "{}", 405, "read this with GET"),
        ("/etc/passwd", "{}", 404, "there is no such page"),
        ("/../web/package.json", "{}", 404, "there is no such page"),
        ("//", "{}", 404, "there is no such page"),
        ("/index.html", "{}", 405, "a page can only be read"),
    ] {
        let response = server.post(path, body);
        let shown: String = body.chars().take(60).collect();
        assert_eq!(response.status, status, "{path} {shown}: {}", response.head);
        let found = response.message();
        assert!(found.starts_with(message), "{path} {shown}: {found}");
    }
    let no_utf8 = b"{\"deal\":\"\xff\xfe\"}";
    let head = server.request(
        "/api/solve",
        "Connection: close\r\n",
        &" ".repeat(no_utf8.len()),
    );
    let mut bytes = head.trim_end_matches(' ').as_bytes().to_vec();
    bytes.extend(no_utf8);
    assert_eq!(server.raw(&bytes).message(), "the request is no UTF-8 text");
    let host = &server.address;
    for (request, status) in [
        ("GARBAGE\r\n\r\n".to_owned(), 400),
        (
            format!(
                "GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n",
                "a".repeat(100_000)
            ),
            431,
        ),
        (
            format!(
                "GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\n",
                "X: y\r\n".repeat(1000)
            ),
            431,
        ),
        (
            format!(
                "POST /api/solve HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
            Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}"
            ),
            415,
        ),
        (
            format!(
                "POST /api/solve HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
            Content-Length: 99999999999\r\n\r\n{{}}"
            ),
            413,
        ),
        (
            format!("GET /api/solve HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            405,
        ),
        (
            format!("GET /api/none HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            404,
        ),
        (
            "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".to_owned(),
            403,
        ),
        (
            format!(
                "POST /api/formats HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
            Origin: http://evil.example\r\nContent-Length: 2\r\n\r\n{{}}"
            ),
            403,
        ),
    ] {
        let response = server.raw(request.as_bytes());
        let shown: String = request.chars().take(60).collect();
        // A server that closes early may reset the connection before its answer is read.
        assert!(
            matches!(response.status, 0) && status >= 413 || response.status == status,
            "{shown}: {}",
            response.head
        );
    }
    // A body in chunks has no length to look at.
    let mut chunked = format!(
        "POST /api/solve HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
        Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    for _ in 0..3 {
        chunked.push_str(&format!("{:x}\r\n{}\r\n", 30_000, " ".repeat(30_000)));
    }
    assert_eq!(server.raw(chunked.as_bytes()).status, 413);
    assert_eq!(server.get("/api/hello", "").status, 200, "it still answers");
}

#[test]
fn files_of_the_page_have_types_tags_and_a_policy() {
    let server = Server::new(&[]);
    let page = server.get("/", "");
    assert_eq!(page.status, 200);
    for header in [
        "content-type: text/html; charset=utf-8\r\n",
        "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
        "x-content-type-options: nosniff\r\n",
        "cache-control: no-cache\r\n",
    ] {
        assert!(page.head.contains(header), "{header}\n{}", page.head);
    }
    let tag = page
        .head
        .split("etag: ")
        .nth(1)
        .unwrap()
        .split('\r')
        .next()
        .unwrap();
    let tag = tag.replacen("w/", "W/", 1);
    let strong = tag.trim_start_matches("W/");
    for (known, status) in [
        (format!("If-None-Match: \"x\", {tag}\r\n"), 304),
        (format!("If-None-Match: {strong}\r\n"), 304),
        (
            format!("If-None-Match: \"x\"\r\nIf-None-Match: {tag}\r\n"),
            304,
        ),
        ("If-None-Match: *\r\n".to_owned(), 304),
        ("If-None-Match: \"x\", W/\"y\"\r\n".to_owned(), 200),
    ] {
        let again = server.get("/index.html", &known);
        assert_eq!(again.status, status, "{known}");
        assert_eq!(again.body.is_empty(), status == 304, "{known}");
    }
    let none = server.get("/nothing", "If-None-Match: *\r\n");
    assert_eq!(none.status, 404);
    let main = server.get("/main.js", "");
    assert!(
        main.head
            .contains("content-type: text/javascript; charset=utf-8\r\n")
    );
    for hidden in [
        "/package.json",
        "/tests/",
        "/.gitignore",
        "/api/",
        "/node_modules/htm",
    ] {
        assert_eq!(server.get(hidden, "").status, 404, "{hidden}");
    }
}

#[test]
fn responses_are_compressed_for_those_who_ask_but_not_streams() {
    let server = Server::new(&[]);
    let gzip = "Accept-Encoding: br, gzip\r\n";
    let (plain, packed) = (server.get("/cards.svg", ""), server.get("/cards.svg", gzip));
    assert!(!plain.head.contains("content-encoding"), "{}", plain.head);
    assert!(plain.head.contains("etag: w/\""), "{}", plain.head);
    let body = packed.unpacked();
    assert_eq!(body, plain.body);
    assert!(packed.body.len() * 2 < body.len());

    let question = r#"{"deal":"klondike:3"}"#;
    let ask =
        |headers: &str| server.raw(server.request("/api/solve", headers, question).as_bytes());
    let close = "Connection: close\r\n";
    let plain = ask(close).json();
    let packed = ask(&format!("{close}{gzip}")).unpacked();
    let packed: Value = serde_json::from_slice(&packed).unwrap();
    assert_eq!(
        (&packed["kind"], &packed["solution"]),
        (&json!("solve"), &plain["solution"])
    );

    let stream = ask(&format!("{close}{gzip}Accept: text/event-stream\r\n"));
    assert!(!stream.head.contains("content-encoding"), "{}", stream.head);
    assert!(String::from_utf8_lossy(&stream.body).contains("event: answer"));
}

/// With one place to work and one to wait: the third is refused, and when the first goes away the
/// second gets its place at once.
#[test]
fn a_full_queue_says_so_and_who_goes_away_makes_room() {
    let server = Server::new(&["--threads", "1", "--queue", "1"]);
    let mut first = server.stream("/api/solve", LONG);
    first.next().unwrap();
    let second = server.stream("/api/solve", r#"{"deal":"klondike:3"}"#);
    let third = server.post("/api/solve", r#"{"deal":"klondike:3"}"#);
    assert_eq!(third.status, 429, "{}", third.head);
    assert!(third.head.contains("retry-after: 2\r\n"), "{}", third.head);
    assert_eq!(third.message(), "too many requests wait; come back soon");
    // Quick questions have a queue of their own.
    assert_eq!(
        server
            .post("/api/position", r#"{"deal":"klondike:3"}"#)
            .status,
        200
    );
    first.lines.get_ref().shutdown(Shutdown::Both).unwrap();
    drop(first);
    assert_eq!(second.last().1["verdict"], "winnable");
}

/// Also one that asked without a stream, and one that said nothing.
#[test]
fn clients_that_vanish_cost_nothing() {
    let server = Server::new(&["--threads", "1"]);
    let silent: Vec<TcpStream> = (0..50).map(|_| server.connect()).collect();
    let mut half = server.connect();
    half.write_all(b"POST /api/solve HTTP/1.1\r\nHost: ")
        .unwrap();
    for _ in 0..3 {
        let mut gone = server.connect();
        gone.write_all(server.request("/api/solve", "", LONG).as_bytes())
            .unwrap();
    }
    let response = server.post("/api/solve", r#"{"deal":"klondike:3"}"#);
    assert_eq!(response.json()["verdict"], "winnable");
    drop((silent, half));
}

#[cfg(unix)]
#[test]
fn a_request_to_terminate_ends_what_runs_with_an_answer() {
    use rustix::process::{Pid, Signal, kill_process};
    let mut server = Server::new(&[]);
    let mut events = server.stream("/api/solve", LONG);
    events.next().unwrap();
    let pid = Pid::from_child(&server.child);
    kill_process(pid, Signal::TERM).unwrap();
    assert_eq!(events.last().1["limit"], "interrupt");
    assert!(server.child.wait().unwrap().success());
}

/// The program has WebAssembly in it or says how it gets it.
#[test]
fn the_page_is_written_to_a_folder() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
    let _ = std::fs::remove_dir_all(&folder);
    let output = Command::new(env!("CARGO_BIN_EXE_klondike"))
        .args(["site", "-o", folder.to_str().unwrap()])
        .output()
        .unwrap();
    let (out, errors) = (output.stdout, String::from_utf8(output.stderr).unwrap());
    if klondike_server::has_engine() {
        assert!(output.status.success(), "{errors}");
        for file in ["index.html", "wasm/klondike_wasm_bg.wasm", "api/hello"] {
            assert!(folder.join(file).is_file(), "{file}");
        }
        assert!(String::from_utf8(out).unwrap().contains(" files, "));
    } else {
        assert_eq!(output.status.code(), Some(1));
        assert!(errors.contains("run `scripts/wasm.sh`"), "{errors}");
        assert!(!folder.exists());
    }
}

#[test]
fn a_server_that_others_can_reach_warns_of_that() {
    for (address, warns) in [("127.0.0.1", false), ("0.0.0.0", true)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_klondike"))
            .args(["serve", "--port", "0", "--listen", address])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        child.kill().unwrap();
        let errors = child.wait_with_output().unwrap().stderr;
        let errors = String::from_utf8(errors).unwrap();
        assert_eq!(
            errors.contains("other machines can reach this server"),
            warns,
            "{errors}"
        );
    }
}

#[test]
fn an_address_that_is_taken_is_an_error_with_words() {
    let server = Server::new(&[]);
    let port = server.address.rsplit(':').next().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_klondike"))
        .args(["serve", "--port", port])
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.contains("cannot listen on 127.0.0.1:"), "{errors}");
    assert!(errors.contains("--port takes another"), "{errors}");
}
