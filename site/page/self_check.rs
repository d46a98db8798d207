//! Questions with model answers in `<details>`; the browser adds a record of what was answered.

use leptos::prelude::*;

use super::blocks::{blocks, pills, raw};
use crate::compile::Question;

pub(crate) fn questions(word: &str, questions: &[Question]) -> AnyView {
    let word = word.to_owned();
    let list = questions.iter().map(|question| item(&word, question)).collect_view();
    view! {
        <p class="self-check-lead">
            "Answer aloud before you open an answer. A question counts once you could have said the essence of it."
        </p>
        <ol class="questions">{list}</ol>
    }
    .into_any()
}

fn item(word: &str, question: &Question) -> impl IntoView + use<> {
    view! {
        <li class="question" id=question.id.clone()>
            <details>
                <summary>
                    <span class="ask">{raw(&format!("<span>{}</span>", question.html))}</span>
                </summary>
                <div class="answer">
                    {blocks(&question.answer)}
                    <div
                        class="verdict needs-script"
                        data-island="self-check"
                        data-key=format!("{word}#{}", question.id)
                    >
                        <span>"Could you have said it?"</span>
                        <button type="button" disabled="" data-verdict="yes" aria-pressed="false">"Yes, count it"</button>
                        <button type="button" disabled="" data-verdict="no">"Ask me again"</button>
                    </div>
                </div>
            </details>
            <p class="teaches">{pills(&question.criteria, "../")}</p>
        </li>
    }
}
