//! A visitor's connection, whose calls tests can make fail.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A connection that reads and writes by [`wire::transfer`].
pub(super) struct Connection(pub(super) TcpStream);

/// Returns the result of a call that may have to wait. The task is woken once it need not.
fn poll<T>(made: io::Result<T>) -> Poll<io::Result<T>> {
    match made {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Poll::Pending,
        made => Poll::Ready(made),
    }
}

/// Returns the result of a call that was polled. One that has to wait fails for now.
fn made<T>(polled: Poll<io::Result<T>>) -> io::Result<T> {
    match polled {
        Poll::Ready(made) => made,
        Poll::Pending => Err(ErrorKind::WouldBlock.into()),
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let whole = into.remaining();
        poll(wire::transfer::receive(whole, |most| {
            let mut stream = Pin::new(&mut self.0);
            if most == whole {
                return made(stream.poll_read(context, into));
            }
            let mut one = [0; 1];
            let mut part = ReadBuf::new(&mut one[..most]);
            made(stream.as_mut().poll_read(context, &mut part))?;
            into.put_slice(part.filled());
            Ok(())
        }))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let stream = &mut self.0;
        poll(wire::transfer::send(bytes.len(), |most| {
            made(Pin::new(&mut *stream).poll_write(context, &bytes[..most]))
        }))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let stream = &mut self.0;
        let whole = parts.iter().map(|part| part.len()).sum();
        poll(wire::transfer::send(whole, |most| {
            let mut stream = Pin::new(&mut *stream);
            match parts.iter().find(|part| !part.is_empty()) {
                Some(first) if most < whole => {
                    made(stream.as_mut().poll_write(context, &first[..most.min(first.len())]))
                }
                _ => made(stream.as_mut().poll_write_vectored(context, parts)),
            }
        }))
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.0).poll_shutdown(context))?;
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test may panic")]
mod tests {
    use super::super::accept;
    use axum::Router;
    use axum::routing::get;
    use futures_util::future::select;
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener, TcpStream};
    use std::time::Duration;
    use wire::file::faults::{self, Fault};

    const BODY: usize = 100_000;

    /// Asks twice over one connection, and returns what comes back.
    fn ask(address: SocketAddr) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut heard = Vec::new();
        // A server that fails may close before it has read everything.
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        let ended = stream.read_to_end(&mut heard);
        assert!(
            ended.as_ref().is_ok()
                || ended.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset),
            "{ended:?}"
        );
        String::from_utf8(heard).unwrap()
    }

    /// Serves one visitor on this thread with a fault at the `nth` call.
    fn serve(fault: Fault, nth: u64) -> (String, bool) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(|| async { "x".repeat(BODY) }));
        let (told, gone) = tokio::sync::oneshot::channel();
        let visitor = std::thread::spawn(move || {
            let heard = ask(address);
            let _ = told.send(());
            heard
        });
        let ((), struck) = faults::with(fault, nth, || {
            runtime.block_on(async {
                select(Box::pin(accept(listener, router)), gone).await;
            });
        });
        (visitor.join().unwrap(), struck)
    }

    #[test]
    fn whichever_call_fails_a_visitor_has_the_answers_or_the_beginning_of_them() {
        let (whole, _) = serve(Fault::Short, u64::MAX - 1);
        assert!(whole.matches("HTTP/1.1 200 OK").count() == 2 && whole.len() > 2 * BODY);
        assert!(!whole.contains("\r\ndate:"), "a clock before 1970 has none");
        for fault in Fault::OF_CONNECTIONS {
            for nth in 0.. {
                let (heard, struck) = serve(fault, nth);
                let context = format!("{fault:?} at call {nth}: {} bytes", heard.len());
                assert!(whole.starts_with(&heard), "{context}");
                assert!(struck && !fault.is_harmless() || heard == whole, "{context}");
                if !struck {
                    assert!(nth >= 3, "{context}");
                    break;
                }
            }
        }
    }
}
