"""A number for a text, the same for texts that differ in case, white space and punctuation alone.

It is for keyed hashes of documents (``release.fingerprints``) and for memory alone: whoever has a text can make its
number, so it is never written down as it is.
"""

import hashlib
import string

SHORTEST = 24
"""Bytes of letters and digits; shorter texts are alike everywhere, and have no number but 0."""
_PASSED_OVER = bytes({*range(128)} - {*(string.ascii_letters + string.digits).encode()})
_LOWER = bytes(range(256)).lower()


def number_of(text: str) -> int:
    r"""The first 64 bits of a hash of a text's letters and digits, in lower case."""
    said = text.encode("utf-8", "surrogatepass").translate(_LOWER, _PASSED_OVER)
    if len(said) < SHORTEST:
        return 0
    return int.from_bytes(hashlib.blake2b(said, digest_size=8, person=b"dplda texts").digest())
