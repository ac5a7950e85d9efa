//! `klondike serve` and `klondike site`: the page, with a server and without one.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::limit_args::LimitArgs;
use crate::output::Output;
use crate::values::whole;
use crate::{CliError, Status};
use klondike_contract::{Envelope, ServeAnswer, SiteAnswer};
use klondike_server::{Caps, Options, serve, write_site};

/// Most time of a request if nothing else is said.
const TIME: Duration = Duration::from_secs(60);

/// Serve the page that plays, explains and proves, and its questions over HTTP
///
/// The page is at the address that is printed; `/openapi.json` describes the questions. Only
/// programs and pages on this machine can ask. Ctrl-C and SIGTERM end it within a second.
///
/// Examples: `klondike serve`, `klondike serve --port 0 --threads 2 --memory 1GiB`.
#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    /// The port; 0 takes one that is free
    #[arg(long, value_name = "PORT", default_value_t = 8052, value_parser = whole::<u16>(..=65535))]
    port: u16,

    /// The address to listen on: others than 127.0.0.1 let other machines ask
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST),
        value_parser = read_address,
    )]
    listen: IpAddr,

    /// A name of this machine that requests may be for, beside its addresses and `localhost`
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,

    /// Requests that may wait; more are refused (status 429) and may try again
    #[arg(long, value_name = "N", default_value_t = 256)]
    queue: u16,

    #[command(flatten)]
    limits: LimitArgs,
}

fn read_address(text: &str) -> Result<IpAddr, String> {
    let words = "write an address of this machine such as 127.0.0.1, 0.0.0.0 or ::1";
    text.parse().map_err(|_| words.to_owned())
}

impl ServeArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        if self.limits.search_memory() == 0 {
            return Err(CliError::usage(
                "--memory: nothing is left to search with, since the program itself takes 12 MiB; \
                 write for example 512MiB",
            ));
        }
        let options = Options {
            address: self.listen,
            port: self.port,
            hosts: self.host.clone(),
            slots: self.limits.threads(),
            queue: self.queue.into(),
            caps: Caps {
                time: Some(self.limits.seconds().map_or(TIME, Duration::from_secs_f64)),
                states: self.limits.max_states(),
                memory: Some(self.limits.search_memory()),
                certificate: None,
            },
        };
        if !self.listen.is_loopback() {
            eprintln!(
                "klondike: warning: other machines can reach this server; there is no password, \
                 and nothing is encrypted"
            );
        }
        let mut printed = Ok(());
        let ready = |address: SocketAddr| printed = announce(address, output);
        serve(&options, ready).map_err(|error| {
            let place = SocketAddr::new(self.listen, self.port);
            CliError::Data(format!(
                "cannot listen on {place}: {error}; --port takes another"
            ))
        })?;
        printed?;
        Ok(Status::Answered)
    }
}

fn announce(address: SocketAddr, output: &mut Output) -> Result<(), CliError> {
    let answer = Envelope::of_nothing(ServeAnswer {
        url: format!("http://{address}/"),
    });
    output.answer(answer, |ServeAnswer { url }| format!("{url}\n"))?;
    Ok(output.flush()?)
}

/// Write the page for a host without a server: it then works by WebAssembly alone
///
/// Any host of static files will do. Example: `klondike site -o public`.
#[derive(Debug, clap::Args)]
pub(super) struct SiteArgs {
    /// The folder to write
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

impl SiteArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let site = write_site(&self.output).map_err(|error| CliError::Data(error.to_string()))?;
        let answer = Envelope::of_nothing(SiteAnswer {
            folder: self.output.display().to_string(),
            files: site.files,
            bytes: site.bytes,
        });
        output.answer(
            answer,
            |SiteAnswer {
                 folder,
                 files,
                 bytes,
             }| { format!("{files} files, {bytes} bytes in {folder}\n") },
        )?;
        output.wrote(&self.output)?;
        Ok(Status::Answered)
    }
}
