//! Revoking tokens: they are refused from the next request on (R16).

use domain::{audit::AuditKind, ids::TokenId, permission::Permission, refusal::Refusal};
use store::TokenRow;

use crate::{
    Result,
    action::{Act, Action, Gate},
};

/// Revokes any token.
#[derive(Debug)]
pub struct RevokeToken(pub TokenId);

impl Action for RevokeToken {
    const NAME: &'static str = "revoke_token";
    const GATE: Gate = Gate::Permission(Permission::TokensManage);
    const AUDIT: AuditKind = AuditKind::TokenRevoked;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let row = act.uow.token_by_id(self.0).await?.ok_or(Refusal::NotFound)?;
        revoke(act, &row).await
    }
}

/// Revokes a token that acts as oneself.
#[derive(Debug)]
pub struct RevokeOwnToken(pub TokenId);

impl Action for RevokeOwnToken {
    const NAME: &'static str = "revoke_own_token";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::TokenRevoked;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let own = act.person()?.id;
        let row = act.uow.token_by_id(self.0).await?.filter(|row| row.person_id == Some(own.0));
        revoke(act, &row.ok_or(Refusal::NotFound)?).await
    }
}

async fn revoke(act: &mut Act<'_>, row: &TokenRow) -> Result<()> {
    act.entry().detail("token", row.id.to_string()).detail("name", row.name.as_str());
    if !act.uow.revoke_token(row.id, act.now).await? {
        act.nothing_changed();
    }
    Ok(())
}
