//! Every text that a person can read, in one file: `target/tmp/texts.md`, to be read from top to bottom.
//!
//! The texts are the string literals of the program outside tests, the help texts of flags (doc comments of the structs
//! that clap reads), titles and notes of shipped presets, the README, the guide and the changelog. Commands, tooltips,
//! errors and the glossary are string literals. The file ends with all sentences of more than 30 words.
//!
//! Tests fail on phrases that are wrong in plain English, on long sentences of the documents and the window, and on
//! labels in *italics* that the program does not have.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use afterstate::words;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::{files_below, project_dir, read, source_dir};

/// A sentence with more words is listed.
const MAX_WORDS: usize = 30;

/// A text and where it is.
#[derive(Debug)]
struct Text {
    /// The path below the folder of the project.
    file: String,
    line: usize,
    text: String,
}

/// A phrase that is wrong wherever it stands.
struct Phrase {
    wrong: &'static str,
    right: &'static str,
    /// Longer phrases that contain it and are right.
    except: &'static [&'static str],
}

const fn phrase(wrong: &'static str, right: &'static str) -> Phrase {
    Phrase {
        wrong,
        right,
        except: &[],
    }
}

const PHRASES: &[Phrase] = &[
    // translated word by word
    phrase("to the last digit", "exactly"),
    phrase("in the mean", "on average"),
    phrase("so many", "the number of …, or name the number"),
    phrase("somebody", "name the person, or use the passive"),
    phrase("whoever", "start with the thing"),
    phrase("nobody", "no one, none, or name the thing"),
    phrase("goes on", "continues, resumes, runs"),
    phrase("going on", "running"),
    phrase("go on", "continue, resume"),
    phrase("went on", "continued"),
    phrase("is held", "is paused"),
    phrase("was held", "was paused"),
    phrase("is lent", "is reused"),
    phrase("lent by", "reused from"),
    Phrase {
        wrong: "is told",
        right: "is reported",
        except: &["is told apart"],
    },
    Phrase {
        wrong: "are told",
        right: "are reported",
        except: &["are told apart"],
    },
    Phrase {
        wrong: "was told",
        right: "was reported",
        except: &["was told apart"],
    },
    phrase("how far it is", "its progress"),
    phrase("what somebody", "start with the thing"),
    phrase("by this name already", "already exists"),
    phrase("runs already", "is already running"),
    phrase("has these words", "Nothing found"),
    phrase("stands in it twice", "appears twice"),
    phrase("stand here", "appear here, are here"),
    phrase("stands here", "appears here, is here"),
    phrase("stands beside", "is next to"),
    phrase("stand beside", "are next to"),
    phrase("chance to die", "survival, risk of losing"),
    phrase("two minds", "second opinion"),
    phrase("last mistake", "previous mistake"),
    phrase("no minutes", "no limit"),
    phrase("at most some", "about"),
    phrase("lost nothing", "is the judge's best move"),
    phrase("by the judge no move", "the judge's best move"),
    phrase("its time was over", "stopped by the time limit"),
    phrase("nothing was chosen by", "fresh games"),
    phrase("found right", "verified"),
    phrase("line goes on", "line continues"),
    phrase("in the order of the visit", "visited 1st of 9"),
    phrase("waver", "vary, uncertainty"),
    phrase("give the keys", "focus"),
    phrase("gives the keys", "focuses"),
    phrase("has the keys", "has the focus"),
    phrase("the same as ever", "unchanged"),
    // contractions
    phrase("don't", "do not"),
    phrase("doesn't", "does not"),
    phrase("can't", "cannot"),
    phrase("won't", "will not"),
    phrase("isn't", "is not"),
    phrase("aren't", "are not"),
    phrase("it's", "it is"),
    // British spelling
    phrase("colour", "color"),
    phrase("colours", "colors"),
    phrase("centre", "center"),
    phrase("grey", "gray"),
    phrase("licence", "license"),
    phrase("licences", "licenses"),
    phrase("behaviour", "behavior"),
    phrase("neighbour", "neighbor"),
    phrase("neighbours", "neighbors"),
    phrase("favourite", "favorite"),
    phrase("practise", "practice"),
    phrase("learnt", "learned"),
    phrase("analyse", "analyze"),
    phrase("summarise", "summarize"),
    phrase("optimise", "optimize"),
    phrase("recognise", "recognize"),
];

/// Macros whose texts only a developer reads, or that hold no text.
const UNREAD_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "include_bytes",
    "include_str",
    "panic",
    "todo",
    "unimplemented",
    "unreachable",
];

