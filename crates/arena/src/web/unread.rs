//! Long answers: their bytes count until they are read, so that silent visitors do not fill the memory.

use super::budget::Debt;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Length of a part in bytes. Shorter answers do not count.
const PART: usize = 64 * 1024;

/// A long answer, sent in parts.
struct Unread {
    bytes: Bytes,
    debt: Debt,
}

impl HttpBody for Unread {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = &mut self.get_mut().bytes;
        let length = bytes.len().min(PART);
        Poll::Ready((length > 0).then(|| Ok(Frame::data(bytes.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.len() as u64)
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        self.debt.set(0);
    }
}

/// Counts the bytes of a long answer as its connection's debt.
pub(super) async fn counted(request: Request, next: Next) -> Response {
    let debt = request.extensions().get::<Debt>().cloned();
    let response = next.run(request).await;
    let length = response.body().size_hint().exact();
    let Some(debt) = debt.filter(|_| length.is_some_and(|length| length > PART as u64)) else {
        return response;
    };
    let (head, body) = response.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else { return Response::new(Body::empty()) };
    debt.set(bytes.len());
    Response::from_parts(head, Body::new(Unread { bytes, debt }))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test may panic")]
mod tests {
    use super::super::accept;
    use super::*;
    use axum::Router;
    use axum::routing::get;
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    /// More than the system's own buffers hold. A visitor may leave two such answers unread.
    const LONG: usize = 16 << 20;

    #[test]
    fn connections_with_unread_answers_are_closed_for_newer_ones() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let long = Bytes::from(vec![b'x'; LONG]);
            runtime.block_on(accept(listener, Router::new().route("/", get(|| async { long }))))
        });
        let ask = || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").unwrap();
            stream.read_exact(&mut [0; 9]).unwrap();
            stream
        };
        let clients: Vec<TcpStream> = (0..4).map(|_| ask()).collect();
        let read = |mut stream: TcpStream| {
            let mut heard = Vec::new();
            let _ = stream.read_to_end(&mut heard);
            heard.len() >= LONG
        };
        assert_eq!(clients.into_iter().map(read).collect::<Vec<_>>(), [false, false, true, true]);
    }
}
