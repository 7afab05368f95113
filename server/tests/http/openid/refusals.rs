//! Whatever the provider, or somebody in its name, does wrong: it is refused for the right reason, and said in our own words.

use std::error::Error as _;

use serde_json::json;
use server::openid::{Callback, Provider};

use super::{
    BACK, Scene,
    stub::{CLIENT, Misdeed, User},
    told,
};

#[tokio::test]
async fn a_wrong_token_is_refused_for_what_is_wrong() {
    let scene = Scene::set().await;
    let spoilt = [
        (Misdeed::WrongNonce, "bad token Nonce"),
        (Misdeed::NoNonce, "bad token Nonce"),
        (Misdeed::WrongAudience, "bad token Audience"),
        (Misdeed::TwoAudiences, "bad token Audience"),
        (Misdeed::OtherParty, "bad token Audience"),
        (Misdeed::WrongIssuer, "bad token Issuer"),
        (Misdeed::Expired, "bad token Expired"),
        (Misdeed::NotYetValid, "bad token NotYetValid"),
        (Misdeed::FromTheFuture, "bad token NotYetValid"),
        (Misdeed::Unsigned, "bad token Algorithm"),
        (Misdeed::PublicKeyAsSecret, "bad token Algorithm"),
        (Misdeed::ClientSecretAsKey, "bad token Algorithm"),
        (Misdeed::UnknownKey, "bad token Key"),
        (Misdeed::ForeignSignature, "bad token Signature"),
        (Misdeed::NoSubject, "missing sub"),
        (Misdeed::NoToken, "missing id_token"),
    ];
    for (misdeed, expected) in spoilt {
        scene.stub.misbehave(misdeed);
        assert_eq!(told(scene.sign_in().await), expected, "{misdeed:?}");
        scene.stub.behave();
        assert_eq!(told(scene.sign_in().await), "signed in", "after {misdeed:?}");
    }
}

/// The twin of the two above: a token for several is fine if it says that it is for us.
#[tokio::test]
async fn a_token_for_several_says_for_whom() {
    let scene = Scene::set().await;
    scene.stub.misbehave(Misdeed::TwoAudiences);
    scene.stub.knows(User { more: json!({ "azp": CLIENT, "groups": [] }), ..User::new("Amara", &[]) });
    scene.sign_in().await.unwrap();
    scene.stub.behave();
    scene.stub.knows(User { more: json!({ "azp": "another", "groups": [] }), ..User::new("Amara", &[]) });
    assert_eq!(told(scene.sign_in().await), "bad token Audience");
}

#[tokio::test]
async fn an_endpoint_that_fails_is_told_from_one_that_answers_nonsense() {
    let scene = Scene::set().await;
    scene.stub.knows(User { reserved: true, ..User::new("Amara", &["ops"]) });
    let failing = [
        (Misdeed::TokenBreaks, "unreachable"),
        (Misdeed::TokenNotJson, "bad token Malformed"),
        (Misdeed::TokenRedirects, "bad token Malformed"),
        (Misdeed::TokenWithoutEnd, "bad token Malformed"),
        (Misdeed::OddAccessToken, "bad token Malformed"),
        (Misdeed::UserinfoOfAnother, "bad token Subject"),
        (Misdeed::UserinfoBreaks, "unreachable"),
        (Misdeed::UserinfoRefuses, "unreachable"),
        (Misdeed::Declines, "denied access_denied"),
        (Misdeed::DeclinesWithText, "denied no_known_code"),
    ];
    for (misdeed, expected) in failing {
        scene.stub.misbehave(misdeed);
        assert_eq!(told(scene.sign_in().await), expected, "{misdeed:?}");
        scene.stub.behave();
        assert_eq!(told(scene.sign_in().await), "signed in", "after {misdeed:?}");
    }
}

/// Waits the whole ten seconds.
#[tokio::test]
async fn a_provider_that_hangs_is_not_waited_for() {
    let scene = Scene::set().await;
    scene.stub.misbehave(Misdeed::TokenHangs);
    assert_eq!(told(scene.sign_in().await), "unreachable");
}

