//! How one list of children becomes another.

use super::{Element, Kind, Node, Value};

/// What happens at one place of the list.
#[derive(Debug, PartialEq)]
pub(super) enum Change<'a> {
    /// The child stays and may change from the one to the other.
    Keep(&'a Node, &'a Node),
    /// The child goes.
    Remove,
    /// A new child comes before what is here.
    Insert(&'a Node),
}

/// How far ahead a child of the same looks is searched.
const AHEAD: usize = 8;

/// The changes from `old` to `new`. Children keep their place where there are as many as before, whatever they
/// look like: so a cell that takes another colour stays the same cell. Where there are more or fewer, the next
/// child of the same looks is searched, so that the children behind it do not all change.
pub(super) fn align<'a>(old: &'a [Node], new: &'a [Node]) -> Vec<Change<'a>> {
    if old.len() == new.len() {
        return old.iter().zip(new).map(|(old, new)| Change::Keep(old, new)).collect();
    }
    let mut changes = Vec::with_capacity(old.len().max(new.len()));
    let (mut old, mut new) = (old, new);
    while let ([first_old, rest_old @ ..], [first_new, rest_new @ ..]) = (old, new) {
        let gone = old.iter().take(AHEAD).position(|old| alike(old, first_new));
        let come = new.iter().take(AHEAD).position(|new| alike(first_old, new));
        match (gone, come) {
            (Some(gone), come) if gone > 0 && come.is_none_or(|come| gone <= come) => {
                changes.extend((0..gone).map(|_| Change::Remove));
                old = &old[gone..];
            }
            (_, Some(come)) if come > 0 => {
                changes.extend(new[..come].iter().map(Change::Insert));
                new = &new[come..];
            }
            _ => {
                changes.push(Change::Keep(first_old, first_new));
                (old, new) = (rest_old, rest_new);
            }
        }
    }
    changes.extend(old.iter().map(|_| Change::Remove));
    changes.extend(new.iter().map(Change::Insert));
    changes
}

/// Whether both are elements of one kind and class, or both are text.
fn alike(one: &Node, other: &Node) -> bool {
    match (&*one.0, &*other.0) {
        (Kind::Element(one), Kind::Element(other)) => one.tag == other.tag && class(one) == class(other),
        (Kind::Text(_), Kind::Text(_)) => true,
        _ => false,
    }
}

fn class(element: &Element) -> Option<&Value> {
    element.attributes.iter().find(|(name, _)| *name == "class").map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::super::el;
    use super::*;

    fn cells(classes: &str) -> Vec<Node> {
        let text = |index: usize| index.to_string();
        classes
            .split_terminator(' ')
            .enumerate()
            .map(|(i, c)| el("rect").set("class", c.to_owned()).set("x", text(i)))
            .collect()
    }

    /// What a page shows after the changes.
    fn walked(old: &[Node], new: &[Node]) -> Vec<Node> {
        let mut left = old.iter();
        let shown = align(old, new).into_iter().filter_map(|change| match change {
            Change::Keep(before, after) => {
                assert_eq!(left.next(), Some(before));
                Some(after.clone())
            }
            Change::Remove => left.next().and(None),
            Change::Insert(new) => Some(new.clone()),
        });
        let shown = shown.collect();
        assert_eq!(left.next(), None);
        shown
    }

    #[test]
    fn every_list_becomes_every_other() {
        let lists =
            ["", "a ", "a b c ", "b a ", "a a a b ", "c c c c c c c c c c a ", "b c d e f g h i j k l m n "];
        for (old, new) in lists.iter().flat_map(|old| lists.iter().map(move |new| (cells(old), cells(new)))) {
            assert_eq!(walked(&old, &new), new);
        }
    }

    #[test]
    fn one_child_more_or_less_leaves_those_behind_it_alone() {
        let kept = |old, new| {
            let (old, new) = (cells(old), cells(new));
            let same =
                |change: &Change| matches!(change, Change::Keep(old, new) if class_of(old) == class_of(new));
            (align(&old, &new).iter().filter(|change| same(change)).count(), align(&old, &new).len())
        };
        assert_eq!(kept("a b c d ", "a c d "), (3, 4));
        assert_eq!(kept("a c d ", "a b c d "), (3, 4));
        assert_eq!(kept("a b a b a b ", "a b a a b "), (5, 6));
    }

    #[test]
    fn as_many_as_before_keep_their_places() {
        let (old, new) = (cells("a a b b "), cells("a b b a "));
        assert!(align(&old, &new).iter().all(|change| matches!(change, Change::Keep(..))));
    }

    fn class_of(node: &Node) -> Option<&Value> {
        let Kind::Element(element) = &*node.0 else { return None };
        class(element)
    }
}
