//! Boards as programs and people write them, one row for each kind.

use super::*;
use crate::board;

/// The board of most rows below.
const B: &str = "16,128,256,1024/16,8,2,0/8,2,0,0/0,4,0,0";

const HIGH: &str = "--cells high";
const LOW: &str = "--cells low";

fn boards(text: &str, read_as: ReadAs) -> Vec<(String, String)> {
    let found = readings(text, &read_as).unwrap_or_else(|error| panic!("{error}: {text}"));
    let flags = |reading: &Reading| reading.chosen_by.map(ReadAs::flags).unwrap_or_default();
    found
        .iter()
        .map(|reading| (reading.board.to_string(), flags(reading)))
        .collect()
}

fn is_read(text: &str, board: &str) {
    let found: Vec<String> = boards(text, ReadAs::default())
        .into_iter()
        .map(|(board, _)| board)
        .collect();
    assert_eq!(found, [board], "{text}");
}

#[test]
fn every_notation_of_one_board_is_that_board() {
    let tall_frame = "\
+------+------+------+------+
|      |      |      |      |
|  16  | 128  | 256  | 1024 |
|      |      |      |      |
+------+------+------+------+
|      |      |      |      |
|  16  |   8  |   2  |      |
|      |      |      |      |
+------+------+------+------+
|      |      |      |      |
|   8  |   2  |      |      |
|      |      |      |      |
+------+------+------+------+
|      |      |      |      |
|      |   4  |      |      |
|      |      |      |      |
+------+------+------+------+
";
    for text in [
        // Rows
        B,
        "16 128 256 1024 / 16 8 2 . / 8 2 . . / . 4 . .",
        "16 128 256 1k / 16 8 2 _ / 8 2 _ _ / _ 4 _ _",
        "16, 128, 256, 1024\n16, 8, 2, 0\n8, 2, 0, 0\n0, 4, 0, 0\n",
        "16,128,256,1024,\n16,8,2,0,\n8,2,0,0,\n0,4,0,0",
        "  16  128  256 1024\r\n  16    8    2    0\r\n   8    2    0    0\r\n   0    4    0    0",
        "16,128,256,1024/\n16,8,2,0/\n8,2,0,0/\n0,4,0,0",
        "16;128;256;1024\n16;8;2;0\n8;2;0;0\n0;4;0;0",
        "16 128 256 1024; 16 8 2 0; 8 2 0 0; 0 4 0 0",
        "16 128 256 1024;\n16 8 2 0;\n8 2 0 0;\n0 4 0 0;\n",
        "16 128 256 1024\n16 8 2 -\n8 2 - -\n- 4 - -",
        "16 128 256 1024\n\n16 8 2 x\n\n8 2 x x\n\nx 4 x x\n",
        "16.0 128.0 256.0 1024.0\n16.0 8.0 2.0 0.0\n8.0 2.0 0.0 0.0\n0.0 4.0 0.0 0.0",
        "2^4 2^7 2^8 2^10 / 2^4 2^3 2^1 0 / 2^3 2^1 0 0 / 0 2^2 0 0",
        "\u{1b}[1m16\u{1b}[0m 128 256 1024\n16 8 2 0\n8 2 0 0\n0 4 0 0",
        "\u{feff}16 128 256 1024 16 8 2 0 8 2 0 0 0 4 0 0",
        "16,128,256,1024,16,8,2,0,8,2,0,0,0,4,0,0",
        "\"16,128,256,1024/16,8,2,0/8,2,0,0/0,4,0,0\"",
        "16 128 256 1024|16 8 2 0|8 2 0 0|0 4 0 0",
        "16\n128\n256\n1024\n16\n8\n2\n0\n8\n2\n0\n0\n0\n4\n0\n0\n",
        "16\n128\n256\n1024\n\n16\n8\n2\n0\n\n8\n2\n0\n0\n\n0\n4\n0\n0\n",
        // Tabs
        "16\t128\t256\t1024\n16\t8\t2\t\n8\t2\t\t\n\t4\t\t",
        // Frames
        include_str!("../../../tests/data/boards/frame.txt"),
        "16|128|256|1024\n16|8|2|\n8|2||\n|4||",
        "| 16 | 128 | 256 | 1024 |\n|---:|---:|---:|---:|\n| 16 | 8 | 2 | |\n| 8 | 2 | | |\n| | 4 | | |",
        "┌────┬───┬───┬────┐\n│ 16 │128│256│1024│\n├────┼───┼───┼────┤\n│ 16 │ 8 │ 2 │    │\n├────┼───┼───┼────┤\n\
         │  8 │ 2 │   │    │\n├────┼───┼───┼────┤\n│    │ 4 │   │    │\n└────┴───┴───┴────┘",
        tall_frame,
        "---------------------\n  16  128  256 1024\n  16    8    2    0\n   8    2    0    0\n   0    4    0    0\n=====================",
        // Lists
        include_str!("../../../tests/data/boards/numpy.txt"),
        "[[16,128,256,1024],[16,8,2,null],[8,2,0,0],[0,4,0,0]]",
        "[[16, 128, 256, 1024], [16, 8, 2, None], [8, 2, None, None], [None, 4, None, None]]",
        "((16, 128, 256, 1024), (16, 8, 2, 0), (8, 2, 0, 0), (0, 4, 0, 0))",
        "array([[  16,  128,  256, 1024],\n       [  16,    8,    2,    0],\n       [   8,    2,    0,    0],\n       [   0,    4,    0,    0]], dtype=int64)",
        "tensor([[16., 128., 256., 1024.], [16., 8., 2., 0.], [8., 2., 0., 0.], [0., 4., 0., 0.]], device='cuda:0')",
        "[[1.600e+01 1.280e+02 2.560e+02 1.024e+03]\n [1.600e+01 8.000e+00 2.000e+00 0.000e+00]\n [8.000e+00 2.000e+00 0.000e+00 0.000e+00]\n [0.000e+00 4.000e+00 0.000e+00 0.000e+00]]",
        "int board[4][4] = {{16, 128, 256, 1024}, {16, 8, 2, 0}, {8, 2, 0, 0}, {0, 4, 0, 0}};",
        "vec![vec![16, 128, 256, 1024], vec![16, 8, 2, 0], vec![8, 2, 0, 0], vec![0, 4, 0, 0]]",
        "[16, 128, 256, 1024, 16, 8, 2, 0, 8, 2, 0, 0, 0, 4, 0, 0]",
        "[16 128 256 1024; 16 8 2 0; 8 2 0 0; 0 4 0 0]",
        "[ 16 128 256 1024  16   8   2   0   8   2\n   0   0   0   4   0   0]",
        "[16, 128, 256, 1024]\n[16, 8, 2, 0]\n[8, 2, 0, 0]\n[0, 4, 0, 0]",
        "[\"16 128 256 1024\", \"16 8 2 0\", \"8 2 0 0\", \"0 4 0 0\"]",
        "[[\"16\", \"128\", \"256\", \"1024\"], [\"16\", \"8\", \"2\", \"\"], [\"8\", \"2\", \"\", \"\"], [\"\", \"4\", \"\", \"\"]]",
        "[[[16],[128],[256],[1024]],[[16],[8],[2],[0]],[[8],[2],[0],[0]],[[0],[4],[0],[0]]]",
        "[[[16,128,256,1024],[16,8,2,0],[8,2,0,0],[0,4,0,0]]]",
        // Objects
        "{\"board\": [[16,128,256,1024],[16,8,2,0],[8,2,0,0],[0,4,0,0]], \"score\": 12}",
        "{\"board\":\"16,128,256,1024/16,8,2,0/8,2,0,0/0,4,0,0\",\"score\":0,\"moves\":[]}",
    ] {
        is_read(text, B);
    }
}

