//! `networks`: the saved trained networks, smaller copies of them, and those of TDL2048+.

use std::io::Write;
use std::path::Path;

use super::Failure;
use super::made_args::NetworksArgs;
use super::table::{cells, json_line, listed};
use super::terminal::tell;
use super::values::Format;
use crate::files;
use crate::network::{Encoding, Network, NetworkInfo, Point, Shape, TdlFile, TdlImages, library};
use crate::prose::network_sentence;
use crate::table::Head;
use crate::words;

pub(super) fn networks(args: &NetworksArgs, out: &mut impl Write) -> Result<(), Failure> {
    if let (Some(from), Some(to)) = (&args.import, &args.out) {
        return import(args, from, to);
    }
    if let (Some(name), Some(to)) = (&args.network, &args.export) {
        return export(name, to);
    }
    match (&args.network, &args.small) {
        (Some(name), Some(small)) => smaller(name, small, args.bytes),
        (Some(name), None) => {
            let info = library::info(name)?;
            match args.format {
                Format::Json => json_line(out, &info.header)?,
                Format::Text => writeln!(
                    out,
                    "{}: {}",
                    words::one_line(name),
                    network_sentence(&info)
                )?,
            }
            Ok(())
        }
        (None, _) => list(args.format, out),
    }
}

fn list(format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let mut all: Vec<(String, NetworkInfo)> = Vec::new();
    for name in library::names() {
        match library::info(&name) {
            Ok(info) => all.push((name, info)),
            Err(error) => tell(&format!("note: network {}: {error}", words::quoted(&name))),
        }
    }
    let own = library::unfinished_reference();
    let is_learning = own.is_some();
    let own = own.map(|info| (format!("{}, own, unfinished", library::REFERENCE), info));
    if let Some(own) = own {
        all.insert(1.min(all.len()), own);
    }

    if format == Format::Json {
        let rows: Vec<_> = all
            .iter()
            .map(|(name, info)| (name, &info.header))
            .collect();
        return Ok(json_line(out, &rows)?);
    }

    let rows = all.iter().map(|(name, info)| {
        let manifest = info.header.manifest.as_ref();
        let games = |games: [u64; 2]| games.map(words::count).join(" of ");
        cells![
            words::one_line(name),
            info.header.shape.label(),
            manifest.map(|manifest| manifest.training.rule_name()),
            manifest.map(|manifest| games([manifest.games, manifest.training.games])),
            manifest.map(|manifest| words::time(manifest.secs)),
            Point::last_with_enough(&info.header.curve).and_then(|point| point.learnt.mean()),
        ]
    });
    let heads = ["name", "network", "rule"]
        .map(Head::text)
        .into_iter()
        .chain(["games", "time", "mean"].map(Head::whole));
    out.write_all(listed(heads, rows).as_bytes())?;
    if is_learning {
        let name = library::REFERENCE;
        writeln!(
            out,
            "\n{name} is the shipped network until your own is trained completely: afterstate train {name} resumes"
        )?;
    }

    Ok(())
}

/// Saves the weights of another program as a network.
fn import(args: &NetworksArgs, from: &Path, to: &str) -> Result<(), Failure> {
    let path = library::path_of(to)?;
    if path.exists() {
        return Err(Failure::could(format!(
            "{}: a network with this name exists: choose another name",
            path.display()
        )));
    }
    let file = TdlFile {
        stages: args.stages.clone(),
        images: args.images.map(TdlImages::from),
    };
    let network = Network::read_tdl(from, &file)?;
    if library::is_named(to) {
        files::make_folder(files::folder_of(&path))?;
    }
    files::check_place(&path)?;
    let info = network.write(&path, Encoding::Whole)?;
    if args.images.is_none() {
        tell(&format!(
            "{}: {}",
            from.display(),
            assumed_images(network.shape())
        ));
    }
    tell(&format!("{}: {}", path.display(), network_sentence(&info)));
    Ok(())
}

/// How many images of a board the tables of imported weights are taken to read.
fn assumed_images(shape: &Shape) -> &'static str {
    match shape.is_symmetric() {
        true => {
            "each table reads eight images of a board, which the file does not state; --images 1 reads one"
        }
        false => {
            "each table reads one image of a board, as tables are images of each other; --images 8 reads eight"
        }
    }
}

fn export(name: &str, to: &Path) -> Result<(), Failure> {
    let network = library::network(name)?;
    let refused =
        |reason| Failure::could(format!("{name}: cannot be written for TDL2048+: {reason}"));
    let options = network.tdl_options().map_err(refused)?;
    files::check_place(to)?;
    network.write_tdl(to)?;
    let weights = words::plural(network.weights().len() as u64, "weight");
    tell(&format!(
        "{}: {weights}; ./2048 {options} -e 1 -i {} plays 1,000 games with it",
        to.display(),
        to.display()
    ));
    Ok(())
}

/// Writes a copy of at most this many bytes.
fn smaller(name: &str, to: &Path, bytes: u64) -> Result<(), Failure> {
    files::check_place(to)?;
    let path = library::path_of(name)?;
    let (network, coherences) = Network::read_with_coherences(&path)?;
    let coherences = coherences.ok_or_else(|| {
        Failure::usage(format!(
            "{name}: small copies need a network trained with --rule tc: this one was not"
        ))
    })?;
    let (small, encoding) = network.smaller(&coherences, bytes)?;
    let info = small.write(to, encoding)?;
    tell(&format!(
        "{}: {} of weights, {}",
        to.display(),
        words::bytes(info.header.bytes),
        info.header.note
    ));
    Ok(())
}
