/// Text for inside a `<textarea>` or `<title>`, where Leptos writes what it is given, markup and all.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_in_it_ends_the_element_or_stands_for_another_character() {
        assert_eq!(escaped("a</textarea><b>&lt;"), "a&lt;/textarea>&lt;b>&amp;lt;");
    }
}