/// As public projects print boards, by the code of each.
#[test]
fn public_projects_print_boards_that_are_read() {
    for (project, text) in [
        (
            "macroxue/2048-ai",
            include_str!("../../../tests/data/boards/frame.txt"),
        ),
        (
            "ziap/2048-ai",
            "+-------+-------+-------+-------+\n|    16 |   128 |   256 |  1024 |\n+-------+-------+-------+-------+\n\
             |    16 |     8 |     2 |       |\n+-------+-------+-------+-------+\n|     8 |     2 |       |       |\n\
             +-------+-------+-------+-------+\n|       |     4 |       |       |\n+-------+-------+-------+-------+\n",
        ),
        (
            "Brook-hsu/Game2048",
            "╔════╦════╦════╦════╗\n║  16║ 128║ 256║1024║\n║════║════║════║════║\n║  16║   8║   2║   0║\n\
             ║════║════║════║════║\n║   8║   2║   0║   0║\n║════║════║════║════║\n║   0║   4║   0║   0║\n\
             ╚════╩════╩════╩════╝",
        ),
        (
            "nneonneo/2048-ai",
            "\nMove #7, current score=1160\n16 128 256 1024\n16 8 2 0\n8 2 0 0\n0 4 0 0",
        ),
        (
            "ports of nneonneo/2048-ai",
            "Move #7, current score=1160(+4)\n16 128 256 1024\n16 8 2 0\n8 2 0 0\n0 4 0 0",
        ),
        (
            "http-samc/2048.py",
            "16\t128\t256\t1024\n16\t8\t2\t-\n8\t2\t-\t-\n-\t4\t-\t-",
        ),
        (
            "tfausak/hs2048",
            "16 128 256 1024\n16 8 2 -\n8 2 - -\n- 4 - -",
        ),
        (
            "mdaum/haskell_2048",
            "[16,128,256,1024]\n[16,8,2,0]\n[8,2,0,0]\n[0,4,0,0]",
        ),
        (
            "akash-akya/2048-lisp",
            "(16 128 256 1024)\n(16 8 2 0)\n(8 2 0 0)\n(0 4 0 0)",
        ),
        (
            "sshehata/AI-Exp",
            "16 128 256 1024 \n16 8 2 * \n8 2 * * \n* 4 * * ",
        ),
        (
            "avasthiabhyudaya/2048",
            "[[  16.  128.  256. 1024.]\n [  16.    8.    2.    0.]\n [   8.    2.    0.    0.]\n [   0.    4.    0.    0.]]",
        ),
    ] {
        let found =
            readings(text, &ReadAs::default()).unwrap_or_else(|error| panic!("{project}: {error}"));
        let [reading] = &found[..] else {
            panic!("{project}: {found:?}")
        };
        assert_eq!(reading.board.to_string(), B, "{project}");
        assert_eq!(
            reading.score,
            text.contains("score").then_some(1160),
            "{project}"
        );
    }

    // sotetsuk/pgx keeps exponents.
    let exponents = ReadAs {
        exponents: true,
        ..ReadAs::default()
    };
    let array = "[[ 4  7  8 10]\n [ 4  3  1  0]\n [ 3  1  0  0]\n [ 0  2  0  0]]";
    assert_eq!(boards(array, exponents), [(B.to_owned(), String::new())]);
}

