//! Where the first byte of a request leaves: it does so in time, or never (R6).

use std::{
    io,
    pin::Pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll},
    time::Instant,
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What is known of a request's first byte.
#[derive(Debug, Default)]
pub(super) struct Departure {
    by: OnceLock<Instant>,
    state: AtomicU8,
}

/// It has not left, and may.
const WAITING: u8 = 0;
/// It may have left. Once handed over to the system it counts as gone.
const LEFT: u8 = 1;
/// It has not left, and never will.
const SHUT: u8 = 2;

impl Departure {
    /// It may leave until then.
    pub(super) fn allow(&self, by: Instant) {
        // Told once; a second time changes nothing.
        let _ = self.by.set(by);
    }

    /// Whether it may have left. If it has not, it never will from here on: whoever asks can rely on the answer.
    pub(super) fn settle(&self) -> bool {
        let shut = self.state.compare_exchange(WAITING, SHUT, Ordering::AcqRel, Ordering::Acquire);
        shut == Err(LEFT)
    }

    fn leave(&self) -> io::Result<()> {
        if self.state.load(Ordering::Acquire) == LEFT {
            return Ok(());
        }
        if self.by.get().is_none_or(|by| Instant::now() > *by) {
            return Err(io::Error::other("too late for the first byte"));
        }
        match self.state.compare_exchange(WAITING, LEFT, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) | Err(LEFT) => Ok(()),
            Err(_) => Err(io::Error::other("nothing is sent any more")),
        }
    }
}

/// A connection whose first written byte asks for leave.
pub(super) struct Watched<S> {
    pub(super) stream: S,
    pub(super) departure: Arc<Departure>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.departure.leave()?;
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.departure.leave()?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, bytes)
    }
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    async fn written(by: Option<Instant>) -> (bool, Vec<u8>) {
        let (here, mut there) = tokio::io::duplex(64);
        let departure = Arc::new(Departure::default());
        if let Some(by) = by {
            departure.allow(by);
        }
        let mut watched = Watched { stream: here, departure: Arc::clone(&departure) };
        let _ = watched.write_all(b"POST").await;
        drop(watched);
        let mut arrived = Vec::new();
        there.read_to_end(&mut arrived).await.unwrap();
        (departure.settle(), arrived)
    }

    #[tokio::test]
    async fn r6_a_first_byte_leaves_in_time_or_never() {
        let second = Duration::from_secs(1);
        assert_eq!(written(Some(Instant::now() + second * 60)).await, (true, b"POST".to_vec()));
        assert_eq!(written(Instant::now().checked_sub(second)).await, (false, Vec::new()));
        assert_eq!(written(None).await, (false, Vec::new()), "nothing leaves before it was allowed to");
    }

    #[test]
    fn r6_what_was_said_not_to_have_left_never_leaves() {
        let departure = Departure::default();
        departure.allow(Instant::now() + Duration::from_secs(60));
        assert!(!departure.settle());
        assert!(departure.leave().is_err());
        assert!(!departure.settle());
    }
}
