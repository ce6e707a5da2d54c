"""Drives the window for .ci/pictures: BINARY, a folder for its files, and the folder of the pictures."""

import contextlib
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

BINARY, WORK, PICTURES = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
SIZE = (1440, 900)
# Where nothing reacts to the pointer.
REST = (SIZE[0] // 2, SIZE[1] - 1)
# Of the animation, which also has fewer points.
FRAME_SECONDS = 2.4
FRAME_WIDTH = 960


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **options).stdout


def until(what, ask, seconds=300):
    late = time.monotonic() + seconds
    while time.monotonic() < late:
        found = ask()
        if found:
            return found
        time.sleep(0.1)
    shown = pathlib.Path(tempfile.gettempdir()) / "afterstate-pictures.png"
    capture(shown)
    sys.exit(f"pictures: {what}: not there within {seconds} seconds; {shown} shows what is there")


# What is on screen, by name


def children(node):
    return [child for child in (node.get_child_at_index(i) for i in range(node.get_child_count())) if child]


def window():
    for application in children(Atspi.get_desktop(0)):
        if (application.get_name() or "").lower() == "afterstate":
            for found in children(application):
                if found.get_child_count():
                    return found
    return None


def walk(node):
    yield node
    for child in children(node):
        yield from walk(child)


def find(name, role=None, where=lambda node: True):
    """The first control whose name begins so; none where one went while it was read."""
    try:
        for node in walk(window()):
            fits = (node.get_name() or "").startswith(name) and role in (None, node.get_role_name())
            if fits and where(node):
                return node
    except (AttributeError, GLib.Error):
        pass
    return None


def is_focused(node):
    return node.get_state_set().contains(Atspi.StateType.FOCUSED)


def there(name, role=None, **options):
    return until(f"{role or 'something'} named {name!r}", lambda: find(name, role), **options)


def press(name, role="push button"):
    there(name, role).do_action(0)


def middle(node):
    box = node.get_extents(Atspi.CoordType.WINDOW)
    return box.x + box.width // 2, box.y + box.height // 2


# What a user does


def keys(*names):
    for name in names:
        run("xdotool", "key", name)
        time.sleep(0.15)


def types(text):
    run("xdotool", "type", "--delay", "30", text)


def point(x, y):
    run("xdotool", "mousemove", x, y)
    time.sleep(0.1)


def command(text):
    """Runs a command by its name."""
    keys("ctrl+k")
    there("Find a command", "dialog")
    types(text)
    keys("Return")
    until("the list of commands goes", lambda: not find("Find a command", "dialog"))


def tab_to(name):
    def is_there():
        if find(name, where=is_focused):
            return True
        keys("Tab")
        return False

    until(f"{name!r} by Tab", is_there, seconds=90)


