//! Networks by name: the user's files in a configuration folder, read once and shared, and the shipped network.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use super::file::KIND;
use super::{Manifest, Network, NetworkError, NetworkInfo};
use crate::game::Size;
use crate::kept::Shelf;
use crate::task::lock;
use crate::words;

/// The file ending of networks.
pub const ENDING: &str = KIND.ending;

/// The name of the shipped network.
pub const REFERENCE: &str = "reference";

/// Trained by this program, as its first line says.
static BYTES: &[u8] = include_bytes!("../../assets/reference.net");

/// Two, because one is often compared with another.
static NETWORKS: Shelf<Network> = Shelf::new(2);

/// Whether a name is that of a network in the folder, not the path of a file.
pub fn is_named(name: &str) -> bool {
    KIND.is_named(name)
}

/// The name without folder and ending, on one line.
pub fn short(name: &str) -> String {
    let stem = if is_named(name) {
        None
    } else {
        Path::new(name).file_stem().and_then(|stem| stem.to_str())
    };
    words::one_line(stem.unwrap_or(name))
}

/// The file of a name or a path.
pub fn path_of(name: &str) -> Result<PathBuf, NetworkError> {
    KIND.path_of(name)
}

/// All names, the shipped network first.
pub fn names() -> Vec<String> {
    let own = KIND.names().into_iter().filter(|name| name != REFERENCE);
    [REFERENCE.to_owned()].into_iter().chain(own).collect()
}

/// The folder of networks in a configuration folder.
pub fn folder_in(config_dir: &Path) -> PathBuf {
    config_dir.join(KIND.folder)
}

/// All networks of a configuration folder, by name.
pub fn files_in(config_dir: &Path) -> Vec<PathBuf> {
    KIND.files_in(config_dir)
}

/// The names of the networks for boards of this size, the shipped one first.
pub fn of_size(size: Size) -> Vec<String> {
    names()
        .into_iter()
        .filter(|name| info(name).is_ok_and(|info| info.header.shape.size == size))
        .collect()
}

/// The info of the shipped network, and the bytes of its file.
pub fn shipped() -> (Result<NetworkInfo, NetworkError>, u64) {
    static SHIPPED: LazyLock<Result<NetworkInfo, NetworkError>> =
        LazyLock::new(|| NetworkInfo::of_bytes(REFERENCE.as_ref(), BYTES));
    (SHIPPED.clone(), BYTES.len() as u64)
}

/// The shipped network, read once.
pub fn shipped_network() -> Result<Arc<Network>, NetworkError> {
    static SHIPPED: Mutex<Option<Arc<Network>>> = Mutex::new(None);
    let mut shipped = lock(&SHIPPED);
    if let Some(network) = &*shipped {
        return Ok(network.clone());
    }
    // A failure for lack of memory may not repeat.
    let network = Arc::new(Network::of_bytes(REFERENCE.as_ref(), BYTES)?);
    *shipped = Some(network.clone());
    Ok(network)
}

/// Whether `reference` is the user's own: a file with that name whose training is finished.
pub fn has_own_reference() -> bool {
    NETWORKS.info(REFERENCE).is_ok_and(|info| is_done(&info))
}

/// A file of the user named `reference` that does not replace the shipped network yet, because its training is not
/// finished.
pub fn unfinished_reference() -> Option<NetworkInfo> {
    NETWORKS.info(REFERENCE).ok().filter(|info| !is_done(info))
}

/// Whether a network may replace the shipped one: its training is finished.
fn is_done(info: &NetworkInfo) -> bool {
    info.header
        .manifest
        .as_ref()
        .is_none_or(Manifest::is_finished)
}

/// The info of a network, from its first line. `reference` is the shipped one, unless the user has a finished network
/// with that name.
pub fn info(name: &str) -> Result<NetworkInfo, NetworkError> {
    match NETWORKS.info(name) {
        Err(NetworkError::Missing { .. }) if name == REFERENCE => shipped().0,
        Ok(info) if name == REFERENCE && !is_done(&info) => shipped().0,
        found => found,
    }
}

/// Verifies the checksum of the network with this name, unless that was done. The shipped one is part of the program.
pub fn prove(name: &str) -> Result<(), NetworkError> {
    match info(name) {
        Ok(_) if name == REFERENCE && !has_own_reference() => Ok(()),
        Ok(_) => NETWORKS.prove(name),
        Err(error) => Err(error),
    }
}

/// The network with this name, read once and then shared until others are used.
pub fn network(name: &str) -> Result<Arc<Network>, NetworkError> {
    if name == REFERENCE && !has_own_reference() {
        // An unreadable file is reported.
        return match NETWORKS.info(name) {
            Err(NetworkError::Missing { .. }) | Ok(_) => shipped_network(),
            Err(error) => Err(error),
        };
    }
    NETWORKS.whole(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Size;

    #[test]
    fn the_reference_ships_and_says_how_it_was_trained() {
        assert!(BYTES.len() <= 8_000_000);
        let info = info(REFERENCE).expect("shipped");
        let manifest = info.header.manifest.clone().expect("trained");
        assert!(manifest.is_reproducible() && manifest.is_finished());
        assert!(
            manifest
                .command
                .starts_with("afterstate train --network 4x6patt"),
            "{}",
            manifest.command
        );
        assert!(of_size(Size::FOUR).contains(&REFERENCE.to_owned()));
        assert!(!of_size("3x3".parse().expect("a size")).contains(&REFERENCE.to_owned()));
        assert_eq!(network(REFERENCE).expect("shipped").info, info);
    }
}
