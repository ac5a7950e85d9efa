//! The questions over HTTP: `POST /api/KIND`, with the answer at once or as a stream of events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::routing::{get, post};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use klondike_contract::{Envelope, HelloAnswer};
use klondike_engine::search::clock::system_clock;
use klondike_service::request::KINDS;
use klondike_service::{Caps, Control, Refusal, Request as Question, answer};
use tokio::sync::mpsc;
use tokio::time::{Instant, interval_at, timeout};
use tower_http::compression::CompressionLayer;

use crate::gate::{Gate, Running, Waiting, Work};
use crate::reply::{guard, json, refusal, refused, with_headers};
use crate::{Options, openapi, origin, page};

/// Most bytes of a request.
const MOST_BYTES: usize = 1 << 16;
/// Most bytes of a request that holds a certificate.
const MOST_CERTIFICATE: usize = 16 << 20;
/// How long the body of a request may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);
/// How often a stream reports progress.
const EVERY: Duration = Duration::from_millis(250);
/// When to come back if the queue is full, in seconds.
const RETRY: &str = "2";
/// Requests that take about a millisecond: they do not wait behind the long ones.
const QUICK: [&str; 6] = [
    "position",
    "convert",
    "svg",
    "formats",
    "schemes",
    "rule-sets",
];

/// What all requests share.
pub(crate) struct Server {
    hosts: Vec<String>,
    caps: Caps,
    threads: usize,
    quick: Arc<Gate>,
    long: Arc<Gate>,
    running: Arc<Running>,
    hello: String,
    openapi: Bytes,
}

impl Server {
    pub(crate) fn new(options: &Options, running: Arc<Running>) -> Arc<Server> {
        let slots = options.slots.max(1);
        let caps = Caps {
            // All searches together keep within the memory.
            memory: options.caps.memory.map(|memory| memory / slots as u64),
            // As many as a request can send back in base64.
            certificate: Some(MOST_CERTIFICATE as u64 / 3 * 2),
            ..options.caps
        };
        let hello = HelloAnswer {
            program: "klondike",
            release: env!("CARGO_PKG_VERSION"),
            kinds: KINDS.into(),
            at_once: slots,
            time_ms: caps
                .time
                .map(|time| time.as_millis().try_into().unwrap_or(u64::MAX)),
            states: caps.states,
            memory_bytes: caps.memory,
        };
        Arc::new(Server {
            hosts: options.hosts.clone(),
            caps,
            threads: slots,
            quick: Gate::new(slots, options.queue),
            long: Gate::new(slots, options.queue),
            running,
            hello: serde_json::to_string(&Envelope::of_nothing(hello)).expect("plain fields"),
            openapi: openapi::document().into(),
        })
    }

    pub(crate) fn router(self: Arc<Server>) -> Router {
        let checked = middleware::from_fn_with_state(Arc::clone(&self), check);
        Router::new()
            .route("/api/hello", get(hello))
            .route("/api/{kind}", post(ask))
            .route("/openapi.json", get(schema))
            .fallback(static_file)
            .method_not_allowed_fallback(wrong_method)
            // Not streams of events, which would wait until there is enough to compress.
            .layer(CompressionLayer::new())
            .layer(checked)
            .with_state(self)
    }

    fn control(&self, work: &Work) -> Control {
        let mut control = Control::new(system_clock);
        control.stop = Arc::clone(&work.stop);
        control.caps = self.caps;
        control.threads = self.threads;
        control
    }
}

/// Refuses requests from elsewhere, and guards every response.
async fn check(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response<Body> {
    guard(match origin::check(request.headers(), &server.hosts) {
        Ok(()) => next.run(request).await,
        Err(message) => refused(StatusCode::FORBIDDEN, message),
    })
}

async fn hello(State(server): State<Arc<Server>>) -> Response<Body> {
    json(StatusCode::OK, server.hello.clone())
}

async fn schema(State(server): State<Arc<Server>>) -> Response<Body> {
    json(StatusCode::OK, server.openapi.clone())
}

async fn static_file(method: Method, uri: Uri, headers: HeaderMap) -> Response<Body> {
    match uri.path().starts_with("/api/") {
        true => refused(
            StatusCode::NOT_FOUND,
            "there is no such address; see /openapi.json",
        ),
        false => page::answer(&method, uri.path(), &headers),
    }
}

async fn wrong_method(uri: Uri) -> Response<Body> {
    let message = match uri.path() {
        "/api/hello" | "/openapi.json" => "read this with GET",
        path if kind(path).is_none() => return no_such_kind(),
        _ => "ask with POST, and the request as JSON",
    };
    refused(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// The kind of request that a path names.
fn kind(path: &str) -> Option<&'static str> {
    let name = path.trim_start_matches("/api/");
    KINDS.into_iter().find(|&known| known == name)
}

fn no_such_kind() -> Response<Body> {
    let message = format!(
        "there is no such kind of request; known: {}",
        KINDS.join(", ")
    );
    refused(StatusCode::NOT_FOUND, message)
}

async fn ask(State(server): State<Arc<Server>>, request: Request) -> Response<Body> {
    let Some(kind) = kind(request.uri().path()) else {
        return no_such_kind();
    };
    let streams = accepts_stream(request.headers());
    let text = match read(kind, request).await {
        Ok(text) => text,
        Err(refused) => return *refused,
    };
    let question = match Question::of_kind_json(kind, &text) {
        Ok(question) => question,
        Err(error) => return refusal(&error),
    };
    drop(text);
    let gate = if QUICK.contains(&kind) {
        &server.quick
    } else {
        &server.long
    };
    let Some(waiting) = gate.queue() else {
        let mut response = refused(
            StatusCode::TOO_MANY_REQUESTS,
            "too many requests wait; come back soon",
        );
        with_headers(&mut response, &[(header::RETRY_AFTER, RETRY)]);
        return response;
    };
    if streams {
        return stream(server, waiting, question);
    }
    let work = server.running.begin();
    let Some(permit) = waiting.turn().await else {
        return refusal(&Refusal::program("the server ends"));
    };
    let control = server.control(&work);
    let answered = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        answer(&question, &control)
    });
    match answered.await.unwrap_or_else(|_| Err(bug())) {
        Ok(text) => json(StatusCode::OK, text),
        Err(error) => refusal(&error),
    }
}

