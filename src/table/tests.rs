use super::*;

/// A row with a value of each kind, or without.
#[derive(Clone, Copy)]
struct Row {
    name: &'static str,
    games: u64,
    mean: Option<f64>,
    half: f64,
    share: Option<f64>,
    best: f64,
}

const ROWS: [Row; 3] = [
    Row {
        name: "=a|b & c_%",
        games: 12_345,
        mean: Some(1234.5625),
        half: 61.5,
        share: Some(0.906_25),
        best: 4096.0,
    },
    Row {
        name: "none",
        games: 0,
        mean: None,
        half: 0.0,
        share: None,
        best: f64::INFINITY,
    },
    Row {
        name: "0",
        games: 1,
        mean: Some(-0.125),
        half: 9.96,
        share: Some(0.0),
        best: 0.0,
    },
];

fn interval(row: &Row) -> Option<Interval> {
    row.mean.map(|mean| Interval::around(mean, row.half))
}

fn table() -> Table {
    let columns = [
        Column::text("name", "strategy", "name of the strategy", |row: &Row| {
            row.name
        }),
        Column::whole("games", "games", "finished games", |row: &Row| row.games),
        Column::number("mean", "mean", "mean score", |row: &Row| row.mean)
            .digits(Digits::Like("ci95")),
        Column::interval(
            "ci95",
            "95 % interval",
            "95 % interval of the mean",
            interval,
        ),
        Column::estimate("reach", "2048", "share of games", |row: &Row| {
            row.share.map(|share| (share, None))
        })
        .unit(Unit::PERCENT)
        .digits(Digits::Places(1))
        .spread(Spread::Hidden),
        Column::estimate(
            "difference",
            "difference",
            "mean difference",
            |row: &Row| row.mean.map(|mean| (mean, interval(row))),
        )
        .signed(),
        Column::number("best", "best", "upper limit", |row: &Row| row.best).only(Formats::PROGRAMS),
    ];
    Table::of(&columns, ROWS)
}

#[test]
fn people_see_the_digits_that_the_intervals_warrant() {
    let people = table().only(Formats::REPORT);
    assert_eq!(
        people.texts(),
        [
            [
                "=a|b & c_%",
                "12,345",
                "1,235",
                "1,173 to 1,296",
                "90.6 %",
                "+1,235 ± 62"
            ],
            ["none", "0", "–", "–", "–", "–"],
            ["0", "1", "0", "−10 to 10", "0.0 %", "0 ± 10"],
        ]
    );
    for (halves, places) in [
        (vec![], 0),
        (vec![0.0, 55.0], 0),
        (vec![9.4, 55.0], 1),
        (vec![9.96], 0),
        (vec![0.5], 2),
    ] {
        assert_eq!(places_of_halves(halves.clone()), places, "{halves:?}");
    }
    assert_eq!(places_of_halves([1e-9]), MOST_PLACES);
}

#[test]
fn the_text_for_people_is_the_same_in_all_formats() {
    let table = table().only(Formats::REPORT);
    let cells = |line: &str| -> Vec<String> {
        let line = line.replace("\\|", "\u{1}").replace('\\', "");
        let inside = line
            .trim()
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().replace('\u{1}', "|"));
        inside.collect()
    };
    let markdown: Vec<Vec<String>> = table.markdown().lines().skip(2).map(cells).collect();
    assert_eq!(markdown, table.texts());

    let html = table.html(|_, _| None);
    let rows = html
        .lines()
        .filter(|line| line.starts_with("<tr><td"))
        .map(|line| {
            let cells = line
                .split("</td>")
                .filter_map(|cell| Some(cell.rsplit_once('>')?.1.replace("&amp;", "&")));
            cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
        });
    assert!(rows.eq(table.texts()), "{html}");

    // siunitx wants plain numbers; the unit is in the title.
    let latex = table.latex();
    assert!(latex.contains(r"\begin{tabular}{lSSSSSSS}"), "{latex}");
    assert!(
        latex.contains(r"{mean} & {low} & {high} & {2048, \%} & {difference} & {±} \\"),
        "{latex}"
    );
    assert!(
        latex.contains(
            r"    =a\textbar{}b \& c\_\% & 12345 & 1235 & 1173 & 1296 & 90.6 & 1235 & 62 \\"
        ),
        "{latex}"
    );
    assert!(
        latex.contains(r"    none & 0 & {--} & {--} & {--} & {--} & {--} & {--} \\"),
        "{latex}"
    );
}