def drag(node, to):
    """Drags a control to another one and holds it there."""
    point(*middle(node))
    run("xdotool", "mousedown", 1)
    x, y = middle(node)
    x_to, y_to = middle(to)
    for step in range(1, 11):
        point(x + (x_to - x) * step // 10, y + (y_to - y) * step // 10)


# Pictures


def capture(path):
    run("import", "-window", "root", path)


def settle(seconds=300, still=1.2):
    """Waits until the picture no longer changes, which it does while anything runs."""
    path, last, since = WORK / "look.ppm", None, time.monotonic()

    def is_still():
        nonlocal last, since
        capture(path)
        now = hashlib.sha256(path.read_bytes()).digest()
        if now != last:
            last, since = now, time.monotonic()
        return still < time.monotonic() - since

    until("a still picture", is_still, seconds)


def picture(name):
    """A picture with few colors, and so a small file."""
    capture(WORK / "shot.png")
    options = ["+dither", "-colors", "96", "-define", "png:compression-level=9", "-strip"]
    run("convert", WORK / "shot.png", *options, f"PNG8:{PICTURES / name}")
    print(name, (PICTURES / name).stat().st_size, "bytes", flush=True)


def frame():
    """The next picture of the animation."""
    capture(WORK / f"frame-{len(list(WORK.glob('frame-*'))):02}.png")


def animation(name):
    frames = sorted(WORK.glob("frame-*"))
    # One set of colors for all pictures, so that what does not change costs nothing.
    run("convert", *frames, "-resize", f"{FRAME_WIDTH}x", "+append", "+dither", "-colors", "64", WORK / "colors.gif")
    options = ["-resize", f"{FRAME_WIDTH}x", "+dither", "-remap", WORK / "colors.gif", "-layers", "OptimizeFrame"]
    run("convert", "-delay", int(100 * FRAME_SECONDS), "-loop", 0, *frames, *options, PICTURES / name)
    print(name, (PICTURES / name).stat().st_size, "bytes", len(frames), "frames", flush=True)


@contextlib.contextmanager
def program():
    """The window of a new user."""
    size = "x".join(map(str, SIZE))
    arguments = ["--config-dir", WORK / "config", "--theme", "dark", "--size", size]
    with open(WORK / "out", "w") as out:
        running = subprocess.Popen([BINARY, *map(str, arguments)], stdout=out, stderr=out)
    try:
        until("the window on the accessibility bus", window)
        search = ["xdotool", "search", "--onlyvisible", "--name", "^Afterstate"]
        look = lambda: subprocess.run(search, capture_output=True, text=True).stdout.split()
        run("xdotool", "windowfocus", "--sync", until("the window", look)[-1])
        point(*REST)
        yield
    except subprocess.CalledProcessError as error:
        sys.exit(f"pictures: {error}: {error.stderr}")
    finally:
        running.terminate()
        running.wait()



def idle(seconds=600):
    """Waits until nothing runs and the picture is still."""
    there("Idle", "label", seconds=seconds)
    settle()
    there("Idle", "label", seconds=seconds)


def first_screen():
    """The first screen with its experiment finished, the tree, and a row that is dragged over the stack."""
    idle()
    picture("first-screen-dark.png")
    keys("Escape")
    # Its losses are on the board later, in the review.
    command("judge in the background")

    command("workspace search")
    press("chance node after down", "tree item")
    settle()
    picture("tree-dark.png")

    command("workspace build")
    settle()
    drag(there("Palette Snake"), there("Row 1 "))
    settle()
    picture("build-dark.png")
    keys("Escape")
    run("xdotool", "mouseup", 1)
    point(*REST)


def path():
    """The path: a bar, one of its games, its worst move, the judge's tree, the row that decided, an edit, a rerun."""
    command("workspace experiment")
    idle()
    frame()

    keys("ctrl+4")
    tab_to("Histogram of scores")
    keys("Right", "Return")
    idle()
    picture("bar-dark.png")
    frame()

    keys("Down", "shift+Return")
    idle(1200)
    picture("worst-move-dark.png")
    frame()

    keys("t")
    idle()
    frame()
    keys("r")
    idle()
    frame()
    keys("shift+r")
    idle()
    frame()
    # The search is to avoid boards without a legal move.
    press("Dead board", "combo box")
    there("Zero")
    settle()
    frame()
    types("zero")
    keys("Return")
    settle()
    frame()

    keys("g")
    idle(1200)
    frame()
    picture("rerun-dark.png")


def learning():
    """The curve of a network with some points."""
    command("workspace learn")
    press("New training")
    press("Start training")
    # "Learning · 8,123 of 100,000 games"
    status = lambda: find("Learning · ", "label")
    games = lambda node: int(node.get_name().split()[2].replace(",", ""))
    until("8,000 training games", lambda: (node := status()) and 8000 <= games(node), 1200)
    picture("learn-dark.png")
    press("Stop training")


def main():
    Atspi.init()
    Atspi.set_timeout(20_000, 20_000)
    with program():
        first_screen()
        path()
        animation("path-dark.gif")
        learning()


main()
