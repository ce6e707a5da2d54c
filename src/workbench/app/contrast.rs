//! Whether the desktop requests high contrast.

use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

/// Maximum wait for the desktop's answer before the window opens.
const PATIENCE: Duration = Duration::from_millis(250);

/// Queries the desktop once; no answer in time means no.
pub(super) fn is_asked_for() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    *ASKED.get_or_init(|| {
        let (sender, receiver) = mpsc::channel();
        let asking = thread::Builder::new()
            .name("contrast".to_owned())
            .spawn(move || {
                // The receiver may have timed out.
                let _ = sender.send(desktop());
            });
        asking.is_ok() && receiver.recv_timeout(PATIENCE).unwrap_or_default()
    })
}

/// The setting `contrast` of the desktop portal, which GNOME, KDE and others share: 1 is high.
#[cfg(target_os = "linux")]
fn desktop() -> bool {
    let answer = pollster::block_on(async {
        let bus = zbus::Connection::session().await?;
        let [name, path] = [
            "org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop",
        ];
        let interface = Some("org.freedesktop.portal.Settings");
        let setting = ("org.freedesktop.appearance", "contrast");
        let reply = bus
            .call_method(Some(name), path, interface, "Read", &setting)
            .await?;
        reply.body().deserialize::<zbus::zvariant::OwnedValue>()
    });
    answer.is_ok_and(|value| is_high(&value))
}

/// The portal wraps the number in one variant or in two.
#[cfg(target_os = "linux")]
fn is_high(value: &zbus::zvariant::Value<'_>) -> bool {
    match value {
        zbus::zvariant::Value::Value(inner) => is_high(inner),
        value => *value == zbus::zvariant::Value::U32(1),
    }
}

#[cfg(not(target_os = "linux"))]
fn desktop() -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use zbus::zvariant::Value;

    use super::*;

    #[test]
    fn one_means_high_however_it_is_wrapped() {
        assert!(is_high(&Value::U32(1)) && is_high(&Value::Value(Box::new(Value::U32(1)))));
        assert!(!is_high(&Value::U32(0)) && !is_high(&Value::from("high")));
    }
}