/// What a walk through the tokens of a file finds.
#[derive(Default)]
struct Found {
    /// Lines and texts.
    literals: Vec<(usize, String)>,
    /// Modules in other files that only tests compile.
    test_modules: Vec<String>,
}

impl Found {
    /// Walks through tokens of one level. Doc comments count where clap makes help texts of them, `in_help`.
    fn walk(&mut self, stream: TokenStream, in_help: bool) {
        let mut tokens = stream.into_iter().peekable();
        let (mut docs, mut is_help, mut is_test) = (Vec::new(), false, false);
        let mut before: [Option<String>; 2] = [None, None];
        while let Some(token) = tokens.next() {
            let text = match &token {
                TokenTree::Ident(name) => Some(name.to_string()),
                TokenTree::Punct(punct) => Some(punct.as_char().to_string()),
                _ => None,
            };
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    if let Some(TokenTree::Group(group)) = tokens.next_if(is_bracket) {
                        self.attribute(&group, &mut docs, &mut is_help, &mut is_test);
                        continue;
                    }
                }
                TokenTree::Group(group) if is_test => {
                    let ends = group.delimiter() == Delimiter::Brace;
                    is_test = !ends;
                }
                TokenTree::Punct(punct) if is_test && matches!(punct.as_char(), ';' | ',') => {
                    if let [Some(keyword), Some(name)] = &before
                        && keyword == "mod"
                    {
                        self.test_modules.push(name.clone());
                    }
                    is_test = false;
                }
                TokenTree::Group(group) => {
                    if in_help || is_help {
                        self.literals.extend(paragraphs(&std::mem::take(&mut docs)));
                    }
                    let is_unread = match &before {
                        // `#![…]`, such as docs of a module, or a macro.
                        [Some(name), Some(mark)] if mark == "!" => {
                            name == "#" || UNREAD_MACROS.contains(&name.as_str())
                        }
                        [Some(mark), Some(name)] if mark == "." => {
                            name == "expect" || name == "expect_err"
                        }
                        _ => false,
                    };
                    if !is_unread {
                        self.walk(
                            group.stream(),
                            is_help && group.delimiter() == Delimiter::Brace,
                        );
                    }
                    if group.delimiter() == Delimiter::Brace {
                        (docs, is_help) = (Vec::new(), false);
                    }
                }
                TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';') => {
                    is_help &= punct.as_char() == ',';
                    let docs = std::mem::take(&mut docs);
                    if in_help {
                        self.literals.extend(paragraphs(&docs));
                    }
                }
                TokenTree::Literal(literal) if !is_test => {
                    let line = literal.span().start().line;
                    self.literals
                        .extend(unquoted(&literal.to_string()).map(|text| (line, text)));
                }
                _ => {}
            }
            before = [before[1].take(), text];
        }
        if in_help {
            self.literals.extend(paragraphs(&docs));
        }
    }

    fn attribute(
        &mut self,
        group: &Group,
        docs: &mut Vec<(usize, String)>,
        is_help: &mut bool,
        is_test: &mut bool,
    ) {
        let mut inner = group.stream().into_iter();
        let Some(TokenTree::Ident(name)) = inner.next() else {
            return;
        };
        let rest: TokenStream = inner.collect();
        match name.to_string().as_str() {
            "doc" => {
                let mut found = Self::default();
                found.walk(rest, false);
                docs.extend(found.literals);
            }
            "derive" => {
                let traits = rest.to_string();
                *is_help |= ["Args", "Parser", "Subcommand", "ValueEnum"]
                    .iter()
                    .any(|name| traits.contains(name));
            }
            "cfg" => {
                let condition = rest.to_string().replace(' ', "");
                *is_test |= ["(test", "(all(test"]
                    .iter()
                    .any(|test| condition.starts_with(test));
            }
            "test" => *is_test = true,
            "arg" | "clap" | "command" | "error" | "group" | "value" => self.walk(rest, false),
            _ => {}
        }
    }
}

fn is_bracket(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket)
}

