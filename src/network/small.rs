//! Shrinks a network: keeps the weights that learned most, in steps.
//!
//! Most weights of a trained network belong to boards that hardly ever occur. Those with the least A (the sum of the
//! absolute values of their changes, from temporal coherence) are reset to their initial values until the file is small
//! enough. The others are rounded.

use std::io;

use super::file::{Coherences, Encoding, compressed, write_weights};
use super::{Network, NetworkInfo, Restarts};
use crate::math;

/// Number of steps between 0 and the value that one of a hundred weights exceeds.
const STEPS: f32 = 64.0;

/// How often the share of kept weights is bisected in the search for the largest that fits.
const HALVINGS: usize = 7;

/// The compression level during the search, far faster than that of the file and about a tenth larger.
const QUICK: i32 = 3;

impl Network {
    /// The network in at most `most` bytes of weights, as closely as possible, and the encoding for its weights.
    pub fn smaller(&self, coherences: &Coherences, most: u64) -> io::Result<(Self, Encoding)> {
        let base = self
            .info
            .header
            .manifest
            .as_ref()
            .map_or(0.0, |manifest| manifest.training.initial());
        let mut sizes: Vec<f32> = coherences
            .iter()
            .map(|pair| pair[1])
            .filter(|&size| size != 0.0)
            .collect();
        sizes.sort_unstable_by(f32::total_cmp);
        let mut touched: Vec<f32> = (self.weights().iter().zip(coherences))
            .filter(|(_, pair)| pair[1] != 0.0)
            .map(|(w, _)| (w - base).abs())
            .collect();
        let place = touched.len() * 99 / 100;
        let common = match touched.is_empty() {
            true => STEPS,
            false => *touched.select_nth_unstable_by(place, f32::total_cmp).1,
        };
        let encoding = Encoding::Steps {
            base,
            step: math::power_of_2_at_most((common / STEPS).max(f32::MIN_POSITIVE)),
        };
        let without = |share: f64| -> Vec<f32> {
            let least = sizes
                .get((sizes.len() as f64 * share) as usize)
                .copied()
                .unwrap_or(f32::INFINITY);
            let weight =
                |(&weight, pair): (&f32, &[f32; 2])| if pair[1] < least { base } else { weight };
            self.weights().iter().zip(coherences).map(weight).collect()
        };
        let bytes = |weights: &[f32]| -> io::Result<u64> {
            let shape = &self.info.header.shape;
            let packed = compressed(QUICK, |out| {
                write_weights(out, encoding, shape, weights.len(), |place| weights[place])
            })?;
            Ok(packed.len() as u64)
        };

        // The minimum and the maximum share that is left out.
        let (mut low, mut high) = (0.0, 1.0);
        if bytes(self.weights())? <= most {
            high = 0.0;
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            match bytes(&without(middle))? <= most {
                true => high = middle,
                false => low = middle,
            }
        }

        let mut info: NetworkInfo = self.info.clone();
        // It cannot continue to learn.
        if let Some(manifest) = &mut info.header.manifest {
            manifest.restarts = Restarts::default();
        }
        let left = sizes.len() - (sizes.len() as f64 * high) as usize;
        info.header.note = format!(
            "the {} weights that learned most, of {} that learned anything, rounded to steps",
            crate::words::count(left as u64),
            crate::words::count(sizes.len() as u64)
        );

        Ok((Self::new(info, without(high)), encoding))
    }
}