/// As programs, questions and pages show boards.
#[test]
fn what_stands_around_the_cells_is_not_read() {
    for text in [
        // Captions
        "Score: 1160\n[16, 128, 256, 1024]\n[16, 8, 2, 0]\n[8, 2, 0, 0]\n[0, 4, 0, 0]\nEnter move: right",
        "Move #7, current score=1160\n    16   128   256  1024\n    16     8     2     0\n     8     2     0     0\n     0     4     0     0\n",
        "Input:\n-------\n16 128 256 1024\n16 8 2 0\n8 2 0 0\n0 4 0 0",
        "16 128 256 1024\n16 8 2 0\n8 2 0 0\n0 4 0 0\n\nscore = 1160",
        "board =\n\n    16   128   256  1024\n    16     8     2     0\n     8     2     0     0\n     0     4     0     0\n\n",
        "4×4 Matrix{Int64}:\n 16  128  256  1024\n 16    8    2     0\n  8    2    0     0\n  0    4    0     0",
        // Headings of R, pandas and spreadsheets
        "     [,1] [,2] [,3] [,4]\n[1,]   16  128  256 1024\n[2,]   16    8    2    0\n[3,]    8    2    0    0\n[4,]    0    4    0    0",
        "    0    1    2     3\n0  16  128  256  1024\n1  16    8    2     0\n2   8    2    0     0\n3   0    4    0     0",
        "  A B C D\n1 16 128 256 1024\n2 16 8 2 0\n3 8 2 0 0\n4 0 4 0 0",
        // LaTeX
        "16 & 128 & 256 & 1024 \\\\\n16 & 8 & 2 & \\\\\n8 & 2 & & \\\\\n & 4 & &",
        "\\begin{tabular}{|c|c|c|c|}\n\\hline\n16 & 128 & 256 & 1024 \\\\ \\hline\n16 & 8 & 2 & \\\\ \\hline\n\
         8 & 2 & & \\\\ \\hline\n & $4$ & & \\\\ \\hline\n\\end{tabular}",
        // Brackets around each cell
        "[16][128][256][1024]\n[16][8][2][ ]\n[8][2][ ][ ]\n[ ][4][ ][ ]",
        // Go, C#, Java, Lisp, OCaml
        "[4][4]int{{16, 128, 256, 1024}, {16, 8, 2, 0}, {8, 2, 0, 0}, {0, 4, 0, 0}}",
        "board := [][]int{{16, 128, 256, 1024}, {16, 8, 2, 0}, {8, 2, 0, 0}, {0, 4, 0, 0}}",
        "new int[,] { { 16, 128, 256, 1024 }, { 16, 8, 2, 0 }, { 8, 2, 0, 0 }, { 0, 4, 0, 0 } };",
        "int[][] board = new int[][] {{16, 128, 256, 1024}, {16, 8, 2, 0}, {8, 2, 0, 0}, {0, 4, 0, 0}};",
        "'((16 128 256 1024) (16 8 2 0) (8 2 0 0) (0 4 0 0))",
        "#2A((16 128 256 1024) (16 8 2 0) (8 2 0 0) (0 4 0 0))",
        "[|[|16; 128; 256; 1024|]; [|16; 8; 2; 0|]; [|8; 2; 0; 0|]; [|0; 4; 0; 0|]|]",
        // Cells that may be missing
        "[[Just 16,Just 128,Just 256,Just 1024],[Just 16,Just 8,Just 2,Nothing],[Just 8,Just 2,Nothing,Nothing],[Nothing,Just 4,Nothing,Nothing]]",
        "[[Some(16), Some(128), Some(256), Some(1024)], [Some(16), Some(8), Some(2), None], [Some(8), Some(2), None, None], [None, Some(4), None, None]]",
        "16 128 256 1024\n16 8 2 #\n8 2 # #\n# 4 # #",
        "16 128 256 1024\n16 8 2 empty\n8 2 empty empty\nempty 4 empty empty",
        "16 128 256 1024\n16 8 2 o\n8 2 o o\no 4 o o",
        // Objects
        "{'board': [[16, 128, 256, 1024], [16, 8, 2, 0], [8, 2, 0, None], (0, 4, 0, 0)], 'score': 1160, 'over': False}",
        "{\"tiles\": [16, 128, 256, 1024, 16, 8, 2, 0, 8, 2, 0, 0, 0, 4, 0, 0]}",
        "{\"matrix\": [[16, 128, 256, 1024], [16, 8, 2, 0], [8, 2, 0, 0], [0, 4, 0, 0]]}",
    ] {
        is_read(text, B);
        let has_score = text.to_lowercase().contains("score");
        assert_eq!(
            read(text, &ReadAs::default()).map(|reading| reading.score),
            Ok(has_score.then_some(1160)),
            "{text}"
        );
    }
    // A row after a caption is a row, and tiles in a heading are tiles.
    for text in [
        "Board: 2 0 0 4\n0 8 0 0\n0 0 0 0\n0 0 16 2",
        "a 0 1\n0 2 0\n1 0 4",
        "[,1] [,2]\n[1,] 2 0\n[3,] 0 4",
    ] {
        assert!(readings(text, &ReadAs::default()).is_err(), "{text}");
    }
    assert!(
        boards("2 4\n8 2", ReadAs::default()).len() == 1
            && boards("0 2\n2 4", ReadAs::default()).len() == 1
    );
}

