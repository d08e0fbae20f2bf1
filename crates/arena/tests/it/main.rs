//! The arena as a browser and a stranger meet it.

mod browser;
mod buttons;
mod driver;
mod keyboard;
mod maze;
mod page;
mod server;
mod speed;
mod strangers;
mod wording;
