//! `klondike serve`: the page, and the questions of [`klondike_service`] over HTTP.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! The server assumes nothing good of who asks. Requests have a size, a time to arrive, a place in
//! a queue of bounded length, and limits on time, states and memory; what runs at the same time is
//! bounded, and its memory together. Who goes away, or reads nothing, is let go, and the search
//! ends. `api` has the addresses, `gate` the queue, `origin` who may ask, `page` the files.

mod api;
mod gate;
mod openapi;
mod origin;
mod page;
mod reply;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

use api::Server;
use gate::Running;

pub use klondike_service::Caps;
pub use page::{Site, SiteError, has_engine, write_site};

/// How long the head of a request may take to arrive, also of the next one of a connection.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long a client may read nothing of what is sent.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// Most connections at the same time; more wait to be accepted.
const CONNECTIONS: usize = 1024;
/// Most bytes of the head of a request.
const HEAD: usize = 16 << 10;
/// How long open requests may take once the server ends.
const END_TIME: Duration = Duration::from_millis(800);

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port; 0 takes a free one.
    pub port: u16,
    /// Names of this host beside its addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Requests that are worked on at the same time, and threads for each.
    pub slots: usize,
    /// Requests that wait; more are refused.
    pub queue: usize,
    /// Limits of one request; but the memory is for all of them together.
    pub caps: Caps,
}

/// Serves until the program gets SIGTERM or Ctrl-C. `ready` gets the address as soon as the server
/// listens.
///
/// # Errors
/// If the address cannot be listened on.
pub fn serve(options: &Options, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // Those that answer, of both queues.
        .max_blocking_threads(2 * options.slots.max(1) + 2)
        .enable_all()
        .build()?;
    let served = runtime.block_on(run(options, ready));
    // What has not stopped by now ends with the program.
    runtime.shutdown_background();
    served
}

async fn run(options: &Options, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let listener = TcpListener::bind((options.address, options.port)).await?;
    let mut end = std::pin::pin!(end()?);
    ready(listener.local_addr()?);
    let running = Arc::new(Running::default());
    let router = Server::new(options, Arc::clone(&running)).router();
    let service = TowerToHyperService::new(router);
    let mut connection = http1::Builder::new();
    connection
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD)
        .max_headers(64);
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, stream) = tokio::select! {
            (place, accepted) = accepted => match accepted {
                Ok((stream, _)) => (place, stream),
                // Too many open files, or a client that went away before it was accepted.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut end => break,
        };
        let served = connection.serve_connection(TokioIo::new(limited(stream)), service.clone());
        let served = graceful.watch(served);
        tokio::spawn(async move {
            let _place = place;
            // A connection that breaks is no error of ours.
            let _ = served.await;
        });
    }
    drop(listener);
    running.end();
    let _ = tokio::time::timeout(END_TIME, graceful.shutdown()).await;
    Ok(())
}

/// The stream, which fails if nothing can be written for a while.
fn limited(stream: TcpStream) -> std::pin::Pin<Box<TimeoutStream<TcpStream>>> {
    // Without it an answer only comes a little later.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_TIME));
    Box::pin(stream)
}

/// Waits for Ctrl-C or SIGTERM.
#[cfg(unix)]
fn end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
    );
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
fn end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without the signal the server ends with the program.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