#[test]
fn the_score_of_a_caption_is_that_of_the_board_and_no_other() {
    for (text, score) in [
        ("Score: 12\nBest score: 200\n2 4\n8 2", Some(12)),
        ("High score: 200\n2 4\n8 2", None),
        ("2 4\n8 2\nhighscore=200, score=12", Some(12)),
        ("Score: 12\n2 4\n8 2\nscore = 12", Some(12)),
    ] {
        assert_eq!(
            read(text, &ReadAs::default()).map(|reading| reading.score),
            Ok(score),
            "{text}"
        );
    }
    for text in ["Score: 12\n2 4\n8 2\nScore: 13", "Score: 12k\n2 4\n8 2"] {
        assert!(readings(text, &ReadAs::default()).is_err(), "{text}");
    }
}

#[test]
fn rows_of_digits_are_exponents_and_tiles_only_if_all_are() {
    let exponents = ReadAs {
        exponents: true,
        ..ReadAs::default()
    };
    for text in ["478a\n431.\n31..\n.2..", "478A/4310/3100/0200"] {
        assert_eq!(
            boards(text, exponents),
            [(B.to_owned(), String::new())],
            "{text}"
        );
        let error = read(text, &ReadAs::default())
            .expect_err("no tiles")
            .to_string();
        assert!(
            error.starts_with("row 1, cell 2: \"7\" is not a tile")
                && error.ends_with("add --exponents"),
            "{error}"
        );
    }
    let both = boards("24\n.8", ReadAs::default());
    assert_eq!(
        both,
        [
            ("2,4/0,8".to_owned(), String::new()),
            ("4,16/0,256".to_owned(), "--exponents".to_owned())
        ]
    );
}

#[test]
fn a_blank_heading_of_markdown_may_be_a_row() {
    let text = "|   |   |\n|---|---|\n| 2 | 4 |\n| 8 |   |";
    let found: Vec<String> = boards(text, ReadAs::default())
        .into_iter()
        .map(|(board, _)| board)
        .collect();
    assert_eq!(found, ["0,0/2,4/8,0", "2,4/8,0"]);
    is_read("|   |   |\n| 2 | 4 |", "0,0/2,4");
}

#[test]
fn squares_of_every_size_and_ranks_up_to_h_are_read() {
    is_read("2 0 0 4", "2,0/0,4");
    is_read("2 0 0 4 0 8 0 0 16", "2,0,0/4,0,8/0,0,16");
    is_read(&"2 ".repeat(25), &["2,2,2,2,2"; 5].join("/"));
    is_read("2\t4\t8\n\t\t2", "2,4,8/0,0,2");
    for digits in ["GFE1BA9187611111", "gfe1ba9187611111"] {
        is_read(
            digits,
            "65536,32768,16384,2/2048,1024,512,2/256,128,64,2/2,2,2,2",
        );
    }
    is_read("h000000000000000", "131072,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0");
    is_read(
        "131k 65k 64k 32k / 0 0 0 0",
        "131072,65536,65536,32768/0,0,0,0",
    );
}

#[test]
fn a_marked_tile_is_the_newest_one() {
    let read = |text: &str| read(text, &ReadAs::default()).expect(text).new_tile;
    assert_eq!(
        read(include_str!("../../../tests/data/boards/frame.txt")),
        Some(Cell::new(3, 1))
    );
    assert_eq!(read("2 0 / 0 >4<"), Some(Cell::new(1, 1)));
    assert_eq!(read("2 0 / 0 > 4 <"), Some(Cell::new(1, 1)));
    assert_eq!(read("2 0 / *4* 0"), Some(Cell::new(1, 0)));
    assert_eq!(read("2 0 / 0 4"), None);
}

