//! Tests `.w` files: their layout byte by byte, and what is refused.

use super::*;
use crate::game::Board;

/// A network of eight images.
fn network(tuples: &str) -> Network {
    of_shape(tuples.parse().expect("tuples"))
}

fn of_shape(shape: Shape) -> Network {
    let weights = (0..shape.weights())
        .map(|place| (place * 37 % 1009) as f32 / 8.0 - 40.0)
        .collect();
    Network::new(NetworkInfo::of(shape, None, Vec::new()), weights)
}

fn read_file(path: &Path) -> Result<Network, NetworkError> {
    Network::read_tdl(path, &TdlFile::default())
}

/// The layout byte by byte, as TDL2048+ writes it.
#[test]
fn a_file_is_read_as_it_is_laid_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.w");
    let network = network("01 5a");
    network.write_tdl(&path).expect("writable");
    let floats = |place: usize| {
        network
            .table(0, place)
            .iter()
            .flat_map(|weight| weight.to_le_bytes())
    };
    let head = |name: u8| [4, name, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    let mut expected = vec![0, 2, 0, 0, 0];
    for (name, place) in [(0x01, 0), (0x5a, 1)] {
        expected.extend(head(name));
        expected.extend(floats(place));
        expected.extend([0, 0]);
    }
    assert_eq!(std::fs::read(&path).expect("readable"), expected);

    let read = read_file(&path).expect("a network");
    assert_eq!(
        (read.shape(), read.weights()),
        (network.shape(), network.weights())
    );

    // With coherences, as text, in 64 bits, and without the number of cells.
    let mut other = vec![0, 2, 0, 0, 0, 4];
    other.extend(b"01      ");
    other.extend([8, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    other.extend(
        network
            .table(0, 0)
            .iter()
            .flat_map(|weight| f64::from(*weight).to_le_bytes()),
    );
    other.extend([4, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
    other.extend([7; 4 * 512]);
    other.extend([0, 0]);
    let mut second = head(0x5a);
    second[5] = 0;
    other.extend(second);
    other.extend(floats(1));
    other.extend([0, 0]);
    std::fs::write(&path, &other).expect("writable");
    let read = read_file(&path).expect("a network");
    assert_eq!(
        (read.shape(), read.weights()),
        (network.shape(), network.weights())
    );
}

/// `8x4patt` and `9x4patt` of TDL2048+ use each table once, all others use all tables in eight images.
#[test]
fn tables_that_are_images_of_each_other_read_one_image() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("once.w");
    for tuples in [
        "0123 4567 89ab cdef 048c 159d 26ae 37bf",
        "0145 1256 2367 4589 569a 67ab 89cd 9ade abef",
        "012 048",
        "01 5a 32",
    ] {
        let network = network(tuples);
        network.write_tdl(&path).expect("writable");
        for (images, is_symmetric) in [
            (None, false),
            (Some(TdlImages::One), false),
            (Some(TdlImages::Eight), true),
        ] {
            let read = Network::read_tdl(
                &path,
                &TdlFile {
                    images,
                    ..TdlFile::default()
                },
            )
            .expect(tuples);
            assert_eq!(
                (read.shape().is_symmetric(), read.weights()),
                (is_symmetric, network.weights()),
                "{tuples}"
            );
        }
    }

    for shape in super::super::NAMED.iter().filter(|shape| shape.symmetric) {
        let shape = Shape::new(Size::FOUR, shape.tuples, true, &[]).expect("a shape");
        assert!(!has_images(shape.tuples()), "{}", shape.label());
    }
    network("01 5a").write_tdl(&path).expect("writable");
    let once = Network::read_tdl(
        &path,
        &TdlFile {
            images: Some(TdlImages::One),
            ..TdlFile::default()
        },
    );
    assert!(!once.expect("a network").shape().is_symmetric());
}

#[test]
fn a_network_is_read_back_as_it_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.w");
    let stage = |text: &str| text.parse::<Stage>().expect("a stage");
    for (tuples, is_symmetric, stages, options) in [
        ("01 5a", true, &[][..], "-n 01 5a"),
        ("01 5a", false, &[], "-n 01:01 5a:5a"),
        (
            "012 5a",
            true,
            &["16384", "16384+8192"],
            "-n '012|00000000 5a|00000000 012|10000000 5a|10000000 012|20000000 5a|20000000' -@ 0,16384,24576",
        ),
        (
            "0 1",
            false,
            &["64"],
            "-n '0|00000000:0 1|00000000:1 0|10000000:0 1|10000000:1' -@ 0,64",
        ),
    ] {
        let stages: Vec<Stage> = stages.iter().map(|text| stage(text)).collect();
        let shape = Shape::new(Size::FOUR, tuples, is_symmetric, &[])
            .and_then(|shape| shape.with_stages(stages.clone()));
        let network = of_shape(shape.expect("a shape"));
        assert_eq!(network.tdl_options().as_deref(), Ok(options));
        network.write_tdl(&path).expect("writable");
        let images = if is_symmetric {
            TdlImages::Eight
        } else {
            TdlImages::One
        };
        let read = Network::read_tdl(
            &path,
            &TdlFile {
                stages,
                images: Some(images),
            },
        )
        .expect("a network");
        assert_eq!(
            (read.shape(), read.weights()),
            (network.shape(), network.weights())
        );
    }

    let long = Shape::named("5x4patt").expect("named");
    let many = (2..15)
        .map(|rank| stage(&(1_u32 << rank).to_string()))
        .collect();
    assert!(
        of_shape(long.with_stages(many).expect("sound"))
            .tdl_options()
            .is_ok()
    );
    let small = Shape::new("3x3".parse().expect("a size"), "01", true, &[]).expect("a shape");
    assert!(
        of_shape(small)
            .tdl_options()
            .is_err_and(|reason| reason.contains("4x4 boards only"))
    );
}

#[test]
fn stages_are_named_by_the_user_and_in_order_in_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("staged.w");
    let stage = |text: &str| text.parse::<Stage>().expect("a stage");
    let shape = network("012 5a")
        .shape()
        .clone()
        .with_stages(vec![stage("512")])
        .expect("sound");
    of_shape(shape).write_tdl(&path).expect("writable");
    let refusal = |stages: &[&str]| {
        let file = TdlFile {
            stages: stages.iter().map(|text| stage(text)).collect(),
            images: None,
        };
        Network::read_tdl(&path, &file)
            .expect_err("refused")
            .to_string()
    };
    assert!(refusal(&[]).ends_with(
        "staged.w: it has 2 stages, but a .w file does not say where they begin: add --stages with a tile for each after \
         the first, such as --stages 16384"
    ));
    assert!(
        refusal(&["64", "128"])
            .ends_with("it has 2 stages, but --stages names 2 after the first: name 1")
    );
    assert!(refusal(&[]).contains("2 stages"));

    let mut bytes = std::fs::read(&path).expect("readable");
    // The name of the first table: stage 3.
    assert_eq!(bytes[6..10], [0x12, 0, 0, 0]);
    bytes[9] = 0x30;
    std::fs::write(&path, &bytes).expect("writable");
    assert!(refusal(&["512"]).contains("its tables are not in the order of their stages"));
    network("012 5a").write_tdl(&path).expect("writable");
    assert!(refusal(&["512"]).ends_with("it has no stages: leave out --stages"));
}

/// What TDL2048+ writes besides tables of tuples.
#[test]
fn other_features_are_named_in_the_refusal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odd.w");
    let own = |name: &[u8; 8]| {
        let mut bytes = vec![0, 1, 0, 0, 0, 4];
        bytes.extend(name);
        bytes.extend([4, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
        bytes
    };
    let mut two = Vec::new();
    network("01").write_tdl(&path).expect("writable");
    two.extend(std::fs::read(&path).expect("readable"));
    two.extend_from_within(..);
    for (bytes, words) in [
        (
            own(b"m@0123  "),
            "its table m@0123 is of the feature mono (whether",
        ),
        (
            own(b"num@lt  "),
            "its table num@lt is of the feature num (how many",
        ),
        (own(b"merge   "), "is of the feature merge"),
        (own(b"max#7   "), "is of the feature max"),
        (
            own(b"mine    "),
            "its table mine is not a tuple of cells: train a network of tuples only, such as -n 4x6patt",
        ),
        (two, "it holds more than one network"),
        (
            b"c\0\0\0\0\0".to_vec(),
            "this is the cache of a search of TDL2048+",
        ),
        (
            b"PK\x03\x04....".to_vec(),
            "this file is packed as .zip: unpack it, or pack it as .xz or .gz",
        ),
    ] {
        std::fs::write(&path, bytes).expect("writable");
        let error = read_file(&path).expect_err(words).to_string();
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    }

    // A file that does not end in .w begins with this letter.
    let network = network("01 5a");
    network.write_tdl(&path).expect("writable");
    std::fs::write(
        &path,
        [&b"w"[..], &std::fs::read(&path).expect("readable")].concat(),
    )
    .expect("writable");
    assert_eq!(
        read_file(&path).expect("a network").weights(),
        network.weights()
    );
}

#[test]
fn what_is_no_file_of_weights_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odd.w");
    network("01 5a").write_tdl(&path).expect("writable");
    let whole = std::fs::read(&path).expect("readable");
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("writable");
        let error = read_file(&path).expect_err("refused").to_string();
        assert!(
            error.contains("odd.w: ") && !error.contains('\n'),
            "{error}"
        );
        error
    };

    for cut in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
        refused(&whole[..cut]);
    }
    let changed = |place: usize, bytes: &[u8]| {
        let mut changed = whole.clone();
        changed[place..place + bytes.len()].copy_from_slice(bytes);
        refused(&changed)
    };

    for (place, bytes, words) in [
        (0, &[1][..], "this is not a file of weights of TDL2048+"),
        (1, &[0xFF; 4], "this is not a file of weights of TDL2048+"),
        (6, &[0x11], "the tuple 11 names a cell twice"),
        (
            10,
            &[1],
            "its table 1 has 256 weights, but the tuple needs 16",
        ),
        (10, &[9], "its table 000000001 has more than 8 cells"),
        (14, &[2], "its weights have 16 bits"),
        (
            16,
            &[0xFF; 8],
            "its table 01 has 18,446,744,073,709,551,615 weights, but the tuple needs 256",
        ),
        (
            16,
            &[0, 0, 0, 0, 0, 0, 0, 0x20],
            "weights, but the tuple needs 256",
        ),
        (24, &f32::NAN.to_le_bytes(), "too large or not a number"),
    ] {
        let error = changed(place, bytes);
        assert!(error.contains(words), "{place}: {error}");
    }

    refused(&[&whole[..], &[0]].concat());
}

