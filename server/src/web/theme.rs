//! Light or dark, as the reader chose it.

use app::visit::Theme;
use axum::http::HeaderMap;

/// The cookie that holds the choice.
pub(crate) const COOKIE: &str = "recourse-theme";

/// What the reader chose; otherwise the system decides.
pub(super) fn chosen(headers: &HeaderMap) -> Theme {
    match super::visit::cookie(headers, COOKIE) {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}
