//! Pages of runs that are judged: whoever looks at one can look, and nothing else.

use crate::browser::{count, ready, tournament};
use crate::server::{exchange, host, is_built, links, mazes_server, wait, watched};
use std::process::Child;

/// The processes that a program has started.
fn children(run: &Child) -> usize {
    let tasks = format!("/proc/{0}/task", run.id());
    let of = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children")).ok();
    let tasks = std::fs::read_dir(tasks).unwrap().filter_map(Result::ok).filter_map(of);
    tasks.map(|pids| pids.split_whitespace().count()).sum()
}

/// The token of a page, if there is one.
fn token(page: &str) -> String {
    let after = page.split("name=\"token\" content=\"").nth(1);
    after.map_or_else(String::new, |rest| rest.split('"').next().unwrap_or_default().to_owned())
}

/// Asks for everything that starts an engine or opens a game, as a page of the arena would.
fn asks_for_games(address: &str) {
    let ask = |head: &str, body: &str| {
        let length = body.len();
        let line = format!("Host: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n");
        exchange(address, &format!("{head} HTTP/1.1\r\n{line}\r\n{body}"))
    };
    let page = ask("GET /?lang=en", "").body;
    assert!(page.contains("id=\"view\"") && !page.contains("href=\"/open\""), "{page}");
    assert_eq!(token(&page), "", "the page can be used for requests");
    let token = token(&page);
    for nth in 0..10 {
        let wish = "{\"game\":\"uttt\",\"mode\":\"study\",\"seats\":[\"person\",\"person\"]}";
        for (path, body) in
            [("/new", wish), ("/open", "(;GM[4]SZ[9];B[aa])"), ("/r/0123456789ab/act", "{\"do\":\"hint\"}")]
        {
            let head = format!("POST {path} HTTP/1.1\r\nX-Arena-Token: {token}");
            let length = body.len();
            let line = format!("Host: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n");
            let answer = exchange(address, &format!("{head}\r\n{line}\r\n{body}"));
            assert!((400..500).contains(&answer.status), "{nth} {path}: {} {}", answer.status, answer.body);
        }
    }
    for path in ["/open", "/r/0123456789ab", "/r/0123456789ab/view", "/?game=othello&start=d3"] {
        let answer = ask(&format!("GET {path}"), "");
        assert!(answer.status == 404 || answer.body.contains("data-watch"), "{path}: {}", answer.status);
    }
}

#[test]
fn the_page_of_the_mazes_server_only_shows() {
    let mut run = mazes_server();
    let page = host(&links(&mut run)[0]);
    asks_for_games(&page);
    let started = children(&run);
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(started, 0);
}

#[test]
fn who_looks_at_a_tournament_starts_no_engine_beside_it() {
    if !is_built("referee") {
        return;
    }
    let (mut run, address) = tournament("--rounds 20 --pace 100");
    // The players are built in: another process would be an engine that somebody asked for.
    let before = children(&run);
    asks_for_games(&host(&address));
    let after = children(&run);
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(after, before);
}

#[test]
fn the_page_of_the_mazes_server_tells_its_port_and_who_is_connected() {
    let mut run = mazes_server();
    let page = host(&links(&mut run)[0]);
    let view = || watched(&page);
    let port = wait("the port", || {
        let view = view();
        let port = view.split("port ").nth(1)?.split(' ').next()?.parse::<u16>().ok()?;
        view.contains("connected : nobody").then_some(port)
    });
    let client = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    let address = client.local_addr().unwrap().to_string();
    wait("the client", || view().contains(&format!("connected : {address}")).then_some(()));
    run.kill().unwrap();
    run.wait().unwrap();
}

#[test]
fn eight_tabs_of_a_run_share_one_stream_and_fit_a_phone() {
    let Some(browser) = ready(&[]) else { return };
    let mut run = mazes_server();
    let page = host(&links(&mut run)[0]);
    browser.open(&format!("http://{page}/?lang=en"));
    for _ in 1..8 {
        browser.open_in_tab(&format!("http://{page}/?lang=en"));
    }
    browser.view(360, 740, false);
    let says = |text: &str| browser.script("return view.textContent").as_str()?.contains(text).then_some(());
    let text = browser.script("return view.textContent").to_string();
    let port: u16 = text.split("port ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let clients: Vec<_> = (0..2)
        .map(|nth| {
            let client = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
            wait("the client", || says(&client.local_addr().unwrap().to_string()));
            if nth == 0 {
                // The first tab listened for all of them: another one does when it is gone.
                browser.close_first_tab();
            }
            client
        })
        .collect();
    let wide = browser.script("return document.documentElement.scrollWidth").as_u64().unwrap();
    drop(clients);
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(wide <= 360 && count(&browser, "main") == 1, "{wide} wide");
}
