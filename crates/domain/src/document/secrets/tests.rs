use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn found(text: &str) -> Vec<String> {
    let json = Json::read(text).unwrap();
    in_document(&json).into_iter().map(|node| json.pointer(node)).collect()
}

#[test]
fn members_with_a_secrets_name_are_found() {
    for name in [
        "authorization",
        "Authorization",
        "Proxy-Authorization",
        "cookie",
        "Set-Cookie",
        "password",
        "passwd",
        "db_password",
        "secret",
        "client_secret",
        "clientSecret",
        "webhook-secret",
        "token",
        "access_token",
        "refreshToken",
        "id_token",
        "api_key",
        "apikey",
        "X-Api-Key",
        "STRIPE_API_KEY",
        "private_key",
        "signature",
        "X-Hub-Signature-256",
        "aws_secret_access_key",
        "pass\\u0077ord",
        "cvv",
    ] {
        assert_eq!(found(&format!("{{\"a\":[{{\"{name}\":\"plain\"}}]}}")).len(), 1, "{name}");
        assert_eq!(found(&format!("{{\"{name}\":1}}")).len(), 1, "{name}");
        for nothing in ["null", "true", "{\"a\":\"plain\"}", "[]", "[{\"a\":\"plain\"}]"] {
            assert!(found(&format!("{{\"{name}\":{nothing}}}")).is_empty(), "{name} {nothing}");
        }
    }
    assert_eq!(found(r#"{"Set-Cookie":["a=1","b=2",null],"x":["a=1"]}"#), ["/Set-Cookie/0", "/Set-Cookie/1"]);
    assert_eq!(found(r#"{"password":[["plain"],{"x":"plain"}],"y":"plain"}"#), ["/password/0/0"]);
    assert_eq!(
        found(
            r#"[{"name":"Authorization","value":"plain"},{"Value":5,"Key":"x-api-key"},{"name":"Accept","value":"plain"}]"#
        ),
        ["/0/value", "/1/Value"]
    );
}

#[test]
fn members_with_another_name_are_not() {
    for name in [
        "token_type",
        "page_token",
        "next_token",
        "nextPageToken",
        "secretary",
        "tokens_used",
        "max_tokens",
        "tokens",
        "password_reset_at",
        "passwordless",
        "secret_name",
        "cookie_policy",
        "authorized",
        "authorization_id",
        "author",
        "signature_algorithm",
        "signed_by",
        "keyword",
        "key",
        "api_key_id",
        "public_key",
        "passport",
        "compass",
        "pin_code",
        "access_token_expires_in",
        "",
    ] {
        assert!(found(&format!("{{\"{name}\":\"plain\",\"b\":{{\"{name}\":1}}}}")).is_empty(), "{name}");
    }
}

/// Texts of which exactly this much is a secret.
const SECRETS: [(&str, &str); 60] = [
    ("Authorization: Bearer abcdef", "Bearer abcdef"),
    ("GET / failed, Authorization: Bearer a1b2c3 Accept: */*", "Bearer a1b2c3"),
    ("curl -H 'Authorization: Bearer a1b2c3' https://x", "Bearer a1b2c3"),
    ("Authorization: Digest username=\"a\", response=\"b\"\nHost: x", "Digest username=\"a\", response=\"b\""),
    ("proxy-authorization: 8f1c2d\r\n", "8f1c2d"),
    ("Cookie: a=1; sid=abc\nHost: x", "a=1; sid=abc"),
    ("password=hunter2", "hunter2"),
    ("password = hunter two", "hunter"),
    ("wrong password: hunter", "hunter"),
    ("user[password]=hunter2&x=1", "hunter2"),
    (":password=>\"hunter 2\", :x=>1", "hunter 2"),
    ("https://x/cb?token=abc&state=1", "abc"),
    ("https://x/cb?a=1&access_token=abc#top", "abc#top"),
    ("{\"api_key\":\"a\\\"b\",\"x\":1}", "a\\\"b"),
    ("body: \"{\\\"api_key\\\": \\\"abc\\\", \\\"x\\\": 1}\"", "abc"),
    ("body: \"{\\\"api_key\\\": \\\"a\\\\\\\"b\\\", \\\"x\\\": 1}\"", "a\\\\\\\"b"),
    ("{'client_secret': 'abc', 'x': 1}", "abc"),
    ("{\"set-cookie\": [\"a=]1\", \"b=2\"], \"x\": 1}", "\"a=]1\", \"b=2\""),
    ("x: \"{\\\"cookie\\\":[\\\"a=1\\\"],\\\"x\\\":1}\"", "\\\"a=1\\\""),
    ("token=b'abc' x", "abc"),
    ("{\"token\": 1234567}", "1234567"),
    ("Login(user=a, password=abc, x=1)", "abc"),
    ("Login(password=a,bc,user=x)", "a,bc"),
    ("Login(password=abc)", "abc"),
    ("Server=x;Password=abc;Database=y", "abc"),
    ("AWS_SECRET_ACCESS_KEY=wJalr/XUtn+bPx", "wJalr/XUtn+bPx"),
    ("--api-key=abc --verbose", "abc"),
    ("X-Api-Key: a1b2c3d4", "a1b2c3d4"),
    ("the token: a1b2c3d4 was refused", "a1b2c3d4"),
    ("<soap:password>hunter2</soap:password>", "hunter2"),
    ("<a><apiKey>abc</apiKey></a>", "abc"),
    ("postgres://app:p4ss@db:5432/x", "p4ss"),
    ("redis://:abc@cache and amqp://x@y", "abc"),
    ("https://0123456789abcdef0123456789@git.example/x", "0123456789abcdef0123456789"),
    ("sent Bearer a1b2c3d4e5 to it", "a1b2c3d4e5"),
    ("Bearer abcdefghij", "abcdefghij"),
    ("with bearer eyJ0.abc_d", "eyJ0.abc_d"),
    ("Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
    ("basic YTpi was refused, basic dXNlcjpwYXNzdw== too", "dXNlcjpwYXNzdw=="),
    ("got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl.", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl."),
    ("(eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0)", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0"),
    (
        "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    ),
    ("cut -----BEGIN PRIVATE KEY-----\nMIIE", "-----BEGIN PRIVATE KEY-----\nMIIE"),
    ("sk_live_4eC39HqLyjWDarj", "sk_live_4eC39HqLyjWDarj"),
    ("key sk_test_4eC39HqLyjWDarj.", "sk_test_4eC39HqLyjWDarj"),
    ("é\u{2019}whsec_MfKQ9r8GKYqrTwjU", "whsec_MfKQ9r8GKYqrTwjU"),
    ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
    ("github_pat_11ABCDEFG0abcdefghijkl_x", "github_pat_11ABCDEFG0abcdefghijkl_x"),
    ("xoxb-2345-6789-abcdef", "xoxb-2345-6789-abcdef"),
    ("id AKIAIOSFODNN7EXAMPLE!", "AKIAIOSFODNN7EXAMPLE"),
    ("AIzaSyA1234567890abcdefghijklmnopqrstuv", "AIzaSyA1234567890abcdefghijklmnopqrstuv"),
    ("sk-ant-api03-abcdefghijklmnop", "sk-ant-api03-abcdefghijklmnop"),
    ("card 4111111111111111 refused", "4111111111111111"),
    ("4111 1111 1111 1111", "4111 1111 1111 1111"),
    ("5500-0000-0000-0004", "5500-0000-0000-0004"),
    ("3782 822463 10005", "3782 822463 10005"),
    ("6011000990139424", "6011000990139424"),
    ("3530111333300000", "3530111333300000"),
    ("12 4111 1111 1111 1111 x", "4111 1111 1111 1111"),
    ("2026-11-30 30569309025904", "30569309025904"),
];

#[test]
fn secrets_in_text_are_hidden_and_nothing_else() {
    for (text, secret) in SECRETS {
        let (before, after) = text.split_once(secret).unwrap();
        assert_eq!(scrub(text), format!("{before}{HIDDEN}{after}"), "{text}");
        let document = serde_json::Value::from(text).to_string();
        assert_eq!(found(&document), [""], "{text}");
    }
    let both = "password=a token=b\nhttps://u:p@h/ 4111111111111111";
    assert_eq!(scrub(both), format!("password={HIDDEN} token={HIDDEN}\nhttps://u:{HIDDEN}@h/ {HIDDEN}"));
    assert_eq!(found("{\"a\":4111111111111111}"), ["/a"]);
}

#[test]
fn what_is_no_secret_stays() {
    for text in [
        "",
        "token: expired",
        "invalid signature: mismatch",
        "Authorization: missing",
        "secret: not found",
        "password=null",
        "password=",
        "password:\n",
        "password=*****",
        "{\"token\":null,\"secret\":{\"a\":1},\"cookie\":[]}",
        "token::Kind",
        "token_type=bearer",
        "page_token=abc",
        "tokens_used: 512",
        "Bearer of bad news",
        "the bearer authenticates",
        "basic information",
        "Basic authentication is off",
        "order 1234567890123456",
        "4111111111111112",
        "411111111111111",
        "9111111111111117",
        "0.4111111111111111",
        "A4111111111111111",
        "4111111111111111B",
        "41111111111111110000000",
        "550e8400-e29b-41d4-a716-446655440000",
        "2026-11-30T12:00:00.123456Z",
        "task_live_abcdefgh",
        "sk_live_",
        "AKIA123",
        "MAKIAIOSFODNN7EXAMPLEX",
        "eyJ only",
        "https://example.com/a:b@c",
        "https://alice@example.com",
        "mailto:a@b.c",
        "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----",
        "a = b",
        "é: ü",
        "==:=:",
        "GET /tokens/4 -> 404",
        "<token/><b>x</b>",
        "the risk-free rate",
        "desk-1234567890",
    ] {
        assert_eq!(scrub(text), text);
        assert!(matches!(scrub(text), Cow::Borrowed(_)), "{text}");
        assert!(found(&serde_json::Value::from(text).to_string()).is_empty(), "{text}");
    }
}

#[test]
fn what_is_hidden_already_stays() {
    for (text, _) in SECRETS {
        let once = scrub(text).into_owned();
        assert_eq!(scrub(&once), once, "{text}");
    }
}

#[test]
fn length_does_not_matter_however_a_line_is_made() {
    for unit in [
        "password=",
        "token=a&",
        "token: x",
        "Authorization: ",
        "authorization:a:b ",
        "cookie:a; ",
        "://",
        "://a:",
        "://a@",
        "eyJ",
        "-eyJ-sk_live_abcdef",
        "eyJabcdefghij.",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN x-----END ",
        "4111 ",
        "4111111111111111",
        "1",
        "1-",
        "Bearer ",
        "Basic dXNlcjpwYXNz ",
        "<password>",
        "••••token=••••",
        "token=*",
        "token=)",
        "\"secret\":\"\\",
        "\\",
        " ",
        "a",
        "é",
        "SG.",
        "SG.abcdefghijklmnopqrstuv.",
        "token=a,b",
        "{\"api_key\":\"a\"},",
    ] {
        let text = unit.repeat(200_000 / unit.len());
        assert!(!scrub(&text).is_empty(), "{unit}");
    }
}

#[test]
fn depth_does_not_matter() {
    let deep = r#"{"token":["#.repeat(100_000) + r#"{"password":"a"}"# + &"]}".repeat(100_000);
    let json = Json::read(&deep).unwrap();
    assert_eq!(in_document(&json).iter().map(|node| json.raw(*node)).collect::<Vec<_>>(), ["\"a\""]);
}

proptest! {
    #[test]
    fn nothing_but_what_is_hidden_changes(text in "(password|token|[:=\"'\\\\&;, ]|://|@|a|4111111111111111|é|\n|<|>|Bearer |eyJ|\\.){0,24}") {
        let spans = spans(&text);
        prop_assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start));
        let kept: String = scrub(&text).split(HIDDEN).collect();
        let expected: String = {
            let hidden: BTreeSet<usize> = spans.iter().cloned().flatten().collect();
            text.char_indices().filter(|(at, _)| !hidden.contains(at)).map(|(_, character)| character).collect()
        };
        prop_assert_eq!(kept, expected);
    }
}
