//! Keys in a listbox of a picture (APG: single select, selection follows focus).

use wasm_bindgen::JsCast;
use web_sys::Element;

/// The option that a key leads to, if the focus is in a listbox and the key is one of its keys.
pub(super) fn after(focus: &Element, key: &str) -> Option<Element> {
    let list = focus.closest("[role=listbox]").ok().flatten()?;
    let options = list.query_selector_all("[role=option]").ok()?;
    let options: Vec<Element> =
        (0..options.length()).filter_map(|i| options.item(i)?.dyn_into().ok()).collect();
    let is = |option: &Element, name: &str| option.get_attribute(name).as_deref() == Some("true");
    let enabled: Vec<bool> = options.iter().map(|option| !is(option, "aria-disabled")).collect();
    let now = options.iter().position(|option| is(option, "aria-selected")).unwrap_or(0);
    options.get(row_after(key, now, &enabled)?).cloned()
}

/// The row that a key leads to: the next one up or down that is enabled, ten further, or an end.
fn row_after(key: &str, now: usize, enabled: &[bool]) -> Option<usize> {
    let up = |skip: usize| {
        let mut above = (0..now).rev().filter(|&i| enabled[i]);
        let first = above.next();
        above.take(skip).last().or(first)
    };
    let down = |skip: usize| {
        let mut below = (now + 1..enabled.len()).filter(|&i| enabled[i]);
        let first = below.next();
        below.take(skip).last().or(first)
    };
    let next = match key {
        "ArrowUp" | "ArrowLeft" => up(0),
        "ArrowDown" | "ArrowRight" => down(0),
        "PageUp" => up(9),
        "PageDown" => down(9),
        "Home" => enabled.iter().position(|&e| e),
        "End" => enabled.iter().rposition(|&e| e),
        _ => return None,
    };
    Some(next.unwrap_or(now))
}

/// Scrolls the page as little as needed to show an option that was chosen.
pub(super) fn reveal(option: &Element) {
    if option.get_attribute("role").as_deref() == Some("option") {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        option.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_pass_over_rows_that_are_off() {
        let enabled = [false, true, false, true, true];
        assert_eq!(row_after("ArrowDown", 1, &enabled), Some(3));
        assert_eq!(row_after("ArrowUp", 3, &enabled), Some(1));
        assert_eq!(row_after("ArrowUp", 1, &enabled), Some(1));
        assert_eq!(row_after("Home", 4, &enabled), Some(1));
        assert_eq!(row_after("End", 1, &enabled), Some(4));
        assert_eq!(row_after("PageDown", 1, &enabled), Some(4));
        assert_eq!(row_after("x", 1, &enabled), None);
    }
}
