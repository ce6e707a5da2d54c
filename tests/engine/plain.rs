//! A second implementation of the rules that uses nothing of the library: lists of numbers, slides to the left, rotated
//! boards.

/// Tile values by row, 0 for an empty cell.
pub(crate) type Tiles = Vec<Vec<u64>>;

/// The names of the four slides, as game records and `perft` list them.
pub(crate) const MOVES: [&str; 4] = ["up", "down", "left", "right"];

/// Reads a drawing: one line for each row, blanks between cells, `.` for an empty one.
pub(crate) fn tiles(drawing: &str) -> Tiles {
    let cell = |word: &str| {
        if word == "." {
            0
        } else {
            word.parse().expect("a tile")
        }
    };
    drawing
        .lines()
        .map(|row| row.split_whitespace().map(cell).collect())
        .collect()
}

/// The board in the notation of the library.
pub(crate) fn text(tiles: &Tiles) -> String {
    let row = |row: &Vec<u64>| row.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    tiles.iter().map(row).collect::<Vec<_>>().join("/")
}

fn turned_left(tiles: &Tiles) -> Tiles {
    (0..tiles[0].len())
        .rev()
        .map(|col| tiles.iter().map(|row| row[col]).collect())
        .collect()
}

fn slid_left(row: &[u64]) -> (Vec<u64>, u64) {
    let (mut slid, mut reward): (Vec<u64>, u64) = (Vec::new(), 0);
    let mut may_merge = false;
    for &tile in row.iter().filter(|&&tile| tile != 0) {
        if may_merge && slid.last() == Some(&tile) {
            slid.pop();
            slid.push(2 * tile);
            reward += 2 * tile;
            may_merge = false;
        } else {
            slid.push(tile);
            may_merge = true;
        }
    }
    slid.resize(row.len(), 0);
    (slid, reward)
}

/// The board after a slide and its points; `None` if nothing moves.
pub(crate) fn slide(tiles: &Tiles, mv: &str) -> Option<(Tiles, u64)> {
    let turns = match mv {
        "left" => 0,
        "up" => 1,
        "right" => 2,
        "down" => 3,
        _ => panic!("{mv} is not a move"),
    };

    let turn = |tiles: Tiles, times: u32| (0..times).fold(tiles, |tiles, _| turned_left(&tiles));
    let mut reward = 0;
    let slid = turn(tiles.clone(), turns).into_iter().map(|row| {
        let (slid, points) = slid_left(&row);
        reward += points;
        slid
    });
    let slid: Tiles = slid.collect();
    let after = turn(slid, (4 - turns) % 4);
    (after != *tiles).then_some((after, reward))
}

/// Row and column of every empty cell.
pub(crate) fn empty_cells(tiles: &Tiles) -> Vec<(usize, usize)> {
    let cells = tiles
        .iter()
        .enumerate()
        .flat_map(|(row, cells)| (0..cells.len()).map(move |col| (row, col)));
    cells.filter(|&(row, col)| tiles[row][col] == 0).collect()
}

/// The count that `afterstate::game::perft` defines.
pub(crate) fn perft(tiles: &Tiles, turns: u32) -> u64 {
    if turns == 0 {
        return 1;
    }
    let mut count = 0;
    for after in MOVES
        .into_iter()
        .filter_map(|mv| slide(tiles, mv))
        .map(|(after, _)| after)
    {
        if turns == 1 {
            count += 1;
            continue;
        }
        for (row, col) in empty_cells(&after) {
            for tile in [2, 4] {
                let mut next = after.clone();
                next[row][col] = tile;
                count += perft(&next, turns - 1);
            }
        }
    }

    count
}
