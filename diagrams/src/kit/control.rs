//! Controls as plain data: what they show, and what they do to a model.

/// How a control looks now, free of the type of the model it drives.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// What it sets; for a switch what is on when it is on.
    pub label: &'static str,
    /// Which kind.
    pub kind: Kind,
    /// Present value: a number of the range, index of an option (−1 for none), 0 or 1, or a step.
    pub value: f64,
    /// Present value of a slider as people say it, with its unit.
    pub text: String,
}

/// Kinds of controls.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A native range input; the arrow keys go in steps of 1.
    Slider {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// One of a few: native radio buttons.
    Choice(Vec<&'static str>),
    /// On or off.
    Switch,
    /// Back, forward, play, start over; so many steps.
    Stepper(usize),
    /// Buttons that do something each time.
    Deeds(Vec<&'static str>),
    /// A line of text, such as an address.
    Entry {
        /// Most characters.
        longest: usize,
        /// What is wrong with the text now; empty if nothing is.
        problem: String,
    },
}

/// A control of the model `M`.
pub struct Control<M> {
    pub(super) face: Face,
    act: Act<M>,
}

/// Sets something of the model `M` to a value.
type Set<M, T> = Box<dyn Fn(&mut M, T)>;

enum Act<M> {
    Number(Set<M, f64>),
    Index(Set<M, usize>),
    Flag(fn(&mut M, bool)),
    Words(fn(&mut M, &str)),
}

impl<M: 'static> Control<M> {
    /// A slider over a range of numbers. For log scales let the value be an exponent or an index and say
    /// the real quantity in `text`.
    pub fn slider(
        label: &'static str,
        (min, max): (f64, f64),
        value: f64,
        text: String,
        set: impl Fn(&mut M, f64) + 'static,
    ) -> Self {
        let kind = Kind::Slider { min, max };
        Self { face: Face { label, kind, value, text }, act: Act::Number(Box::new(set)) }
    }

    /// One of a few values.
    pub fn choice<T: Copy + PartialEq + 'static>(
        label: &'static str,
        options: &[(T, &'static str)],
        now: T,
        set: fn(&mut M, T),
    ) -> Self {
        let (values, texts): (Vec<T>, Vec<&'static str>) = options.iter().copied().unzip();
        // An unknown value chooses nothing.
        let value = values.iter().position(|v| *v == now).map_or(-1.0, |i| i as f64);
        let choose = move |model: &mut M, index: usize| {
            if let Some(value) = values.get(index) {
                set(model, *value);
            }
        };
        let face = Face { label, kind: Kind::Choice(texts), value, text: String::new() };
        Self { face, act: Act::Index(Box::new(choose)) }
    }

    /// On or off.
    pub fn switch(label: &'static str, on: bool, set: fn(&mut M, bool)) -> Self {
        let value = f64::from(u8::from(on));
        Self { face: Face { label, kind: Kind::Switch, value, text: String::new() }, act: Act::Flag(set) }
    }

    /// Steps from 0 to one less than `count`.
    pub fn stepper(step: usize, count: usize, set: fn(&mut M, usize)) -> Self {
        let face =
            Face { label: "Steps", kind: Kind::Stepper(count), value: step as f64, text: String::new() };
        Self { face, act: Act::Index(Box::new(set)) }
    }

    /// Buttons in a row; `act` gets the index of the one that was pressed.
    pub fn deeds(label: &'static str, names: &[&'static str], act: fn(&mut M, usize)) -> Self {
        let kind = Kind::Deeds(names.to_vec());
        let face = Face { label, kind, value: 0.0, text: String::new() };
        Self { face, act: Act::Index(Box::new(act)) }
    }

    /// A line of text, and what is wrong with it.
    pub fn entry(
        label: &'static str,
        longest: usize,
        (text, problem): (String, String),
        set: fn(&mut M, &str),
    ) -> Self {
        let kind = Kind::Entry { longest, problem };
        Self { face: Face { label, kind, value: 0.0, text }, act: Act::Words(set) }
    }

    /// Does what the control does. A value out of range is brought back into it.
    pub(super) fn operate(&self, model: &mut M, operation: &Operation) {
        match (&self.act, operation) {
            (Act::Number(set), Operation::Number(value)) => {
                let (min, max) = match self.face.kind {
                    Kind::Slider { min, max } => (min, max),
                    _ => return,
                };
                set(model, value.clamp(min, max));
            }
            (Act::Index(set), Operation::Number(value)) => {
                let last = match &self.face.kind {
                    Kind::Choice(options) | Kind::Deeds(options) => options.len(),
                    Kind::Stepper(count) => *count,
                    _ => return,
                };
                set(model, (value.max(0.0) as usize).min(last.saturating_sub(1)));
            }
            (Act::Flag(set), Operation::Number(value)) => set(model, *value != 0.0),
            (Act::Words(set), Operation::Words(words)) => set(model, words),
            _ => {}
        }
    }
}

/// What the reader did to a control.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Moved it to this value, chose this index, switched to 0 or 1, pressed it.
    Number(f64),
    /// Wrote this.
    Words(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_sends_is_brought_into_range() {
        let slider = Control::<f64>::slider("x", (0.0, 8.0), 2.0, "2".into(), |m, v| *m = v);
        let choice = Control::<f64>::choice("y", &[(1.0, "one"), (2.0, "two")], 2.0, |m, v| *m = v);
        let mut model = 0.0;
        slider.operate(&mut model, &Operation::Number(1e9));
        assert_eq!(model, 8.0);
        assert_eq!(choice.face.value, 1.0);
        choice.operate(&mut model, &Operation::Number(-3.0));
        assert_eq!(model, 1.0);
        choice.operate(&mut model, &Operation::Words("two".into()));
        assert_eq!(model, 1.0);
    }
}
