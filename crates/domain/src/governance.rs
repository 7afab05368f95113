//! Who may give whom which rights. Nobody gives themselves a say over others' work (R11).

use std::collections::BTreeSet;

use crate::{
    access::Caller,
    ids::PersonId,
    permission::{CONSEQUENTIAL, Permission},
    refusal::Refusal,
    sensitivity::Clearance,
    word::words,
};

words! {
    /// How consequential rights are given.
    Governance {
        /// By one admin; everybody who decides is told.
        Standard = "standard",
        /// By one admin, confirmed by a second, after a day.
        Strict = "strict",
    }
}

/// The consequential permissions that are new in `after`.
#[must_use]
pub fn gained(before: &BTreeSet<Permission>, after: &BTreeSet<Permission>) -> Vec<Permission> {
    CONSEQUENTIAL.iter().copied().filter(|right| after.contains(right) && !before.contains(right)).collect()
}

/// Whether `caller` may be the one who gives `gained` to `person`.
pub fn may_give(caller: &Caller, person: PersonId, gained: &[Permission]) -> Result<(), Refusal> {
    match gained {
        [right, ..] if is(caller, person) => Err(Refusal::GrantToSelf(*right)),
        _ => Ok(()),
    }
}

/// Whether `caller` may change the clearance of `person`: nobody raises their own.
pub fn may_clear(caller: &Caller, person: PersonId, before: Clearance, after: Clearance) -> Result<(), Refusal> {
    if after > before && is(caller, person) { Err(Refusal::ClearanceOfSelf) } else { Ok(()) }
}

fn is(caller: &Caller, person: PersonId) -> bool {
    matches!(caller, Caller::Person(who) if who.id == person)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::Role;

    fn sum(roles: &[Role]) -> BTreeSet<Permission> {
        roles.iter().flat_map(|role| role.permissions().iter().copied()).collect()
    }

    #[test]
    fn r11_only_what_is_new_and_consequential_counts() {
        let admin = sum(&[Role::Admin]);
        assert_eq!(gained(&admin, &sum(&[Role::Admin, Role::Supervisor])), [Permission::ApprovalsDecide]);
        assert_eq!(gained(&sum(&[Role::Supervisor]), &sum(&[Role::Admin, Role::Supervisor])), []);
        assert_eq!(gained(&admin, &sum(&[Role::Operator])), []);
    }
}
