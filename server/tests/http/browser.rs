//! A person's browser: it keeps its cookies and sends what a browser sends.

use std::sync::Mutex;

use reqwest::RequestBuilder;

use crate::{
    app::{App, PASSWORD},
    wire::Answer,
};

/// One browser, with its cookies.
pub(crate) struct Browser<'a> {
    pub(crate) app: &'a App,
    cookies: Mutex<Vec<(String, String)>>,
}

/// The cookie that holds the session.
const SESSION: &str = "recourse";

impl<'a> Browser<'a> {
    pub(crate) fn new(app: &'a App) -> Self {
        Self { app, cookies: Mutex::default() }
    }

    /// Opens a page, by its address typed or a link followed.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.exchange(self.request("GET", path)).await
    }

    /// Posts a form of one of our own pages.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.post_from(path, fields, &[("sec-fetch-site", "same-origin"), ("origin", &self.app.url)]).await
    }

    /// Posts a form with what the browser says of where it comes from.
    pub(crate) async fn post_from(&self, path: &str, fields: &[(&str, &str)], from: &[(&str, &str)]) -> Answer {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let mut request =
            self.request("POST", path).header("content-type", "application/x-www-form-urlencoded").body(body);
        for (name, value) in from {
            request = request.header(*name, *value);
        }
        self.exchange(request).await
    }

    /// Signs in with everybody's password.
    pub(crate) async fn sign_in(&self, email: &str) -> Answer {
        self.post("/sign-in", &[("email", email), ("password", PASSWORD)]).await
    }

    /// The session's cookie, if there is one.
    pub(crate) fn session(&self) -> Option<String> {
        self.cookies.lock().unwrap().iter().find(|(name, _)| name == SESSION).map(|(_, value)| value.clone())
    }

    /// Puts a session's cookie in, as somebody who stole or planted it would.
    pub(crate) fn plant(&self, session: &str) {
        self.keep(SESSION, session);
    }

    /// A request with the cookies.
    pub(crate) fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let request = self.app.http.request(method.parse().unwrap(), format!("{}{path}", self.app.url));
        let cookies = self.cookies.lock().unwrap();
        if cookies.is_empty() {
            return request;
        }
        let line: Vec<_> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        request.header("cookie", line.join("; "))
    }

    /// Sends a request and keeps the cookies of its answer.
    pub(crate) async fn exchange(&self, request: RequestBuilder) -> Answer {
        let answer = Answer::to(request).await;
        for line in answer.headers.get_all("set-cookie") {
            let (name, value) = line.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.keep(name, value);
        }
        answer
    }

    fn keep(&self, name: &str, value: &str) {
        let mut cookies = self.cookies.lock().unwrap();
        cookies.retain(|(known, _)| known != name);
        if !value.is_empty() {
            cookies.push((name.to_owned(), value.to_owned()));
        }
    }
}
