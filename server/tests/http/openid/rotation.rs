//! The provider's keys come and go.

use chrono::TimeDelta;

use super::{Scene, stub::Misdeed, told};

#[tokio::test]
async fn what_the_provider_says_of_itself_is_asked_once() {
    let scene = Scene::set().await;
    assert_eq!(scene.stub.asked("/keys"), 0, "not before it is needed");
    let (one, other) = tokio::join!(scene.sign_in(), scene.sign_in());
    assert_eq!((told(one), told(other)), ("signed in".into(), "signed in".into()));
    scene.sign_in().await.unwrap();
    assert_eq!((scene.stub.asked("/.well-known/openid-configuration"), scene.stub.asked("/keys")), (1, 1));
}

#[tokio::test]
async fn a_new_key_is_met_by_asking_anew() {
    let scene = Scene::set().await;
    scene.sign_in().await.unwrap();
    scene.stub.changes_key();
    scene.sign_in().await.unwrap();
    scene.sign_in().await.unwrap();
    assert_eq!(scene.stub.asked("/keys"), 2);
}

#[tokio::test]
async fn whoever_names_keys_that_are_not_there_makes_us_ask_once_a_minute() {
    let scene = Scene::set().await;
    scene.stub.misbehave(Misdeed::UnknownKey);
    for _ in 0..3 {
        assert_eq!(told(scene.sign_in().await), "bad token Key");
    }
    assert_eq!(scene.stub.asked("/keys"), 2);
    scene.clock.advance(TimeDelta::minutes(1));
    assert_eq!(told(scene.sign_in().await), "bad token Key");
    assert_eq!(scene.stub.asked("/keys"), 3);
}

#[tokio::test]
async fn two_that_meet_a_new_key_at_once_are_both_let_in() {
    let scene = Scene::set().await;
    scene.sign_in().await.unwrap();
    scene.stub.changes_key();
    let (one, other) = tokio::join!(scene.sign_in(), scene.sign_in());
    assert_eq!((told(one), told(other)), ("signed in".into(), "signed in".into()));
    assert_eq!(scene.stub.asked("/keys"), 2);
}

#[tokio::test]
async fn a_key_that_was_withdrawn_counts_for_an_hour_at_most() {
    let scene = Scene::set().await;
    scene.sign_in().await.unwrap();
    scene.clock.advance(TimeDelta::minutes(59));
    scene.sign_in().await.unwrap();
    assert_eq!(scene.stub.asked("/keys"), 1);
    scene.clock.advance(TimeDelta::minutes(1));
    scene.sign_in().await.unwrap();
    assert_eq!(scene.stub.asked("/keys"), 2);
}
