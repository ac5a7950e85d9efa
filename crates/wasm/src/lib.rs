//! The service in a browser: one function, which takes the JSON of a request and gives the JSON of
//! the answer, and calls back with progress.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! A page calls it in a worker. There is one thread and no stop flag: to end a search the page ends
//! the worker. The clock is `performance.now()`; a search reads it often, and that is when progress
//! is reported.

#![allow(unsafe_code)] // what the attribute `wasm_bindgen` makes

use std::cell::RefCell;
use std::time::Duration;

use js_sys::Function;
use klondike_service::{Control, Refusal, Request, Watch, answer};
use wasm_bindgen::prelude::*;

/// How often progress is reported.
const EVERY: Duration = Duration::from_millis(250);
/// Most bytes of a request but for certificates, as in the server.
const MOST_BYTES: usize = 1 << 16;
/// Most bytes of a request with a certificate.
const MOST_CERTIFICATE: usize = 64 << 20;
/// Most memory of a search if nothing else is said: a page has at most 4 GiB of its own.
const MEMORY: u64 = 1 << 30;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn milliseconds() -> f64;
}

/// Who hears of progress while a request is answered.
struct Listener {
    watch: Watch,
    function: Function,
    next: Duration,
}

thread_local! {
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
}

/// The clock of searches; each look at it may report progress.
fn clock() -> Duration {
    let now = Duration::from_secs_f64(milliseconds() / 1e3);
    let due = LISTENER.with_borrow_mut(|listener| {
        let listener = listener.as_mut().filter(|listener| now >= listener.next)?;
        listener.next = now + EVERY;
        Some((listener.watch.clone(), listener.function.clone()))
    });
    if let Some((watch, function)) = due {
        // Nobody hears what the page's own function throws.
        let _ = function.call1(&JsValue::NULL, &JsValue::from(watch.progress_at(now)));
    }
    now
}

/// Answers a request. `on_progress` is called with the JSON of a `progress` answer, a few times a
/// second, while a search goes on.
#[wasm_bindgen]
#[must_use]
pub fn ask(request: &str, on_progress: &Function) -> String {
    std::panic::set_hook(Box::new(|panic| {
        // The instance is broken after this: the page starts a new one. The error that it catches
        // has the answer as its message.
        let message = format!("internal error, this is a bug: {panic}");
        wasm_bindgen::throw_str(&Refusal::program(message).to_json());
    }));
    let mut control = Control::new(clock);
    control.caps.memory = Some(MEMORY);
    LISTENER.set(Some(Listener {
        watch: control.watch.clone(),
        function: on_progress.clone(),
        next: clock() + EVERY,
    }));
    let request = Request::from_json_up_to(request, MOST_BYTES, MOST_CERTIFICATE);
    let answered = request.and_then(|request| answer(&request, &control));
    LISTENER.set(None);
    answered.unwrap_or_else(|refusal| refusal.to_json())
}
