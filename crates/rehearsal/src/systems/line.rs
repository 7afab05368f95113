//! Connections that can be cut: the only way to show a client a reset *after* the work was done.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::{
    extract::connect_info::Connected,
    serve::{IncomingStream, Listener},
};
use futures::task::AtomicWaker;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

#[derive(Debug, Default)]
struct Wire {
    cut: AtomicBool,
    waiting: AtomicWaker,
}

/// One client's connection, as a handler sees it.
#[derive(Debug, Clone)]
pub(super) struct Line(Arc<Wire>);

impl Line {
    /// Resets the connection; what was not sent yet never arrives.
    pub(super) fn cut(&self) {
        self.0.cut.store(true, Ordering::Release);
        self.0.waiting.wake();
    }
}

/// Every open connection of one system, so that they end with it.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines(Arc<Mutex<Vec<Weak<Wire>>>>);

impl Lines {
    fn open(&self) -> Arc<Wire> {
        let wire = Arc::new(Wire::default());
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|line| line.strong_count() > 0);
        lines.push(Arc::downgrade(&wire));
        wire
    }

    pub(super) fn cut_all(&self) {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for wire in lines.iter().filter_map(Weak::upgrade) {
            Line(wire).cut();
        }
    }
}

/// A listener whose connections are [`Line`]s.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) listener: TcpListener,
    pub(super) lines: Lines,
}

impl Listener for Exchange {
    type Io = Severable;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Severable, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        (Severable { stream, wire: self.lines.open() }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, Exchange>> for Line {
    fn connect_info(stream: IncomingStream<'_, Exchange>) -> Self {
        Line(stream.io().wire.clone())
    }
}

/// A TCP stream that fails, and sends a reset, once its line is cut.
#[derive(Debug)]
pub(super) struct Severable {
    stream: TcpStream,
    wire: Arc<Wire>,
}

impl Severable {
    fn still_there(&self, context: &Context<'_>) -> io::Result<()> {
        self.wire.waiting.register(context.waker());
        if self.wire.cut.load(Ordering::Acquire) {
            // Without lingering, closing sends RST instead of an orderly end.
            self.stream.set_zero_linger()?;
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl AsyncRead for Severable {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.still_there(context)?;
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Severable {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        self.still_there(context)?;
        Pin::new(&mut self.stream).poll_write(context, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
