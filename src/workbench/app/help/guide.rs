//! The pages of the guide, one at a time; links between them lead from page to page.

use std::sync::{Arc, Mutex};

use egui::{Id, Ui};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};

use crate::guide::{PAGES, Page};
use crate::task::lock;
use crate::workbench::kit::Button;

/// Which page is open, kept until the program ends.
#[derive(Default)]
struct Reader {
    /// The open page and those before it, the last one on top.
    opened: Vec<&'static Page>,
    cache: CommonMarkCache,
    /// The page of `text` and `links`.
    prepared: Option<&'static Page>,
    /// Markdown without pictures, which a page in the window has no room for.
    text: String,
    /// The targets of links to other pages.
    links: Vec<&'static str>,
}

impl Reader {
    fn page(&self) -> &'static Page {
        self.opened.last().copied().unwrap_or(&PAGES[0])
    }

    fn open(&mut self, page: &'static Page) {
        if self.page() != page {
            self.opened.push(page);
        }
    }

    fn prepare(&mut self) {
        let page = self.page();
        if self.prepared == Some(page) {
            return;
        }
        self.prepared = Some(page);
        self.text = page
            .text
            .lines()
            .filter(|line| !line.trim_start().starts_with("!["))
            .collect::<Vec<_>>()
            .join("\n");
        let defined = page
            .text
            .lines()
            .filter_map(|line| line.strip_prefix('[')?.split_once("]: "));
        self.links = defined
            .map(|(_, target)| target)
            .filter(|target| page_of(target).is_some())
            .collect();

        self.cache.link_hooks_clear();
        for link in &self.links {
            self.cache.add_link_hook(*link);
        }
    }

    /// The page of the link that was pressed in the last frame.
    fn followed(&self) -> Option<&'static Page> {
        let pressed = self
            .links
            .iter()
            .find(|link| self.cache.get_link_hook(link) == Some(true));
        page_of(pressed?)
    }
}

/// The page that a link leads to, whatever heading it names.
fn page_of(target: &str) -> Option<&'static Page> {
    Page::of_file(target.split('#').next()?)
}

fn reader(ui: &Ui) -> Arc<Mutex<Reader>> {
    ui.data_mut(|data| {
        data.get_temp_mut_or_default::<Arc<Mutex<Reader>>>(Id::unique("guide"))
            .clone()
    })
}

/// The file of the open page.
pub(super) fn file(ui: &Ui) -> &'static str {
    lock(&reader(ui)).page().file
}

/// The buttons above a page.
pub(super) fn buttons(ui: &mut Ui) {
    let reader = reader(ui);
    let mut reader = lock(&reader);
    let (page, has_before) = (reader.page(), !reader.opened.is_empty());

    ui.horizontal(|ui| {
        if ui
            .add(Button::new("Contents").small().enabled(page != &PAGES[0]))
            .clicked()
        {
            reader.open(&PAGES[0]);
        }
        if ui
            .add(Button::new("Back").small().enabled(has_before))
            .clicked()
        {
            reader.opened.pop();
        }
    });
}

/// The open page.
pub(super) fn page(ui: &mut Ui) {
    let reader = reader(ui);
    let reader = &mut *lock(&reader);
    reader.prepare();

    ui.push_id(reader.page().file, |ui| {
        // A link is as high as the words next to it.
        ui.spacing_mut().interact_size.y = 0.0;
        CommonMarkViewer::new().show(ui, &mut reader.cache, &reader.text);
    });

    if let Some(page) = reader.followed() {
        reader.open(page);
    }
}
