//! The plotters back end: SVG elements, classes instead of colours.

use std::fmt::Write;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};

use super::Ink;
use super::measure::text_width;
use crate::kit::node::{Node, el};
use crate::kit::svg::text;

/// Someone drew with a colour that is no [`Ink`]: it would ignore dark mode and print.
#[derive(Debug)]
pub struct NotAnInk {
    rgb: (u8, u8, u8),
}

impl std::fmt::Display for NotAnInk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected an Ink, found the colour {:?}; draw with Ink::role or Ink::TEXT", self.rgb)
    }
}

impl std::error::Error for NotAnInk {}

type Outcome = Result<(), DrawingErrorKind<NotAnInk>>;

/// Collects SVG elements. Lines and boxes with the same look become one path.
pub struct SvgNodes<'a> {
    out: &'a mut Vec<Node>,
    size: (u32, u32),
    open: Option<Path>,
}

struct Path {
    look: Look,
    data: String,
}

impl<'a> SvgNodes<'a> {
    /// A back end that appends to `out`, for a viewBox of this size.
    pub fn new(out: &'a mut Vec<Node>, size: (u32, u32)) -> Self {
        Self { out, size, open: None }
    }

    fn path(&mut self, look: Look, data: &str) {
        match &mut self.open {
            Some(path) if path.look == look => path.data.push_str(data),
            _ => {
                self.close();
                self.open = Some(Path { look, data: data.to_owned() });
            }
        }
    }

    fn close(&mut self) {
        if let Some(Path { look, data }) = self.open.take() {
            self.out.push(look.on(el("path")).set("d", data));
        }
    }
}

/// How a shape looks.
#[derive(PartialEq)]
struct Look {
    class: String,
    stroke_width: Option<f64>,
    opacity: Option<f64>,
}

impl Look {
    fn of<S: BackendStyle>(style: &S, fill: bool) -> Result<Self, DrawingErrorKind<NotAnInk>> {
        let ink = ink(style.color())?;
        Ok(Self {
            class: ink.shape_class(fill),
            stroke_width: (!fill && style.stroke_width() != 1).then(|| f64::from(style.stroke_width())),
            opacity: (ink.alpha() < 1.0).then(|| ink.alpha()),
        })
    }

    fn on(self, shape: Node) -> Node {
        let shape = shape.set("class", self.class).set_some("stroke-width", self.stroke_width);
        shape.set_some("opacity", self.opacity)
    }
}

fn ink(color: BackendColor) -> Result<Ink, DrawingErrorKind<NotAnInk>> {
    Ink::of(color).ok_or(DrawingErrorKind::DrawingError(NotAnInk { rgb: color.rgb }))
}

fn data(points: impl IntoIterator<Item = BackendCoord>, closed: bool) -> String {
    let mut data = String::new();
    let mut at: Option<BackendCoord> = None;
    for (x, y) in points {
        let _ = match at {
            None => write!(data, "M{x} {y}"),
            Some((_, py)) if py == y => write!(data, "H{x}"),
            Some((px, _)) if px == x => write!(data, "V{y}"),
            Some(_) => write!(data, "L{x} {y}"),
        };
        at = Some((x, y));
    }
    if closed {
        data.push('Z');
    }
    data
}

impl DrawingBackend for SvgNodes<'_> {
    type ErrorType = NotAnInk;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Outcome {
        Ok(())
    }

    fn present(&mut self) -> Outcome {
        self.close();
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, color: BackendColor) -> Outcome {
        self.draw_rect(at, (at.0 + 1, at.1 + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Outcome {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        self.path(Look::of(style, fill)?, &data(corners, true));
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        self.path(Look::of(style, false)?, &data(path, false));
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome {
        let look = Look::of(style, fill)?;
        self.close();
        self.out.push(look.on(el("circle")).set("cx", x).set("cy", y).set("r", f64::from(radius)));
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Outcome {
        self.path(Look::of(style, true)?, &data(corners, true));
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(&mut self, words: &str, style: &T, (x, y): BackendCoord) -> Outcome {
        let ink = ink(style.color())?;
        self.close();
        let anchor = style.anchor();
        let mut class = ink.text_class();
        let mut add = |applies: bool, word: &str| {
            if applies {
                class.push_str(if class.is_empty() { "" } else { " " });
                class.push_str(word);
            }
        };
        add(matches!(style.style(), FontStyle::Bold), "strong");
        add(style.size() >= 16.0, "large");
        add(matches!(anchor.h_pos, HPos::Center), "middle");
        add(matches!(anchor.h_pos, HPos::Right), "end");
        // Capitals of most faces are 0.72 of the size high.
        let rise = match anchor.v_pos {
            VPos::Top => 0.76,
            VPos::Center => 0.36,
            VPos::Bottom => -0.24,
        };
        let baseline = f64::from(y) + (rise * style.size()).round();
        self.out.push(text(class, (f64::from(x), baseline), words));
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<NotAnInk>> {
        let bold = matches!(style.style(), FontStyle::Bold);
        Ok((text_width(text, style.size(), bold).ceil() as u32, style.size().ceil() as u32))
    }
}
