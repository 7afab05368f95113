//! Making an automation's token.

use domain::{audit::AuditKind, permission::Permission, refusal::Refusal};
use store::{NewToken, TokenKind};

use crate::{
    Result,
    action::{Act, Action, Gate},
    new_id, secret,
};

/// Makes a token for an automation. Only its hash is kept; the answer is the only time it is seen.
#[derive(Debug)]
pub struct CreateToken {
    /// Its name, for people.
    pub name: String,
    /// The workflows it is bound to, registered or not; `None` means any.
    pub workflows: Option<Vec<String>>,
}

impl Action for CreateToken {
    const NAME: &'static str = "create_token";
    const GATE: Gate = Gate::Permission(Permission::TokensManage);
    const AUDIT: AuditKind = AuditKind::TokenCreated;
    type Output = String;

    async fn perform(self, act: &mut Act<'_>) -> Result<String> {
        domain::text::key(&self.name, 100).map_err(|wrong| Refusal::field("/name", format!("The name {wrong}.")))?;
        if self.workflows.as_ref().is_some_and(Vec::is_empty) {
            return Err(Refusal::field("/workflows", "Name at least one workflow, or allow any.").into());
        }
        for key in self.workflows.iter().flatten() {
            domain::text::key(key, 200)
                .map_err(|wrong| Refusal::field("/workflows", format!("A workflow's key {wrong}.")))?;
        }
        let (secret, hash) = secret::random("rcs_");
        let id = new_id(act.now);
        let workflows = self.workflows.as_deref();
        let token = NewToken { id, kind: TokenKind::Automation, name: &self.name, secret_hash: &hash, workflows };
        act.uow.add_token(&token, act.now).await?;
        act.entry()
            .detail("token", id.to_string())
            .detail("name", self.name.as_str())
            .detail("workflows", self.workflows);
        Ok(secret)
    }
}
