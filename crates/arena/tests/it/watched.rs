//! Pages of runs that are judged: whoever looks at one can look, and nothing else.

use crate::browser::{count, ready, tournament};
use crate::server::{exchange, host, is_built, links, mazes_server, player, wait, watched};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

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
        assert_eq!(self::token(&answer.body), "", "{path}");
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
        view.contains("connected: nobody").then_some(port)
    });
    let client = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    let address = client.local_addr().unwrap().to_string();
    wait("the client", || view().contains(&format!("connected: {address}")).then_some(()));
    run.kill().unwrap();
    run.wait().unwrap();
}

#[test]
fn a_fault_is_flashed_and_the_last_elo_is_that_of_the_results() {
    let Some(browser) = ready(&["referee"]) else { return };
    let line = "tournament uttt --player one=builtin:random --player bad=dialogue:false --player three=builtin:first \
                --rounds 4 --concurrency 2 --live 0 --quiet --pace 10 --format round-robin";
    let mut run = Command::new(player("referee").unwrap())
        .args(line.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = String::new();
    BufReader::new(run.stderr.take().unwrap()).read_line(&mut told).unwrap();
    browser.open(&format!("{}?lang=en", told.trim().strip_prefix("referee: live at ").expect(&told)));
    browser.view(390, 844, true);
    let fault = "const fault = document.querySelector('#view .fault'); \
                 return fault && [fault.textContent, getComputedStyle(fault).animationName]";
    let fault = wait("the fault", || Some(browser.script(fault)).filter(|fault| fault.is_array()));
    assert!(fault[0].as_str().unwrap().contains("bad") && fault[1] == "flash", "{fault}");
    assert!(fault[0].as_str().unwrap().contains("exit code"), "{fault}");
    // Colour and boards stand by each name.
    wait("the names", || (count(&browser, ".chair .swatch") >= 2).then_some(()));
    assert!(count(&browser, ".chair small") >= 2);
    wait("the end", || (count(&browser, "[data-over]") == 1).then_some(()));
    let standing = browser.script(
        "return [...document.querySelectorAll('.standing tbody tr')].map(row => row.innerText.match(/[+−-]\\d+ \\[.*?\\]|–/)[0])",
    );
    browser.open("about:blank");
    let results = String::from_utf8(run.wait_with_output().unwrap().stdout).unwrap();
    let standing = standing.as_array().unwrap();
    assert_eq!(standing.len(), 3);
    assert!(standing.iter().any(|elo| elo != "–"), "{standing:?}");
    for elo in standing {
        assert!(elo == "–" || results.contains(elo.as_str().unwrap()), "{elo}: {results}");
    }
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
