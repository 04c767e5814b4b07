"""Versions of the reading: which letters a text has, which words they make, and when two texts count as one.

Requests and documents are known again by hashes of what was read, so a change of the reading changes every hash of
documents that it touches. Such a change raises ``READING``. The ledger notes the version with each charge, and documents
are looked up as every version reads them: what was released before stays free, and stays with its dataset.
"""

READING = 1
"""The version of today."""

FIRST_READING = 1
"""The version of charges that name none."""
