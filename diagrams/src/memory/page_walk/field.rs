//! A text field for an address.

use leptos::prelude::*;

use super::state::parse_address;

const LABEL: &str = "Virtual address, hexadecimal";

/// Hexadecimal text that becomes an address as soon as it is one. What is wrong is said above it.
#[component]
pub fn AddressField(
    /// Present address.
    #[prop(into)]
    address: Signal<u64>,
    /// Called with each valid address.
    on_address: impl Fn(u64) + 'static,
) -> impl IntoView {
    let shown = |address: u64| format!("{address:#x}");
    let text = RwSignal::new(shown(address.get_untracked()));
    // Another control moved the address: the text follows. Text that means the address stays as typed.
    Effect::new(move |_| {
        let now = address.get();
        if text.with_untracked(|t| parse_address(t)) != Ok(now) {
            text.set(shown(now));
        }
    });
    let problem = move || text.with(|t| parse_address(t)).err().unwrap_or_default();
    // The problem stands in the place of the label, so that nothing moves.
    let label = move || Some(problem()).filter(|p| !p.is_empty()).unwrap_or_else(|| LABEL.to_owned());
    let label_class = move || if problem().is_empty() { "control-label" } else { "control-label pw-problem" };
    let changed = move |ev| {
        let typed = event_target_value(&ev);
        let parsed = parse_address(&typed);
        text.set(typed);
        if let Ok(address) = parsed {
            on_address(address);
        }
    };
    view! {
        <label class="control pw-address">
            <span class=label_class id="page-walk-problem" role="status">{label}</span>
            <input
                type="text"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                maxlength="40"
                value=text.get_untracked()
                prop:value=move || text.get()
                aria-invalid=move || (!problem().is_empty()).to_string()
                aria-label=LABEL
                aria-describedby="page-walk-problem"
                on:input=changed
            />
        </label>
    }
}
