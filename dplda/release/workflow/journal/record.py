"""Encrypted records: noisy answers on a disk, unreadable before their nonce is given away.

A record is two sizes in the clear, and a header and a payload that are added, bit by bit, to a
keystream. The stream is SHAKE-256 of a key that is used for this record alone: a keyed hash of a
random nonce. Whether a record is whole and unchanged is told by its SHA-256, which the ledger has.
"""

import hashlib
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO

import numpy as np

from dplda.core.errors import DpldaError

SIZES = struct.Struct("<QQ")  # bytes of a header and of a payload
BLOCK = 1 << 20  # bytes of a payload that are encrypted at once
LARGEST_HEADER = 1 << 16  # bytes
HEADER = 1  # place of the header among the pieces of a record: after the sizes, before the payload
CHANGED = "A value that was drawn is missing from its journal, or was changed."


class RecordError(DpldaError):
    """A record that is missing, cut or changed."""


@dataclass(frozen=True, slots=True)
class RecordDigest:
    """What identifies a record.

    Attributes:
        size: of the whole record, in bytes.
        sha256: of the whole record, in hexadecimal.
    """

    size: int
    sha256: str


def write_record(file: BinaryIO, header: bytes, payload: memoryview, key: bytes) -> RecordDigest:
    """Append an encrypted record to a file; returns the size and the hash of what was written.

    Args:
        file: open for writing, at its end.
        header: what the record answers.
        payload: the answer.
        key: encrypts it, and must never be used for another record.
    """
    digest = hashlib.sha256()
    packed_sizes = SIZES.pack(len(header), payload.nbytes)
    pieces = chain([memoryview(header)], _split_into_blocks(payload))
    encrypted_pieces = (
        _apply_keystream(piece, key, piece_number) for piece_number, piece in enumerate(pieces)
    )
    for piece in chain([packed_sizes], encrypted_pieces):
        file.write(piece)
        digest.update(piece)
    return RecordDigest(len(packed_sizes) + len(header) + payload.nbytes, digest.hexdigest())


def read_record(file: BinaryIO, expected: RecordDigest, key: bytes) -> tuple[bytes, bytearray]:
    """Read the next record, and decrypt its header and its payload.

    The cipher is a keystream without authentication: what guards the record is the expected
    hash, which is compared after everything is read.

    Args:
        file: open for reading, at the record.
        expected: size and hash of the record.
        key: with which it was encrypted.

    Raises:
        RecordError: it is not the expected one.
    """
    digest = hashlib.sha256()
    header = b""
    payload = bytearray()
    for piece_number, piece in enumerate(_read_pieces(file, expected.size)):
        digest.update(piece)
        if piece_number == HEADER:
            header = _apply_keystream(memoryview(piece), key, 0)
        elif piece_number > HEADER:
            payload += _apply_keystream(memoryview(piece), key, piece_number - HEADER)
    if digest.hexdigest() != expected.sha256:
        raise RecordError(CHANGED)
    return header, payload


def check_record(file: BinaryIO, expected: RecordDigest) -> None:
    """Read over the next record, without decrypting it.

    Raises:
        RecordError: it is not the expected one.
    """
    digest = hashlib.sha256()
    for piece in _read_pieces(file, expected.size):
        digest.update(piece)
    if digest.hexdigest() != expected.sha256:
        raise RecordError(CHANGED)


def count_whole_records(file: BinaryIO, n_bytes: int) -> int:
    """Count the whole records in the bytes that a file has left, by their sizes alone.

    Stops at the first that is cut short. Moves the position in the file.

    Args:
        file: open for reading, at the first of them.
        n_bytes: number of these bytes.
    """
    n_records = 0
    while n_bytes >= SIZES.size:
        record_size = SIZES.size + sum(SIZES.unpack(file.read(SIZES.size)))
        if record_size > n_bytes:
            break
        file.seek(record_size - SIZES.size, os.SEEK_CUR)
        n_bytes -= record_size
        n_records += 1
    return n_records


def _read_pieces(file: BinaryIO, expected_size: int) -> Iterator[bytes]:
    """Yield the pieces of the next record as they are stored: sizes, header, blocks of the payload.

    The sizes are in the clear, the others encrypted.

    Raises:
        RecordError: the sizes do not add up to the expected one, the header is above
            ``LARGEST_HEADER`` bytes, or the file ends too early.
    """
    packed_sizes = file.read(SIZES.size)
    if len(packed_sizes) < SIZES.size:
        raise RecordError(CHANGED)
    header_size, payload_size = SIZES.unpack(packed_sizes)
    if SIZES.size + header_size + payload_size != expected_size or header_size > LARGEST_HEADER:
        raise RecordError(CHANGED)
    yield packed_sizes
    n_full_blocks, last_size = divmod(payload_size, BLOCK)
    piece_sizes = [header_size] + [BLOCK] * n_full_blocks
    if last_size:
        piece_sizes.append(last_size)
    for piece_size in piece_sizes:
        piece = file.read(piece_size)
        if len(piece) < piece_size:
            raise RecordError(CHANGED)
        yield piece


def _split_into_blocks(payload: memoryview) -> Iterator[memoryview]:
    for start in range(0, payload.nbytes, BLOCK):
        yield payload[start : start + BLOCK]


def _apply_keystream(piece: memoryview, key: bytes, number: int) -> bytes:
    """Add a piece, bit by bit, to its own part of the keystream: encrypts, and decrypts."""
    stream = hashlib.shake_256(key + number.to_bytes(8, "little")).digest(piece.nbytes)
    combined = np.frombuffer(piece, np.uint8) ^ np.frombuffer(stream, np.uint8)
    return combined.tobytes()
