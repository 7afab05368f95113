use leptos::prelude::*;

/// Where the bundle's files are.
#[derive(Debug, Clone)]
pub(crate) struct Assets(String);

impl Assets {
    /// The files of the bundle these options name.
    pub(crate) fn of(options: &LeptosOptions) -> Self {
        Self(format!("/{}", options.site_pkg_dir))
    }

    /// The address of one of them.
    pub(crate) fn file(&self, name: &str) -> String {
        format!("{}/{name}", self.0)
    }
}

/// An icon of the sprite, sized by the words beside it. It never speaks alone.
#[component]
pub(crate) fn Icon(
    /// A name from `style/icons.txt`.
    name: &'static str,
) -> impl IntoView {
    let sprite = use_context::<Assets>().map(|assets| assets.file("icons.svg")).unwrap_or_default();
    view! { <svg class="icon" aria-hidden="true"><use href=format!("{sprite}#{name}")></use></svg> }.into_any()
}
