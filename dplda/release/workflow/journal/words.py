"""Selected words in a record: as many bytes as the most words that may be selected can need.

So the size of a record, which is in the clear, says nothing about the words.
"""

import json

import numpy as np

from dplda.privacy.word_selection.selection import MAX_WORD_CHARACTERS, SelectionOutcome

WORDS = "selected words"
MOST_BYTES_OF_CHARACTER = 6  # as JSON writes a control character; UTF-8 takes at most four
MOST_BYTES_OF_WEIGHTS = 80  # of two numbers in hexadecimal, with what parts them from others
PADDING = b" "


def encode_words(selected_words: SelectionOutcome, n_words: int) -> bytes:
    """Selected words and both rounds' weights as JSON in UTF-8, padded with blanks.

    Weights are floats in hexadecimal, so they are exact.
    The size is that which ``n_words`` words may need, whatever the words are.
    """
    words_with_weights = [
        [word, *(float(weight).hex() for weight in weights)]
        for word, weights in zip(selected_words.words, selected_words.weights.T, strict=True)
    ]
    encoded_words = json.dumps(words_with_weights, ensure_ascii=False).encode()
    most_bytes_of_word = MOST_BYTES_OF_CHARACTER * MAX_WORD_CHARACTERS + MOST_BYTES_OF_WEIGHTS
    return encoded_words.ljust(n_words * most_bytes_of_word, PADDING)


def decode_words(encoded: bytes) -> SelectionOutcome:
    """Selected words as they were written."""
    words_with_weights = json.loads(encoded)
    words = tuple(word for word, *_ in words_with_weights)
    weights = [[float.fromhex(weight) for weight in row] for _, *row in words_with_weights]
    return SelectionOutcome(words, np.array(weights, dtype=float).reshape(-1, 2).T)
