//! The second step of signing in: a code of an authenticator (RFC 6238), or one of ten recovery codes. No code counts twice.

use domain::{
    access::{Caller, Person},
    audit::AuditKind,
    ids::PersonId,
    notice::NoticeKind,
    permission::Permission,
    refusal::Refusal,
};
use rand::Rng as _;
use store::Uow;
use subtle::ConstantTimeEq as _;
use totp_rs::{Algorithm, TOTP};

use super::tries::{Counted, Trying};
use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Gate},
    people::who,
    secret,
};

/// Seconds that one code lasts.
const STEP: i64 = 30;
/// Recovery codes at a time.
const CODES: usize = 10;
/// Letters of recovery codes: none that is taken for another.
const LETTERS: &[u8] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";

/// How somebody proved that they have their second step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The authenticator's code.
    Code,
    /// A recovery code.
    RecoveryCode,
}

/// How a person's second step stands.
#[derive(Debug, Clone)]
pub enum TwoStep {
    /// There is none.
    Off,
    /// It is being set up: what their authenticator needs to know.
    Begun {
        /// The secret, to be typed in.
        secret: String,
        /// The same, for authenticators that read a picture.
        picture: Picture,
    },
    /// It is asked for.
    On {
        /// Recovery codes that were not used.
        codes_left: i64,
    },
}

/// A QR code: dark modules by row.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Modules on each side.
    pub side: i32,
    /// Rows and columns of the dark ones.
    pub dark: Vec<(i32, i32)>,
}

fn totp(secret: Vec<u8>, person: &str) -> Result<TOTP> {
    // What an authenticator shows beside the code; a colon would part it in two.
    let account = person.replace(':', " ");
    let size = u64::try_from(STEP).unwrap_or(30);
    TOTP::new(Algorithm::SHA1, 6, 1, size, secret, Some("Recourse".into()), account)
        .map_err(|_| Error::Fault("an authenticator's secret can't be used"))
}

/// Whether a second step is asked of this person.
pub(crate) async fn is_on(uow: &mut Uow, person: PersonId) -> Result<bool> {
    Ok(uow.two_step(person).await?.is_some_and(|row| row.confirmed_at.is_some()))
}

/// Uses a code up; `None` if it is none, or was used.
pub(crate) async fn prove(act: &mut Act<'_>, person: PersonId, code: &str) -> Result<Option<Proof>> {
    let Some(row) = act.uow.two_step(person).await?.filter(|row| row.confirmed_at.is_some()) else { return Ok(None) };
    let typed: String = code.chars().filter(|c| !c.is_whitespace() && *c != '-').collect::<String>().to_uppercase();
    if typed.len() == 6 && typed.bytes().all(|b| b.is_ascii_digit()) {
        let fits = step_of(&row.secret, &typed, act.now.timestamp())?.filter(|step| *step > row.last_step);
        let Some(step) = fits else { return Ok(None) };
        return Ok(act.uow.use_two_step(person, step).await?.then_some(Proof::Code));
    }
    if !act.uow.use_recovery_code(person, &secret::hash(&typed), act.now).await? {
        return Ok(None);
    }
    let left = act.uow.recovery_codes_left(person).await?;
    act.tell(person, NoticeKind::RecoveryCodeUsed, &format!("{left} are left"), None).await?;
    Ok(Some(Proof::RecoveryCode))
}

/// The time step whose code this is: now, the one before, or the one after, for clocks differ.
fn step_of(secret: &[u8], typed: &str, now: i64) -> Result<Option<i64>> {
    let totp = totp(secret.to_vec(), "")?;
    let now = now.div_euclid(STEP);
    let fits = |step: &i64| {
        let at = u64::try_from(step.saturating_mul(STEP)).unwrap_or_default();
        bool::from(totp.generate(at).as_bytes().ct_eq(typed.as_bytes()))
    };
    Ok([now - 1, now, now + 1].into_iter().find(fits))
}

/// Begins to set a second step up. It is asked for once a code of it was shown to fit.
#[derive(Debug)]
pub struct BeginTwoStep;

