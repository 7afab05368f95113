//! Where the first byte of a request leaves: it does so in time, or never (R6).

use std::{
    io,
    pin::Pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Instant,
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What is known of a request's first byte.
#[derive(Debug, Default)]
pub(super) struct Departure {
    by: OnceLock<Instant>,
    left: AtomicBool,
}

impl Departure {
    /// It may leave until then.
    pub(super) fn allow(&self, by: Instant) {
        // Told once; a second time changes nothing.
        let _ = self.by.set(by);
    }

    /// Whether it may have left. Once handed over to the system it counts as gone.
    pub(super) fn has_left(&self) -> bool {
        self.left.load(Ordering::Acquire)
    }

    fn leave(&self) -> io::Result<()> {
        if self.has_left() {
            return Ok(());
        }
        if self.by.get().is_none_or(|by| Instant::now() > *by) {
            return Err(io::Error::other("too late for the first byte"));
        }
        self.left.store(true, Ordering::Release);
        Ok(())
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
        (departure.has_left(), arrived)
    }

    #[tokio::test]
    async fn r6_a_first_byte_leaves_in_time_or_never() {
        let second = Duration::from_secs(1);
        assert_eq!(written(Some(Instant::now() + second * 60)).await, (true, b"POST".to_vec()));
        assert_eq!(written(Instant::now().checked_sub(second)).await, (false, Vec::new()));
        assert_eq!(written(None).await, (false, Vec::new()), "nothing leaves before it was allowed to");
    }
}
