//! Weights that several threads change.
//!
//! It only uses 32-bit loads and stores, so on one thread it costs no more than plain numbers.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::network::Weight;

/// A float that threads read and write without synchronization.
#[derive(Debug, Default)]
struct Shared(AtomicU32);

impl Shared {
    fn new(value: f32) -> Self {
        Self(AtomicU32::new(value.to_bits()))
    }

    #[inline(always)]
    fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }
}

/// A weight with the data of its update rule.
pub(super) trait Cell: Weight {
    fn new(weight: f32, coherence: [f32; 2]) -> Self;

    /// Changes it by α·δ/n.
    fn change(&self, by: f32);

    fn coherence(&self) -> [f32; 2];
}

/// `w ← w + α·δ/n`
#[derive(Debug)]
#[repr(transparent)]
pub(super) struct TdCell(Shared);

impl Weight for TdCell {
    #[inline(always)]
    fn value(&self) -> f32 {
        self.0.get()
    }
}

impl Cell for TdCell {
    fn new(weight: f32, _coherence: [f32; 2]) -> Self {
        Self(Shared::new(weight))
    }

    #[inline(always)]
    fn change(&self, by: f32) {
        self.0.set(self.0.get() + by);
    }

    fn coherence(&self) -> [f32; 2] {
        [0.0; 2]
    }
}

/// Weight, E and A next to each other, because they are changed together.
#[derive(Debug)]
#[repr(C)]
pub(super) struct TcCell {
    weight: Shared,
    /// E, the sum of the requested changes.
    error: Shared,
    /// A, the sum of their absolute values.
    size: Shared,
}

impl Weight for TcCell {
    #[inline(always)]
    fn value(&self) -> f32 {
        self.weight.get()
    }
}

impl Cell for TcCell {
    fn new(weight: f32, [error, size]: [f32; 2]) -> Self {
        Self {
            weight: Shared::new(weight),
            error: Shared::new(error),
            size: Shared::new(size),
        }
    }

    #[inline(always)]
    fn change(&self, by: f32) {
        // |E| ≤ A, rounded or not, unless another thread wrote one of them in between. Such an E is clamped: otherwise
        // the rate would stay at 1 until A reached it, and weights would swing further each time.
        let size = self.size.get();
        let error = self.error.get().max(-size).min(size);
        let rate = if size == 0.0 { 1.0 } else { error.abs() / size };
        self.weight.set(self.weight.get() + by * rate);
        self.error.set(error + by);
        self.size.set(size + by.abs());
    }

    fn coherence(&self) -> [f32; 2] {
        [self.error.get(), self.size.get()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_race_leaves_of_a_coherence_does_not_make_a_weight_leap() {
        for coherence in [[500.0, 0.001], [-3.0, 1.0], [f32::MAX, f32::MIN_POSITIVE]] {
            let cell = TcCell::new(10.0, coherence);
            cell.change(0.5);
            assert_eq!(cell.value(), 10.5, "{coherence:?}");
            cell.change(-0.25);
            let [error, size] = cell.coherence();
            assert!(error.abs() <= size, "{coherence:?}: {error} {size}");
        }

        // On one thread A is never less than |E|, whatever the rounding.
        let cell = TcCell::new(0.0, [0.0; 2]);
        let mut by = 1.0_f32;
        for step in 0..100_000_u32 {
            by = (by * 1.000_7 + step as f32 * 1e-3) % 977.3;
            cell.change(if step % 3 == 0 { -by } else { by });
            let [error, size] = cell.coherence();
            assert!(error.abs() <= size, "{step}: {error} {size}");
        }
    }
}
