//! The odd one out, before anything else, when a fleet is open.

use leptos::prelude::*;

use super::state::State;
use crate::compare::{Column, MIN_MACHINES, Odd, odd_ones};

/// Longest list shown.
const MOST: usize = 40;

pub(super) fn view(state: State) -> impl IntoView {
    let found = Memo::new(move |_| state.columns.with(|columns| odd_ones(columns)));
    let table = move || {
        let odd = found.get();
        let total = odd.len();
        if total == 0 {
            return view! {
                <p>"No machine stands out: every value is near the median of its class."</p>
            }
            .into_any();
        }
        let more = (total > MOST).then(|| view! { <p class="muted">"The "{MOST}" oddest of "{total}"."</p> });
        let rows = state.columns.with(|columns| {
            odd.iter().take(MOST).filter_map(|o| Some(row(state, columns.get(o.column)?, o))).collect_view()
        });
        view! {
            {more}
            <div class="scroll" tabindex="0" role="region" aria-label="Table: values that stand out">
                <table class="odd">
                    <thead>
                        <tr>
                            <th scope="col">"Machine"</th>
                            <th scope="col">"Quantity"</th>
                            <th scope="col">"Value"</th>
                            <th scope="col">"Median"</th>
                            <th scope="col">"Show"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
        .into_any()
    };
    view! {
        <Show when=move || { state.files() >= MIN_MACHINES }>
            <section class="panel-block" aria-labelledby="site-odd">
                <h2 id="site-odd">"The odd one out"</h2>
                <p class="muted">
                    "Among machines of one class: values more than 3.5 robust deviations and 3 % from the median."
                </p>
                {table}
            </section>
        </Show>
    }
}

fn row(state: State, column: &Column, odd: &Odd) -> impl IntoView + use<> {
    let name = if column.file_name.is_empty() { column.label() } else { &column.file_name };
    let side = match odd.worse {
        Some(true) => "worse",
        Some(false) => "better",
        None => "other",
    };
    let times = format!("{:.2} × the median of {}", odd.ratio, odd.among);
    let id = column.id.clone();
    let label = format!("Show {name} in the table");
    view! {
        <tr>
            <th scope="row">{name.to_owned()}</th>
            <td>{odd.label.clone()}</td>
            <td class=side>{odd.value.clone()} <small>{side}", "{times}</small></td>
            <td>{odd.median.clone()}</td>
            <td>
                <button type="button" class="quiet" aria-label=label on:click=move |_| state.show(&id, true)>
                    "Show"
                </button>
            </td>
        </tr>
    }
}
