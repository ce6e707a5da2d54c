//! How much memory is free.

/// Bytes of memory that can still be allocated without the system having to free memory slowly; `None` if it does not
/// report that. The limits of a container and of the shell (`ulimit -v`) count, too.
pub fn memory_available() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let read = |path: &str| std::fs::read_to_string(path).ok();
        let machine = bytes_of("MemAvailable:", &read("/proc/meminfo")?)?;
        let groups = read("/proc/self/cgroup").unwrap_or_default();
        let limits = groups_of(&groups)
            .into_iter()
            .filter_map(|folder| left_of(&folder, read));
        Some(limits.chain(address_space_left()).fold(machine, u64::min))
    }
    #[cfg(not(target_os = "linux"))]
    {
        use sysinfo::{MemoryRefreshKind, RefreshKind, System};
        let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
        Some(System::new_with_specifics(ram).available_memory()).filter(|&bytes| bytes != 0)
    }
}

/// Bytes of address space that this process may still take (`ulimit -v`); `None` if there is no limit. Beyond it an
/// allocation aborts the program.
pub fn address_space_left() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::As).current;
        // Without its file, all of the limit counts.
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        Some(left_of_process(limit, &status).unwrap_or(limit?))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// The bytes that a line of a file such as `/proc/meminfo` tells.
#[cfg(target_os = "linux")]
fn bytes_of(name: &str, text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The control groups (version 2) of this process, from `/proc/self/cgroup`: its own and those above it. In a container
/// the own one is the root.
#[cfg(target_os = "linux")]
fn groups_of(text: &str) -> Vec<String> {
    let own = text.lines().find_map(|line| line.strip_prefix("0::"));
    let Some(own) = own else { return Vec::new() };
    let above = std::path::Path::new(own).ancestors();
    above
        .map(|group| {
            format!("/sys/fs/cgroup{}", group.display())
                .trim_end_matches('/')
                .to_owned()
        })
        .collect()
}

/// What a control group may still take. Its cache can be given back, so the part that is not used lately counts as free.
#[cfg(target_os = "linux")]
fn left_of(folder: &str, read: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let number = |name: &str| {
        read(&format!("{folder}/{name}"))?
            .trim()
            .parse::<u64>()
            .ok()
    };
    // Without a limit the file says "max".
    let (most, used) = (number("memory.max")?, number("memory.current")?);
    let statistics = read(&format!("{folder}/memory.stat")).unwrap_or_default();
    let cache = statistics
        .lines()
        .find_map(|line| line.strip_prefix("inactive_file ")?.parse().ok())
        .unwrap_or(0);
    Some(most.saturating_sub(used.saturating_sub(cache)))
}

/// What this process, whose `/proc/self/status` this is, may still take of its limit.
#[cfg(target_os = "linux")]
fn left_of_process(limit: Option<u64>, status: &str) -> Option<u64> {
    Some(limit?.saturating_sub(bytes_of("VmSize:", status)?))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_a_container_counts() {
        assert_eq!(
            bytes_of(
                "MemAvailable:",
                "MemTotal: 9 kB\nMemAvailable:    1000 kB\n"
            ),
            Some(1_024_000)
        );
        assert_eq!(
            groups_of("1:name=systemd:/x\n0::/a/b\n"),
            ["/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup"]
        );
        let files = |path: &str| {
            let text = match path {
                "/g/memory.max" => "1000\n",
                "/g/memory.current" => "700\n",
                "/g/memory.stat" => "anon 500\ninactive_file 150\n",
                "/free/memory.max" => "max\n",
                _ => return None,
            };
            Some(text.to_owned())
        };
        assert_eq!(left_of("/g", files), Some(450));
        assert_eq!(
            (left_of("/free", files), left_of("/none", files)),
            (None, None)
        );
        assert!(memory_available().is_some_and(|free| 0 < free));
    }

    #[test]
    fn the_limit_of_the_shell_counts() {
        let status = "Name:\tafterstate\nVmSize:\t    100 kB\n";
        assert_eq!(
            left_of_process(Some(1_000_000), status),
            Some(1_000_000 - 102_400)
        );
        assert_eq!(
            (
                left_of_process(Some(10), status),
                left_of_process(None, status)
            ),
            (Some(0), None)
        );
    }
}
