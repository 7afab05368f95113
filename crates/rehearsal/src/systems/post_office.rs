//! A mail server: it keeps every e-mail that it takes, and can hang, refuse, or insist on encryption.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};

/// How it treats those who come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    /// It takes e-mails.
    #[default]
    Takes,
    /// It accepts the connection and says nothing.
    HangsAtOnce,
    /// It hears the whole e-mail and never answers.
    HangsAtTheEnd,
    /// It turns the receiver away for good: 550.
    Refuses,
    /// It asks to come again later: 451.
    PutsOff,
    /// It takes nothing before STARTTLS: 530. It can't speak TLS itself.
    WantsTls,
}

/// One e-mail as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// Who sent it, as the envelope says.
    pub from: String,
    /// Whom it goes to, as the envelope says.
    pub to: Vec<String>,
    /// Head and body.
    pub text: String,
}

/// A mail server on a free port of the loopback address, until it is dropped.
#[derive(Debug)]
pub struct PostOffice {
    /// Its address, such as `smtp://127.0.0.1:2525`.
    pub url: String,
    desk: Arc<Desk>,
    server: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Desk {
    manner: Mutex<Manner>,
    delivered: Mutex<Vec<Delivered>>,
}

impl PostOffice {
    /// # Errors
    /// When no port can be opened.
    pub async fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("smtp://{}", listener.local_addr()?);
        let desk = Arc::new(Desk::default());
        let at_work = Arc::clone(&desk);
        let server = tokio::spawn(async move {
            // Conversations end with the server.
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let desk = Arc::clone(&at_work);
                open.spawn(async move {
                    // A client that goes away ends the conversation.
                    let _ = converse(stream, &desk).await;
                });
            }
        });
        Ok(Self { url, desk, server })
    }

    /// From now on it treats those who come like this.
    pub fn treat(&self, manner: Manner) {
        *self.desk.manner.lock().unwrap_or_else(PoisonError::into_inner) = manner;
    }

    /// Every e-mail that it took, in order.
    #[must_use]
    pub fn delivered(&self) -> Vec<Delivered> {
        self.desk.delivered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for PostOffice {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn converse(stream: TcpStream, desk: &Desk) -> std::io::Result<()> {
    let manner = *desk.manner.lock().unwrap_or_else(PoisonError::into_inner);
    if manner == Manner::HangsAtOnce {
        std::future::pending::<()>().await;
    }
    let (reading, mut writing) = stream.into_split();
    let mut reading = BufReader::new(reading);
    let mut mail = Delivered { from: String::new(), to: Vec::new(), text: String::new() };
    writing.write_all(b"220 post.example ESMTP\r\n").await?;
    loop {
        let mut line = String::new();
        if reading.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let (verb, rest) = line.trim_end().split_once([' ', ':']).unwrap_or((line.trim_end(), ""));
        let answer = match verb.to_ascii_uppercase().as_str() {
            "EHLO" => "250-post.example\r\n250 8BITMIME\r\n",
            "MAIL" if manner == Manner::WantsTls => "530 5.7.0 Must issue a STARTTLS command first\r\n",
            "MAIL" => {
                mail = Delivered { from: address(rest), to: Vec::new(), text: String::new() };
                "250 2.1.0 Ok\r\n"
            }
            "RCPT" if manner == Manner::Refuses => "550 5.1.1 No such user here\r\n",
            "RCPT" if manner == Manner::PutsOff => "451 4.3.0 Try again later\r\n",
            "RCPT" => {
                mail.to.push(address(rest));
                "250 2.1.5 Ok\r\n"
            }
            "DATA" => {
                writing.write_all(b"354 End data with <CR><LF>.<CR><LF>\r\n").await?;
                mail.text = content(&mut reading).await?;
                if manner == Manner::HangsAtTheEnd {
                    std::future::pending::<()>().await;
                }
                desk.delivered.lock().unwrap_or_else(PoisonError::into_inner).push(mail.clone());
                "250 2.0.0 Ok: queued\r\n"
            }
            "QUIT" => {
                writing.write_all(b"221 2.0.0 Bye\r\n").await?;
                return Ok(());
            }
            "NOOP" | "RSET" => "250 Ok\r\n",
            _ => "502 5.5.2 Command not recognised\r\n",
        };
        writing.write_all(answer.as_bytes()).await?;
    }
}

/// What stands between the angle brackets.
fn address(rest: &str) -> String {
    let inside = rest.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inside.map_or_else(String::new, |(address, _)| address.to_owned())
}

/// Head and body, up to the line with a dot alone.
async fn content(reading: &mut (impl tokio::io::AsyncBufRead + Unpin)) -> std::io::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if reading.read_line(&mut line).await? == 0 || line == ".\r\n" {
            return Ok(text);
        }
        // A line that begins with a dot was given one more.
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
