//! Who may do what: roles, who holds them, and rights that wait for a second admin.

pub mod give;
pub mod grants;
pub mod roles;