// Packed with a small dictionary: the test clears all of it for each reading, byte by byte.
const SHARED: &[u8] = include_bytes!("../../../tests/data/weights/shared.w.xz");
const ONCE: &[u8] = include_bytes!("../../../tests/data/weights/once.w.gz");
const STAGES: &[u8] = include_bytes!("../../../tests/data/weights/stages.w.xz");

fn of_512() -> TdlFile {
    TdlFile {
        stages: ["512", "512+256"]
            .map(|text| text.parse().expect("a stage"))
            .to_vec(),
        images: None,
    }
}

/// Networks that TDL2048+ trained for 5,000 games, and the values that its code gives to 100 boards: with eight images,
/// with one, and with stages from 512 and from 512+256. Five boards have tiles for the sum of a stage, but not its largest.
#[test]
fn boards_have_the_values_of_tdl2048() {
    let values = include_str!("../../../tests/data/weights/values.txt");
    assert_eq!(values.lines().count(), 100);
    for (place, bytes, file, is_symmetric) in [
        (1, SHARED, TdlFile::default(), true),
        (2, ONCE, TdlFile::default(), false),
        (3, STAGES, of_512(), true),
    ] {
        let (shape, weights) = read(bytes, &file).expect("a network");
        assert_eq!(shape.is_symmetric(), is_symmetric);
        let network = Network::new(NetworkInfo::of(shape, None, Vec::new()), weights);
        for line in values.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let board = Board::of_digits(fields[0]).expect("a board");
            let (value, expected) = (
                network.of_grid(&board.to_grid()),
                fields[place].parse::<f64>().expect("a number"),
            );
            assert!(
                (value - expected).abs() <= 1e-7 * (1.0 + expected.abs()),
                "{board}: {value} {expected}"
            );
        }
    }
}

#[test]
fn a_packed_file_that_is_cut_or_changed_is_refused() {
    for (bytes, file) in [
        (SHARED, TdlFile::default()),
        (ONCE, TdlFile::default()),
        (STAGES, of_512()),
    ] {
        let whole = read(bytes, &file).expect("a network");
        for cut in (0..bytes.len())
            .step_by(bytes.len() / 12)
            .chain([bytes.len() - 1])
        {
            let error = read(&bytes[..cut], &file).expect_err("cut").to_string();
            assert!(
                ["ends early", "damaged", "not a file"]
                    .iter()
                    .any(|word| error.contains(word)),
                "{cut}: {error}"
            );
        }
        for place in (0..bytes.len()).step_by(bytes.len() / 12) {
            let mut changed = bytes.to_vec();
            changed[place] ^= 0x10;
            // Some bits of a packed file have no meaning.
            let is_same = |read: (Shape, Vec<f32>)| read == whole;
            assert!(
                read(&changed[..], &file).map_or(true, is_same),
                "byte {place}"
            );
        }
        let cut_off = Input::new(bytes, 1000)
            .and_then(|mut input| Tables::read(&mut input))
            .map(|_| ());
        assert_eq!(cut_off, Err(TablesError::Long));
    }
}
