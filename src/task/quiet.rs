//! Turns panics of other crates into errors.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is caught and reported as an error.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that may panic on damaged input, such as a reader of another crate; the panic prints nothing.
pub fn catch_quietly<T>(work: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_CAUGHT.get() {
                usual(info);
            }
        }));
    });
    let before = IS_CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(before);
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::panic_message;

    #[test]
    fn a_panic_is_a_value_and_later_ones_are_reported_again() {
        assert_eq!(catch_quietly(|| 7).ok(), Some(7));
        let caught = catch_quietly(|| catch_quietly(|| -> () { panic!("inner") }).err());
        assert_eq!(
            panic_message(&*caught.ok().flatten().expect("the outer one continues")),
            "inner"
        );
        assert!(!IS_CAUGHT.get());
    }
}
