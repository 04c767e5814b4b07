"""Author of a message, by the address in one of its headers."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from email.message import Message
from typing import NamedTuple

from dplda.corpus.addresses import addresses_in
from dplda.corpus.readers.mail.headers import (
    MAX_HEADER_CHARACTERS,
    UndecodableError,
    raw_values,
    readable,
)
from dplda.corpus.remarks import Remark

_ADDRESS_HEADERS = frozenset(
    {
        *("from", "sender", "reply-to", "to", "cc", "bcc", "return-path", "errors-to"),
        *("resent-from", "resent-sender", "delivered-to", "envelope-to"),
        *("x-original-from", "x-original-sender", "x-original-to", "x-sender"),
    }
)  # headers that hold addresses and not names
_VIA_LIST = re.compile(
    r"\bvia\s+[^<]*<"  # Ann via garden-list <garden@lists.test>
    r"|\([^()]*\bvia\s[^()]*\)",  # garden at lists.test (Ann via garden-list)
    re.IGNORECASE,
)
_LOCAL_USER = re.compile(r"[\w.+-]+")  # root, MAILER-DAEMON
_COMMENT = re.compile(r"\([^()]*\)")


class NoAuthorError(ValueError):
    """A header that names no author."""


class MailAuthor(NamedTuple):
    """The author of a message.

    Attributes:
        name: an address or a name; "" if there is none.
        remarks: remarks on how the author was found.
    """

    name: str
    remarks: tuple[Remark, ...] = ()


def author_of(message: Message, header: str, fallback_codec: str | None) -> MailAuthor:
    """Find the author that a header names: its first address, or all its text if it has none.

    The author is "" if the message has no such header.

    In From, mailing lists write ``Ann via list <list@lists.test>`` in place of the author, in many
    languages, and move the author's address to another header. It is taken if that header has only
    one. A list shows by these words, or by naming the same address as its own. Several addresses
    get a remark.

    Args:
        message: the message.
        header: name of the header.
        fallback_codec: encoding of text that names none and is not UTF-8; None for none.

    Raises:
        NoAuthorError: a header that should hold an address holds a text.
        UndecodableError: the letters are in no known encoding, so they could be anybody's.
    """
    values = list(raw_values(message, header))
    addresses = _addresses(values, fallback_codec)
    if not addresses:
        return MailAuthor(_plain_name(values, header, fallback_codec))
    if header.lower() == "from":
        list_addresses = _list_addresses(message, fallback_codec)
        is_via_list = any(_is_via_list(value, fallback_codec) for value in values)
        if is_via_list or addresses[0] in list_addresses:
            return _author_behind_list(message, [addresses[0], *list_addresses], fallback_codec)
    remarks = (Remark.SEVERAL_AUTHORS,) if len(addresses) > 1 else ()
    return MailAuthor(addresses[0], remarks)


def _addresses(values: Iterable[str], fallback_codec: str | None) -> list[str]:
    """Distinct addresses in some headers, in order.

    They are read from a header as it is written. They are read from the decoded header instead if
    none is found, or one has a character that cannot be printed, such as an undecoded byte.

    Raises:
        UndecodableError: a header that must be decoded is in no known encoding.
    """
    addresses: list[str] = []
    for value in values:
        addresses_in_value = addresses_in(value)
        has_unprintable = any(not address.isprintable() for address in addresses_in_value)
        if not addresses_in_value or has_unprintable:  # surrogates are not printable
            addresses_in_value = addresses_in(readable(value, fallback_codec))
        addresses += addresses_in_value
    return list(dict.fromkeys(addresses))


def _plain_name(values: list[str], header: str, fallback_codec: str | None) -> str:
    """Text of the first header without an address; "" if there is no header.

    Of a header that should hold addresses, comments and angle brackets are left out.

    Raises:
        NoAuthorError: a header of addresses holds anything but a local user such as ``root``, or
            is empty.
        UndecodableError: the letters are in no known encoding.
    """
    if not values:
        return ""
    name = readable(values[0], fallback_codec)
    if "\ufffd" in name:
        raise UndecodableError
    if header.lower() not in _ADDRESS_HEADERS:
        return name
    user_name = _COMMENT.sub(" ", name).strip(" <>\t\r\n")
    if _LOCAL_USER.fullmatch(user_name) is None:
        raise NoAuthorError
    return user_name


def _is_via_list(value: str, fallback_codec: str | None) -> bool:
    """Whether a mailing list put itself in the place of the author.

    False if the header cannot be decoded.
    """
    try:
        shown_header = readable(value, fallback_codec)[:MAX_HEADER_CHARACTERS]
        return _VIA_LIST.search(shown_header) is not None
    except UndecodableError:
        return False


def _list_addresses(message: Message, fallback_codec: str | None) -> list[str]:
    """Addresses that a mailing list calls its own; empty if no list sent the message.

    They come from ``List-Post``, ``X-BeenThere`` and ``List-Id``; one may occur several times.
    Headers that cannot be decoded do not count.
    """
    list_addresses: list[str] = []
    for header in ("list-post", "x-beenthere", "list-id"):
        with suppress(UndecodableError):
            list_addresses += _addresses(raw_values(message, header), fallback_codec)
    return list_addresses


def _author_behind_list(
    message: Message, list_addresses: Sequence[str], fallback_codec: str | None
) -> MailAuthor:
    """The author for whom a mailing list sent a message.

    ``X-Original-From``, ``X-Original-Sender`` and ``Reply-To`` are searched, in this order. The
    first header that names exactly one address other than the list's tells the author. If none
    does, the list itself is the author. Either has its remark.

    Args:
        message: the message.
        list_addresses: at least one address of the list; the first one stands for it.
        fallback_codec: encoding of text that names none and is not UTF-8; None for none.

    Raises:
        UndecodableError: a header that is searched is in no known encoding.
    """
    for header in ("x-original-from", "x-original-sender", "reply-to"):
        addresses = _addresses(raw_values(message, header), fallback_codec)
        author_addresses = [address for address in addresses if address not in list_addresses]
        if len(author_addresses) == 1:
            return MailAuthor(author_addresses[0], (Remark.AUTHOR_FROM_REPLY,))
    return MailAuthor(list_addresses[0], (Remark.LIST_AS_AUTHOR,))
