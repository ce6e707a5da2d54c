//! Weights of networks: an array of NumPy, or a table with a row per weight.

use std::io::{self, Write};
use std::path::Path;

use crate::columns::{Cell, Column, Kind};
use crate::files::{self, WriteError};
use crate::network::Network;

/// A weight.
#[derive(Clone, Copy, Debug)]
pub struct WeightRow {
    stage: usize,
    tuple: usize,
    /// The place in the table of its tuple.
    index: u64,
    weight: f32,
}

/// The weights in the order of the network: by stage, by tuple, by place.
pub fn weight_rows(network: &Network) -> impl Iterator<Item = WeightRow> + '_ {
    let tuples = network.shape().tuples();
    let places = (0..=network.shape().stages().len()).flat_map(move |stage| {
        let of_tuple = move |(tuple, cells): (usize, &crate::network::Tuple)| {
            (0..cells.weights()).map(move |index| (stage, tuple, index))
        };
        tuples.iter().enumerate().flat_map(of_tuple)
    });
    places
        .zip(network.weights())
        .map(|((stage, tuple, index), &weight)| WeightRow {
            stage,
            tuple,
            index,
            weight,
        })
}

/// The columns of a table of weights.
pub const WEIGHTS: &[Column<WeightRow>] = &[
    Column::new("stage", Kind::Whole, "stage, from 0", |row| {
        Cell::count(row.stage as u64)
    }),
    Column::new(
        "tuple",
        Kind::Whole,
        "tuple in the order of the network, from 0",
        |row| Cell::count(row.tuple as u64),
    ),
    Column::new(
        "index",
        Kind::Whole,
        "index in the table of the tuple: four bits per cell, the exponent of its tile",
        |row| Cell::count(row.index),
    ),
    Column::new("weight", Kind::Number, "weight, in 32 bits", |row| {
        Cell::Number(row.weight.into())
    }),
];

/// Writes the weights as a `.npy` file (version 1.0) of 32-bit floats: an array of stages, tuples and places if all tuples
/// have as many cells, otherwise of all weights.
pub fn write_npy(network: &Network, path: &Path) -> Result<(), WriteError> {
    files::write_with(path, |out| npy(network, out))
}

fn npy(network: &Network, out: &mut dyn Write) -> io::Result<()> {
    let shape = network.shape();
    let tables: Vec<u64> = shape
        .tuples()
        .iter()
        .map(crate::network::Tuple::weights)
        .collect();
    let axes = match tables[..] {
        [first, ..] if tables.iter().all(|&table| table == first) => {
            format!("({}, {}, {first})", shape.stages().len() + 1, tables.len())
        }
        _ => format!("({},)", network.weights().len()),
    };
    let head = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {axes}, }}");
    // The data begin at a multiple of 64 bytes, after ten bytes, the text and a line break.
    let length = (10 + head.len() + 1).next_multiple_of(64) - 10;
    let length = u16::try_from(length).map_err(io::Error::other)?;
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&length.to_le_bytes())?;
    writeln!(out, "{head:<width$}", width = usize::from(length) - 1)?;
    for weights in network.weights().chunks(1 << 14) {
        let bytes: Vec<u8> = weights
            .iter()
            .flat_map(|weight| weight.to_le_bytes())
            .collect();
        out.write_all(&bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Size;
    use crate::network::{NetworkInfo, Shape};

    fn network(tuples: &str, stages: &[u64]) -> Network {
        let shape = Shape::new(Size::FOUR, tuples, true, stages).expect("a shape");
        let weights = (0..shape.weights())
            .map(|place| place as f32 / 8.0)
            .collect();
        Network::new(NetworkInfo::of(shape, None, Vec::new()), weights)
    }

    #[test]
    fn an_array_has_every_weight_at_its_place() {
        for (tuples, stages, axes) in [
            ("01 23", &[][..], "(1, 2, 256)"),
            ("01 23", &[2048], "(2, 2, 256)"),
            ("01 012", &[], "(4352,)"),
        ] {
            let network = network(tuples, stages);
            let mut bytes = Vec::new();
            npy(&network, &mut bytes).expect("memory");
            assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
            let begin = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
            let head = std::str::from_utf8(&bytes[10..begin]).expect("ASCII");
            assert!(begin % 64 == 0 && head.ends_with('\n'), "{head:?}");
            assert!(
                head.contains(&format!(
                    "'descr': '<f4', 'fortran_order': False, 'shape': {axes}"
                )),
                "{head}"
            );
            let weights = bytes[begin..]
                .chunks_exact(4)
                .map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four")));
            assert!(weights.eq(network.weights().iter().copied()));
        }
    }

    #[test]
    fn rows_are_the_weights_in_order() {
        let network = network("01 012", &[2048]);
        let rows: Vec<WeightRow> = weight_rows(&network).collect();
        assert!(
            rows.iter()
                .map(|row| row.weight)
                .eq(network.weights().iter().copied())
        );
        let sizes = [256, 4096];
        for row in rows {
            let before: u64 = sizes[..row.tuple].iter().sum();
            let place = row.stage as u64 * (256 + 4096) + before + row.index;
            assert_eq!(row.weight, place as f32 / 8.0);
        }
    }
}