#[test]
fn an_integer_has_a_board_for_each_order_of_cells() {
    let word = "0x002000130134a874";
    let found = boards(word, ReadAs::default());
    assert!(
        found.contains(&(
            "16,128,256,1024/16,8,2,0/8,2,0,0/0,4,0,0".to_owned(),
            LOW.to_owned()
        )),
        "{found:?}"
    );
    assert_eq!((found.len(), found[0].1.as_str()), (2, HIGH));
    let low = ReadAs {
        cells: Some(CellOrder::Low),
        ..ReadAs::default()
    };
    for text in [
        word,
        "0x2000130134A874",
        "002000130134a874",
        "0x0020_0013_0134_a874",
        "0x002000130134a874ULL",
    ] {
        assert_eq!(boards(text, low), [(B.to_owned(), String::new())], "{text}");
    }
    // The same integer in decimal digits; with sixteen digits or fewer the flag is needed.
    let decimal = ReadAs {
        decimal: true,
        ..low
    };
    assert_eq!(boards("9007280879347828", decimal)[0].0, B);
    assert_eq!(boards("9007280879347828", ReadAs::default()).len(), 4);
    let flags: Vec<String> = boards("9007280879347828", ReadAs::default())
        .into_iter()
        .map(|(_, flags)| flags)
        .collect();
    assert_eq!(
        flags,
        [HIGH, LOW, "--decimal --cells high", "--decimal --cells low"]
    );
    assert_eq!(
        boards("12345678901234567890", ReadAs::default()).len(),
        2,
        "more than sixteen digits are decimal"
    );
    assert_eq!(
        boards("-6101065172474983726", low),
        boards("0xab54a98ceb1f0ad2", low),
        "a signed integer"
    );
    // Both orders of a palindrome are the same board.
    is_read("0x1230000000000321", "2,4,8,0/0,0,0,0/0,0,0,0/0,8,4,2");

    let error = read(word, &ReadAs::default())
        .expect_err("two boards")
        .to_string();
    assert!(
        error.contains(B) && error.contains("(--cells low)") && error.contains("(--cells high)"),
        "{error}"
    );
    let in_a_file = word.parse::<Board>().expect_err("two boards").to_string();
    assert!(
        in_a_file.contains(B) && !in_a_file.contains("--"),
        "{in_a_file}"
    );
}

#[test]
fn exponents_are_read_if_they_are_said_to_be() {
    let exponents = ReadAs {
        exponents: true,
        ..ReadAs::default()
    };
    for text in [
        "4,7,8,10/4,3,1,0/3,1,0,0/0,2,0,0",
        "[[4 7 8 10] [4 3 1 0] [3 1 0 0] [0 2 0 0]]",
        "4 7 8 a\n4 3 1 .\n3 1 . .\n. 2 . .",
        "4 7 8 10 4 3 1 0 3 1 0 0 0 2 0 0",
    ] {
        assert_eq!(boards(text, exponents)[0].0, B, "{text}");
    }
    let error = read("4,7,8,10/4,3,1,0/3,1,0,0/0,2,0,0", &ReadAs::default())
        .expect_err("no tiles")
        .to_string();
    assert!(
        error.starts_with("row 1, cell 2: \"7\" is not a tile")
            && error.ends_with("add --exponents"),
        "{error}"
    );
    let error = read("64,2/0,0", &exponents)
        .expect_err("64 is no exponent")
        .to_string();
    assert!(
        error.starts_with("row 1, cell 1: \"64\" is not an exponent"),
        "{error}"
    );
}

#[test]
fn exponents_in_the_form_of_this_program_are_read_as_in_any_other() {
    let exponents = ReadAs {
        exponents: true,
        ..ReadAs::default()
    };
    for text in [
        "4,7,8,10/4,3,1,0/3,1,0,0/0,2,0,0",
        "1,17/0,3",
        "1,18/0,3",
        "1,99/0,3",
        "1,2/3",
        "1,2,3,4/0,0,0,0",
    ] {
        let fast = as_written_here(text, true);
        assert_eq!(
            fast,
            readings(&text.replace(',', " "), &exponents)
                .ok()
                .map(|found| found[0].board),
            "{text}"
        );
        assert_eq!(
            fast,
            read(text, &exponents).ok().map(|reading| reading.board),
            "{text}"
        );
    }
}

fn one_hot(board: &Board, channels: usize, first: u8) -> Vec<Vec<Vec<u8>>> {
    let cell = |rank: Rank| {
        (0..channels)
            .map(move |channel| u8::from(channel + usize::from(first) == usize::from(rank.get())))
    };
    let cells: Vec<Vec<u8>> = board
        .cells()
        .map(|(_, rank)| cell(rank).collect())
        .collect();
    cells
        .chunks(board.size().cols())
        .map(<[_]>::to_vec)
        .collect()
}

