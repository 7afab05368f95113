//! Lists show exactly what a naive filter shows, in order, page by page.

use domain::{
    ageing::{Cause, Level},
    effect::Effect,
    failure::FailureClass,
    ids::{ItemId, PersonId, TokenId},
    item::{Lane, Resolution, State},
    sensitivity::Sensitivity,
};
use store::{Count, Due, Item, ItemFilter, Mine, Sort, TeamRow, Uow, View, WorkflowRow};
use uuid::Uuid;

use crate::{
    databases::{Database, on_both},
    world::{Dice, HOSTILE, an_item_of, at},
};

const VIEWS: [View; 5] =
    [View::Open, View::Lane(Lane::DeadLetter), View::Lane(Lane::NeedsReview), View::Uncertain, View::Closed];
/// When the lists are read: a third of what is due is overdue by then.
const NOW: i64 = 40;
const STEPS: [&str; 3] = ["read", "send", "Send"];
const CLASSES: [FailureClass; 3] = [FailureClass::Timeout, FailureClass::Stale, FailureClass::Unknown];
const MESSAGES: [&str; 6] =
    ["50% off_now", "50 percent off now", "ÄRGER mit Größe", "Ошибка при Отправке", r"C:\temp\new", HOSTILE];
const NEEDLES: [&str; 9] = ["%", "_", r"\", "ärger", "GRÖSSE", "größe", "ОШИБКА", "'; drop table", "nowhere"];

/// What a list is bound by: somebody's teams, and the workflows of a token.
struct Bounds {
    person: PersonId,
    teams: Vec<TeamRow>,
    token: TokenId,
    workflows: Vec<String>,
}

/// A few hundred items of every kind, many of them with the same age.
async fn crowd(db: &Database, dice: &mut Dice) -> (Vec<Item>, Bounds) {
    let mut workflows: Vec<WorkflowRow> = Vec::new();
    let mut teams = Vec::new();
    for key in ["invoice-sync", "crm-sync", "Invoice-sync"] {
        let team = db.team(key).await;
        workflows.push(db.workflow(key, &team).await);
        teams.push(team);
    }
    let person = db.person("amara@example.test").await.id;
    let bounds = Bounds {
        person,
        teams: teams[..2].to_vec(),
        workflows: vec!["crm-sync".to_owned(), "Invoice-sync".to_owned()],
        token: db.token("sync", Some(&["crm-sync".to_owned(), "Invoice-sync".to_owned()])).await,
    };
    for team in &bounds.teams {
        db.change(async |uow| uow.join_team(person, team.id).await).await;
    }
    let mut items = Vec::new();
    db.change(async |uow| {
        for _ in 0..600 {
            let mut item = an_item_of(dice.pick(&workflows), &format!("key%{}", dice.below(40)));
            item.id = ItemId(Uuid::from_u128(u128::from(dice.next()) << 64));
            item.step = (*dice.pick(&STEPS)).to_owned();
            item.lane = *dice.pick(Lane::ALL);
            item.effect = *dice.pick(Effect::ALL);
            item.failure_class = *dice.pick(&CLASSES);
            item.sensitivity = *dice.pick(Sensitivity::ALL);
            item.message = (*dice.pick(&MESSAGES)).to_owned();
            item.business_ref = (dice.below(4) == 0).then(|| (*dice.pick(&MESSAGES)).to_owned());
            item.received_at = at(i64::try_from(dice.below(30)).unwrap());
            let given_to = dice.pick(&teams).id;
            item.owner_team_id = (dice.below(3) == 0 && given_to != item.team_id).then_some(given_to);
            item.state = *dice.pick(State::ALL);
            if dice.below(3) == 0 || item.state == State::Closed {
                item.state = State::Closed;
                (item.resolution, item.closed_at) = (Some(*dice.pick(Resolution::ALL)), Some(at(99)));
            }
            item.owner_person_id = (dice.below(4) == 0).then_some(person);
            let due = i64::try_from(dice.below(60)).unwrap() + 10;
            if item.state != State::Closed && dice.below(4) > 0 {
                item.due = Due { cause: Some(Cause::Claim), risk_at: Some(at(due - 5)), at: Some(at(due)) };
            }
            item.snoozed_until = (item.state == State::Snoozed).then_some(at(999));
            if uow.add_item(&item).await? {
                items.push(item);
            }
        }
        Ok(())
    })
    .await;
    assert!(items.len() > 250, "only {} different items", items.len());
    items.sort_by_key(|item| (item.received_at, item.id));
    (items, bounds)
}

fn has(text: &str, needle: &str) -> bool {
    text.to_lowercase().contains(&needle.to_lowercase())
}

/// What the filter means, said as simply as can be.
fn shows(filter: &ItemFilter, bounds: &Bounds, item: &Item) -> bool {
    let open = item.state != State::Closed;
    let in_view = match filter.view {
        View::Open => open,
        View::Lane(lane) => open && item.lane == lane,
        View::Uncertain => open && item.effect == Effect::Uncertain,
        View::Closed => !open,
    };
    let has_text = |needle: &String| {
        let names = [Some(&item.dedupe_key), item.business_ref.as_ref()];
        if filter.restricted_by_name && item.sensitivity == Sensitivity::Restricted {
            return names.into_iter().flatten().any(|name| name.to_ascii_lowercase().contains(&needle.to_lowercase()));
        }
        names.into_iter().chain([Some(&item.message)]).flatten().any(|text| has(text, needle))
    };
    let sees = |team: &TeamRow| team.id == item.team_id || Some(team.id) == item.owner_team_id;
    in_view
        && filter.workflow.as_ref().is_none_or(|workflow| item.workflow_key == *workflow)
        && filter.step.as_ref().is_none_or(|step| item.step == *step)
        && filter.class.is_none_or(|class| item.failure_class == class)
        && filter.dedupe_key.as_ref().is_none_or(|key| item.dedupe_key == *key)
        && filter.text.as_ref().is_none_or(has_text)
        && filter.due.is_none_or(|level| item.due.level(at(NOW)) == Some(level))
        && filter
            .mine
            .as_ref()
            .is_none_or(|mine| item.owner_person_id == Some(mine.person) || mine.claimed.contains(&item.id))
        && (filter.bound_to.is_none() || bounds.teams.iter().any(sees))
        && (filter.token.is_none() || bounds.workflows.contains(&item.workflow_key))
}

/// Every page of a list, turned until the end.
async fn turn(uow: &mut Uow, filter: &ItemFilter, limit: i64) -> Vec<Uuid> {
    let (mut after, mut seen) = (None, Vec::new());
    loop {
        let page = uow.items(filter, after, limit).await.unwrap();
        assert!(!page.look_further, "{filter:?}");
        assert_eq!(page.next.is_some(), page.items.len() == usize::try_from(limit).unwrap() && page.next.is_some());
        seen.extend(page.items.iter().map(|item| item.id.0));
        match page.next {
            Some(next) => after = Some(next),
            None => return seen,
        }
    }
}

on_both! {
    async fn every_combination_of_view_filters_and_order_shows_what_a_naive_filter_shows(db) {
        let mut dice = Dice(20);
        let (items, bounds) = crowd(db, &mut dice).await;
        let mine = Mine { person: bounds.person, claimed: items.iter().step_by(9).map(|item| item.id).collect() };
        let mut uow = db.store.read().await.unwrap();
        let (mut combinations, mut shown) = (0, 0);
        for (view, sort) in VIEWS.into_iter().flat_map(|view| [(view, Sort::Oldest), (view, Sort::Newest), (view, Sort::Due)]) {
            for bits in 0..512_u32 {
                let on = |n: u32| bits & (1 << n) != 0;
                // An item that the list may show lends it its values, so that few combinations are empty.
                let lender = dice.pick(&items).clone();
                let filter = ItemFilter {
                    view,
                    sort,
                    workflow: on(0).then_some(lender.workflow_key),
                    step: on(1).then_some(lender.step),
                    class: on(2).then_some(lender.failure_class),
                    text: on(3).then(|| (*dice.pick(&NEEDLES)).to_owned()),
                    dedupe_key: on(4).then_some(lender.dedupe_key),
                    bound_to: on(5).then_some(bounds.person),
                    token: on(6).then_some(bounds.token),
                    restricted_by_name: on(7),
                    due: on(8).then(|| *dice.pick(&[Level::AtRisk, Level::Overdue])),
                    mine: (on(8) && dice.below(3) == 0).then(|| mine.clone()),
                    as_of: at(NOW),
                };
                let mut expected: Vec<_> =
                    items.iter().filter(|item| shows(&filter, &bounds, item)).map(|item| item.id.0).collect();
                match sort {
                    Sort::Newest => expected.reverse(),
                    Sort::Due if view != View::Closed => {
                        let due = |id: &Uuid| items.iter().find(|item| item.id.0 == *id).and_then(|item| item.due.at);
                        expected.sort_by_key(|id| (due(id).is_none(), due(id), *id));
                    }
                    Sort::Oldest | Sort::Due => {}
                }
                let limit = *dice.pick(&[1, 3, 7, 50]);
                assert_eq!(turn(&mut uow, &filter, limit).await, expected, "{filter:?} in pages of {limit}");
                let count = uow.count_items(&filter).await.unwrap();
                assert_eq!(count, Count { number: i64::try_from(expected.len()).unwrap(), more: false }, "{filter:?}");
                (combinations, shown) = (combinations + 1, shown + expected.len());
            }
        }
        assert_eq!(combinations, 7_680);
        assert!(shown > 5_000, "the lists were nearly all empty: {shown} rows");
    }

    async fn text_is_searched_in_any_case_of_any_script_and_wildcards_are_only_text(db) {
        let finance = db.team("finance").await;
        let workflow = db.workflow("invoice-sync", &finance).await;
        for (n, message) in MESSAGES.into_iter().enumerate() {
            let mut item = an_item_of(&workflow, &n.to_string());
            item.message = message.to_owned();
            (item.business_ref, item.correlation_id) = (Some(format!("REF-{n}")), Some(format!("Lauf-{n}")));
            db.keep(item).await;
        }
        for (needle, expected) in [
            ("50%", vec!["0"]),
            ("off_now", vec!["0"]),
            ("50_", vec![]),
            ("%off", vec![]),
            ("OFF NOW", vec!["1"]),
            ("ärger", vec!["2"]),
            ("ÄRGER MIT GRÖß", vec!["2"]),
            ("ОТПРАВКЕ", vec!["3"]),
            ("отправке", vec!["3"]),
            (r"\temp\", vec!["4"]),
            (r"\\", vec![]),
            ("ref-3", vec!["3"]),
            ("LAUF-5", vec!["5"]),
            (HOSTILE, vec!["5"]),
            ("arger", vec![]),
            ("", vec!["0", "1", "2", "3", "4", "5"]),
        ] {
            let filter = ItemFilter { text: Some(needle.to_owned()), ..ItemFilter::open() };
            let page = db.look(async |uow| uow.items(&filter, None, 10).await).await;
            let mut keys: Vec<_> = page.items.into_iter().map(|item| item.dedupe_key).collect();
            keys.sort_unstable();
            assert_eq!(keys, expected, "{needle}");
        }
    }

    async fn r15_a_restricted_item_is_found_by_its_message_only_by_those_who_may_read_it(db) {
        let mut item = db.an_item().await;
        (item.sensitivity, item.message, item.business_ref) = (Sensitivity::Restricted, "iban NO93".into(), Some("Ref-9".into()));
        item.correlation_id = Some("Run-4".into());
        db.change(async |uow| uow.save_item(&item).await).await;
        let key = item.dedupe_key.to_uppercase();
        for (needle, cleared, below) in [("iban", 1, 0), ("ref-9", 1, 1), ("RUN-4", 1, 1), (key.as_str(), 1, 1), ("", 1, 1), ("9%", 0, 0)] {
            for (restricted_by_name, expected) in [(false, cleared), (true, below)] {
                let filter = ItemFilter { text: Some(needle.to_owned()), restricted_by_name, ..ItemFilter::open() };
                assert_eq!(db.look(async |uow| uow.items(&filter, None, 10).await).await.items.len(), expected, "{needle}");
                assert_eq!(db.look(async |uow| uow.count_items(&filter).await).await.number, i64::try_from(expected).unwrap(), "{needle}");
            }
        }
    }

    async fn a_filter_with_u_0000_finds_what_intake_made_of_it_or_nothing(db) {
        let mut item = db.an_item().await;
        item.message = domain::text::message("cut\0off");
        db.change(async |uow| uow.save_item(&item).await).await;
        let filter = ItemFilter { text: Some("CUT\0off".to_owned()), ..ItemFilter::open() };
        assert_eq!(db.look(async |uow| uow.items(&filter, None, 10).await).await.items.len(), 1);
        assert_eq!(db.look(async |uow| uow.count_items(&filter).await).await.number, 1);
    }

    async fn a_list_shows_each_item_as_it_stands(db) {
        let (finance, amara) = (db.team("finance").await, db.person("amara@example.test").await);
        let workflow = db.workflow("invoice-sync", &finance).await;
        let mut item = an_item_of(&workflow, HOSTILE);
        (item.business_ref, item.message) = (Some(HOSTILE.to_owned()), HOSTILE.repeat(100));
        let item = db.keep(item).await;
        let open = ItemFilter::open();
        let unowned = db.look(async |uow| uow.items(&open, None, 10).await).await.items.remove(0);
        assert_eq!(unowned.owner_name, None);
        db.as_server(&format!("UPDATE item SET owner_person_id = {}", db.id(amara.id.0))).await.unwrap();

        let listed = db.look(async |uow| uow.items(&open, None, 10).await).await.items.remove(0);
        assert_eq!((listed.id, listed.team_id, listed.team_name.as_str()), (item.id, finance.id, "Team finance"));
        assert_eq!((listed.lane, listed.state, listed.resolution), (item.lane, item.state, None));
        assert_eq!(
            (listed.effect, listed.failure_class, listed.impact),
            (item.effect, item.failure_class, item.impact)
        );
        assert_eq!((listed.business_ref.as_deref(), listed.dedupe_key.as_str()), (Some(HOSTILE), HOSTILE));
        assert_eq!(
            (listed.workflow_key, listed.step, listed.received_at),
            (item.workflow_key, item.step, item.received_at)
        );
        assert_eq!(listed.message_head, domain::text::head(&item.message, 240));
        assert_eq!(listed.owner_name, Some(amara.name));
    }

    async fn an_item_given_to_another_team_is_seen_by_both_and_named_after_the_second(db) {
        let (finance, sales, support) = (db.team("finance").await, db.team("sales").await, db.team("support").await);
        let workflow = db.workflow("invoice-sync", &finance).await;
        let given = Item { owner_team_id: Some(sales.id), ..an_item_of(&workflow, "INV-1") };
        let given = db.keep(given).await;
        let related = Item { business_ref: Some("PO 7".into()), ..an_item_of(&workflow, "INV-2") };
        db.keep(related.clone()).await;
        db.change(async |uow| uow.save_item(&Item { business_ref: Some("PO 7".into()), ..given.clone() }).await).await;
        for (team, seen) in [(&finance, 2), (&sales, 1), (&support, 0)] {
            let person = db.person(&format!("{}@example.test", team.key)).await.id;
            let mine = ItemFilter { bound_to: Some(person), ..ItemFilter::open() };
            let listed = async || db.look(async |uow| uow.items(&mine, None, 10).await).await.items;
            assert!(listed().await.is_empty(), "without a team nothing is seen");
            db.change(async |uow| uow.join_team(person, team.id).await).await;
            let items = listed().await;
            assert_eq!(items.len(), seen, "{}", team.key);
            assert_eq!(db.look(async |uow| uow.count_items(&mine).await).await.number, i64::try_from(seen).unwrap());
            if let Some(item) = items.iter().find(|item| item.id == given.id) {
                assert_eq!((item.team_name.as_str(), item.owner_team_id), ("Team sales", Some(sales.id)));
            }
            // Of two of their own teams, an item is still one item.
            db.change(async |uow| uow.join_team(person, sales.id).await).await;
            assert_eq!(listed().await.len(), seen.max(1));
        }
        let found = db.look(async |uow| uow.related_items(&related).await).await;
        assert_eq!((found.len(), found[0].team_name.as_str()), (1, "Team sales"));
        assert_eq!((found[0].team_id, found[0].owner_team_id), (finance.id, Some(sales.id)));
    }
}
