//! Who may ask: a page of this server, or a program on its host.
//!
//! A server on 127.0.0.1 can be reached by every page in the same browser. A page elsewhere sends
//! its `Origin`, which is not ours. A page whose name is made to point to 127.0.0.1 (DNS rebinding)
//! sends that name as `Host`: so a host must be an address, `localhost`, or a name that the one who
//! started the server has allowed.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};

/// Checks the headers `Host` and `Origin`.
///
/// # Errors
/// What is wrong, in words.
pub(crate) fn check(headers: &HeaderMap, names: &[String]) -> Result<(), String> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err("the request must have one header `Host`".to_owned());
    };
    let host = host.to_str().unwrap_or_default();
    let name = without_port(host);
    let allowed = |known: &String| known.eq_ignore_ascii_case(name);
    if !(is_address(name) || name.eq_ignore_ascii_case("localhost") || names.iter().any(allowed)) {
        return Err(format!(
            "the host `{}` is not one of this server's; start it with --host NAME to allow a name",
            shown(name)
        ));
    }
    for origin in headers.get_all(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let own = origin.split_once("://").is_some_and(|(scheme, rest)| {
            matches!(scheme, "http" | "https") && rest.eq_ignore_ascii_case(host)
        });
        if !own {
            return Err(format!(
                "a page of `{}` may not ask this server",
                shown(origin)
            ));
        }
    }
    Ok(())
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        // An IPv6 address stands in brackets, and its colons are not those of a port.
        Some((name, port)) if !port.contains(']') => name,
        _ => host,
    }
}

fn is_address(name: &str) -> bool {
    let inner = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    inner.unwrap_or(name).parse::<IpAddr>().is_ok()
}

fn shown(text: &str) -> String {
    text.chars()
        .take(60)
        .collect::<String>()
        .escape_debug()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_own_pages_and_programs_may_ask() {
        let names = ["patience.example".to_owned()];
        let good = |host: &str, origin: Option<&str>| check(&headers(host, origin), &names).is_ok();
        for host in [
            "127.0.0.1:80",
            "127.0.0.1",
            "[::1]:9",
            "LocalHost:1",
            "patience.example",
        ] {
            assert!(good(host, None), "{host}");
            assert!(good(host, Some(&format!("http://{host}"))), "{host}");
            for origin in [
                "null",
                "http://evil.example",
                "http://127.0.0.1:81",
                "",
                "file://",
            ] {
                assert!(!good(host, Some(origin)), "{host} {origin}");
            }
        }
        for host in [
            "evil.example",
            "evil.example:80",
            "127.0.0.1.evil.example",
            "",
            ":80",
        ] {
            assert!(!good(host, None), "{host}");
        }
        assert!(check(&HeaderMap::new(), &names).is_err());
    }
}