#[test]
fn one_hot_arrays_are_read_with_their_channels_first_or_last() {
    let board: Board = B.parse().expect("a board");
    let has = |text: &str, flags: &str| {
        let found = boards(text, ReadAs::default());
        assert!(
            found.contains(&(B.to_owned(), flags.to_owned())),
            "{found:?}: {text}"
        );
        found.len()
    };
    let last = one_hot(&board, 16, 0);
    assert_eq!(
        has(&format!("{last:?}"), "--exponents"),
        2,
        "the first channel may be the tile 2"
    );
    let exponents = ReadAs {
        exponents: true,
        ..ReadAs::default()
    };
    assert_eq!(boards(&format!("{last:?}"), exponents).len(), 1);
    let by_channel: Vec<Vec<Vec<u8>>> = (0..16)
        .map(|channel| {
            last.iter()
                .map(|row| row.iter().map(|cell| cell[channel]).collect())
                .collect()
        })
        .collect();
    has(&format!("{by_channel:?}"), "--exponents");
    has(&format!("[{by_channel:?}]"), "--exponents");
    // Without a channel for empty cells there is one reading.
    assert_eq!(has(&format!("{:?}", one_hot(&board, 17, 1)), ""), 1);
    let flat: Vec<Vec<u8>> = one_hot(&board, 18, 1).concat();
    assert_eq!(has(&format!("{flat:?}"), ""), 1);

    let twice = format!("{last:?}").replacen("[0, 0, 0, 0, 1,", "[0, 0, 1, 0, 1,", 1);
    let error = readings(&twice, &ReadAs::default())
        .expect_err("two tiles in a cell")
        .to_string();
    assert!(error.starts_with("row 1, cell 1: 2 channels"), "{error}");
}

/// A saved game of the web game (gabrielecirulli/2048), which lists columns.
fn web_game(board: &Board, score: u64, over: bool) -> String {
    let size = board.size();
    let tile = |x: usize, y: usize| match board.get(Cell::new(y as u8, x as u8)).tile() {
        0 => "null".to_owned(),
        value => format!("{{\"position\":{{\"x\":{x},\"y\":{y}}},\"value\":{value}}}"),
    };
    let column = |x: usize| format!("[{}]", (0..size.rows()).map(|y| tile(x, y)).join(","));
    let cells = (0..size.cols()).map(column).join(",");
    format!(
        "{{\"grid\":{{\"size\":{},\"cells\":[{cells}]}},\"score\":{score},\"over\":{over},\"won\":false,\"keepPlaying\":false}}",
        size.rows()
    )
}

#[test]
fn the_saved_state_of_the_web_game_has_its_cells_by_column_and_a_score() {
    let board: Board = B.parse().expect("a board");
    let text = web_game(&board, 10204, false);
    let quoted = serde_json::to_string(&text).expect("JSON");
    for text in [
        text.clone(),
        quoted.clone(),
        format!("{{\"bestScore\":\"20\",\"gameState\":{quoted}}}"),
    ] {
        let reading = read(&text, &ReadAs::default()).expect(&text);
        assert_eq!((reading.board, reading.score), (board, Some(10204)));
    }
    let dead: Board = "2,4/4,2".parse().expect("a board");
    assert_eq!(
        read(&web_game(&dead, 8, true), &ReadAs::default()).map(|reading| reading.board),
        Ok(dead)
    );

    for (from, to, words) in [
        (
            "\"x\":0,\"y\":1",
            "\"x\":1,\"y\":0",
            "grid.cells[0][1] (row 2, cell 1)",
        ),
        (
            "\"value\":1024",
            "\"value\":1023",
            "grid.cells[3][0] (row 1, cell 4)",
        ),
        ("\"size\":4", "\"size\":6", "grid.size"),
        ("\"size\":4", "\"size\":3", "grid.cells"),
        (
            "\"score\":10204",
            "\"score\":-4",
            "score of this saved game",
        ),
        (
            "\"over\":false",
            "\"over\":true",
            "this saved game is over, but its board has moves",
        ),
    ] {
        let error = readings(&text.replacen(from, to, 1), &ReadAs::default())
            .expect_err(to)
            .to_string();
        assert!(error.starts_with(words), "{error}");
    }
}

