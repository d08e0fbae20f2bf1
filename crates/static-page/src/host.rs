//! The edge to the browser: the time, and messages to the script.

use std::time::Duration;

#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code, reason = "functions of the script; neither keeps a pointer")]
mod script {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since the page was opened.
        pub safe fn now() -> f64;
        /// Copies a text in UTF-8.
        pub safe fn send(text: *const u8, length: usize);
    }
}

/// Returns the time since a fixed moment.
#[cfg(target_arch = "wasm32")]
#[must_use]
pub fn now() -> Duration {
    Duration::from_secs_f64(script::now().max(0.0) / 1000.0)
}

/// Sends a message to the script, which reads it before the call returns.
#[cfg(target_arch = "wasm32")]
pub fn send(text: &str) {
    script::send(text.as_ptr(), text.len());
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::cell::RefCell;
    use std::time::Instant;

    thread_local! {
        pub static BEGAN: Instant = Instant::now();
        pub static SENT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }
}

/// Returns the time since a fixed moment.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn now() -> Duration {
    native::BEGAN.with(std::time::Instant::elapsed)
}

/// Sends a message to the script. Outside of a browser [`sent`] takes it.
#[cfg(not(target_arch = "wasm32"))]
pub fn send(text: &str) {
    native::SENT.with_borrow_mut(|sent| sent.push(text.to_owned()));
}

/// Takes the messages of this thread that no script has read.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn sent() -> Vec<String> {
    native::SENT.with_borrow_mut(std::mem::take)
}
