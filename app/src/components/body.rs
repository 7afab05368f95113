use leptos::{
    children::{ChildrenOptContainer, ToChildren},
    prelude::*,
};

/// What stands inside a building block, made at once: unlike Leptos' own children it may borrow what it shows. It is made
/// before the block around it, so a block that takes it must not provide anything by context.
pub(crate) struct Body(pub(crate) AnyView);

impl<F, C> ToChildren<F> for Body
where
    F: FnOnce() -> C,
    C: IntoView + 'static,
{
    fn to_children(make: F) -> Self {
        Self(make().into_any())
    }
}

/// How the macro hands over a lone piece of text.
impl<T> ToChildren<ChildrenOptContainer<T>> for Body
where
    T: IntoView + 'static,
{
    fn to_children(content: ChildrenOptContainer<T>) -> Self {
        Self(content.0.into_any())
    }
}
