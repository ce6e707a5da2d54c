//! Tests the files of networks, and their values of boards.

use std::path::Path;

use sha2::Digest as _;

use super::training::{Manifest, Point, Scores, Training};
use super::*;
use crate::game::{Board, Move, Rank, Symmetry};
use crate::kept::Kept as _;

/// A network whose weights have no pattern.
fn network(shape: &Shape, seed: u32) -> Network {
    let weight = |place: u32| {
        let mixed = place
            .wrapping_mul(2_654_435_761)
            .wrapping_add(seed)
            .rotate_left(13)
            .wrapping_mul(40_503);
        // Few tables are full.
        if mixed % 7 < 5 {
            0.0
        } else {
            (mixed >> 12) as f32 / 64.0 - 4000.0
        }
    };
    let weights = (0..shape.weights() as u32).map(weight).collect();
    Network::new(NetworkInfo::of(shape.clone(), None, Vec::new()), weights)
}

fn shape(size: &str, tuples: &str) -> Shape {
    Shape::new(size.parse().expect("a size"), tuples, true, &[]).expect("a shape")
}

/// The definition, image by image and cell by cell.
fn plain(network: &Network, board: &Board) -> f64 {
    let (shape, size) = (network.shape(), network.size());
    let images: Vec<Symmetry> = if shape.is_symmetric() {
        Symmetry::of(size).collect()
    } else {
        vec![Symmetry::IDENTITY]
    };
    let word = network.reader().word(&board.to_grid());
    let stage = Stage::of(shape.stages(), word) as u64;
    let mut sum = 0.0;
    for image in images {
        let ranks = image.image(board).to_grid();
        for (offset, tuple) in shape.offsets().zip(shape.tuples()) {
            let rank = |cell: &u8| u64::from(ranks.ranks()[usize::from(*cell)].get().min(15));
            let index: u64 = tuple
                .cells()
                .iter()
                .enumerate()
                .map(|(place, cell)| rank(cell) << (4 * place))
                .sum();
            sum += f64::from(
                network.weights()[(stage * shape.stage_weights() + offset + index) as usize],
            );
        }
    }
    sum
}

#[test]
fn a_board_is_worth_the_sum_of_what_it_reads() {
    let staged = Shape::new(Size::FOUR, "0123 0145 569a", true, &[64, 256]).expect("a shape");
    let once = Shape::new(Size::FOUR, "0123 37bf 0145", false, &[]).expect("a shape");
    for shape in [
        shape("4x4", "0123 4567 01458"),
        staged,
        once,
        shape("3x3", "0124 345"),
        shape("2x3", "012 0134"),
    ] {
        let network = network(&shape, 7);
        for k in 0..200_u64 {
            let seed = crate::game::Seed(k).game(0);
            let board = shape.size.iter().enumerate().fold(
                Board::empty(shape.size),
                |board, (place, cell)| {
                    let draw = seed.place_draw(place as u32);
                    board.with(
                        cell,
                        Rank::new((draw % 3 * (draw >> 8) % 12) as u8).expect("a rank"),
                    )
                },
            );
            let (value, expected) = (network.of_grid(&board.to_grid()), plain(&network, &board));
            assert!(
                (value - expected).abs() < 1e-9 * (1.0 + expected.abs()),
                "{board}: {value} {expected}"
            );
            if let Some(packed) = board.as_packed() {
                assert_eq!(network.of_packed(packed.bits()).to_bits(), value.to_bits());
            }
            let mirrored = |image: Symmetry| network.of_grid(&image.image(&board).to_grid());
            let differs = |image| 1e-9 * (1.0 + value.abs()) < (mirrored(image) - value).abs();
            assert!(
                !shape.is_symmetric() || !Symmetry::of(shape.size).any(differs),
                "{board}"
            );
        }
    }
}

#[test]
fn a_full_board_is_one_to_move() {
    let network = network(&shape("2x2", "0123"), 3);
    let worth = |text: &str| network.to_come(&text.parse::<Board>().expect("a board").to_grid());
    assert_eq!(worth("2,4/8,2"), 0.0, "dead");
    let board: Board = "2,2/8,4".parse().expect("a board");
    let best = [Move::Left, Move::Right].map(|mv| {
        let slide = board.slide(mv).expect("legal");
        f64::from(slide.reward) + network.of_grid(&slide.after.board().to_grid())
    });
    assert_eq!(worth("2,2/8,4"), best[0].max(best[1]));
    assert!(
        network.to_come(&Grid::empty(Size::FOUR)).is_nan(),
        "another size"
    );
}

