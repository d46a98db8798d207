//! Controls: native inputs, so that mouse, touch, keyboard and screen readers all work.
//!
//! Each component only boxes its closures; what it draws is compiled once for all figures.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::layout::reduced_motion;

/// A slider over a range of numbers. For log scales let the value be an exponent or an index and
/// say the real quantity in `text`.
#[component]
pub fn Slider(
    /// What it sets.
    label: &'static str,
    /// Smallest value.
    min: f64,
    /// Largest value.
    max: f64,
    /// Step of the arrow keys.
    #[prop(default = 1.0)]
    step: f64,
    /// Present value.
    #[prop(into)]
    value: Signal<f64>,
    /// Present value as people say it, with its unit.
    #[prop(into)]
    text: Signal<String>,
    /// Called with each new value, always inside the range.
    on_input: impl Fn(f64) + 'static,
) -> impl IntoView {
    slider(label, (min, max, step), value, text, Rc::new(on_input))
}

fn slider(
    label: &'static str,
    (min, max, step): (f64, f64, f64),
    value: Signal<f64>,
    text: Signal<String>,
    on_input: Rc<dyn Fn(f64)>,
) -> AnyView {
    let changed = move |ev| {
        if let Some(v) = event_target_value(&ev).parse::<f64>().ok().filter(|v| v.is_finite()) {
            on_input(v.clamp(min, max));
        }
    };
    view! {
        <label class="control slider">
            <span class="control-label">{label} " " <span class="control-value">{move || text.get()}</span></span>
            <input
                type="range"
                aria-label=label
                min=min
                max=max
                step=step
                value=value.get_untracked()
                prop:value=move || value.get()
                aria-valuetext=move || text.get()
                on:input=changed
            />
        </label>
    }
    .into_any()
}

/// One of a few: native radio buttons that look like a segmented control.
#[component]
pub fn Choice<T>(
    /// What it sets.
    label: &'static str,
    /// Unique name within the page, such as `copy-timeline-memory`.
    name: &'static str,
    /// The values and their texts.
    options: Vec<(T, &'static str)>,
    /// Present value.
    #[prop(into)]
    value: Signal<T>,
    /// Called with the chosen value.
    on_choose: impl Fn(T) + Clone + 'static,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let (values, texts): (Vec<T>, Vec<&'static str>) = options.into_iter().unzip();
    let known = values.clone();
    let chosen = Signal::derive(move || {
        let now = value.get();
        known.iter().position(|v| *v == now)
    });
    let choose = move |index: usize| {
        if let Some(value) = values.get(index) {
            on_choose(*value);
        }
    };
    choice(label, name, texts, chosen, Rc::new(choose))
}

fn choice(
    label: &'static str,
    name: &'static str,
    texts: Vec<&'static str>,
    chosen: Signal<Option<usize>>,
    on_choose: Rc<dyn Fn(usize)>,
) -> AnyView {
    let option = move |(index, text): (usize, &'static str)| {
        let choose = on_choose.clone();
        view! {
            <label class="segment">
                <input
                    type="radio"
                    name=name
                    checked=chosen.get_untracked() == Some(index)
                    prop:checked=move || chosen.get() == Some(index)
                    on:change=move |_| choose(index)
                />
                <span>{text}</span>
            </label>
        }
    };
    view! {
        <div class="control choice" role="radiogroup" aria-label=label>
            <span class="control-label" aria-hidden="true">{label}</span>
            <span class="segments">{texts.into_iter().enumerate().map(option).collect_view()}</span>
        </div>
    }
    .into_any()
}

/// On or off.
#[component]
pub fn Switch(
    /// What is on when it is on.
    label: &'static str,
    /// Present value.
    #[prop(into)]
    value: Signal<bool>,
    /// Called with the new value.
    on_toggle: impl Fn(bool) + 'static,
) -> impl IntoView {
    switch(label, value, Rc::new(on_toggle))
}

fn switch(label: &'static str, value: Signal<bool>, on_toggle: Rc<dyn Fn(bool)>) -> AnyView {
    view! {
        <label class="control switch">
            <input
                type="checkbox"
                role="switch"
                checked=value.get_untracked()
                prop:checked=move || value.get()
                on:change=move |ev| on_toggle(event_target_checked(&ev))
            />
            <span>{label}</span>
        </label>
    }
    .into_any()
}

/// Time between two steps while playing.
const PLAY_STEP: Duration = Duration::from_millis(1_400);

/// Back, forward, play, start over, for figures that go step by step. Left and right arrow keys step
/// while the focus is on it. Playing is not offered to readers who asked for less motion.
#[component]
pub fn Stepper(
    /// Present step, from 0.
    #[prop(into)]
    step: Signal<usize>,
    /// Number of steps.
    #[prop(into)]
    count: Signal<usize>,
    /// Called with the step to go to.
    on_step: impl Fn(usize) + Clone + Send + Sync + 'static,
) -> impl IntoView {
    stepper(step, count, Arc::new(on_step))
}

fn stepper(step: Signal<usize>, count: Signal<usize>, on_step: Arc<dyn Fn(usize) + Send + Sync>) -> AnyView {
    let playing = RwSignal::new(false);
    let at_end = move || step.get() + 1 >= count.get();
    let go = move |delta: isize| {
        let to =
            step.get_untracked().saturating_add_signed(delta).min(count.get_untracked().saturating_sub(1));
        on_step(to);
    };
    let (back, forward, start, by_key) = (go.clone(), go.clone(), go.clone(), go.clone());
    let (restart, tick) = (go.clone(), go);
    let key = move |ev: KeyboardEvent| {
        let delta = match ev.key().as_str() {
            "ArrowLeft" => -1,
            "ArrowRight" => 1,
            _ => return,
        };
        ev.prevent_default();
        by_key(delta);
    };
    Effect::new(move |running: Option<Option<IntervalHandle>>| {
        if let Some(Some(handle)) = running {
            handle.clear();
        }
        let tick = tick.clone();
        let advance = move || {
            if step.get_untracked() + 1 >= count.get_untracked() {
                playing.set(false);
            } else {
                tick(1);
            }
        };
        playing.get().then(|| set_interval_with_handle(advance, PLAY_STEP).ok()).flatten()
    });
    let toggle = move |_| {
        let from_end = !playing.get_untracked() && untrack(at_end);
        if from_end {
            restart(isize::MIN + 1);
        }
        playing.update(|p| *p = !*p);
    };
    let can_play = super::STILL || !reduced_motion();
    view! {
        <div class="control stepper" role="group" aria-label="Steps" on:keydown=key>
            <button type="button" aria-label="Step back" aria-disabled={move || (step.get() == 0).to_string()} on:click=move |_| back(-1)>"◀"</button>
            <span class="step-count">{move || format!("{} / {}", step.get() + 1, count.get())}</span>
            <button type="button" aria-label="Step forward" aria-disabled={move || at_end().to_string()} on:click=move |_| forward(1)>"▶"</button>
            {can_play.then(|| view! {
                <button type="button" class="play" on:click=toggle>
                    {move || if playing.get() { "Pause" } else { "Play" }}
                </button>
            })}
            <button type="button" aria-label="Back to the first step" on:click=move |_| start(isize::MIN + 1)>"⟲"</button>
        </div>
    }
    .into_any()
}
