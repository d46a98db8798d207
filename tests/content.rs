//! What the compiler of the content refuses: each mistake with its file and line.
//!
//! Every test writes a small course that is right, breaks one thing, and looks at the refusal.

#![cfg(feature = "ssr")]

use std::fs;
use std::path::Path;

use course::compile::{Block, Callout, Course, compile};
use tempfile::TempDir;

const COURSE: &str = r#"title = "T"
description = "D"
intro = "I"

[[parts]]
number = "I"
title = "Part"
summary = "S"
modules = ["machine"]

[[modules]]
word = "machine"
title = "Machine"
status = "ready"
minutes = 10
description = "About it"
contents = []

[[modules]]
word = "memory"
title = "Memory"
status = "in-preparation"
minutes = 10
description = "Later"
contents = ["Pages"]

[[criteria]]
number = 1
title = "One"
sentence = "Say one."
taught = ["machine"]

[[sittings]]
title = "First"
minutes = 60
modules = ["machine"]
advice = "Read."

[drills]
summary = "S"
get = "G"
commands = "drills"

[[drills.table]]
word = "machine"
command = "drills machine"
shows = "All"
status = "ready"
"#;

const MODULE: &str = r#"+++
title = "Machine"
word = "machine"
summary = "Short."
criteria = [1]
drill_minutes = 5
+++

## First {#first}

A [NUMA](term:numa) node is near.[^ann] It copies at {{box:copy.h2d.pinned}}.

![Where the time goes](figure:copy-timeline)

### Detail {#detail}

> **Why it matters** #1 It is slow.

```console
$ drills machine
pinned 54.7 GB/s
```

```measured
title: Copies
samples: box
copy.h2d.pinned
copy.h2d.pageable = Ordinary memory
```

## Second {#second}

Back to [the first](#first) and on to [memory](../memory/module.md).
"#;

const QUESTIONS: &str = "## Why is it slow? {#q-slow}\n\nCriterion: #1\n\nBecause of the wire.\n";
const SOURCES: &str = "[^ann]: Ann, *Book*, 2026. <https://example.org/>\n";
const GLOSSARY: &str = "# Glossary\n\n## NUMA {#numa}\n\nMemory at several distances. More text.\n";
const SAMPLE: &str = r#"{"schema":{"name":"host-drills-results","version":1},"tool":{"name":"drills","version":"0.1.0"},
"taken_at":"2026-11-29T00:00:00Z","label":"Box","machine":{},"measurements":[
{"key":"copy.h2d.pinned","unit":"bytes_per_s","status":"ok","value":54.7e9,"method":"m"},
{"key":"copy.h2d.pageable","unit":"bytes_per_s","status":"skipped","method":"m","reason":{"code":"no-gpu","text":"No GPU."}}]}"#;

/// A course in a folder of its own, right until something is changed.
struct Tree(TempDir);