#[test]
fn programs_read_every_number_to_the_last_bit_and_a_missing_one_is_not_0() {
    let table = table();
    let csv = table.csv();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<String> = reader
        .headers()
        .expect("names")
        .iter()
        .map(str::to_owned)
        .collect();
    let described = table
        .heads
        .iter()
        .flat_map(Head::csv_columns)
        .map(|(name, about)| {
            assert!(!about.is_empty(), "{name}");
            name
        });
    assert!(names.iter().cloned().eq(described), "{names:?}");
    let json: serde_json::Value = serde_json::to_value(&table).expect("JSON");

    for (index, (record, row)) in reader.records().zip(ROWS).enumerate() {
        let record = record.expect("a record");
        let text = |name: &str| &record[names.iter().position(|other| other == name).expect(name)];
        let number = |name: &str| text(name).parse::<f64>().ok();
        let json = &json[index];
        let ends = interval(&row).map(|ends| [ends.low, ends.high]);
        assert_eq!(text("name").trim_start_matches('\''), row.name);
        assert_eq!(
            (text("games").parse().ok(), json["games"].as_u64()),
            (Some(row.games), Some(row.games))
        );
        assert_eq!(
            (number("mean"), json["mean"].as_f64()),
            (row.mean, row.mean)
        );
        for end in [0, 1] {
            let expected = ends.map(|ends| ends[end]);
            let names =
                ["ci95", "difference"].map(|name| format!("{name}{}", ["_low", "_high"][end]));
            assert_eq!(names.map(|name| number(&name)), [expected; 2]);
            assert_eq!(
                (
                    json["ci95"][end].as_f64(),
                    json["difference"]["ci95"][end].as_f64()
                ),
                (expected, expected)
            );
        }
        assert_eq!(
            (number("reach"), json["reach"]["value"].as_f64()),
            (row.share, row.share)
        );
        let best = Some(row.best).filter(|best| best.is_finite());
        assert_eq!((number("best"), json["best"].as_f64()), (best, best));
        assert_eq!(json["mean"].is_null(), row.mean.is_none());
    }

    // For a spreadsheet, in the units of the titles.
    let tabbed = table.only(Formats::REPORT).tabbed();
    assert!(
        tabbed.starts_with("strategy\tgames\tmean\tlow\thigh\t2048, %\tdifference\t±\n"),
        "{tabbed}"
    );
    assert!(
        tabbed.contains("\t12345\t1234.5625\t1173.0625\t1296.0625\t90.625\t1234.5625\t61.5"),
        "{tabbed}"
    );
    assert!(tabbed.contains("\nnone\t0\t\t\t\t\t\t\n"), "{tabbed}");
}

#[test]
fn a_cell_may_have_its_own_format_and_a_word_instead_of_a_value() {
    let columns = [
        Column::text("what", "", "quantity", |row: &(&'static str, Cell)| row.0),
        Column::number(
            "value",
            "value",
            "its value",
            |row: &(&'static str, Cell)| row.1.clone(),
        ),
    ];
    let rows = [
        ("share", Cell::from(0.5).with(Format::percent(1))),
        ("mean", Cell::from(12.25).with(Format::places(1))),
        ("none", Cell::Missing.with(Format::percent(1))),
        ("word", Cell::note("baseline")),
        ("size", Cell::shown("2 KiB", 2048_u64)),
    ];
    let table = Table::of(&columns, rows);
    assert_eq!(
        table.texts().concat(),
        [
            "share", "50.0 %", "mean", "12.2", "none", "–", "word", "baseline", "size", "2 KiB"
        ]
    );
    assert_eq!(
        table.csv(),
        "what,value\nshare,0.5\nmean,12.25\nnone,\nword,\nsize,2048\n"
    );
    let latex = table.latex();
    assert!(
        latex.contains(r"share & {50.0 \%} \\") && latex.contains(r"word & {baseline} \\"),
        "{latex}"
    );
    let sorted: Vec<Option<f64>> = table.rows.iter().map(|row| row[1].sort_value()).collect();
    assert_eq!(sorted, [Some(0.5), Some(12.25), None, None, Some(2048.0)]);
}

#[test]
fn columns_that_say_nothing_are_left_out() {
    let columns = [
        Column::text("name", "name", "", |row: &[Option<f64>; 3]| {
            row[0].map(|number| number.to_string())
        }),
        Column::number("some", "some", "", |row: &[Option<f64>; 3]| row[1]),
        Column::number("none", "none", "", |row: &[Option<f64>; 3]| row[2]),
    ];
    let table = Table::of(
        &columns,
        [
            [Some(1.0), Some(0.0), None],
            [Some(2.0), Some(3.0), Some(0.0)],
        ],
    );
    assert_eq!(
        table.columns_of_only(|cell| *cell == Cell::Missing),
        [""; 0]
    );
    assert_eq!(
        table.without_zeros().titles().collect::<Vec<_>>(),
        ["name", "some"]
    );
}
