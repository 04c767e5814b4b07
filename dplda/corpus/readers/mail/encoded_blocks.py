"""Blocks of encoded bytes in the text of a message: nobody wrote them, so they are taken out."""

import re
from bisect import bisect_left
from collections import defaultdict

_QUOTE = re.compile(r"^(?:[>|] ?)+")
_UU_BEGIN = re.compile(r"begin(?:-base64)? [0-7]{3,4} \S")
_UU_LINE = re.compile(r"[ -`]{1,88}")
_ARMOR = re.compile(r"-----(BEGIN|END) ([A-Z0-9 ]{1,60})-----")
_SIGNED = "PGP SIGNED MESSAGE"  # whose text is in the open
_YENC = re.compile(r"=y(begin|end)(?: |$)")
_BINHEX = "(This file must be converted with BinHex"
_BASE64 = re.compile(r"[A-Za-z0-9+/]{50,}={0,2}")
_BASE64_END = re.compile(r"[A-Za-z0-9+/]{2,}={1,2}|(?=[^ ]*[0-9+/])[A-Za-z0-9+/]{20,}")
_LONG_LINE = 200  # characters of base64 that are a block of their own


def without_encoded_blocks(text: str) -> str:
    """A text without uuencoded, yEnc, BinHex, base64 and armored blocks, quoted ones included."""
    lines = text.splitlines()
    bare = [_QUOTE.sub("", line).strip() for line in lines]
    ends = _ends_of_blocks(bare)
    kept: list[str] = []
    place = 0
    while place < len(lines):
        after = _end_of_block(lines, bare, place, ends)
        if after == place:
            kept.append(lines[place])
            after += 1
        place = after
    return "\n".join(kept)


def _ends_of_blocks(bare: list[str]) -> dict[str, list[int]]:
    """The lines that end a block, by the kind of block."""
    ends: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(bare):
        if (armor := _ARMOR.fullmatch(line)) and armor[1] == "END":
            ends[armor[2]].append(place)
        elif (yenc := _YENC.match(line)) and yenc[1] == "end":
            ends["yenc"].append(place)
        elif line.endswith(":"):
            ends["binhex"].append(place)
    return ends


def _end_of_block(lines: list[str], bare: list[str], place: int, ends: dict[str, list[int]]) -> int:
    """The line after the block that begins at a line; the line itself where none does.

    Args:
        bare: the lines without marks of quoting.
    """
    line = bare[place]
    if armor := _ARMOR.fullmatch(line):
        if armor[1] == "END" or armor[2] == _SIGNED:
            return place + 1
        return _after(ends[armor[2]], place, otherwise=place + 1)
    if (yenc := _YENC.match(line)) and yenc[1] == "begin":
        return _after(ends["yenc"], place, otherwise=len(bare))
    if line.startswith(_BINHEX):
        return _after(ends["binhex"], place, otherwise=place + 1)
    if _UU_BEGIN.match(line):
        return _after_uuencoded(lines, bare, place)
    return _after_base64(bare, place)


def _after(ends: list[int], place: int, *, otherwise: int) -> int:
    """The line after the first of some ends that follows a line."""
    position = bisect_left(ends, place)
    return ends[position] + 1 if position < len(ends) else otherwise


def _after_uuencoded(lines: list[str], bare: list[str], place: int) -> int:
    """The line after a uuencoded block, which lasts as long as its lines have the lengths that they state."""
    is_base64 = bare[place].startswith("begin-base64")
    after = place + 1
    while after < len(bare):
        line = bare[after]
        if line == ("====" if is_base64 else "end"):
            return after + 1
        if is_base64:
            goes_on = _is_base64_line(line)
        else:  # a line of 30 bytes begins with the mark of quoting
            goes_on = _is_uuencoded_line(line) or _is_uuencoded_line(lines[after].rstrip())
        if not goes_on:
            break
        after += 1
    return after


def _is_uuencoded_line(line: str) -> bool:
    if not line or line == "`":  # a line of no bytes
        return True
    n_bytes = (ord(line[0]) - 32) & 63
    n_letters = 4 * -(-n_bytes // 3)
    # programs drop spaces at the end of a line, or add a check letter
    return _UU_LINE.fullmatch(line) is not None and 1 <= len(line) <= n_letters + 2


def _is_base64_line(line: str) -> bool:
    return re.fullmatch(r"[A-Za-z0-9+/]{1,88}={0,2}", line) is not None


def _after_base64(bare: list[str], place: int) -> int:
    """The line after a run of lines of base64; a single line counts only where it is very long."""
    after = place
    while after < len(bare) and _BASE64.fullmatch(bare[after]):
        after += 1
    if after - place < 2 and (after == place or len(bare[place]) < _LONG_LINE):
        return place
    if after < len(bare) and _BASE64_END.fullmatch(bare[after]):
        after += 1
    return after
