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
    /// Headers that it sends with every request.
    sends: Vec<(&'static str, String)>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(app: &'a App) -> Self {
        Self { app, cookies: Mutex::default(), sends: Vec::new() }
    }

    /// The same at this address, as a proxy tells of it.
    pub(crate) fn at(mut self, address: &str) -> Self {
        self.sends.push(("x-forwarded-for", address.to_owned()));
        self
    }

    /// The same, which says this of itself.
    pub(crate) fn named(mut self, agent: &str) -> Self {
        self.sends.push(("user-agent", agent.to_owned()));
        self
    }

    /// Opens a page, by its address typed or a link followed.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.exchange(self.request("GET", path)).await
    }

    /// Posts a form of one of our own pages.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let origin = self.app.settings.origin().unwrap();
        self.post_from(path, fields, &[("sec-fetch-site", "same-origin"), ("origin", &origin)]).await
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
        self.sign_in_with(email, PASSWORD).await
    }

    /// Signs in with another password.
    pub(crate) async fn sign_in_with(&self, email: &str, password: &str) -> Answer {
        self.post("/sign-in", &[("email", email), ("password", password)]).await
    }

    /// The session's cookie, if there is one.
    pub(crate) fn session(&self) -> Option<String> {
        let own = self.session_cookie();
        self.cookies.lock().unwrap().iter().find(|(name, _)| name == own).map(|(_, value)| value.clone())
    }

    /// Puts a session's cookie in, as somebody who stole or planted it would.
    pub(crate) fn plant(&self, session: &str) {
        self.keep(self.session_cookie(), session);
    }

    /// The cookie that holds the session.
    fn session_cookie(&self) -> &'static str {
        if self.app.settings.is_secure() { "__Host-recourse" } else { "recourse" }
    }

    /// A request with the cookies.
    pub(crate) fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let mut request = self.app.http.request(method.parse().unwrap(), format!("{}{path}", self.app.url));
        for (name, value) in &self.sends {
            request = request.header(*name, value);
        }
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