fn manifest(shape: &Shape) -> Manifest {
    Manifest {
        rule: String::new(),
        training: Training {
            optimistic: 100.0,
            ..Training::new(shape.clone(), 2000)
        },
        version: "1".to_owned(),
        generator: "x".to_owned(),
        threads: 1,
        games: 1000,
        moves: 5000,
        secs: 1.5,
        started: String::new(),
        command: String::new(),
        since: Scores::default(),
        restarts: Restarts::default(),
    }
}

#[test]
fn a_file_holds_the_network_and_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.net");
    let shape = shape("4x4", "012 5a 0145");
    let mut scores = Scores::default();
    scores.push(3000, 256);
    let point = Point {
        games: 1000,
        moves: 5000,
        secs: 1.5,
        learnt: scores,
        tested: None,
    };
    let mut network = network(&shape, 1);
    network.info = NetworkInfo::of(shape.clone(), Some(manifest(&shape)), vec![point]);
    let info = network.write(&path, Encoding::Whole).expect("writable");
    assert_eq!(Network::read_info(&path), Ok(info.clone()));

    let read = Network::read(&path).expect("a network");
    assert_eq!((&read.info, read.weights()), (&info, network.weights()));
    assert_eq!(
        library::info(path.to_str().expect("a path")),
        Ok(info.clone())
    );
    let steps = network.steps();
    network.write(&path, steps).expect("writable");
    let small = Network::read(&path).expect("a network");
    let Encoding::Steps { step, .. } = small.info.header.encoding else {
        panic!("steps")
    };
    let near = |(one, other): (&f32, &f32)| (one - other).abs() <= step * 0.51;
    assert!(small.weights().iter().zip(network.weights()).all(near) && step < 1.0);
    assert_ne!(small.info.sha256, info.sha256);

    for encoding in [Encoding::Whole, steps] {
        network.write(&path, encoding).expect("writable");
        let whole = std::fs::read(&path).expect("readable");
        for cut in [
            0,
            1,
            20,
            300,
            whole.len() / 2,
            whole.len() - 33,
            whole.len() - 1,
        ] {
            std::fs::write(&path, &whole[..cut]).expect("writable");
            let error = Network::read(&path).expect_err("cut").to_string();
            assert!(
                error.contains("small.net: this") && !error.contains('\n'),
                "{cut}: {error}"
            );
        }
        for place in (0..whole.len()).step_by(whole.len() / 97) {
            let mut changed = whole.clone();
            changed[place] ^= 0x55;
            std::fs::write(&path, &changed).expect("writable");
            assert!(Network::read(&path).is_err(), "byte {place}");
        }
    }

    let missing = library::info("no such network of mine")
        .expect_err("missing")
        .to_string();
    assert!(
        missing.starts_with("there is no network \"no such network of mine\": make it with"),
        "{missing}"
    );
}

/// A file with a valid digest, which does not make the content valid.
fn write_with_digest(path: &Path, head: &str, body: &[u8]) {
    let mut bytes = [head.as_bytes(), b"\n", body].concat();
    let digest = sha2::Sha256::digest(&bytes);
    bytes.extend(digest);
    std::fs::write(path, &bytes).expect("writable");
}

#[test]
fn a_header_that_says_too_much_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odd.net");
    let head = |tuples: &str, encoding: &str, bytes: u64| {
        format!(
            "(format:\"afterstate network\",version:1,shape:(tuples:\"{tuples}\"),encoding:{encoding},bytes:{bytes})"
        )
    };

    let zeros = |count: usize| zstd::encode_all(&vec![0; count][..], 1).expect("packed");
    let not_a_number = zstd::encode_all(&[0xFF_u8; 64][..], 1).expect("packed");
    let short = zeros(60);
    let long = zeros(68);
    let later = head("0", "Whole", 0).replace("version:1", "version:7");
    for (head, body, words) in [
        (head("0", "Whole", u64::MAX), &[][..], "it ends early"),
        (
            head("0", "Whole", 5),
            &[1, 2, 3, 4, 5],
            "its weights cannot be decoded",
        ),
        (
            head("0", "Whole", short.len() as u64),
            &short,
            "its weights cannot be decoded",
        ),
        (
            head("0", "Whole", long.len() as u64),
            &long,
            "its weights cannot be decoded",
        ),
        (
            head("0", "Whole", not_a_number.len() as u64),
            &not_a_number,
            "too large or not a number",
        ),
        (
            head("0", "Steps(base: 0, step: 0)", 0),
            &[],
            "the step of its weights is invalid",
        ),
        (
            head("0", "Steps(base: inf, step: 1)", 0),
            &[],
            "the step of its weights is invalid",
        ),
        (
            head("01234567 12345670", "Whole", 0),
            &[],
            "its first line is invalid",
        ),
        (
            later,
            &[],
            "a newer Afterstate wrote this network (version 7)",
        ),
    ] {
        write_with_digest(&path, &head, body);
        let error = Network::read(&path).expect_err(words).to_string();
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    }

    // Sixteen gigabytes in a hundred bytes: refused before memory is requested, or at the end of the file.
    write_with_digest(
        &path,
        &head("01234567", "Whole", short.len() as u64),
        &short,
    );
    let error = Network::read(&path).expect_err("large").to_string();
    assert!(
        error.contains("of memory, but") || error.contains("its weights cannot be decoded"),
        "{error}"
    );
    assert!(
        file::check_memory(u64::MAX)
            .is_err_and(|error| error.to_string().contains("are free: close other programs"))
    );
}