impl Tree {
    fn new() -> Self {
        let tree = Self(TempDir::new().expect("a folder for the test"));
        tree.write("content/course.toml", COURSE);
        tree.write("content/machine/module.md", MODULE);
        tree.write("content/machine/self-check.md", QUESTIONS);
        tree.write("content/machine/sources.md", SOURCES);
        tree.write("content/glossary.md", GLOSSARY);
        tree.write("content/samples/box.json", SAMPLE);
        tree.write("diagrams/src/kit/mod.rs", "");
        tree.write("diagrams/src/machine/mod.rs", "");
        tree.write("diagrams/src/machine/copy_timeline/mod.rs", "");
        tree
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Replaces a piece of a file that must be there.
    fn with(self, path: &str, from: &str, to: &str) -> Self {
        let text = fs::read_to_string(self.0.path().join(path)).expect("a file of the tree");
        assert!(text.contains(from), "{path} does not contain {from:?}");
        self.write(path, &text.replacen(from, to, 1));
        self
    }

    fn course(&self) -> Course {
        compile(self.0.path()).unwrap_or_else(|problems| panic!("refused: {problems:#?}"))
    }

    /// All refusals, as they are printed.
    fn refusals(&self) -> Vec<String> {
        compile(self.0.path()).err().unwrap_or_default().iter().map(ToString::to_string).collect()
    }

    /// The only refusal.
    fn refusal(&self) -> String {
        let printed = self.refusals();
        assert_eq!(printed.len(), 1, "one refusal expected: {printed:#?}");
        printed.into_iter().next().unwrap_or_default()
    }
}

const TEXT: &str = "content/machine/module.md";

/// One mistake may bring others along (a figure with a wrong name is also one that no page uses): what counts
/// is that this one is told, at its place.
fn refused(path: &str, from: &str, to: &str, place: &str, words: &str) {
    let refusals = Tree::new().with(path, from, to).refusals();
    let told = refusals.iter().any(|refusal| refusal.starts_with(place) && refusal.contains(words));
    assert!(told, "{refusals:#?}");
}

#[test]
fn a_course_without_mistakes_is_compiled_whole() {
    let course = Tree::new().course();
    let text = course.modules[0].text.as_ref().expect("module 1 has text");
    assert_eq!(
        text.sections.iter().map(|s| (s.number, s.id.as_str())).collect::<Vec<_>>(),
        [(0, "first"), (1, "second")]
    );
    assert_eq!(text.figures, ["copy-timeline"]);
    assert_eq!((text.questions[0].criteria.as_slice(), text.questions[0].answer.len()), (&[1][..], 1));
    assert_eq!(text.sources[0].citations, 1);
    assert!(course.modules[1].text.is_none());
    let blocks = &text.sections[0].blocks;
    let Block::Html(first) = &blocks[0] else { panic!("a paragraph: {blocks:#?}") };
    assert!(first.contains("54.7\u{a0}GB/s") && first.contains("measured, Box"), "{first}");
    assert!(first.contains("../glossary/#numa") && first.contains("#source-ann"), "{first}");
    let why = blocks
        .iter()
        .any(|b| matches!(b, Block::Callout { kind: Callout::Why, criteria, .. } if criteria == &[1]));
    assert!(why, "{blocks:#?}");
}

#[test]
fn a_measured_table_takes_values_and_statuses_from_the_sample() {
    let course = Tree::new().course();
    let text = course.modules[0].text.as_ref().expect("text");
    let table =
        text.sections[0].blocks.iter().find_map(|b| if let Block::Measured(t) = b { Some(t) } else { None });
    let table = table.expect("a measured table");
    let cells: Vec<(&str, &str)> =
        table.rows.iter().map(|r| (r.label.as_str(), r.cells[0].text.as_str())).collect();
    assert_eq!(cells, [("Host to device, pinned", "54.7\u{a0}GB/s"), ("Ordinary memory", "skipped")]);
    assert_eq!(table.rows[1].cells[0].note, "skipped: No GPU.");
}

#[test]
fn a_session_separates_prompts_commands_and_output() {
    let course = Tree::new().course();
    let text = course.modules[0].text.as_ref().expect("text");
    let code =
        text.sections[0].blocks.iter().find_map(|b| if let Block::Code(c) = b { Some(c) } else { None });
    let html = &code.expect("a session").html;
    assert!(html.contains(r#"<span class="prompt">$ </span><span class="cmd">"#), "{html}");
    assert!(html.contains(r#"<span class="out">pinned 54.7 GB/s</span>"#), "{html}");
}

#[test]
fn unknown_figure() {
    refused(
        TEXT,
        "figure:copy-timeline",
        "figure:copy-timelin",
        "content/machine/module.md:13: ",
        "unknown figure `copy-timelin`",
    );
}

#[test]
fn figure_that_no_page_uses() {
    let tree = Tree::new();
    tree.write("diagrams/src/memory/page_walk/mod.rs", "");
    let refusal = tree.refusal();
    assert!(
        refusal.starts_with("diagrams/src/memory/page_walk/mod.rs:1: no page uses the figure `page-walk`"),
        "{refusal}"
    );
}

#[test]
fn figure_shown_twice() {
    refused(
        TEXT,
        "## Second {#second}\n",
        "## Second {#second}\n\n![Again](figure:copy-timeline)\n",
        "content/machine/module.md:33: ",
        "already shown",
    );
}

#[test]
fn figure_without_a_caption() {
    refused(TEXT, "![Where the time goes]", "![]", "content/machine/module.md:13: ", "no caption");
}

#[test]
fn figure_in_the_middle_of_a_paragraph() {
    refused(
        TEXT,
        "A [NUMA]",
        "See ![x](figure:copy-timeline) a [NUMA]",
        "content/machine/module.md:11: ",
        "stands alone",
    );
}

#[test]
fn unknown_term() {
    refused(TEXT, "term:numa", "term:nma", "content/machine/module.md:11: ", "unknown term `nma`");
}

#[test]
fn term_without_an_explanation() {
    refused(
        "content/glossary.md",
        "Memory at several distances. More text.\n",
        "",
        "content/glossary.md:3: ",
        "no explanation",
    );
}

#[test]
fn unknown_section_here_and_elsewhere() {
    refused(TEXT, "(#first)", "(#frist)", "content/machine/module.md:33: ", "unknown section `#frist`");
    refused(
        TEXT,
        "memory/module.md)",
        "memory/module.md#pages)",
        "content/machine/module.md:33: ",
        "unknown section `#pages`",
    );
    refused(
        TEXT,
        "memory/module.md)",
        "memroy/module.md)",
        "content/machine/module.md:33: ",
        "leads nowhere",
    );
}

#[test]
fn unknown_source() {
    refused(TEXT, "[^ann]", "[^ann] [^bob]", "content/machine/module.md:11: ", "unknown source `[^bob]`");
}

#[test]
fn unknown_key_and_sample() {
    refused(
        TEXT,
        "box:copy.h2d.pinned",
        "box:copy.h2d.pinnd",
        "content/machine/module.md:11: ",
        "unknown result key `copy.h2d.pinnd`",
    );
    refused(
        TEXT,
        "{{box:",
        "{{bix:",
        "content/machine/module.md:11: ",
        "unknown sample `bix`; there are: box",
    );
    refused(
        TEXT,
        "copy.h2d.pageable = ",
        "copy.h2d.pagable = ",
        "content/machine/module.md:28: ",
        "unknown result key `copy.h2d.pagable`",
    );
    refused(TEXT, "samples: box", "samples: bix", "content/machine/module.md:24: ", "unknown sample `bix`");
}

#[test]
fn value_that_the_sample_does_not_have() {
    refused(
        TEXT,
        "box:copy.h2d.pinned",
        "box:copy.h2d.pageable",
        "content/machine/module.md:11: ",
        "no value for `copy.h2d.pageable`",
    );
}

#[test]
fn sample_that_is_no_results_file() {
    let refusal = Tree::new().with("content/samples/box.json", "54.7e9", "\"fast\"").refusals();
    let found = refusal
        .iter()
        .any(|r| r.starts_with("content/samples/box.json:1: not a results file: measurements[0].value"));
    assert!(found, "{refusal:#?}");
}

#[test]
fn question_without_an_answer() {
    refused(
        "content/machine/self-check.md",
        "Because of the wire.\n",
        "",
        "content/machine/self-check.md:1: ",
        "no answer",
    );
}

#[test]
fn question_with_an_id_that_is_not_one() {
    refused(
        "content/machine/self-check.md",
        "#q-slow",
        "#slow",
        "content/machine/self-check.md:1: ",
        "start with q-",
    );
}

#[test]
fn skipped_heading_level() {
    refused(
        TEXT,
        "### Detail",
        "#### Detail",
        "content/machine/module.md:15: ",
        "heading level 4 follows level 2",
    );
}

#[test]
fn duplicate_id() {
    refused(
        TEXT,
        "## Second {#second}",
        "## Second {#detail}",
        "content/machine/module.md:31: ",
        "duplicate id `detail`",
    );
}

#[test]
fn section_without_an_id() {
    refused(TEXT, "## Second {#second}", "## Second", "content/machine/module.md:31: ", "needs an id");
}

#[test]
fn raw_html() {
    refused(TEXT, "Back to", "Back <b>to</b>", "content/machine/module.md:33: ", "raw HTML");
    refused(TEXT, "Back to", "<div>\n\nBack to", "content/machine/module.md:33: ", "raw HTML");
}

#[test]
fn unknown_callout_language_and_criterion() {
    refused(
        TEXT,
        "**Why it matters**",
        "**Why it maters**",
        "content/machine/module.md:17: ",
        "unknown callout",
    );
    refused(
        TEXT,
        "```console",
        "```consol",
        "content/machine/module.md:19: ",
        "unknown code language `consol`",
    );
    refused(TEXT, "** #1 It", "** #9 It", "content/machine/module.md:17: ", "no criterion #9");
}

#[test]
fn front_matter_that_does_not_fit() {
    refused(
        TEXT,
        "word = \"machine\"",
        "word = \"memory\"",
        "content/machine/module.md:2: ",
        "the folder `machine`",
    );
    refused(
        TEXT,
        "drill_minutes = 5",
        "drill_minuts = 5",
        "content/machine/module.md:6: ",
        "front matter: unknown field",
    );
}

#[test]
fn course_file_that_names_a_module_that_is_not_there() {
    refused(
        "content/course.toml",
        "taught = [\"machine\"]",
        "taught = [\"machin\"]",
        "content/course.toml:31: ",
        "there is no module `machin`",
    );
    refused(
        "content/course.toml",
        "status = \"ready\"",
        "status = \"redy\"",
        "content/course.toml:14: ",
        "use ready or in-preparation",
    );
}

#[test]
fn ready_module_without_text() {
    let tree = Tree::new().with("content/course.toml", "status = \"in-preparation\"", "status = \"ready\"");
    let refusal = tree.refusal();
    assert!(
        refusal.starts_with("content/course.toml:22: content/memory/module.md does not exist"),
        "{refusal}"
    );
}

#[test]
fn all_mistakes_are_told_at_once() {
    let tree = Tree::new().with(TEXT, "term:numa", "term:nma").with(TEXT, "[^ann]", "[^bob]");
    assert_eq!(tree.refusals().len(), 2);
}

#[test]
fn the_course_itself_is_compiled_without_a_refusal() {
    let course = compile(Path::new(env!("CARGO_MANIFEST_DIR")))
        .map_err(|p| p.iter().map(ToString::to_string).collect::<Vec<_>>());
    let course = course.expect("content/ is right");
    assert_eq!(course.modules.len(), 6);
    assert_eq!(course.criteria.len(), 7);
}
