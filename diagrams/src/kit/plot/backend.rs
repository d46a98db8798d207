//! The plotters back end: SVG text, classes instead of colours.

use std::fmt::Write;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};

use super::Ink;
use super::measure::text_width;

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

/// Writes SVG elements to a string. Lines and boxes with the same look become one path.
pub struct SvgText<'a> {
    out: &'a mut String,
    size: (u32, u32),
    open: Option<Path>,
}

struct Path {
    look: String,
    data: String,
}

impl<'a> SvgText<'a> {
    /// A back end that appends to `out`, for a viewBox of this size.
    pub fn new(out: &'a mut String, size: (u32, u32)) -> Self {
        Self { out, size, open: None }
    }

    fn path(&mut self, look: String, data: &str) {
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
            self.push(format_args!("<path{look} d=\"{data}\"/>"));
        }
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(element);
    }
}

/// Attributes that say how a shape looks.
fn look<S: BackendStyle>(style: &S, fill: bool) -> Result<String, DrawingErrorKind<NotAnInk>> {
    let ink = ink(style.color())?;
    let mut look = format!(" class=\"{}\"", ink.shape_class(fill));
    if !fill && style.stroke_width() != 1 {
        let _ = write!(look, " stroke-width=\"{}\"", style.stroke_width());
    }
    if ink.alpha() < 1.0 {
        let _ = write!(look, " opacity=\"{}\"", (ink.alpha() * 100.0).round() / 100.0);
    }
    Ok(look)
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

impl DrawingBackend for SvgText<'_> {
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
        self.path(look(style, fill)?, &data(corners, true));
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        self.path(look(style, false)?, &data(path, false));
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome {
        let look = look(style, fill)?;
        self.close();
        self.push(format_args!("<circle{look} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"));
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Outcome {
        self.path(look(style, true)?, &data(corners, true));
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(&mut self, text: &str, style: &T, (x, y): BackendCoord) -> Outcome {
        let ink = ink(style.color())?;
        self.close();
        let mut classes = vec![ink.text_class()];
        if matches!(style.style(), FontStyle::Bold) {
            classes.push("strong".into());
        }
        if style.size() >= 16.0 {
            classes.push("large".into());
        }
        classes.push(match style.anchor().h_pos {
            HPos::Left => String::new(),
            HPos::Center => "middle".into(),
            HPos::Right => "end".into(),
        });
        classes.retain(|class| !class.is_empty());
        let class =
            if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) };
        // Capitals of most faces are 0.72 of the size high.
        let rise = match style.anchor().v_pos {
            VPos::Top => 0.76,
            VPos::Center => 0.36,
            VPos::Bottom => -0.24,
        };
        let baseline = f64::from(y) + (rise * style.size()).round();
        self.push(format_args!("<text{class} x=\"{x}\" y=\"{baseline}\">{}</text>", escape(text)));
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

/// Text as SVG content.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