/// The program panicked; the message is on standard error.
fn bug() -> Refusal {
    Refusal::program("internal error: this is a bug, and the server's standard error says more")
}

fn accepts_stream(headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(header::ACCEPT).iter();
    accepts
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains("text/event-stream"))
}

/// The body as text, or the response that refuses it.
async fn read(kind: &str, request: Request) -> Result<String, Box<Response<Body>>> {
    let no = |status, message: String| Err(Box::new(refused(status, message)));
    let json = HeaderValue::from_static("application/json");
    let kind_of_body = request.headers().get(header::CONTENT_TYPE).unwrap_or(&json);
    let kind_of_body = kind_of_body.to_str().unwrap_or_default();
    let plain = kind_of_body.split(';').next().unwrap_or_default().trim();
    if !plain.eq_ignore_ascii_case("application/json") {
        let message = "write the request as JSON, with the header `Content-Type: application/json` \
            (`curl --json`)";
        return no(StatusCode::UNSUPPORTED_MEDIA_TYPE, message.to_owned());
    }
    let most = if kind == "check" {
        MOST_CERTIFICATE
    } else {
        MOST_BYTES
    };
    let too_long = || {
        let message = format!("the request is too long: it has more than {most} bytes");
        no(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        return too_long();
    }
    let body = Limited::new(request.into_body(), most).collect();
    let bytes = match timeout(BODY_TIME, body).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return too_long(),
        Ok(Err(error)) => return no(StatusCode::BAD_REQUEST, format!("the body ends: {error}")),
        Err(_) => {
            let message = "the body of the request did not arrive in time";
            return no(StatusCode::REQUEST_TIMEOUT, message.to_owned());
        }
    };
    match String::from_utf8(bytes.into()) {
        Ok(text) => Ok(text),
        Err(_) => no(
            StatusCode::BAD_REQUEST,
            "the request is no UTF-8 text".to_owned(),
        ),
    }
}

/// Answers with events: `progress` while the search goes on, `answer` or `error` at its end.
fn stream(server: Arc<Server>, waiting: Waiting, question: Question) -> Response<Body> {
    let (events, received) = mpsc::channel(4);
    tokio::spawn(drive(server, waiting, question, events));
    let events = futures_util::stream::unfold(received, |mut received| async {
        let event: String = received.recv().await?;
        Some((Ok::<_, Infallible>(event), received))
    });
    let mut response = Response::new(Body::from_stream(events));
    with_headers(
        &mut response,
        &[
            (header::CONTENT_TYPE, "text/event-stream"),
            (header::CACHE_CONTROL, "no-store"),
            // Proxies are not to collect the events.
            (HeaderName::from_static("x-accel-buffering"), "no"),
        ],
    );
    response
}

fn event(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

/// Works an answer out, and sends events as long as somebody receives them.
async fn drive(
    server: Arc<Server>,
    waiting: Waiting,
    question: Question,
    events: mpsc::Sender<String>,
) {
    let work = server.running.begin();
    let permit = tokio::select! {
        permit = waiting.turn() => permit,
        () = events.closed() => return,
    };
    let control = server.control(&work);
    let watch = control.watch.clone();
    let mut answered = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        answer(&question, &control)
    });
    let mut ticks = interval_at(Instant::now() + EVERY, EVERY);
    let last = loop {
        tokio::select! {
            done = &mut answered => break match done.unwrap_or_else(|_| Err(bug())) {
                Ok(text) => event("answer", &text),
                Err(error) => event("error", &error.to_json()),
            },
            // Whoever reads slowly misses some of the progress.
            _ = ticks.tick() => drop(events.try_send(event("progress", &watch.progress()))),
            () = events.closed() => return,
        }
    };
    // If nobody is there any more, nobody misses it.
    let _ = events.send(last).await;
}
