"""``dplda page``: write the page that shows what privacy costs, without a server."""

from pathlib import Path

from click import Option

from dplda.cli.options import Command, named_path
from dplda.core.safe_open import check_writable, write
from dplda.lessons.play.page import render_page


def page(out: Path) -> int:
    """Write the living picture, the game and three lessons as one file, and print its size.

    Args:
        out: the page to write.

    Returns:
        0.
    """
    check_writable(out)
    page_text = render_page()
    write(out, page_text)
    n_kilobytes = len(page_text.encode()) / 1000
    print(f"{out.name}: {n_kilobytes:.0f} kB, opens in any browser, asks no server.")
    return 0


OUT = Option(
    ["--out"], type=named_path, required=True, help="the page to write, for example play.html"
)
COMMAND = Command("page", page, OUT)
