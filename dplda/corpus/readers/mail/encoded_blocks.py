"""Removal of encoded bytes from the text of a message: attachments that nobody wrote as text."""

import re
from bisect import bisect_left
from collections import defaultdict

_QUOTE = re.compile(r"^(?:[>|] ?)+")
_UU_BEGIN = re.compile(r"begin(?:-base64)? [0-7]{3,4} \S")
_UU_LINE = re.compile(r"[ -`]{1,88}")
_ARMOR = re.compile(r"-----(BEGIN|END) ([A-Z0-9 ]{1,60})-----")
_SIGNED_TEXT = "PGP SIGNED MESSAGE"  # its text is readable
_YENC = re.compile(r"=y(begin|end)(?: |$)")
_BINHEX = "(This file must be converted with BinHex"
_BASE64 = re.compile(r"[A-Za-z0-9+/]{50,}={0,2}")
_BASE64_END = re.compile(r"[A-Za-z0-9+/]{2,}={1,2}|(?=[^ ]*[0-9+/])[A-Za-z0-9+/]{20,}")
_LONG_LINE_CHARACTERS = 200  # a single line of base64 is a block from this length


def without_encoded_blocks(text: str) -> str:
    """The text without uuencoded, yEnc, BinHex, base64 and armored blocks, quoted ones included.

    Of signed text only the mark goes. The lines that are left are joined by line feeds.
    """
    lines = text.splitlines()
    unquoted_lines = [_QUOTE.sub("", line).strip() for line in lines]
    ends_of_kind = _ends_of_blocks(unquoted_lines)
    kept_lines: list[str] = []
    line_index = 0
    while line_index < len(lines):
        next_line_index = _end_of_block(lines, unquoted_lines, line_index, ends_of_kind)
        if next_line_index == line_index:
            kept_lines.append(lines[line_index])
            next_line_index += 1
        line_index = next_line_index
    return "\n".join(kept_lines)


def _ends_of_blocks(unquoted_lines: list[str]) -> dict[str, list[int]]:
    """Find the lines that may end a block: their indexes from 0, ascending, by the kind of block.

    The kind is the title of armor as in ``END title``, ``yenc`` or ``binhex``. Lines of uuencoded
    and base64 blocks are not looked for here.
    """
    ends_of_kind: dict[str, list[int]] = defaultdict(list)
    for line_index, line in enumerate(unquoted_lines):
        armor_match = _ARMOR.fullmatch(line)
        yenc_match = _YENC.match(line)
        if armor_match and armor_match[1] == "END":
            ends_of_kind[armor_match[2]].append(line_index)
        elif yenc_match and yenc_match[1] == "end":
            ends_of_kind["yenc"].append(line_index)
        elif line.endswith(":"):
            ends_of_kind["binhex"].append(line_index)
    return ends_of_kind


def _end_of_block(
    lines: list[str], unquoted_lines: list[str], line_index: int, ends_of_kind: dict[str, list[int]]
) -> int:
    """The line after the block that begins at a line; the line itself if no block begins there.

    A block without an end is its first line alone, but yEnc goes on to the end of the text. Of
    text that is only signed, and of an end without its beginning, the mark alone is a block.

    Args:
        lines: all lines.
        unquoted_lines: the same without marks of quoting.
        line_index: the line, from 0.
        ends_of_kind: lines that may end a block, by its kind.
    """
    line = unquoted_lines[line_index]
    next_line = line_index + 1
    armor_match = _ARMOR.fullmatch(line)
    if armor_match:
        mark = armor_match[1]
        kind = armor_match[2]
        if mark == "END" or kind == _SIGNED_TEXT:
            return next_line
        return _after(ends_of_kind[kind], line_index, otherwise=next_line)
    yenc_match = _YENC.match(line)
    if yenc_match and yenc_match[1] == "begin":
        n_lines = len(unquoted_lines)
        return _after(ends_of_kind["yenc"], line_index, otherwise=n_lines)
    if line.startswith(_BINHEX):
        return _after(ends_of_kind["binhex"], line_index, otherwise=next_line)
    if _UU_BEGIN.match(line):
        return _after_uuencoded(lines, unquoted_lines, line_index)
    return _after_base64(unquoted_lines, line_index)


def _after(ends: list[int], place: int, *, otherwise: int) -> int:
    """The line after the first end at or below ``place``; ``otherwise`` if there is none."""
    position = bisect_left(ends, place)
    if position < len(ends):
        return ends[position] + 1
    return otherwise


def _after_uuencoded(lines: list[str], unquoted_lines: list[str], line_index: int) -> int:
    """The line after a uuencoded block: after its end mark, or the first of another form.

    If neither comes, the block goes on to the end of the text.
    """
    is_base64 = unquoted_lines[line_index].startswith("begin-base64")
    end_mark = "====" if is_base64 else "end"
    next_line_index = line_index + 1
    while next_line_index < len(unquoted_lines):
        line = unquoted_lines[next_line_index]
        if line == end_mark:
            return next_line_index + 1
        if is_base64:
            is_in_block = _is_base64_line(line)
        else:  # a line of 30 bytes begins with the mark of quoting
            quoted_line = lines[next_line_index].rstrip()
            is_in_block = _is_uuencoded_line(line) or _is_uuencoded_line(quoted_line)
        if not is_in_block:
            break
        next_line_index += 1
    return next_line_index


def _is_uuencoded_line(line: str) -> bool:
    """Whether a line may be of a uuencoded block; an empty one may.

    It has only the code's characters, and is not longer than its first one states. Two letters
    more are allowed, as some programs add a check, and fewer, as spaces at the end get lost.
    """
    if not line or line == "`":  # a line of 0 bytes
        return True
    n_bytes = (ord(line[0]) - 32) & 63
    n_letters = 4 * -(-n_bytes // 3)
    # programs drop spaces at the end of a line, or add a check letter
    return _UU_LINE.fullmatch(line) is not None and 1 <= len(line) <= n_letters + 2


def _is_base64_line(line: str) -> bool:
    """Whether a line consists of 1 to 88 characters of base64."""
    return re.fullmatch(r"[A-Za-z0-9+/]{1,88}={0,2}", line) is not None


def _after_base64(unquoted_lines: list[str], line_index: int) -> int:
    """The line after a run of lines of base64; ``line_index`` if none begins there.

    A single line counts only from 200 characters on. A shorter line that ends the run belongs
    to it.
    """
    next_line_index = line_index
    while next_line_index < len(unquoted_lines) and _BASE64.fullmatch(
        unquoted_lines[next_line_index]
    ):
        next_line_index += 1
    n_lines = next_line_index - line_index
    is_long_line = n_lines == 1 and len(unquoted_lines[line_index]) >= _LONG_LINE_CHARACTERS
    if n_lines < 2 and not is_long_line:
        return line_index
    if next_line_index < len(unquoted_lines) and _BASE64_END.fullmatch(
        unquoted_lines[next_line_index]
    ):
        next_line_index += 1
    return next_line_index