#[test]
fn refusals_name_the_place() {
    for (text, message) in [
        ("", "the board is empty text"),
        ("\t\n\t", "the board is empty text"),
        (
            "2,0,0,4/0,8,0,0/0,0,0,0,0/0,0,16,2",
            "row 3 has 5 cells, but the others have 4",
        ),
        (
            "2,0,0/0,8,0,0/0,0,0,0/0,0,16,2",
            "row 1 has 3 cells, but the others have 4",
        ),
        (
            "2,0,0,4/0,13,0,0/0,0,0,0/0,0,16,2",
            "row 2, cell 2: \"13\" is not a tile",
        ),
        (
            "2,0,0,4/0,-2,0,0/0,0,0,0/0,0,16,2",
            "row 2, cell 2: \"-2\" is not a tile",
        ),
        (
            "2,0,0,4/0,1,0,0/0,0,0,0/0,0,16,2",
            "row 2, cell 2: \"1\" is not a tile",
        ),
        ("[[2, 0], [0, 2.5]]", "row 2, cell 2: \"2.5\" is not a tile"),
        (
            "2,,0,4/0,8,0,0/0,0,0,0/0,0,16,2",
            "row 1, cell 2 is missing",
        ),
        (
            "2,0,0,4/\n0,,0,0/\n0,0,0,0/\n0,0,16,2",
            "row 2, cell 2 is missing",
        ),
        ("2;;4\n0;2;4", "row 1, cell 2 is missing"),
        ("2;4;\n8;16;", "row 1, cell 3 is missing"),
        ("2,4,\n8,16,", "row 1, cell 3 is missing"),
        ("[[2,4],[8,]]", "row 2 has 1 cells"),
        ("2,0,0,4,8", "one line has 5 values"),
        ("2 0 0 4 0 8", "one line has 6 values"),
        ("2,0/0,8/0,0/0,0/0,16/2,2", "the board has 6 rows"),
        (
            "[[2,0],[0,2],[0,2],[0,2],[0,2],[0,2]]",
            "the board has 6 rows",
        ),
        ("2/4/8", "row 1 has 1 cells, but rows have 2 to 5"),
        ("2,0,0,4/0,8,0,0/0,0,0,0/", "row 4 has 0 cells"),
        (
            "2,2/0,0\n4,0/2,0",
            "rows are separated by / and by line breaks",
        ),
        ("22/00\n40/20", "rows are separated by / and by line breaks"),
        (
            "2 2\n0 0\n\n4 0\n2 0\n",
            "blank lines divide this text into 2 boards",
        ),
        (
            "| 2 | 2 |\n| 0 | 0 |\n\n| 4 | 0 |\n| 2 | 0 |",
            "blank lines divide this text into 2 boards",
        ),
        // Blanks as empty cells
        (
            "2     4 8\n2 4     8",
            "row 1, cell 2: the columns do not line up",
        ),
        ("hello", "\"hello\" is not a board"),
        ("100203000000004i", "is not a board"),
        ("12345", "\"12345\" is one number"),
        ("0x12345678901234567", "has more than 64 bits"),
        ("0x12345z", "is not a 64-bit integer in hexadecimal digits"),
        ("99999999999999999999", "has more than 64 bits"),
        (
            "134217728,0/0,0",
            "row 1, cell 1: \"134217728\" is too large: the largest tile is 67108864",
        ),
        (
            "99999999999999999999,0/0,0",
            "row 1, cell 1: \"99999999999999999999\" is too large",
        ),
        ("[[2,4],[8,16]", "bracket 1 has no counterpart"),
        ("[[2,4],[8,16)]", "bracket"),
        ("[[2,4],8,16]", "row 2: lists and cells are mixed"),
        ("{\"a\":1}", "is not a board"),
        (
            "{\"board\":[[2,0],[0,4]],\"tiles\":[2,0,0,4]}",
            "lists and cells are mixed",
        ),
        (
            "<table><tr><td>2</td><td>4</td></tr></table>",
            "this is HTML: copy the text of the board from the page",
        ),
        (
            "<div class=\"tile tile-2 tile-position-1-2\">2</div>",
            "this is HTML",
        ),
        (
            "16 128 256 1,024\n16 8 2 0\n8 2 0 0\n0 4 0 0",
            "row 1 has 5 cells, but the others have 4",
        ),
        ("0x478a\n0x4310\n0x3100\n0x0200", "row 1 has 1 cells"),
        ("1️⃣6️⃣ 2️⃣\n4️⃣ 8️⃣", "row 1, cell 1: "),
        ("16|128\n2|4|8", "row 2 has 3 cells"),
        ("| 2 | 4\n| 8 | 16", "row 1, cell 1 is missing"),
    ] {
        let error = read(text, &ReadAs::default()).expect_err(text).to_string();
        assert!(error.contains(message), "{text}: {error}");
        assert!(!error.contains('\n'), "one line: {error}");
    }
    let low = ReadAs {
        cells: Some(CellOrder::Low),
        ..ReadAs::default()
    };
    assert!(
        read("gfe1ba9187611111", &low).is_err(),
        "g has no four bits"
    );
}

#[test]
fn what_is_offered_says_how_it_is_read() {
    for (text, name) in [
        ("1,0/0,3", "exponents: 0 is empty, 1 is the tile 2"),
        (
            "[[[1,0,0],[0,1,0]],[[0,0,1],[1,0,0]]]",
            "exponents: 0 is empty, 1 is the tile 2",
        ),
        ("0x0000000000000021", "first cell in the highest four bits"),
        ("33", "decimal number, first cell in the highest four bits"),
    ] {
        let offered = offers(text).expect(text);
        assert_eq!(offered[0].name(), name, "{text}");
        let chosen = offered[0].chosen_by.expect("a flag");
        assert_eq!(
            readings(text, &chosen).map(|found| found[0].board),
            Ok(offered[0].board),
            "{text}"
        );
    }
}

#[test]
fn a_line_of_four_values_among_others_may_be_a_row() {
    for text in [
        "2 0 0 4",
        "2,0,0,4",
        "[2, 0, 0, 4]",
        "[2 0 0 4]",
        "| 2 | 0 | 0 | 4 |",
    ] {
        assert_eq!(
            read_line(text, &ReadAs::default()),
            Err(ParseBoardError::Flat(4)),
            "{text}"
        );
    }
    for text in ["2,0/0,4", "[[2, 0], [0, 4]]", "[2 0; 0 4]"] {
        assert_eq!(
            read_line(text, &ReadAs::default()).map(|reading| reading.board.to_string()),
            Ok("2,0/0,4".to_owned())
        );
    }
}