/// The lines of a doc comment as paragraphs.
fn paragraphs(docs: &[(usize, String)]) -> Vec<(usize, String)> {
    let parts = docs
        .split(|(_, line)| line.trim().is_empty())
        .filter(|lines| !lines.is_empty());
    parts
        .map(|lines| {
            (
                lines[0].0,
                lines
                    .iter()
                    .map(|(_, line)| line.trim())
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        })
        .collect()
}

/// The text of a string literal; `None` for other literals.
fn unquoted(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return Some(raw.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    let mut rest = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    while let Some(at) = rest.find('\\') {
        text += &rest[..at];
        rest = &rest[at + 1..];
        let escaped = rest.chars().next()?;
        rest = &rest[escaped.len_utf8()..];
        match escaped {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            '\n' => rest = rest.trim_start(),
            'u' => {
                let (hex, after) = rest.strip_prefix('{')?.split_once('}')?;
                text.extend(u32::from_str_radix(hex, 16).ok().and_then(char::from_u32));
                rest = after;
            }
            other => text.push(other),
        }
    }
    Some(text + rest)
}

/// The string literals of all Rust files below `src/` outside tests, in the order of their paths.
fn literals_of_source() -> Vec<Text> {
    let mut files = Vec::new();
    files_below(&source_dir(), &mut files);
    files.sort_unstable();
    let (mut texts, mut tests) = (Vec::new(), BTreeSet::new());
    for file in files {
        let stream: TokenStream = read(&source_dir().join(&file))
            .parse()
            .unwrap_or_else(|error| panic!("src/{file}: {error}"));
        let mut found = Found::default();
        found.walk(stream, false);
        let folder = match file.rsplit_once('/') {
            Some((folder, "mod.rs")) => format!("{folder}/"),
            _ if matches!(file.as_str(), "lib.rs" | "engine.rs" | "main.rs") => String::new(),
            _ => format!("{}/", file.trim_end_matches(".rs")),
        };
        tests.extend(
            found
                .test_modules
                .into_iter()
                .map(|module| format!("src/{folder}{module}")),
        );
        let here = found.literals.into_iter();
        texts.extend(here.map(|(line, text)| Text {
            file: format!("src/{file}"),
            line,
            text,
        }));
    }
    let is_test = |file: &str| {
        tests.iter().any(|test| {
            file.strip_prefix(test)
                .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        })
    };
    texts.retain(|text| !is_test(&text.file));
    texts
}

/// The texts of the RON files that ship.
fn texts_of_presets() -> Vec<Text> {
    let mut texts = Vec::new();
    for file in files_with("presets", "ron") {
        let stream: TokenStream = read(&project_dir().join(&file))
            .parse()
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut found = Found::default();
        found.walk(stream, false);
        texts.extend(found.literals.into_iter().map(|(line, text)| Text {
            file: file.clone(),
            line,
            text,
        }));
    }
    texts
}

/// Files of a folder and its folders, with slashes, relative to the project, sorted.
fn files_with(folder: &str, extension: &str) -> Vec<String> {
    let (mut files, mut open) = (Vec::new(), vec![PathBuf::from(folder)]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(project_dir().join(&folder)).expect("a folder of the project") {
            let path = folder.join(entry.expect("an entry").file_name());
            if project_dir().join(&path).is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    files.sort_unstable();
    files
}

/// The README, the pages of the guide in the order of its index, and the changelog.
fn documents() -> Vec<String> {
    let mut pages = files_with("src/guide", "md");
    pages.retain(|page| !page.ends_with("/links.md"));
    let index = read(&source_dir().join("guide/index.md"));
    let place =
        |page: &String| index.find(&format!("]: {}", page.trim_start_matches("src/guide/")));
    pages.sort_by_key(place);
    ["README.md".to_owned()]
        .into_iter()
        .chain(pages)
        .chain(["CHANGELOG.md".to_owned()])
        .collect()
}

/// The paragraphs, headings, items and cells of a Markdown file, without code blocks, and what is in *italics*.
fn texts_of_document(file: &str) -> (Vec<Text>, Vec<Text>) {
    let source = read(&project_dir().join(file));
    let line_of = |at: usize| source[..at].matches('\n').count() + 1;
    let (mut texts, mut italics) = (Vec::new(), Vec::new());
    let (mut text, mut start) = (String::new(), 0);
    let (mut is_code, mut in_italics, mut label) = (false, false, String::new());
    let mut flush = |text: &mut String, start: usize| {
        let text = std::mem::take(text);
        if !text.trim().is_empty() {
            texts.push(Text {
                file: file.to_owned(),
                line: line_of(start),
                text: text.trim().to_owned(),
            });
        }
    };
    for (event, range) in Parser::new_ext(&source, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                flush(&mut text, start);
                is_code = true;
            }
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Start(Tag::Emphasis) => (in_italics, label) = (true, String::new()),
            Event::End(TagEnd::Emphasis) => {
                in_italics = false;
                let text = label.clone();
                italics.push(Text {
                    file: file.to_owned(),
                    line: line_of(range.start),
                    text,
                });
            }
            Event::Start(Tag::Paragraph | Tag::Item | Tag::Heading { .. } | Tag::TableCell)
            | Event::End(
                TagEnd::Paragraph | TagEnd::Item | TagEnd::Heading(_) | TagEnd::TableCell,
            ) => {
                flush(&mut text, start);
                start = range.start;
            }
            Event::Text(part) if !is_code => {
                text += &part;
                if in_italics {
                    label += &part;
                }
            }
            Event::Code(code) => text += &format!("`{code}`"),
            Event::SoftBreak | Event::HardBreak => {
                text.push(' ');
                if in_italics {
                    label.push(' ');
                }
            }
            _ => {}
        }
    }
    flush(&mut text, start);
    (texts, italics)
}

/// Whether a literal is more than a key, a name of a file or a part of a format.
fn is_read(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
        .count();
    let is_label =
        text.chars().next().is_some_and(char::is_uppercase) && text.contains(char::is_lowercase);
    let is_code = text.contains("://") || text.contains("::") || text.contains("();");
    !is_code && (1 < words || is_label)
}

/// The sentences of a text.
fn sentences(text: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    for (at, end) in text
        .char_indices()
        .filter(|(_, end)| matches!(end, '.' | '!' | '?' | '\n'))
    {
        let rest = &text[at + end.len_utf8()..];
        let after = rest.trim_start_matches(['"', ')', '*', '\u{201d}']);
        let is_end = if end == '\n' {
            rest.starts_with('\n')
        } else {
            after.starts_with(char::is_whitespace)
        };
        if is_end {
            let stop = text.len() - after.len();
            found.push(text[start..stop].trim());
            start = stop;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

fn words_of(sentence: &str) -> usize {
    sentence
        .split_whitespace()
        .filter(|word| word.contains(char::is_alphanumeric))
        .count()
}

/// Where a phrase stands in a text as whole words, ignoring case.
fn contains_phrase(text: &str, phrase: &Phrase) -> bool {
    // Every second part is code.
    let plain: String = text.split('`').step_by(2).collect();
    let mut text = plain
        .to_lowercase()
        .replace('\u{2019}', "'")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for right in phrase.except {
        text = text.replace(right, "");
    }
    text.match_indices(phrase.wrong).any(|(at, wrong)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        !text[..at].ends_with(is_part) && !text[at + wrong.len()..].starts_with(is_part)
    })
}

/// All texts in the order to read them: documents, the window, the command line, the engine, presets.
fn all_texts() -> Vec<Text> {
    let mut texts: Vec<Text> = documents()
        .iter()
        .flat_map(|file| texts_of_document(file).0)
        .collect();
    let mut source = literals_of_source();
    source.retain(|text| is_read(&text.text));
    let place = |text: &Text| {
        let rooms = [
            "src/workbench/command/",
            "src/workbench/panels/",
            "src/workbench/terms/",
            "src/workbench/",
            "src/cli/",
            "src/prose/",
        ];
        rooms
            .iter()
            .position(|room| text.file.starts_with(room))
            .unwrap_or(rooms.len())
    };
    source.sort_by_key(place);
    texts.extend(source);
    texts.extend(
        texts_of_presets()
            .into_iter()
            .filter(|text| is_read(&text.text)),
    );
    texts
}

/// The file to read.
fn written(texts: &[Text]) -> String {
    let mut out = "# Every text of the program\n".to_owned();
    let mut file = "";
    for text in texts {
        if text.file != file {
            file = &text.file;
            writeln!(out, "\n## {file}\n").expect("written");
        }
        writeln!(out, "- {}: {}", text.line, text.text.replace('\n', "\n  ")).expect("written");
    }

    writeln!(out, "\n# Sentences of more than {MAX_WORDS} words\n").expect("written");
    for text in texts {
        for sentence in sentences(&text.text)
            .into_iter()
            .filter(|sentence| MAX_WORDS < words_of(sentence))
        {
            writeln!(
                out,
                "- {}:{}: {} words: {sentence}",
                text.file,
                text.line,
                words_of(sentence)
            )
            .expect("written");
        }
    }
    out
}

#[test]
fn no_text_has_a_phrase_that_is_wrong_in_plain_english() {
    let texts = all_texts();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("texts.md");
    fs::write(&path, written(&texts)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for room in [
        "README.md",
        "src/guide/",
        "src/cli/",
        "src/workbench/command/",
        "src/workbench/terms/",
        "presets/",
    ] {
        let count = texts
            .iter()
            .filter(|text| text.file.starts_with(room))
            .count();
        assert!(20 < count, "{room} has {count} texts");
    }

    let mut found = Vec::new();
    for Text { file, line, text } in &texts {
        let wrong = PHRASES
            .iter()
            .filter(|phrase| contains_phrase(text, phrase));
        found.extend(wrong.map(|phrase| {
            format!(
                "{file}:{line}: {:?} → {}: {text}",
                phrase.wrong, phrase.right
            )
        }));
    }
    assert!(
        found.is_empty(),
        "{} texts:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// Whether the program makes the sentences of a line from data, as those of the claims in the page Sources.
fn is_generated(file: &str, line: usize) -> bool {
    if file != "src/guide/sources.md" {
        return false;
    }
    let page = read(&project_dir().join(file));
    let claims = page.find("\n## Claims\n").expect("the section Claims");
    page[..claims].matches('\n').count() + 1 < line
}

#[test]
fn no_sentence_of_the_documents_and_of_the_window_is_long() {
    let mut found = Vec::new();
    for Text { file, line, text } in all_texts() {
        if (file.ends_with(".md") && !is_generated(&file, line))
            || file.starts_with("src/workbench/")
        {
            let long = sentences(&text)
                .into_iter()
                .filter(|sentence| MAX_WORDS < words_of(sentence));
            found.extend(long.map(|sentence| {
                format!("{file}:{line}: {} words: {sentence}", words_of(sentence))
            }));
        }
    }
    assert!(
        found.is_empty(),
        "{} sentences:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn labels_in_italics_are_texts_of_the_program() {
    let program = literals_of_source().into_iter().chain(texts_of_presets());
    let labels: BTreeSet<String> = program
        .map(|text| text.text.trim_end_matches('…').to_owned())
        .collect();
    let mut found = Vec::new();
    for file in documents()
        .into_iter()
        .filter(|file| file != "CHANGELOG.md")
    {
        let italics = texts_of_document(&file).1.into_iter();
        // Heads of tables begin with a capital on screen only.
        let is_known =
            |label: &str| labels.contains(label) || labels.contains(&words::uncapitalised(label));
        let unknown = italics.filter(|label| !is_known(label.text.trim_end_matches('…')));
        found.extend(unknown.map(|label| format!("{}:{}: {}", label.file, label.line, label.text)));
    }
    assert!(
        found.is_empty(),
        "{} labels:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn texts_are_found_where_people_read_them_and_nowhere_else() {
    let source = r##"
        /// Help of the command.
        #[derive(Args)]
        struct RunArgs {
            /// Help of
            /// a flag
            ///
            /// and more
            #[arg(long, value_name = "FILE")]
            flag: bool,
        }
        #[derive(Error)]
        enum Error { #[error("is \
            broken")] Broken }
        fn f() {
            let _ = format!("a {b}", r#"raw "text""#).expect("not shown");
            assert!(x, "not shown");
            let _ = (b"bytes", 'c', 1, "\u{e4}\n");
        }
        #[cfg(test)]
        mod elsewhere;
        #[cfg(test)]
        fn g() -> &'static str { "not shown" }
        #[cfg(test)]
        mod tests { fn f() { "not shown"; } }
        const LAST: &str = "last";
    "##;
    let mut found = Found::default();
    found.walk(source.parse().expect("Rust"), false);
    let texts: Vec<(usize, &str)> = found
        .literals
        .iter()
        .map(|(line, text)| (*line, text.as_str()))
        .collect();
    let expected = [
        (2, "Help of the command."),
        (9, "FILE"),
        (5, "Help of a flag"),
        (8, "and more"),
        (13, "is broken"),
        (16, "a {b}"),
        (16, "raw \"text\""),
        (18, "ä\n"),
        (26, "last"),
    ];
    assert_eq!(texts, expected);
    assert_eq!(found.test_modules, ["elsewhere"]);
}

#[test]
fn sentences_and_phrases_are_found() {
    let text = "One, two (three)? \"Four.\" Version 1.2 is five; six.\n\nSeven";
    assert_eq!(
        sentences(text),
        [
            "One, two (three)?",
            "\"Four.\"",
            "Version 1.2 is five; six.",
            "Seven"
        ]
    );
    assert_eq!(words_of("a – b, c"), 3);
    let phrase = Phrase {
        wrong: "is told",
        right: "",
        except: &["is told apart"],
    };
    assert!(contains_phrase("It Is\n told.", &phrase));
    assert!(!contains_phrase("it is told apart", &phrase));
    assert!(!contains_phrase("this told", &phrase));
}
