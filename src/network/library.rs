//! Networks by name: one file each in a folder of the configuration, read once and shared; and the one that ships.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use super::file::KIND;
use super::{Manifest, Network, NetworkError, NetworkInfo};
use crate::game::Size;
use crate::kept::Shelf;
use crate::task::lock;

/// What the files of networks end with.
pub const ENDING: &str = KIND.ending;

/// The name of the network that ships.
pub const REFERENCE: &str = "reference";

/// Trained by this program, as its first line says.
static BYTES: &[u8] = include_bytes!("../../assets/reference.net");

/// One that is compared with another.
static NETWORKS: Shelf<Network> = Shelf::new(2);

/// Whether a name is that of a network in the folder, not the path of a file.
pub fn is_named(name: &str) -> bool {
    KIND.is_named(name)
}

/// The file that a name, or a path, means.
pub fn path_of(name: &str) -> Result<PathBuf, NetworkError> {
    KIND.path_of(name)
}

/// The names of all, the one that ships first.
pub fn names() -> Vec<String> {
    let own = KIND.names().into_iter().filter(|name| name != REFERENCE);
    [REFERENCE.to_owned()].into_iter().chain(own).collect()
}

/// The folder of networks in a folder of settings.
pub fn folder_in(config_dir: &Path) -> PathBuf {
    config_dir.join(KIND.folder)
}

/// All networks of a folder of settings, by their names.
pub fn files_in(config_dir: &Path) -> Vec<PathBuf> {
    KIND.files_in(config_dir)
}

/// The names of those of boards of this size, the one that ships first.
pub fn of_size(size: Size) -> Vec<String> {
    names().into_iter().filter(|name| info(name).is_ok_and(|info| info.header.shape.size == size)).collect()
}

/// What is in the network that ships, and the bytes of its file.
pub fn shipped() -> (Result<NetworkInfo, NetworkError>, u64) {
    static SHIPPED: LazyLock<Result<NetworkInfo, NetworkError>> =
        LazyLock::new(|| NetworkInfo::of_bytes(REFERENCE.as_ref(), BYTES));
    (SHIPPED.clone(), BYTES.len() as u64)
}

/// The network that ships, read once.
pub fn shipped_network() -> Result<Arc<Network>, NetworkError> {
    static SHIPPED: Mutex<Option<Arc<Network>>> = Mutex::new(None);
    let mut shipped = lock(&SHIPPED);
    if let Some(network) = &*shipped {
        return Ok(network.clone());
    }
    // What fails for want of memory may succeed the next time.
    let network = Arc::new(Network::of_bytes(REFERENCE.as_ref(), BYTES)?);
    *shipped = Some(network.clone());
    Ok(network)
}

/// Whether `reference` is one of the user's own: a file of that name whose training has played all its games or all its time.
pub fn has_own_reference() -> bool {
    NETWORKS.info(REFERENCE).is_ok_and(|info| is_done(&info))
}

/// A file of the user named `reference` that does not take the place of the one that ships yet: it goes on learning.
pub fn unfinished_reference() -> Option<NetworkInfo> {
    NETWORKS.info(REFERENCE).ok().filter(|info| !is_done(info))
}

/// Whether a network may take the place of the one that ships: it learns no more.
fn is_done(info: &NetworkInfo) -> bool {
    info.header.manifest.as_ref().is_none_or(Manifest::is_finished)
}

/// What is in a network, from its first line. `reference` is the one that ships, unless the user has another of that name
/// that has learnt to its end.
pub fn info(name: &str) -> Result<NetworkInfo, NetworkError> {
    match NETWORKS.info(name) {
        Err(NetworkError::Missing { .. }) if name == REFERENCE => shipped().0,
        Ok(info) if name == REFERENCE && !is_done(&info) => shipped().0,
        found => found,
    }
}

/// Proves the network of this name by its checksum, unless that was done. The one that ships is part of the program.
pub fn prove(name: &str) -> Result<(), NetworkError> {
    match info(name) {
        Ok(_) if name == REFERENCE && !has_own_reference() => Ok(()),
        Ok(_) => NETWORKS.prove(name),
        Err(error) => Err(error),
    }
}

/// The network of this name, read once and then shared until others are used.
pub fn network(name: &str) -> Result<Arc<Network>, NetworkError> {
    if name == REFERENCE && !has_own_reference() {
        // What is there and does not read is told.
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
        assert!(manifest.command.starts_with("afterstate train --network 4x6patt"), "{}", manifest.command);
        assert!(of_size(Size::FOUR).contains(&REFERENCE.to_owned()));
        assert!(!of_size("3x3".parse().expect("a size")).contains(&REFERENCE.to_owned()));
        assert_eq!(network(REFERENCE).expect("shipped").info, info);
    }
}
