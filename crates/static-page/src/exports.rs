//! The functions of the module. The script writes a request to [`input`], calls [`answer`], and reads [`output`].

#![allow(unsafe_code, reason = "exported names; nothing else here is unsafe")]

use crate::request::{Module, answered};
use std::cell::RefCell;

#[derive(Default)]
struct Exchange {
    module: Module,
    input: Vec<u8>,
    output: String,
}

thread_local! {
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

/// Returns the place for a request of this many bytes.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    EXCHANGE.with_borrow_mut(|exchange| {
        exchange.input.clear();
        exchange.input.resize(length, 0);
        exchange.input.as_mut_ptr()
    })
}

/// Answers the request. Returns the length of the answer in bytes.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    EXCHANGE.with_borrow_mut(|exchange| {
        let text = String::from_utf8_lossy(&exchange.input);
        exchange.output = answered(&mut exchange.module, &text);
        exchange.output.len()
    })
}

/// Returns the place of the last answer.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    EXCHANGE.with_borrow(|exchange| exchange.output.as_ptr())
}
