use domain::document::kind;
use leptos::prelude::*;
use service::approvals::read::RequestShown;

use crate::components::{Content, Fact, Panel};

/// One request that would be made, exactly: the `at`th of `of`. `about` says what its body is, where that stands elsewhere.
pub(in crate::pages) fn request(at: usize, of: usize, request: &RequestShown, about: Option<String>) -> AnyView {
    const IDS: [&str; 6] = ["h-sends-1", "h-sends-2", "h-sends-3", "h-sends-4", "h-sends-5", "h-sends-more"];
    let id = IDS[at.min(IDS.len() - 1)];
    let title = match &request.part {
        Some(part) if of > 1 => format!("{}. What will be sent: {part}", at + 1),
        _ => "What will be sent".to_owned(),
    };
    let header =
        |(name, value): &(String, String)| view! { <li><code>{name.clone()}</code>": "<bdi>{value.clone()}</bdi></li> };
    let headers = (!request.headers.is_empty())
        .then(|| view! { <Fact name="Headers"><ul class="plain-list">{request.headers.iter().map(header).collect_view()}</ul></Fact> });
    let body = request.body.clone().filter(|body| !body.is_empty()).map(|body| {
        let bytes = body.into_bytes();
        let kind = kind("application/json", &bytes);
        view! { <Content bytes kind raw=false label="The body that will be sent"/> }
    });
    let key = request.key.clone().map(
        |(header, key)| view! { <Fact name="Key"><bdi class="mono">{key}</bdi>" in "<code>{header}</code></Fact> },
    );
    let sha = request
        .sha256
        .clone()
        .map(|sha256| view! { <Fact name="SHA-256" wide=true><span class="mono">{sha256}</span></Fact> });
    view! {
        <Panel id title>
            <div class="panel-body">
                <dl class="facts">
                    <Fact name="To" wide=true><span class="mono">{request.request.clone()}</span></Fact>
                    {about.map(|about| view! { <Fact name="Content">{about}</Fact> })}
                    {key}
                    {headers}
                    {sha}
                </dl>
            </div>
            {body}
        </Panel>
    }
    .into_any()
}
