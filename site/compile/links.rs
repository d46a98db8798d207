//! Where links may lead: outside, to a term, a figure, a section, a page of the site.

use super::inline::escape;
use super::render::Renderer;

/// Pages that are not modules.
const PAGES: [&str; 4] = ["glossary", "results", "drills", "privacy"];

impl Renderer<'_> {
    /// The opening tag of a link; a target that does not exist is refused.
    pub(crate) fn open_link(&mut self, destination: &str, at: usize) -> String {
        if destination.starts_with("https://") || destination.starts_with("http://") {
            return format!(r#"<a href="{}" rel="noreferrer">"#, escape(destination));
        }
        match self.resolve(destination) {
            Ok((href, None)) => format!(r#"<a href="{}">"#, escape(&href)),
            // Explained where it is met first; later the page would only grow.
            Ok((href, Some(title))) if self.explained.insert(href.clone()) => {
                format!(r#"<a class="term" href="{}" title="{}">"#, escape(&href), escape(&title))
            }
            Ok((href, Some(_))) => format!(r#"<a class="term" href="{}">"#, escape(&href)),
            Err(message) => {
                self.refuse(at, message);
                "<a>".into()
            }
        }
    }

    /// The address relative to a page one folder down, with a title for terms.
    fn resolve(&self, destination: &str) -> Result<(String, Option<String>), String> {
        if let Some(id) = destination.strip_prefix("term:") {
            let brief =
                self.known.terms.get(id).ok_or_else(|| {
                    format!("unknown term `{id}`; add `## … {{#{id}}}` to content/glossary.md")
                })?;
            return Ok((format!("../glossary/#{id}"), Some(brief.clone())));
        }
        if let Some(id) = destination.strip_prefix("figure:") {
            let folder = self.known.figures.get(id).ok_or_else(|| format!("unknown figure `{id}`"))?;
            let word = folder.split('/').nth(2).unwrap_or_default();
            return Ok((format!("../{word}/#fig-{id}"), None));
        }
        if let Some(page) = page_of_site(destination) {
            return Ok((page, None));
        }
        self.section(destination).map(|href| (href, None))
    }

    fn section(&self, destination: &str) -> Result<String, String> {
        let (path, anchor) = destination.split_once('#').unwrap_or((destination, ""));
        let file = self.relative_to_content(path);
        let Some(anchors) = self.known.sections.get(&file) else {
            return Err(format!("`{destination}` leads nowhere: there is no content/{file}"));
        };
        if !anchor.is_empty() && !anchors.contains(anchor) {
            return Err(format!("unknown section `#{anchor}` in content/{file}"));
        }
        let here = self.document.file.strip_prefix("content/") == Some(&file);
        let page = file.split('/').next().unwrap_or_default().trim_end_matches(".md");
        Ok(match (here, anchor) {
            (true, anchor) if !anchor.is_empty() => format!("#{anchor}"),
            (_, "") => format!("../{page}/"),
            (_, anchor) => format!("../{page}/#{anchor}"),
        })
    }

    /// A path in this file, as a path below `content/`.
    fn relative_to_content(&self, path: &str) -> String {
        let here = self.document.file.trim_start_matches("content/");
        if path.is_empty() {
            return here.to_owned();
        }
        let mut parts: Vec<&str> = here.split('/').collect();
        parts.pop();
        for part in path.split('/') {
            match part {
                ".." => {
                    parts.pop();
                }
                "." => {}
                other => parts.push(other),
            }
        }
        parts.join("/")
    }
}

/// `page:results` or `../results/`.
fn page_of_site(destination: &str) -> Option<String> {
    let name = destination.strip_prefix("page:").or_else(|| destination.strip_prefix("../"))?;
    let (page, anchor) = name.split_once('#').unwrap_or((name, ""));
    let page = page.trim_end_matches('/');
    if !PAGES.contains(&page) {
        return None;
    }
    let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    Some(format!("../{page}/{anchor}"))
}
