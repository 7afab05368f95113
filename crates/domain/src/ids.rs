//! Identifiers. Each kind of thing has its own type, so that an item's id cannot be handed in where an attempt's is due.

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub uuid::Uuid);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { self.0.fmt(f) }
        }
        impl std::str::FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> { text.parse().map(Self) }
        }
        impl From<uuid::Uuid> for $name {
            fn from(id: uuid::Uuid) -> Self { Self(id) }
        }
    )+ };
}

ids! {
    /// One piece of work.
    ItemId,
    /// One try to perform a step.
    AttemptId,
    /// What is live on an item.
    ActivityId,
    /// A replay that was asked for.
    ReplayId,
    /// The bytes of a payload.
    PayloadId,
    /// A person with an account.
    PersonId,
    /// A team that owns workflows.
    TeamId,
    /// A registered or discovered workflow.
    WorkflowId,
    /// An API token.
    TokenId,
    /// A report kept because it could not be understood.
    QuarantineId,
    /// One audit entry.
    AuditId,
    /// A one-time link.
    InviteId,
    /// A browser session, by a name that opens nothing.
    SessionId,
    /// Something a person was told.
    NoticeId,
    /// A way out by which others are told.
    ChannelId,
    /// Something that is told through a channel or by e-mail.
    PostingId,
    /// A right that waits for a second admin.
    GrantId,
    /// Something that waits for another person's decision.
    ApprovalId,
    /// A new business action that makes an effect good.
    CompensationId,
    /// Somebody's standing in for somebody else.
    SubstituteId,
}