impl Action for BeginTwoStep {
    const NAME: &'static str = "begin_two_step";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::TwoStepOn;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let person = act.person()?.id;
        let mut fresh = [0u8; 20];
        rand::rng().fill_bytes(&mut fresh);
        if !act.uow.begin_two_step(person, &fresh, act.now).await? {
            return Err(Refusal::field("", "The second step is on already.").into());
        }
        // Nothing is asked for yet; what counts is recorded when it is.
        act.nothing_changed();
        Ok(())
    }
}

/// Shows that the authenticator works: from now on it is asked for. Answers the recovery codes, this once.
struct ConfirmTwoStep {
    code: String,
    tries: Counted,
}

impl Action for ConfirmTwoStep {
    const NAME: &'static str = "confirm_two_step";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::TwoStepOn;
    const STEP_UP: bool = true;
    type Output = Vec<String>;

    async fn perform(self, act: &mut Act<'_>) -> Result<Vec<String>> {
        let person = act.person()?.id;
        self.tries.tell(act.entry());
        let row = act.uow.two_step(person).await?.filter(|row| row.confirmed_at.is_none());
        let row = row.ok_or_else(|| Refusal::field("", "There is nothing to confirm; begin anew."))?;
        let typed: String = self.code.chars().filter(|c| !c.is_whitespace()).collect();
        let step = step_of(&row.secret, &typed, act.now.timestamp())?;
        let wrong = || Refusal::field("/code", "That is not the authenticator's code now. Is its clock right?");
        act.uow.use_two_step(person, step.ok_or_else(wrong)?).await?;
        act.uow.confirm_two_step(person, act.now).await?;
        self.tries.take_back(&mut act.uow).await?;
        act.entry().detail("person", person.to_string());
        act.tell(person, NoticeKind::TwoStepOn, "", None).await?;
        recovery_codes(act, person).await
    }
}

/// Makes new recovery codes; those from before end. Answers them, this once.
#[derive(Debug)]
pub struct MakeRecoveryCodes;

impl Action for MakeRecoveryCodes {
    const NAME: &'static str = "make_recovery_codes";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::RecoveryCodesMade;
    const STEP_UP: bool = true;
    type Output = Vec<String>;

    async fn perform(self, act: &mut Act<'_>) -> Result<Vec<String>> {
        let person = act.person()?.id;
        if !is_on(&mut act.uow, person).await? {
            return Err(Refusal::field("", "There is no second step to recover.").into());
        }
        act.entry().detail("person", person.to_string());
        recovery_codes(act, person).await
    }
}

async fn recovery_codes(act: &mut Act<'_>, person: PersonId) -> Result<Vec<String>> {
    let codes: Vec<String> = (0..CODES).map(|_| recovery_code()).collect();
    let hashes: Vec<[u8; 32]> = codes.iter().map(|code| secret::hash(&code.replace('-', ""))).collect();
    act.uow.set_recovery_codes(person, &hashes).await?;
    Ok(codes)
}

/// Sixteen letters in fours: about 78 bits.
fn recovery_code() -> String {
    let mut bytes = [0u8; 16];
    let mut letters = Vec::new();
    while letters.len() < 16 {
        rand::rng().fill_bytes(&mut bytes);
        // Bytes past the last whole round would make some letters likelier.
        let fair = bytes.iter().filter(|byte| usize::from(**byte) < 256 - 256 % LETTERS.len());
        letters.extend(fair.map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()])));
    }
    let fours = letters.chunks(4).take(4).map(|four| four.iter().collect::<String>());
    fours.collect::<Vec<_>>().join("-")
}

/// Takes one's own second step away.
#[derive(Debug)]
pub struct RemoveTwoStep;

impl Action for RemoveTwoStep {
    const NAME: &'static str = "remove_two_step";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::TwoStepOff;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let person = act.person()?.id;
        remove(act, person).await
    }
}

