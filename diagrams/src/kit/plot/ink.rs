//! Colours that are class names in disguise.

use plotters::style::Color;
use plotters_backend::BackendColor;

use crate::kit::scene::Role;

/// What a shape or text is drawn with: a tone, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    tone: Tone,
    manner: Manner,
    opacity: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tone {
    Text,
    Muted,
    Axis,
    Grid,
    Role(Role),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Solid,
    Dashed,
    Open,
    OpenDashed,
    Halo,
}

/// Marks a colour as an ink. The other two channels carry tone and manner.
const SENTINEL: u8 = 0xA5;

const TONES: [Tone; 11] = [
    Tone::Text,
    Tone::Muted,
    Tone::Axis,
    Tone::Grid,
    Tone::Role(Role::Cpu),
    Tone::Role(Role::Gpu),
    Tone::Role(Role::Wire),
    Tone::Role(Role::Kernel),
    Tone::Role(Role::Caution),
    Tone::Role(Role::Trouble),
    Tone::Role(Role::Plain),
];

const MANNERS: [Manner; 5] = [Manner::Solid, Manner::Dashed, Manner::Open, Manner::OpenDashed, Manner::Halo];

impl Ink {
    /// The colour of text.
    pub const TEXT: Self = Self::solid(Tone::Text);
    /// The colour of text that matters less.
    pub const MUTED: Self = Self::solid(Tone::Muted);
    /// Axes.
    pub const AXIS: Self = Self::solid(Tone::Axis);
    /// Lines that help the eye.
    pub const GRID: Self = Self::solid(Tone::Grid);

    /// The colour of a role.
    pub const fn role(role: Role) -> Self {
        Self::solid(Tone::Role(role))
    }

    const fn solid(tone: Tone) -> Self {
        Self { tone, manner: Manner::Solid, opacity: 1.0 }
    }

    /// The same with a dashed line: expected, not seen.
    pub const fn dashed(self) -> Self {
        Self { manner: Manner::Dashed, ..self }
    }

    /// The same as an outline filled with the page's colour: published, not measured here.
    pub const fn open(self) -> Self {
        Self { manner: Manner::Open, ..self }
    }

    /// The same as an open outline with a dashed line: assumed by software.
    pub const fn open_dashed(self) -> Self {
        Self { manner: Manner::OpenDashed, ..self }
    }

    /// The same, for text that lines may cross: they make room for it.
    pub const fn halo(self) -> Self {
        Self { manner: Manner::Halo, ..self }
    }

    /// The same with this opacity, 0 to 1.
    pub const fn opacity(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    /// The ink behind a colour that came back from plotters.
    pub(super) fn of(color: BackendColor) -> Option<Self> {
        let (sentinel, tone, manner) = color.rgb;
        let tone = *TONES.get(tone as usize)?;
        let manner = *MANNERS.get(manner as usize)?;
        (sentinel == SENTINEL).then_some(Self { tone, manner, opacity: color.alpha })
    }

    /// Class names for a shape; `fill` says whether its area or its outline is painted.
    pub(super) fn shape_class(self, fill: bool) -> String {
        let tone = match self.tone {
            Tone::Text => "ink",
            Tone::Muted => "pale",
            Tone::Axis | Tone::Grid if fill => "plain",
            Tone::Axis => return "axis".into(),
            Tone::Grid => return "grid".into(),
            Tone::Role(role) => role.class(),
        };
        let paint = match self.manner {
            Manner::Open => "open",
            Manner::OpenDashed => "open dots",
            _ if fill => "fill",
            Manner::Dashed => "stroke dash",
            Manner::Solid | Manner::Halo => "stroke",
        };
        format!("{tone} {paint}")
    }

    /// Class names for text; none for plain text.
    pub(super) fn text_class(self) -> String {
        let tone = match self.tone {
            Tone::Text => String::new(),
            Tone::Muted | Tone::Axis | Tone::Grid => "muted".into(),
            Tone::Role(role) => format!("{} fill", role.class()),
        };
        if self.manner == Manner::Halo { format!("{tone} halo").trim_start().to_owned() } else { tone }
    }

    /// Opacity, 0 to 1.
    pub(super) fn alpha(self) -> f64 {
        self.opacity
    }
}

impl Color for Ink {
    fn to_backend_color(&self) -> BackendColor {
        let index = |position: Option<usize>| position.unwrap_or_default() as u8;
        let tone = index(TONES.iter().position(|t| *t == self.tone));
        let manner = index(MANNERS.iter().position(|m| *m == self.manner));
        BackendColor { rgb: (SENTINEL, tone, manner), alpha: self.opacity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ink_survives_its_trip_as_a_colour() {
        for tone in TONES {
            for ink in [
                Ink::solid(tone),
                Ink::solid(tone).dashed(),
                Ink::solid(tone).open().opacity(0.5),
                Ink::solid(tone).open_dashed(),
                Ink::solid(tone).halo(),
            ] {
                assert_eq!(Ink::of(ink.to_backend_color()), Some(ink));
            }
        }
        assert_eq!(Ink::of(BackendColor { rgb: (255, 0, 0), alpha: 1.0 }), None);
    }
}