#[tokio::test]
async fn a_provider_that_misdescribes_itself_is_not_used_until_it_does_right() {
    let scene = Scene::set().await;
    let described = [
        (Misdeed::DiscoveryOfAnother, "bad discovery"),
        (Misdeed::DiscoveryBreaks, "unreachable"),
        (Misdeed::DiscoveryNotJson, "bad discovery"),
        (Misdeed::PlainEndpoint, "bad discovery"),
        (Misdeed::NoTokenEndpoint, "bad discovery"),
    ];
    for (misdeed, expected) in described {
        scene.stub.misbehave(misdeed);
        assert_eq!(told(scene.provider.begin(false).await), expected, "{misdeed:?}");
    }
    scene.stub.behave();
    scene.sign_in().await.unwrap();
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_unreachable() {
    let scene = Scene::set().await;
    let mut config = scene.stub.config();
    drop(scene.stub);
    // A port that nobody has.
    config.issuer = "http://127.0.0.1:1".into();
    let provider = Provider::new(config, BACK.into(), scene.clock).unwrap();
    let error = provider.begin(false).await.unwrap_err();
    assert!(error.source().is_some(), "the log says why");
    assert_eq!(error.sentence(), "The identity provider does not answer. Try again in a moment.");
}

#[tokio::test]
async fn plain_http_is_for_this_machine_only() {
    let scene = Scene::set().await;
    let mut config = scene.stub.config();
    config.issuer = "http://id.example".into();
    assert!(Provider::new(config, BACK.into(), scene.clock).is_err());
}

#[tokio::test]
async fn an_answer_to_another_sign_in_is_refused_before_anything_is_asked() {
    let scene = Scene::set().await;
    let begun = scene.provider.begin(false).await.unwrap();
    let other = scene.provider.begin(false).await.unwrap();
    let callback = scene.stub.callback(&begun.url).await;
    let finish = async |query: Callback| scene.provider.finish(begun.pending.clone(), &query).await;

    let foreign = scene.stub.callback(&other.url).await;
    assert_eq!(told(finish(foreign).await), "wrong state");
    assert_eq!(told(finish(Callback { state: None, ..callback.clone() }).await), "wrong state");
    assert_eq!(told(finish(Callback { state: Some(String::new()), ..callback.clone() }).await), "wrong state");
    // Whoever knows no state can't make us say what they like.
    let shouted = Callback { error: Some("access_denied".into()), ..Callback::default() };
    assert_eq!(told(finish(shouted).await), "wrong state");
    assert_eq!(told(finish(Callback { code: None, ..callback.clone() }).await), "missing code");
    assert_eq!(scene.stub.asked("/token"), 0);
    // A code with this sign-in's state that was got for another: the verifier does not fit it.
    let mixed = Callback { code: scene.stub.callback(&other.url).await.code, ..callback.clone() };
    assert_eq!(told(finish(mixed).await), "denied invalid_grant");
    assert_eq!(told(finish(callback).await), "signed in");
}

/// What the provider writes reaches neither people nor, beyond its code, the log.
#[tokio::test]
async fn the_providers_own_words_are_not_repeated() {
    let scene = Scene::set().await;
    let mut said = Vec::new();
    let begun = scene.provider.begin(false).await.unwrap();
    let forged = Callback { code: Some("forged".into()), state: Some(begun.pending.state.clone()), error: None };
    said.push(scene.provider.finish(begun.pending, &forged).await.unwrap_err());
    for misdeed in [Misdeed::TokenNotJson, Misdeed::DeclinesWithText, Misdeed::WrongIssuer, Misdeed::WrongNonce] {
        scene.stub.misbehave(misdeed);
        said.push(scene.sign_in().await.unwrap_err());
    }
    for error in said {
        let sentence = error.sentence();
        for word in ["own words", "Welcome", "0800", "id.example"] {
            assert!(!sentence.contains(word), "{sentence}");
        }
        let mut causes = format!("{error}");
        let mut cause = error.source();
        while let Some(next) = cause {
            causes = format!("{causes}: {next}");
            cause = next.source();
        }
        assert!(!causes.contains("own words") && !causes.contains("0800"), "{causes}");
    }
}
