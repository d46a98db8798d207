//! Draws controls: native inputs, so that mouse, touch, keyboard and screen readers all work.

use std::sync::Arc;
use std::time::Duration;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::control::{Face, Kind, Operation};
use super::layout::reduced_motion;

/// Called with the index of a control and what the reader did to it.
pub(super) type Operate = Arc<dyn Fn(usize, Operation) + Send + Sync>;

/// All controls of a figure. They are built anew only if there are others now; else their values change.
pub(super) fn controls(figure: &'static str, faces: Signal<Vec<Face>>, operate: Operate) -> AnyView {
    let shapes = Memo::new(move |_| faces.with(|faces| faces.iter().map(shape).collect::<Vec<Face>>()));
    let all = move || {
        let operate = &operate;
        let one = |(index, shape): (usize, Face)| one(figure, index, shape, faces, operate.clone());
        shapes.get().into_iter().enumerate().map(one).collect_view()
    };
    view! { <div class="controls">{all}</div> }.into_any()
}

/// A face without what changes while the reader plays.
fn shape(face: &Face) -> Face {
    let kind = match face.kind {
        Kind::Stepper(_) => Kind::Stepper(0),
        Kind::Entry { longest, .. } => Kind::Entry { longest, problem: String::new() },
        ref kind => kind.clone(),
    };
    Face { label: face.label, kind, value: 0.0, text: String::new() }
}

/// The present face of one control.
#[derive(Clone)]
struct Now {
    faces: Signal<Vec<Face>>,
    index: usize,
    operate: Operate,
}

impl Now {
    fn value(&self) -> f64 {
        self.faces.with(|faces| faces.get(self.index).map_or(0.0, |face| face.value))
    }

    fn text(&self) -> String {
        self.faces.with(|faces| faces.get(self.index).map(|face| face.text.clone()).unwrap_or_default())
    }

    /// Present step and number of steps.
    fn steps(&self) -> (usize, usize) {
        let count = |face: &Face| if let Kind::Stepper(count) = face.kind { count } else { 0 };
        self.faces.with(|faces| {
            faces.get(self.index).map_or((0, 0), |face| (face.value.max(0.0) as usize, count(face)))
        })
    }

    fn problem(&self) -> String {
        self.faces.with(|faces| match faces.get(self.index).map(|face| &face.kind) {
            Some(Kind::Entry { problem, .. }) => problem.clone(),
            _ => String::new(),
        })
    }

    fn set(&self, value: f64) {
        (self.operate)(self.index, Operation::Number(value));
    }
}

fn one(
    figure: &'static str,
    index: usize,
    shape: Face,
    faces: Signal<Vec<Face>>,
    operate: Operate,
) -> AnyView {
    let now = Now { faces, index, operate };
    match shape.kind {
        Kind::Slider { min, max } => slider(shape.label, (min, max), now),
        Kind::Choice(options) => choice(shape.label, format!("{figure}-{index}"), options, now),
        Kind::Switch => switch(shape.label, now),
        Kind::Stepper(_) => stepper(now),
        Kind::Deeds(names) => deeds(shape.label, names, now),
        Kind::Entry { longest, .. } => entry(shape.label, longest, now),
    }
}

fn slider(label: &'static str, (min, max): (f64, f64), now: Now) -> AnyView {
    let (said, spoken, value, first) = (now.clone(), now.clone(), now.clone(), untrack(|| now.value()));
    let changed = move |ev| {
        if let Some(v) = event_target_value(&ev).parse::<f64>().ok().filter(|v| v.is_finite()) {
            now.set(v);
        }
    };
    view! {
        <label class="control slider">
            <span class="control-label">{label} " " <span class="control-value">{move || said.text()}</span></span>
            <input
                type="range"
                aria-label=label
                min=min
                max=max
                step="1"
                value=first
                prop:value=move || value.value()
                aria-valuetext=move || spoken.text()
                on:input=changed
            />
        </label>
    }
    .into_any()
}

