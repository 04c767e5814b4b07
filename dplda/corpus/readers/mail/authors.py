"""The author of a message, by the address in one of its headers."""

import re
from collections.abc import Iterable
from email.message import Message
from typing import NamedTuple

from dplda.corpus.addresses import addresses_in
from dplda.corpus.readers.mail.headers import LONGEST_HEADER, UndecodableError, raw_values, readable
from dplda.corpus.remarks import Remark

_OF_ADDRESSES = frozenset(
    {
        *("from", "sender", "reply-to", "to", "cc", "bcc", "return-path", "errors-to"),
        *("resent-from", "resent-sender", "delivered-to", "envelope-to"),
        *("x-original-from", "x-original-sender", "x-original-to", "x-sender"),
    }
)  # headers that hold addresses and not names
_VIA_LIST = re.compile(r"\bvia\s+[^<]*<", re.IGNORECASE)  # Ann via garden-list <garden@lists.test>
_LOCAL_USER = re.compile(r"[\w.+-]+")  # root, MAILER-DAEMON
_COMMENT = re.compile(r"\([^()]*\)")


class NoAuthorError(ValueError):
    """A header that names no author."""


class MailAuthor(NamedTuple):
    """The author of a message, as an address or a name, empty if there is none, and what to say of how it was found."""

    name: str
    remarks: tuple[Remark, ...] = ()


def author_of(message: Message, header: str, fallback: str | None) -> MailAuthor:
    """The author that a header names: its first address; of headers that hold no addresses, all of the text.

    Mailing lists write ``Ann via list <list@lists.test>`` in place of the author, and move the author's address to the
    header for replies. It counts where there is just one.

    Raises:
        NoAuthorError: no address where one is due.
        UndecodableError: the letters of the author are in no known encoding, so they could be anybody's.
    """
    values = list(raw_values(message, header))
    addresses = _addresses(values, fallback)
    if not addresses:
        return MailAuthor(_plain_name(values, header, fallback))
    if header.lower() == "from" and any(_is_via_list(value, fallback) for value in values):
        return _behind_list(message, addresses[0], fallback)
    remarks = (Remark.SEVERAL_AUTHORS,) if len(addresses) > 1 else ()
    return MailAuthor(addresses[0], remarks)


def _addresses(values: Iterable[str], fallback: str | None) -> list[str]:
    """The different addresses in some headers, first as they stand, then with encoded words decoded."""
    found: list[str] = []
    for value in values:
        written = addresses_in(value) or addresses_in(readable(value, fallback))
        if any(not address.isprintable() for address in written):  # surrogates are not
            written = addresses_in(readable(value, fallback))
        found += written
    return list(dict.fromkeys(found))


def _plain_name(values: list[str], header: str, fallback: str | None) -> str:
    """The text of a header without an address: a local user such as ``root``, or a name where names are due."""
    if not values:
        return ""
    name = readable(values[0], fallback)
    if "\ufffd" in name:
        raise UndecodableError
    if header.lower() not in _OF_ADDRESSES:
        return name
    user = _COMMENT.sub(" ", name).strip(" <>\t\r\n")
    if _LOCAL_USER.fullmatch(user) is None:
        raise NoAuthorError
    return user


def _is_via_list(value: str, fallback: str | None) -> bool:
    """Whether a mailing list put itself in the place of the author."""
    try:
        shown = readable(value, fallback)[:LONGEST_HEADER]
        return _VIA_LIST.search(shown) is not None
    except UndecodableError:
        return False


def _behind_list(message: Message, list_address: str, fallback: str | None) -> MailAuthor:
    """The author for whom a mailing list stands in; the list where the message does not say."""
    lists = {list_address}
    for name in ("list-post", "x-beenthere", "list-id"):
        lists.update(_addresses(raw_values(message, name), fallback))
    for name in ("x-original-from", "x-original-sender", "reply-to"):
        found = [it for it in _addresses(raw_values(message, name), fallback) if it not in lists]
        if len(found) == 1:
            return MailAuthor(found[0], (Remark.AUTHOR_FROM_REPLY,))
    return MailAuthor(list_address, (Remark.LIST_AS_AUTHOR,))
