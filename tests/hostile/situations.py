"""Places that are no files, parameters out of reason, and circumstances in which nothing can be written or finished."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.hostile.texts import GOOD
from tests.hostile.trial import Trial

PATHS = ("load", "fit", "read")
METHODS = (
    "unnoised",
    "unnoised-refined",
    "vi",
    "unigram",
    "refined",
    "adaptive",
    "private-unigram",
    "dp-vi",
    "config-1",
)
REASONABLE = {"--epsilon": "1", "--delta": "1e-7", "--topics": "2", "--alpha0": "1", "--seed": "0"}
FIELDS = {
    "--topics": "n_topics",
    "--alpha0": "alpha0",
    "--epsilon": "epsilon",
    "--delta": "delta",
    "--seed": "seed",
}
VALUES = {
    "--topics": ("0", "-1", "3", "1000000000", str(10**30)),
    "--alpha0": ("nan", "0", "-1", "inf", "1e-300", "1e300"),
    "--epsilon": ("nan", "0", "-1", "inf", "1e-300", "1e-9", "1e300"),
    "--delta": ("nan", "0", "-1", "1", "0.5", "0.9999999999999999", "2", "1e-320", "1e-300"),
    "--seed": ("-1", str(2**32), str(2**63), str(2**64), str(10**30)),
}
WRONG = {
    "--topics": {"0", "-1", "1000000000", str(10**30)},
    "--alpha0": {"nan", "0", "-1", "inf"},
    "--epsilon": {"nan", "0", "-1"},
    "--delta": {"nan", "0", "-1", "1", "0.5", "0.9999999999999999", "2"},
    "--seed": {"-1"},
}
NOISY = ("refined", "adaptive", "private-unigram", "dp-vi", "config-1")


def trials() -> Iterator[Trial]:
    """All of them."""
    for trial_name, make in _PLACES.items():
        yield Trial("place", trial_name, make, doors=PATHS)
    for path in _SYSTEM:
        yield Trial("place", path, lambda folder, path=path: path, doors=PATHS)
    for name in _NAMES:
        yield Trial(
            "name",
            repr(name)[:40],
            lambda folder, name=name: _named(folder, name),
            doors=("fit", "upload"),
        )
    yield from _parameters()
    for trial_name, options, wrong in _OPTIONS:
        yield Trial(
            "option", trial_name, _good, doors=("fit", "read"), options=options, wrong=wrong
        )
    for trial_name, out in _OUTS.items():
        yield Trial("result", trial_name, _good, doors=("fit",), out=out)
    for method in METHODS:
        options = ("--method", method, *_words({}))
        yield Trial(
            "method",
            method,
            _good,
            doors=("fit", "python"),
            options=options,
            settings=_fields(method),
        )
    for trial_name in ("no home", "no output", "no reader", "no room"):
        yield Trial(
            "circumstance", trial_name, _good, doors=("fit", "read"), circumstance=trial_name
        )
    for trial_name in ("interrupted", "terminated"):
        yield Trial(
            "circumstance", trial_name, _much, doors=("fit", "read"), circumstance=trial_name
        )


def _parameters() -> Iterator[Trial]:
    """Every value with two methods; where it must be refused, only a refusal will do."""
    for i, (option, value) in enumerate(
        (option, value) for option, values in VALUES.items() for value in values
    ):
        methods = NOISY if option in ("--epsilon", "--delta") else METHODS
        for shift, doors in ((0, ("fit", "python")), (2, ("fit",))):
            method = methods[(i + shift) % len(methods)]
            yield Trial(
                "parameter",
                f"{method}, {option} {value[:12]}",
                _good,
                doors=doors,
                options=("--method", method, *_words({option: value})),
                settings=_fields(method, FIELDS[option], value),
                wrong=value in WRONG[option],
            )


def _words(changed_options: dict[str, str]) -> tuple[str, ...]:
    return tuple(f"{option}={value}" for option, value in (REASONABLE | changed_options).items())


def _fields(method: str, field: str = "", value: str = "") -> tuple[tuple[str, float | str], ...]:
    settings = {FIELDS[option]: setting_value for option, setting_value in REASONABLE.items()} | (
        {field: value} if field else {}
    )
    numbers = {
        name: int(setting_value) if name in ("n_topics", "seed") else float(setting_value)
        for name, setting_value in settings.items()
    }
    return (("method", method), *numbers.items())


def _good(folder: Path) -> str:
    (folder / "a.txt").write_bytes(GOOD * 20)
    return str(folder / "a.txt")


def _much(folder: Path) -> str:
    (folder / "a.txt").write_bytes(GOOD * 30_000)
    return str(folder / "a.txt")


def _named(folder: Path, name: bytes) -> str:
    with open(os.path.join(os.fsencode(folder), name), "wb") as file:
        file.write(GOOD)
    return os.fsdecode(os.path.join(os.fsencode(folder), name))


def _deep(folder: Path) -> str:
    folder_descriptor = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=folder_descriptor)
        subfolder_descriptor = os.open("d", os.O_RDONLY, dir_fd=folder_descriptor)
        os.close(folder_descriptor)
        folder_descriptor = subfolder_descriptor
    with os.fdopen(
        os.open("a.txt", os.O_WRONLY | os.O_CREAT, dir_fd=folder_descriptor), "wb"
    ) as file:
        file.write(GOOD)
    os.close(folder_descriptor)
    return str(folder)


def _many(folder: Path) -> str:
    for i in range(12_000):
        (folder / f"{i}.txt").write_bytes(b"wolves deer\n")
    return str(folder)


def _linked(target: str) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        (folder / "b.txt").write_bytes(GOOD)
        (folder / "a.txt").symlink_to(target)
        return str(folder / "a.txt")

    return make


def _folder_of_links(folder: Path) -> str:
    _linked("/etc/passwd")(folder)
    (folder / "c").symlink_to(folder)
    os.mkfifo(folder / "d.txt")
    return str(folder)


def _pipe(folder: Path) -> str:
    os.mkfifo(folder / "a.txt")
    return str(folder / "a.txt")


def _socket(folder: Path) -> str:
    working_folder = os.getcwd()
    os.chdir(folder)  # an address may have no more than a hundred letters
    socket.socket(socket.AF_UNIX).bind("a.txt")
    os.chdir(working_folder)
    return str(folder / "a.txt")


def _closed(folder: Path) -> str:
    (folder / "b").mkdir()
    _good(folder / "b")
    (folder / "b").chmod(0)
    return str(folder / "b")


_PLACES: dict[str, Callable[[Path], str]] = {
    "nothing there": lambda folder: str(folder / "a.txt"),
    "an empty folder": str,
    "1,500 folders deep": _deep,
    "twelve thousand files": _many,
    "5,000 letters": lambda folder: str(folder / ("a" * 5000 + ".txt")),
    "5,000 folders": lambda folder: str(folder) + "/a" * 5000,
    "a zero letter": lambda folder: f"{folder}/a\0.txt",
    "a surrogate": lambda folder: f"{folder}/\ud800.txt",
    "an escaped byte": lambda folder: f"{folder}/\udcff.txt",
    "no letters": lambda folder: "",
    "a file as a folder": lambda folder: _good(folder) + "/b.txt",
    "a pipe": _pipe,
    "a socket": _socket,
    "a link to itself": _linked("a.txt"),
    "a link to nothing": _linked("no.txt"),
    "a link to a device": _linked("/dev/zero"),
    "a link to a file": _linked("b.txt"),
    "a folder of links": _folder_of_links,
    "a closed folder": _closed,
}
_SYSTEM = (
    "/dev/zero", "/dev/null", "/dev/full", "/dev/random", "/dev/tty", "/dev/stdin", "/dev/kmsg", "/proc/kmsg", "/proc",
    "/proc/self/mem", "/proc/self/environ", "/proc/self/pagemap", "/proc/self/fd", "/sys/kernel", "/", ".", "-", "~",
)  # fmt: skip
_NAMES = (
    b"\x1b[2J\x07.txt", b"a\nb.txt", b"\xff\xfe.txt", b"-k.txt", b"--out.csv", "\u202etxt.exe".encode(), b" .txt",
    b"$(reboot).txt", b"<b>a.txt", b"%s%n.txt", b"a.TXT", b".txt", b"a.csv.txt.exe", b"CON.txt",
    b"a" * 250 + b".txt",
)  # fmt: skip
_OPTIONS = (
    *(
        (f"--n-words {it}", ("--n-words", it), it in ("0", "1", "-5"))
        for it in ("0", "1", "-5", "2", str(10**30))
    ),
    *((f"--max-mb {it}", ("--max-mb", it), it in ("0", "-1")) for it in ("0", "-1", str(10**30))),
    *((f"--max-documents {it}", ("--max-documents", it), True) for it in ("0", "-1", "1")),
    *(
        (f"--pattern {it[:20]}", ("--pattern", it), False)
        for it in (
            "",
            "(",
            "(a+)+$",
            "(?:[a-z]+)*!",
            "(?P<x>",
            "a{99999999999}",
            ".*",
            "\\b",
            "(" * 500 + ")" * 500,
        )
    ),
    ("--words nowhere", ("--words", "/nowhere/at/all"), True),
    ("--words of a device", ("--words", "/dev/zero"), True),
    ("--stop-words nowhere", ("--stop-words", "/nowhere"), True),
    ("--counted-words", ("--counted-words", "/dev/null"), False),
    ("--text of nothing", ("--text", ""), False),
    ("--person in plain text", ("--person", "who"), True),
    ("--keep-case", ("--keep-case",), False),
)
_OUTS = {
    "nowhere": "no/such/folder/topics.json",
    "a folder": "a.json/",
    "a device": "/dev/full",
    "a zero letter": "a\0.json",
    "5,000 letters": "a" * 5000 + ".json",
    "another ending": "topics.exe",
    "a surrogate": "out/\udcff.json",
    "the documents themselves": "a.txt/a.json",
    "no letters": "",
    "a table": "out/topics.csv",
}
