//! The time that a thread has worked.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// CPU time of this thread since it began: what others do on the machine does not count.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
