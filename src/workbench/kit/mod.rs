//! Shared widgets: each lays itself out, interacts, paints, and names itself for screen readers.
//!
//! Lists are made of [`ListRow`], which includes click, Enter and the focus ring. [`focus`] has the keys that move in a
//! list.

mod accessible;
mod after_clicks;
mod board;
mod button;
mod chip;
mod choice;
mod class;
mod curve;
mod data_table;
mod drag;
pub mod focus;
mod focus_pointer;
mod fours;
mod line;
mod list_row;
mod menu;
mod move_curve;
mod move_slider;
mod node;
mod overflow;
mod own_keys;
mod panel;
mod released_keys;
mod rename_field;
mod strategy_mark;
mod table;
mod text;
mod typing;

pub use accessible::{Tidy, answers, describe, hear_walked, is_heard, part, show_dialog, walked};
pub use after_clicks::AfterClicks;
pub use board::{
    BoardGeometry, cell_words, mini_board, outline_empty, paint_board, paint_empty_board,
    paint_ghost, paint_mini, paint_newest, paint_tile, tile_key,
};
pub use button::{Button, copy_button};
pub use chip::{
    balance, chip, chip_fits, chip_named, keycap, progress, removable_chip, tag, work_ui,
};
pub use choice::{
    DropDown, Segment, choice, choose, drop_down, segmented, segmented_if, segments_need,
    segments_tall, segments_ui,
};
pub use class::paint_class;
pub use curve::{Heights, NUMBERS, band, tick_text, ticks};
pub use data_table::{
    DataCell, DataList, DataRows, DataSource, DataTable, NarrowColumn, column_choices,
    columns_menu, copy_entries, csv_of, row_order,
};
pub use drag::{DropState, drag_painter, drop_target, ghost, panel_drop_target};
pub use focus_pointer::{FocusPointer, ask_context_menu};
pub use fours::fours_field;
pub use line::Line;
pub use list_row::ListRow;
pub use menu::{
    bar_menu, menu_choice, menu_entry, menu_item, menu_keys, open_menu, submenu, toggle_menu_bar,
};
pub use move_curve::{MoveAxes, MoveCurve, move_curves};
pub use move_slider::{describe_moves, stepped};
pub use node::{LEGEND_RADIUS, NODE_RADIUS, paint_hatch, paint_node};
pub use overflow::{at_end, fitting};
pub use own_keys::own_keys;
pub use panel::{
    SCROLL_BAR, came_to_front, empty, reading_area, scroll_across, scroll_beside, scroll_by_keys,
    scroll_form_beside,
};
pub use released_keys::ReleasedKeys;
pub use rename_field::{RenameField, Renamed, is_by_key, line_edit, search_field, select_all};
pub use strategy_mark::{
    KEY_WIDTH, legend_entry, legend_width, mark_key, paint_dashed, paint_key, paint_marker,
};
pub use table::{
    MOST_KEYS, Sort, SortKey, Sorted, bar_width, describe_cell, fill_cell, header, height_of,
    painted_cell, rule, table_within, width_for,
};
pub use text::{elided, figure, inert, paragraph, problem, remark, small_print, text_line};
pub use typing::Typing;

pub use super::theme::focus_ring;
