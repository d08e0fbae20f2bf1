//! The address of a page, and the names under which it is answered.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use wire::Failure;

/// The port that browsers leave out.
const USUAL: &str = ":80";
/// The port that they leave out with TLS.
const USUAL_OF_TLS: &str = ":443";

/// The names under which a page is answered, in small letters, each with its port unless that is the usual one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts {
    names: Vec<String>,
    given: Vec<String>,
    address: SocketAddr,
    /// The port if it listens on all addresses, which are then names too. They are safe, because no foreign page can
    /// have one as its name.
    port: Option<u16>,
}

/// Parses `PORT`, for this machine only, or `ADDRESS:PORT`.
///
/// # Errors
/// The expected form.
pub fn address(text: &str) -> Result<SocketAddr, Failure> {
    let port = text.parse().map(|port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    port.or_else(|_| text.parse())
        .map_err(|_| Failure::input(format!("--port: expected PORT or ADDRESS:PORT, found \"{text}\"")))
}

/// Parses a name of this machine.
///
/// # Errors
/// The expected form.
pub fn host(text: &str) -> Result<String, Failure> {
    let is_of_one = |c: char| c.is_ascii_alphanumeric() || "-_.:[]".contains(c);
    let is_name = !text.is_empty() && text.chars().all(is_of_one);
    is_name
        .then(|| text.to_owned())
        .ok_or_else(|| Failure::input(format!("--host: expected NAME or NAME:PORT, found \"{text}\"")))
}

fn plain(host: &str) -> String {
    let host = host.to_ascii_lowercase();
    let plain = host.strip_suffix(USUAL).or_else(|| host.strip_suffix(USUAL_OF_TLS));
    plain.map_or_else(|| host.clone(), str::to_owned)
}

/// Adds the port to a name without one.
fn with_port(name: &str, port: u16) -> String {
    if let Ok(ip) = name.parse::<IpAddr>() {
        return SocketAddr::new(ip, port).to_string();
    }
    let has_port = name.contains(':') && !name.ends_with(']');
    if has_port { name.to_owned() } else { format!("{name}:{port}") }
}

impl Hosts {
    /// Creates the names of an address, and the given ones.
    #[must_use]
    pub fn new(address: SocketAddr, given: &[String]) -> Self {
        let port = address.port();
        let mut names = vec![address.to_string()];
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            names.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| with_port(name, port)));
        }
        let given: Vec<String> = given.iter().map(|name| with_port(name, port)).collect();
        names.extend(given.iter().cloned());
        Self {
            names: names.iter().map(|name| plain(name)).collect(),
            given,
            address,
            port: address.ip().is_unspecified().then_some(port),
        }
    }

    /// The addresses of the page: its own, and under the names that were given.
    #[must_use]
    pub fn links(&self) -> String {
        let given = self.given.iter().map(|name| match name.strip_suffix(USUAL_OF_TLS) {
            Some(plain) => format!(" https://{plain}/"),
            None => format!(" http://{}/", name.trim_end_matches(USUAL)),
        });
        format!("http://{}/", self.address) + &given.collect::<String>()
    }

    fn is_named(&self, host: &str) -> bool {
        self.names.contains(&plain(host))
    }

    /// True where a request's `Host` is one of the page's.
    #[must_use]
    pub fn knows(&self, host: &str) -> bool {
        let in_figures = |host: &str| {
            let ip = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
            host.parse::<SocketAddr>().ok().or_else(|| Some(SocketAddr::new(ip?, 80)))
        };
        self.is_named(host)
            || self.port.is_some_and(|port| in_figures(host).is_some_and(|address| address.port() == port))
    }

    /// True where a request's `Origin` is the page itself, under the request's own `Host` or a name.
    #[must_use]
    pub fn is_own(&self, origin: &str, host: &str) -> bool {
        let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        from.is_some_and(|from| plain(from) == plain(host) || self.is_named(from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str, given: &[&str]) -> Hosts {
        let given: Vec<String> = given.iter().map(|name| (*name).to_owned()).collect();
        Hosts::new(address.parse().unwrap(), &given)
    }

    #[test]
    fn browsers_leave_the_usual_port_out() {
        let usual = hosts("127.0.0.1:80", &["Example.org", "::2"]);
        for host in
            ["127.0.0.1", "127.0.0.1:80", "localhost", "[::1]", "example.org", "EXAMPLE.org:80", "[::2]"]
        {
            assert!(usual.knows(host) && usual.is_own(&format!("http://{host}"), host), "{host}");
        }
        for host in ["example.org:8080", "evil.example", "10.0.0.1", "127.0.0.1:8080", ""] {
            assert!(!usual.knows(host), "{host}");
        }
        assert_eq!(usual.links(), "http://127.0.0.1:80/ http://Example.org/ http://[::2]/");
        let other = hosts("127.0.0.1:8080", &["[fe80::1]"]);
        assert!(other.knows("localhost:8080") && other.knows("[fe80::1]:8080"));
        assert!(!other.knows("localhost") && !other.knows("localhost:80"));
    }

    #[test]
    fn a_name_is_known_behind_a_proxy_with_tls() {
        let behind = hosts("127.0.0.1:8765", &["arena.example.org:443"]);
        for host in ["arena.example.org", "arena.example.org:443"] {
            assert!(behind.knows(host) && behind.is_own(&format!("https://{host}"), host), "{host}");
        }
        assert!(behind.is_own("https://arena.example.org", "127.0.0.1:8765"));
        assert_eq!(behind.links(), "http://127.0.0.1:8765/ https://arena.example.org/");
        for origin in
            ["https://evil.example", "https://arena.example.org.evil.example", "ftp://arena.example.org"]
        {
            assert!(!behind.is_own(origin, "arena.example.org"), "{origin}");
        }
        assert!(!behind.knows("arena.example.org:8080"));
    }

    #[test]
    fn who_listens_everywhere_is_called_by_any_address_and_by_no_other_name() {
        let everywhere = hosts("0.0.0.0:8765", &[]);
        assert!(everywhere.knows("192.168.1.7:8765") && everywhere.knows("[fe80::1]:8765"));
        for host in ["evil.example:8765", "192.168.1.7", "192.168.1.7:80", "192.168.1.7:8765.evil.example"] {
            assert!(!everywhere.knows(host), "{host}");
        }
        assert!(everywhere.is_own("http://192.168.1.7:8765", "192.168.1.7:8765"));
        assert!(!everywhere.is_own("http://6.6.6.6:8765", "192.168.1.7:8765"));
        assert!(hosts("0.0.0.0:80", &[]).knows("10.0.0.1"));
        assert!(!hosts("127.0.0.1:8765", &[]).knows("192.168.1.7:8765"));
    }
}
