//! A browser driven by its own driver, over the W3C's WebDriver protocol: the few commands that a test needs.

use crate::client::exchange;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write as _};
use std::ops::Deref;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

/// Browsers that no test uses at the moment: a start takes longer than most tests.
static IDLE: Mutex<Vec<Driver>> = Mutex::new(Vec::new());

/// A headless Chromium of one test, as if it had just been started.
pub struct Browser(Option<Driver>);

impl Browser {
    /// Takes an idle browser or starts one; `None` where it is not installed.
    pub fn start() -> Option<Self> {
        let idle = IDLE.lock().unwrap().pop();
        idle.or_else(Driver::start).map(|driver| Self(Some(driver)))
    }
}

impl Deref for Browser {
    type Target = Driver;

    fn deref(&self) -> &Driver {
        self.0.as_ref().expect("only taken by drop")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser of a test that failed ends with it.
        if let Some(driver) = self.0.take().filter(|_| !std::thread::panicking()) {
            driver.forget();
            IDLE.lock().unwrap().push(driver);
        }
    }
}

/// Runs a browser's driver in a folder for its files. Ends both when our end of the pipe closes, even if we are killed.
const GUARD: &str =
    "trap '' INT; folder=$(mktemp -d) || exit; TMPDIR=$folder chromedriver --port=0 & driver=$!
    read browser; cat >/dev/null; kill -KILL $driver $browser
    while kill -0 $browser; do sleep 0.1; done; rm -rf \"$folder\" || { sleep 1; rm -rf \"$folder\"; }";

/// The program that drives a browser.
pub struct Driver {
    guard: Child,
    address: String,
    session: String,
}