#[test]
fn a_blank_column_at_the_edge_of_tabs_may_be_an_indent() {
    let text = "2\t4\t\n8\t16\t\n";
    let found: Vec<String> = boards(text, ReadAs::default())
        .into_iter()
        .map(|(board, _)| board)
        .collect();
    assert_eq!(found, ["2,4,0/8,16,0", "2,4/8,16"]);
    let error = read(text, &ReadAs::default())
        .expect_err("two boards")
        .to_string();
    assert!(
        error.ends_with("add its flag, or write the rows of the right one"),
        "{error}"
    );
}

#[test]
fn what_is_printed_is_read_as_the_same_board() {
    for size in Size::all() {
        let mut board = Board::empty(size);
        for (index, cell) in size.iter().enumerate() {
            board = board.with(cell, Rank::new(index as u8).expect("in range"));
            let json = format!("{{\"board\":\"{board}\",\"score\":3}}");
            for text in [board.to_string(), board.drawing(), json] {
                assert_eq!(text.parse(), Ok(board), "{text}");
            }
        }
    }
    assert_eq!(
        Board::of_digits("1002030000000041"),
        Some(board! {
            2 . . 4
            . 8 . .
            . . . .
            . . 16 2
        })
    );
}

/// The tiles of a text as a reader of numbers sees them, without any notion of rows.
fn tiles_in(text: &str) -> Vec<u64> {
    let words = text.split(|c: char| !c.is_ascii_digit());
    words
        .filter(|word| !word.is_empty())
        .filter_map(|word| word.parse().ok())
        .filter(|&tile| tile != 0)
        .collect()
}

/// A step of a linear congruential generator, below `limit`.
fn draw(state: &mut u64, limit: usize) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % limit
}

const PIECES: [&str; 24] = [
    "2", "4", "8", "16", "2048", "0", ".", "_", " ", ",", "/", "\n", "\t", "|", "[", "]", ";", "-",
    "+", "3", "(", "\"", ">", "x",
];

/// The text with one to three places replaced.
fn changed(text: &str, state: &mut u64) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..1 + draw(state, 3) {
        let at = draw(state, text.len().max(1)).min(text.len());
        let length = draw(state, 3).min(text.len() - at);
        let piece = PIECES[draw(state, PIECES.len())];
        text.splice(at..at + length, piece.chars());
    }
    text.into_iter().collect()
}

#[test]
fn changed_text_is_refused_or_shows_the_tiles_of_its_board_in_order() {
    let texts = [
        B,
        "2 0 0 4\n0 8 0 0\n0 0 0 0\n0 0 16 2",
        "  2    .    .    4\n  .   16    .    .\n",
        "2\t4\t\n\t8\t16",
        "| 2 |   |\n+---+---+\n| 8 | 4 |",
        "[[2, 0], [0, 4]]",
        "[[  2  16]\n [128   0]]",
        "2 0 4; 0 8 0; 2 2 0",
        "2 0 0 4 0 8 0 0 16",
    ];
    let mut state = 7;
    let mut boards = 0;
    for round in 0..40_000 {
        let text = changed(texts[round % texts.len()], &mut state);
        for Reading {
            board, chosen_by, ..
        } in readings(&text, &ReadAs::default()).unwrap_or_default()
        {
            boards += 1;
            let tiles: Vec<u64> = board
                .cells()
                .map(|(_, rank)| rank.tile())
                .filter(|&tile| tile != 0)
                .collect();
            assert!(
                chosen_by.is_some() || tiles == tiles_in(&text),
                "{text:?} is not {board}"
            );
        }
    }
    assert!(1_000 < boards, "{boards} boards");
}

#[test]
fn no_text_makes_it_panic_and_every_refusal_is_one_line() {
    let board: Board = "2,4/0,8".parse().expect("a board");
    let (saved, channels) = (
        web_game(&board, 12, false),
        format!("{:?}", one_hot(&board, 6, 0)),
    );
    let texts = [
        saved.as_str(),
        &channels,
        "0x002000130134a874",
        "9007280879347828",
        "-6101065172474983726",
        "gfe1ba9187611111",
        "np.array([[2, 0], [0, 4]], dtype=int64)",
        "int board[2][2] = {{2, 0}, {0, 4}};",
        "[\"2 0\", \"0 4\"]",
        "\u{1b}[1m2\u{1b}[0m 0\n0 4",
        "| > 4 < | 1k |\n|---|---|\n| ü | 131k |",
        "2^4 2**3 / 1.6e+01 16.0",
    ];
    let mut state = 11;
    for round in 0..24_000 {
        let text = changed(texts[round % texts.len()], &mut state);
        let cells = [None, Some(CellOrder::Low), Some(CellOrder::High)][draw(&mut state, 3)];
        let read_as = ReadAs {
            cells,
            exponents: draw(&mut state, 2) == 1,
            decimal: draw(&mut state, 2) == 1,
        };
        let found = [
            readings(&text, &read_as),
            offers(&text),
            read_line(&text, &read_as).map(|one| vec![one]),
        ];
        for found in found {
            match found {
                Ok(found) => assert!(
                    !found.is_empty() && found.iter().map(|one| one.board).all_unique(),
                    "{text:?}"
                ),
                Err(error) => assert!(!error.to_string().contains('\n'), "{text:?}: {error}"),
            }
        }
    }
}