/// Takes another person's second step away, who lost their authenticator and their recovery codes.
#[derive(Debug)]
pub struct RemoveTwoStepOf {
    /// Whose.
    pub person: PersonId,
}

impl Action for RemoveTwoStepOf {
    const NAME: &'static str = "remove_two_step_of";
    const GATE: Gate = Gate::Permission(Permission::PeopleManage);
    const AUDIT: AuditKind = AuditKind::TwoStepOff;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        who::standing(&mut act.uow, self.person).await?;
        remove(act, self.person).await
    }
}

async fn remove(act: &mut Act<'_>, person: PersonId) -> Result<()> {
    act.entry().detail("person", person.to_string());
    if act.uow.remove_two_step(person).await? {
        act.tell(person, NoticeKind::TwoStepOff, "", None).await?;
    } else {
        act.nothing_changed();
    }
    Ok(())
}

impl Service {
    /// How the second step of the person who asks stands. Its secret is shown only while it is being set up.
    pub async fn own_two_step(&self, person: &Person) -> Result<TwoStep> {
        let mut uow = self.store.read().await?;
        match uow.two_step(person.id).await? {
            None => Ok(TwoStep::Off),
            Some(row) if row.confirmed_at.is_some() => {
                Ok(TwoStep::On { codes_left: uow.recovery_codes_left(person.id).await? })
            }
            Some(row) => {
                let totp = totp(row.secret, &person.email)?;
                Ok(TwoStep::Begun { secret: totp.get_secret_base32(), picture: picture(&totp.get_url())? })
            }
        }
    }

    /// Shows that the authenticator works. Its codes can't be guessed here either.
    pub async fn confirm_two_step(&self, request: &Request, code: String) -> Result<Vec<String>> {
        let Caller::Person(person) = &request.caller else { return Err(Refusal::NotSignedIn.into()) };
        let tries = self.count_try(request, Trying::Code(person.id)).await?;
        self.run(request, ConfirmTwoStep { code, tries }).await
    }
}

fn picture(text: &str) -> Result<Picture> {
    let code = qrcodegen::QrCode::encode_text(text, qrcodegen::QrCodeEcc::Medium)
        .map_err(|_| Error::Fault("an authenticator's secret does not fit into a picture"))?;
    let side = code.size();
    let modules = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
    Ok(Picture { side, dark: modules.filter(|(row, column)| code.get_module(*column, *row)).collect() })
}

/// A code as an authenticator would show it, from the base32 of its secret: for tests and demonstrations.
pub fn authenticator(secret_base32: &str, unix: i64) -> Option<String> {
    let secret = totp_rs::Secret::Encoded(secret_base32.to_owned()).to_bytes().ok()?;
    let totp = totp(secret, "").ok()?;
    Some(totp.generate(u64::try_from(unix).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_fits_its_own_step_and_its_neighbours() {
        let secret = *b"12345678901234567890";
        let code = |unix: u64| totp(secret.to_vec(), "").unwrap().generate(unix);
        assert_eq!(code(59), "287082", "RFC 6238, appendix B");
        for (at, step) in [(59, Some(1)), (89, Some(1)), (29, Some(1)), (90, None)] {
            assert_eq!(step_of(&secret, &code(59), at).unwrap(), step, "{at}");
        }
        assert_eq!(step_of(&secret, "000000", 59).unwrap(), None);
    }

    #[test]
    fn recovery_codes_are_long_and_plain() {
        let codes: std::collections::BTreeSet<_> = (0..200).map(|_| recovery_code()).collect();
        assert_eq!(codes.len(), 200);
        assert!(
            codes.iter().all(|code| code.len() == 19 && !code.contains(['0', 'O', '1', 'I', 'L', 'U'])),
            "{codes:?}"
        );
    }

    #[test]
    fn the_picture_holds_the_whole_address() {
        let drawn = picture(&format!("otpauth://totp/Recourse:{}?secret=x", "a".repeat(254))).unwrap();
        assert!(drawn.side >= 21 && !drawn.dark.is_empty());
    }
}