impl Driver {
    fn start() -> Option<Self> {
        if Command::new("chromedriver").arg("--version").stdout(Stdio::null()).status().is_err() {
            return None;
        }
        let mut guard = Command::new("sh")
            .args(["-c", GUARD])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut lines = BufReader::new(guard.stdout.take()?).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let at = line.find("on port ")?;
            line[at + 8..].trim_end_matches('.').parse::<u16>().ok().filter(|&port| port != 0)
        })?;
        std::thread::spawn(move || lines.for_each(drop));
        let mut driver = Self { guard, address: format!("127.0.0.1:{port}"), session: String::new() };
        let options = json!({ "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-renderer-backgrounding"] });
        let wanted = json!({ "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let answer = driver.send("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        let browser = answer["capabilities"]["goog:processID"].as_u64()?;
        writeln!(driver.guard.stdin.as_mut()?, "{browser}").ok()?;
        driver.session = format!("/session/{}", answer["sessionId"].as_str()?);
        Some(driver)
    }

    /// Forgets everything of the last test: tabs, sizes, cookies, what pages kept, messages.
    fn forget(&self) {
        let tabs = self.send("GET", &format!("{}/window/handles", self.session), &Value::Null);
        let (last, others) = tabs.as_array().and_then(|tabs| tabs.split_last()).expect("a tab");
        for tab in others {
            self.command("window", &json!({ "handle": tab }));
            self.send("DELETE", &format!("{}/window", self.session), &Value::Null);
        }
        self.command("window", &json!({ "handle": last }));
        let origin = self.script("return location.origin");
        if origin.as_str().is_some_and(|origin| origin.starts_with("http")) {
            self.devtools("Storage.clearDataForOrigin", &json!({ "origin": origin, "storageTypes": "all" }));
        }
        self.open("about:blank");
        self.devtools("Network.clearBrowserCookies", &json!({}));
        self.devtools("Network.disable", &json!({}));
        self.devtools("Emulation.clearDeviceMetricsOverride", &json!({}));
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": [] }));
        self.devtools("Browser.setDownloadBehavior", &json!({ "behavior": "default" }));
        self.complaints();
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let (address, length) = (&self.address, text.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{text}"
        );
        let answer = exchange(address, &request);
        let value: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        value["value"].clone()
    }

    fn command(&self, path: &str, body: &Value) -> Value {
        let value = self.send("POST", &format!("{}/{path}", self.session), body);
        assert!(value.get("error").is_none(), "{path} {body}: {} {}", value["error"], value["message"]);
        value
    }

    pub fn open(&self, url: &str) {
        self.command("url", &json!({ "url": url }));
    }

    /// Goes back in the tab's history, as its button does.
    pub fn back(&self) {
        self.command("back", &json!({}));
    }

    /// Opens an address in a new tab, which is seen from now on.
    pub fn open_in_tab(&self, url: &str) {
        let tab = self.command("window/new", &json!({ "type": "tab" }));
        self.command("window", &json!({ "handle": tab["handle"] }));
        self.open(url);
    }

    /// Closes the tab that was opened first, and looks at the last one again.
    pub fn close_first_tab(&self) {
        let tabs = self.send("GET", &format!("{}/window/handles", self.session), &Value::Null);
        let tabs = tabs.as_array().cloned().unwrap_or_default();
        let look = |tab: &Value| self.command("window", &json!({ "handle": tab }));
        look(&tabs[0]);
        self.send("DELETE", &format!("{}/window", self.session), &Value::Null);
        look(tabs.last().unwrap());
    }

    /// Runs a script in the page and returns its value.
    pub fn script(&self, script: &str) -> Value {
        self.command("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Evaluates an expression in the page, without the driver's wait for a page that is loading: null there.
    pub fn peek(&self, expression: &str) -> Value {
        let wanted = json!({ "expression": format!("document.readyState === 'complete' ? {expression} : null"), "returnByValue": true });
        let body = json!({ "cmd": "Runtime.evaluate", "params": wanted });
        let answer = self.send("POST", &format!("{}/goog/cdp/execute", self.session), &body);
        answer["result"]["value"].clone()
    }

    fn find(&self, selector: &str) -> Option<String> {
        let body = json!({ "using": "css selector", "value": selector });
        let found = self.send("POST", &format!("{}/element", self.session), &body);
        found.as_object()?.iter().find(|(key, _)| key.starts_with("element-"))?.1.as_str().map(str::to_owned)
    }

    /// Clicks the first element of a selector, as a mouse does; false: there is none, or nothing can click it. One that was
    /// replaced since it was found is looked for again.
    pub fn click(&self, selector: &str) -> bool {
        (0..10).any(|_| {
            let Some(element) = self.find(selector) else { return false };
            let answer = self.send("POST", &format!("{}/element/{element}/click", self.session), &json!({}));
            answer.get("error").is_none()
        })
    }

    /// Writes into the first element of a selector.
    pub fn write(&self, selector: &str, text: &str) {
        let element = self.find(selector).unwrap_or_else(|| panic!("no {selector}"));
        self.command(&format!("element/{element}/value"), &json!({ "text": text }));
    }

    /// Presses and lets go of keys, one after the other.
    pub fn keys(&self, keys: &[&str]) {
        let press = |key: &&str| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        };
        let actions: Vec<Value> = keys.iter().flat_map(press).collect();
        self.command("actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Holds a key down until it has counted `times` times.
    pub fn hold(&self, key: &str, times: usize) {
        let press = json!({ "type": "keyDown", "value": key });
        let mut actions = vec![press; times];
        actions.push(json!({ "type": "keyUp", "value": key }));
        self.command("actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Presses the mouse on the first element of a selector, moves it across in steps, and lets go: from and to are
    /// parts of its width.
    pub fn drag(&self, selector: &str, from: f64, to: f64) {
        let script = format!(
            "const box = document.querySelector('{selector}').getBoundingClientRect(); \
             return [box.left, box.width, box.top + box.height / 2]"
        );
        let place = self.script(&script);
        let number = |nth: usize| place[nth].as_f64().unwrap();
        let step = |part: f64, time: u32| {
            let x = (number(0) + number(1) * part).round();
            json!({ "type": "pointerMove", "duration": time, "x": x, "y": number(2).round() })
        };
        let mut actions = vec![step(from, 0), json!({ "type": "pointerDown", "button": 0 })];
        actions.extend((1..=10).map(|nth| step(from + (to - from) * f64::from(nth) / 10.0, 60)));
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        self.mouse(&json!(actions));
    }

    /// Moves the mouse to the middle of the first element of a selector, which another picture may replace meanwhile.
    pub fn hover(&self, selector: &str) {
        let place = self.script(&format!(
            "const item = document.querySelector('{selector}'); item.scrollIntoView({{ block: 'center' }}); \
             const box = item.getBoundingClientRect(); \
             return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round)"
        ));
        self.mouse(&json!([{ "type": "pointerMove", "duration": 0, "x": place[0], "y": place[1] }]));
    }

    /// Presses and lets go of the mouse where it is.
    pub fn press_here(&self) {
        self.mouse(&json!([{ "type": "pointerDown", "button": 0 }, { "type": "pointerUp", "button": 0 }]));
    }

    fn mouse(&self, actions: &Value) {
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions });
        self.command("actions", &json!({ "actions": [mouse] }));
    }

    /// Taps the middle of the first element of a selector with a finger.
    pub fn tap(&self, selector: &str) {
        let element = self.find(selector).unwrap_or_else(|| panic!("no {selector}"));
        let origin = json!({ "element-6066-11e4-a52e-4f735466cecf": element });
        let actions = json!([
            { "type": "pointerMove", "duration": 0, "origin": origin, "x": 0, "y": 0 },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]);
        let finger = json!({ "type": "pointer", "id": "finger", "parameters": { "pointerType": "touch" }, "actions": actions });
        self.command("actions", &json!({ "actions": [finger] }));
    }

    /// Returns the name of the first element of a selector, as assistive technology gets it.
    pub fn label(&self, selector: &str) -> String {
        let element = self.find(selector).unwrap_or_else(|| panic!("no {selector}"));
        let label =
            self.send("GET", &format!("{}/element/{element}/computedlabel", self.session), &Value::Null);
        label.as_str().unwrap_or_default().to_owned()
    }

    /// Runs a script whose last argument is called with its value.
    pub fn script_async(&self, script: &str) -> Value {
        self.command("execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Sets the size of the page in pixels, and a light or dark colour scheme.
    pub fn view(&self, width: u32, height: u32, dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.devtools("Emulation.setEmulatedMedia", &media);
    }

    /// Makes the network slow: milliseconds before an answer, and bytes a second.
    pub fn slow_down(&self, latency: u32, throughput: u32) {
        self.devtools("Network.enable", &json!({}));
        let network = json!({ "offline": false, "latency": latency, "downloadThroughput": throughput, "uploadThroughput": throughput });
        self.devtools("Network.emulateNetworkConditions", &network);
    }

    fn devtools(&self, command: &str, parameters: &Value) {
        self.command("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }));
    }

    /// A picture of the page, as PNG in base 64.
    pub fn picture(&self) -> String {
        let value = self.send("GET", &format!("{}/screenshot", self.session), &Value::Null);
        value.as_str().unwrap_or_default().to_owned()
    }

    /// Files that the page offers go into this folder.
    pub fn keep_downloads_in(&self, folder: &Path) {
        let behaviour = json!({ "behavior": "allow", "downloadPath": folder.to_string_lossy() });
        self.devtools("Browser.setDownloadBehavior", &behaviour);
    }

    /// The messages on the page's console since the last call.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.command("se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        entries
            .iter()
            .filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING")
            .map(|entry| entry["message"].to_string())
            .collect()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        let _ = self.guard.wait();
    }
}
