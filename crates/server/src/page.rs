//! The page: its files are in the program, and can be written to a folder for a static host.

use std::fs;
use std::io;
use std::path::Path;

use axum::body::Body;
use axum::http::{HeaderMap, Method, Response, StatusCode, header};

use crate::reply::{refused, with_headers};

/// A file of the page.
struct File {
    name: &'static str,
    kind: &'static str,
    /// The entity tag, a weak one: the file may be sent compressed.
    tag: &'static str,
    bytes: &'static [u8],
}

/// All files, by name.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Scripts come from here alone, WebAssembly may run, and nothing else is loaded or framed.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' blob: data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What a static host answers when the page asks for a server.
const NO_SERVER: &str = "{\"kind\":\"no-server\"}\n";

/// The engine of a page without a server.
const ENGINE: &str = "wasm/klondike_wasm_bg.wasm";

fn find(name: &str) -> Option<&'static File> {
    let place = FILES.binary_search_by(|file| file.name.cmp(name));
    place.ok().map(|place| &FILES[place])
}

/// Answers with a file of the page.
pub(crate) fn answer(method: &Method, path: &str, headers: &HeaderMap) -> Response<Body> {
    let name = match path.strip_prefix('/').unwrap_or(path) {
        "" => "index.html",
        name => name,
    };
    let Some(file) = find(name) else {
        let message = match FILES.is_empty() {
            true => "this program was built without the page: `web/` was not there",
            false => "there is no such page",
        };
        return refused(StatusCode::NOT_FOUND, message);
    };
    if !matches!(*method, Method::GET | Method::HEAD) {
        let mut response = refused(StatusCode::METHOD_NOT_ALLOWED, "a page can only be read");
        with_headers(&mut response, &[(header::ALLOW, "GET, HEAD")]);
        return response;
    }
    let same = is_known(headers, file.tag);
    let body = match same || method == Method::HEAD {
        true => Body::empty(),
        false => Body::from(file.bytes),
    };
    let mut response = Response::new(body);
    if same {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        with_headers(&mut response, &[(header::CONTENT_TYPE, file.kind)]);
        let length = file.bytes.len().into();
        response
            .headers_mut()
            .insert(header::CONTENT_LENGTH, length);
    }
    with_headers(
        &mut response,
        &[
            (header::ETAG, file.tag),
            (header::CACHE_CONTROL, "no-cache"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
        ],
    );
    response
}

/// Whether the client has a file of this entity tag: `*` means any, and weak and strong tags are
/// the same here (RFC 9110, 13.1.2).
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|known| known.trim() == "*" || strong(known) == strong(tag))
}

/// What was written for a static host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Number of files.
    pub files: usize,
    /// Their size together.
    pub bytes: u64,
}

/// Why no site was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// The program was built without WebAssembly.
    #[error(
        "this program was built without WebAssembly; run `scripts/wasm.sh` in its source folder \
         and build it again"
    )]
    NoEngine,
    /// The program was built without the page.
    #[error("this program was built without the page: the folder `web/` was not there")]
    NoPage,
    /// A file cannot be written.
    #[error("cannot write {0}: {1}")]
    Io(String, io::Error),
}

/// Writes the page with WebAssembly to a folder, which is made if it is not there.
///
/// # Errors
/// If the program was built without the page or without WebAssembly, or a file cannot be written.
pub fn write_site(folder: &Path) -> Result<Site, SiteError> {
    if find("index.html").is_none() {
        return Err(SiteError::NoPage);
    }
    if find(ENGINE).is_none() {
        return Err(SiteError::NoEngine);
    }
    let mut site = Site { files: 0, bytes: 0 };
    let mut write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        let failed = |error| SiteError::Io(path.display().to_string(), error);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(&path, bytes).map_err(failed)?;
        site.files += 1;
        site.bytes += bytes.len() as u64;
        Ok(())
    };
    for file in FILES {
        write(file.name, file.bytes)?;
    }
    write("api/hello", NO_SERVER.as_bytes())?;
    Ok(site)
}

/// Whether the program was built with WebAssembly.
#[must_use]
pub fn has_engine() -> bool {
    find(ENGINE).is_some()
}