/// Networks with the same shape and weights have the same identity, however long each learned and with which command.
#[test]
fn a_network_is_known_by_its_shape_and_its_weights() {
    let folder = tempfile::tempdir().expect("a folder");
    let shape = shape("4x4", "012 5a");
    let trained = |command: &str, secs: f64| {
        let mut network = network(&shape, 1);
        let manifest = Manifest {
            command: command.to_owned(),
            secs,
            ..manifest(&shape)
        };
        network.info = NetworkInfo::of(shape.clone(), Some(manifest), Vec::new());
        network
    };
    let path = |name: &str| folder.path().join(name);
    for encoding in [Encoding::Whole, trained("", 0.0).steps()] {
        let one = trained("train", 1.5)
            .write(&path("one.net"), encoding)
            .expect("writable");
        let other = trained("train on", 9.0)
            .write(&path("other.net"), encoding)
            .expect("writable");
        let [bytes, other_bytes] =
            ["one.net", "other.net"].map(|name| std::fs::read(path(name)).expect("readable"));
        assert_ne!(bytes, other_bytes);
        assert_eq!((one.sha256.len(), &one.sha256), (64, &other.sha256));
        let read = Network::read(&path("one.net")).expect("sound");
        assert_eq!(
            (&read.info, Network::read_info(&path("one.net"))),
            (&one, Ok(one.clone()))
        );
        // A network read from steps is written as it was read: the same weights in another encoding.
        let again = read
            .write(&path("again.net"), Encoding::Whole)
            .expect("writable");
        assert_eq!(again.sha256, one.sha256, "{encoding:?}");
    }
    let mut changed = trained("train", 1.5);
    let mut weights = changed.weights().to_vec();
    weights[7] += 1.0;
    changed = Network::new(changed.info, weights);
    let one = trained("train", 1.5)
        .write(&path("one.net"), Encoding::Whole)
        .expect("writable");
    assert_ne!(
        changed
            .write(&path("changed.net"), Encoding::Whole)
            .expect("writable")
            .sha256,
        one.sha256
    );

    // The same weights in a table of another shape.
    let turned = Network::new(
        NetworkInfo::of(
            Shape::new(Size::FOUR, "012 5a", false, &[]).expect("a shape"),
            None,
            Vec::new(),
        ),
        network(&shape, 1).weights().to_vec(),
    );

    assert_ne!(
        turned
            .write(&path("turned.net"), Encoding::Whole)
            .expect("writable")
            .sha256,
        one.sha256
    );
}

/// Files of earlier versions lack the digest of the contents. Runs identify them by the SHA-256 of the whole file,
/// still today.
#[test]
fn a_file_of_version_1_is_known_by_the_sha256_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.net");
    let zeros = zstd::encode_all(&vec![0; 64][..], 1).expect("packed");
    let head = format!(
        "(format:\"afterstate network\",version:1,shape:(tuples:\"0\"),encoding:Whole,bytes:{})",
        zeros.len()
    );
    write_with_digest(&path, &head, &zeros);
    let bytes = std::fs::read(&path).expect("readable");
    let of_file = crate::kept::hexadecimal(&bytes[bytes.len() - 32..]);
    assert_eq!(
        Network::read_info(&path).map(|info| info.sha256),
        Ok(of_file.clone())
    );
    assert_eq!(
        Network::read(&path).map(|network| network.info.sha256),
        Ok(of_file)
    );
    assert_eq!(
        library::shipped()
            .0
            .map(|info| (info.header.version, info.sha256)),
        Ok((1, SHIPPED.to_owned()))
    );

    for (contents, words) in [
        ("0".repeat(64), "do not match the hash"),
        ("0/../".repeat(13), "64 hexadecimal digits"),
    ] {
        let head = head.replace("version:1", &format!("version:2,contents:{contents:?}"));
        write_with_digest(&path, &head, &zeros);
        let error = Network::read(&path).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// Runs that played with the shipped network identify it by this.
const SHIPPED: &str = "d286b21eb73ff3b4736f8d97bcdd015f293a09a957f38b602b00a2b1dc7690f3";