fn choice(label: &'static str, name: String, texts: Vec<&'static str>, now: Now) -> AnyView {
    let option = move |(index, text): (usize, &'static str)| {
        let (is, set, index) = (now.clone(), now.clone(), index as f64);
        let checked = move || is.value() == index;
        view! {
            <label class="segment">
                <input
                    type="radio"
                    name=name.clone()
                    checked=untrack(&checked)
                    prop:checked=checked
                    on:change=move |_| set.set(index)
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

fn switch(label: &'static str, now: Now) -> AnyView {
    let is = now.clone();
    let on = move || is.value() != 0.0;
    let toggle = move |ev| now.set(f64::from(u8::from(event_target_checked(&ev))));
    view! {
        <label class="control switch">
            <input type="checkbox" role="switch" checked=untrack(&on) prop:checked=on on:change=toggle />
            <span>{label}</span>
        </label>
    }
    .into_any()
}

fn deeds(label: &'static str, names: Vec<&'static str>, now: Now) -> AnyView {
    let button = move |(index, name): (usize, &'static str)| {
        let now = now.clone();
        view! { <button type="button" on:click=move |_| now.set(index as f64)>{name}</button> }
    };
    view! {
        <div class="control" role="group" aria-label=label>
            <span class="control-label" aria-hidden="true">{label}</span>
            <span class="deeds">{names.into_iter().enumerate().map(button).collect_view()}</span>
        </div>
    }
    .into_any()
}

/// What is wrong with the text stands in the place of the label, so that nothing moves.
fn entry(label: &'static str, longest: usize, now: Now) -> AnyView {
    let (shown, told, class, invalid) = (now.clone(), now.clone(), now.clone(), now.clone());
    let first = untrack(|| now.text());
    let wrote = move |ev| (now.operate)(now.index, Operation::Words(event_target_value(&ev)));
    let label_or_problem = move || Some(told.problem()).filter(|p| !p.is_empty()).unwrap_or(label.to_owned());
    let class = move || if class.problem().is_empty() { "control-label" } else { "control-label problem" };
    view! {
        <label class="control entry">
            <span class=class role="status">{label_or_problem}</span>
            <input
                type="text"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                aria-label=label
                maxlength=longest.to_string()
                value=first
                prop:value=move || shown.text()
                aria-invalid=move || (!invalid.problem().is_empty()).to_string()
                on:input=wrote
            />
        </label>
    }
    .into_any()
}

/// Time between two steps while playing.
const PLAY_STEP: Duration = Duration::from_millis(1_400);

/// Back, forward, play, start over, for figures that go step by step. Left and right arrow keys step
/// while the focus is on it. Playing is not offered to readers who asked for less motion.
fn stepper(now: Now) -> AnyView {
    let playing = RwSignal::new(false);
    let go = {
        let now = now.clone();
        move |delta: isize| {
            let (step, count) = untrack(|| now.steps());
            now.set(step.saturating_add_signed(delta).min(count.saturating_sub(1)) as f64);
        }
    };
    let (back, forward, start, by_key) = (go.clone(), go.clone(), go.clone(), go.clone());
    let key = move |ev: KeyboardEvent| {
        let delta = match ev.key().as_str() {
            "ArrowLeft" => -1,
            "ArrowRight" => 1,
            _ => return,
        };
        ev.prevent_default();
        by_key(delta);
    };
    let toggle = play(playing, now.clone(), go);
    let (at, first, last) = (now.clone(), now.clone(), now);
    let count = move || {
        let (step, count) = at.steps();
        format!("{} / {count}", step + 1)
    };
    let at_start = move || (first.steps().0 == 0).to_string();
    let at_end = move || is_last(last.steps()).to_string();
    let can_play = super::STILL || !reduced_motion();
    view! {
        <div class="control stepper" role="group" aria-label="Steps" on:keydown=key>
            <button type="button" aria-label="Step back" aria-disabled=at_start on:click=move |_| back(-1)>"◀"</button>
            <span class="step-count">{count}</span>
            <button type="button" aria-label="Step forward" aria-disabled=at_end on:click=move |_| forward(1)>"▶"</button>
            {can_play.then(|| view! {
                <button type="button" class="play" on:click=move |_| toggle()>
                    {move || if playing.get() { "Pause" } else { "Play" }}
                </button>
            })}
            <button type="button" aria-label="Back to the first step" on:click=move |_| start(TO_START)>"⟲"</button>
        </div>
    }
    .into_any()
}

/// Further back than any figure has steps.
const TO_START: isize = isize::MIN + 1;

fn is_last((step, count): (usize, usize)) -> bool {
    step + 1 >= count
}

/// Steps on at intervals while `playing`; returns what the button does.
fn play(playing: RwSignal<bool>, now: Now, go: impl Fn(isize) + Clone + 'static) -> impl Fn() {
    let (tick, at) = (go.clone(), now.clone());
    Effect::new(move |running: Option<Option<IntervalHandle>>| {
        if let Some(Some(handle)) = running {
            handle.clear();
        }
        let (tick, at) = (tick.clone(), at.clone());
        let advance = move || {
            if untrack(|| is_last(at.steps())) {
                playing.set(false);
            } else {
                tick(1);
            }
        };
        playing.get().then(|| set_interval_with_handle(advance, PLAY_STEP).ok()).flatten()
    });
    move || {
        if !playing.get_untracked() && untrack(|| is_last(now.steps())) {
            go(TO_START);
        }
        playing.update(|p| *p = !*p);
    }
}
