use super::*;

fn filter() -> ItemFilter {
    ItemFilter { view: DEFAULT_VIEW, ..ItemFilter::open() }
}

#[test]
fn defaults_are_left_out() {
    assert_eq!(queue(&filter(), None), "/queue");
    assert_eq!(sign_in("/queue"), "/sign-in");
    assert_eq!(quarantine(true, None), "/quarantine");
    assert_eq!(audit(&AuditFilter::default(), None, None, None), "/audit");
}

#[test]
fn values_are_data_whatever_they_hold() {
    let text = Some("50% & “A=B”\n+#".to_owned());
    let asked = queue(&ItemFilter { text: text.clone(), view: View::Uncertain, ..filter() }, None);
    assert!(asked.starts_with("/queue?view=uncertain&q=50%25+%26+"), "{asked}");
    let query = asked.split_once('?').unwrap().1;
    let found =
        form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "q").map(|(_, value)| value.into_owned());
    assert_eq!(found, text);
    assert_eq!(sign_in("/items/1?a=b"), "/sign-in?next=%2Fitems%2F1%3Fa%3Db");
    assert_eq!(setup("a/b?c"), "/setup/a%2Fb%3Fc");
}

#[test]
fn a_place_in_a_list_comes_back() {
    for micros in [0, 1_732_615_210_123_456, -5] {
        let (at, id) = (DateTime::from_timestamp_micros(micros).unwrap(), Uuid::from_u128(7));
        assert_eq!(read_place(&place(at, id)), Some((at, id)));
    }
    for wrong in ["", "-", "12", "x-00000000000000000000000000000007", "99999999999999999999-7", "1-zz"] {
        assert_eq!(read_place(wrong), None, "{wrong}");
    }
}

#[test]
fn a_revision_leads_to_its_panel() {
    let id = ItemId(Uuid::from_u128(1));
    assert_eq!(revision(id, 2, true), format!("/items/{id}?revision=2&view=raw#payload"));
    assert_eq!(payload(id, 2), format!("/items/{id}/revisions/2/payload"));
    assert_eq!(item_action(id, "cancel_retry"), format!("/items/{id}/cancel_retry"));
}

#[test]
fn keys_and_addresses_are_one_part_of_a_path_or_come_back_whole() {
    assert_eq!(team("finance ops/ø?#"), "/admin/teams/finance%20ops%2F%C3%B8%3F%23");
    assert_eq!(link("a b"), "/link/a%20b");
    let place = ("amara-o@example.test".to_owned(), PersonId(Uuid::from_u128(7)));
    let path = people(Some("o-"), Some(&place));
    let after =
        form_urlencoded::parse(path.split_once('?').unwrap().1.as_bytes()).find(|(name, _)| name == "after").unwrap().1;
    assert_eq!(read_address(&after), Some(place));
    for word in ["", "x", "7-a@b", "-"] {
        assert_eq!(read_address(word), None, "{word}");
    }
}
