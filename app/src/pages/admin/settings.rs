use std::sync::Arc;

use domain::{permission::Permission, refusal::Refusal};
use leptos::prelude::*;
use service::Error;

use super::AdminFrame;
use crate::{
    components::{AdminPlace, Cell, Head, Table},
    pages::answer::answered,
    visit::{Set, Setup, Visit},
};

/// How this installation is set up. Settings are given where it is started, so they are shown and not changed here.
#[component]
pub(in crate::pages) fn SettingsPage() -> impl IntoView {
    let visit = expect_context::<Visit>();
    let setup = use_context::<Arc<Setup>>().unwrap_or_default();
    let ask = async move {
        if visit.may(Permission::SettingsManage) {
            Ok(())
        } else {
            Err(Error::Refused(Refusal::MissingPermission(Permission::SettingsManage)))
        }
    };
    answered(ask, move |()| {
        let row = |set: &Set| {
            view! {
                <Cell class="cell-main">{set.meaning}<span class="sub mono">{format!("RECOURSE_{}", set.name.to_uppercase())}</span></Cell>
                <Cell label="As it is"><bdi>{set.value.clone()}</bdi></Cell>
            }
            .into_any()
        };
        let heads = ["Setting", "As it is"].map(|words| view! { <Head>{words}</Head> }.into_any());
        let about = "As this process was started: by flags, variables or its file. Secrets are not shown anywhere.";
        view! {
            <AdminFrame title="Settings" at=AdminPlace::Settings about>
                <section class="panel" aria-label="Settings">
                    <Table caption="Settings" heads=heads.into() rows=setup.settings.iter().map(row).collect()/>
                </section>
            </AdminFrame>
        }
    })
}
