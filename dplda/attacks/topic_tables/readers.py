"""Files of topic tables: CSV, JSON, and arrays with a list of their words."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from dplda.attacks.topic_tables.arrays import read_bertopic, read_npy, read_npz
from dplda.attacks.topic_tables.table import TopicTable, make_topic_table
from dplda.core.errors import InputError, ReadError
from dplda.core.safe_open import file_name, text_of

ENDINGS = (".csv", ".json", ".npy", ".npz", ".safetensors")
BERTOPIC_CONFIG = "ctfidf_config.json"
FORMATS_FIX = "The chapter Audits of the documentation says how tables are saved."
PROBABILITY_NAMES = ("probability", "weight")
_NAMES_OF_TOPICS = ("", "topic", "topics", "name")
_Weights = dict[str, dict[str, float]]
"""Weights by topic and word, in the order of the file."""
_NumberedRows = Iterator[tuple[int, list[str]]]
"""Cells of each row of a file, with the row's number from 1."""


def read_topic_table(path: Path, words_path: Path | None = None) -> TopicTable:
    """Read a topic table; the ending of its name gives the format.

    Args:
        path: a ``.csv``, ``.json``, ``.npy``, ``.npz`` or ``.safetensors`` file.
        words_path: the words of an array's columns, in place of those that it may have; None if
            the table names its words.

    Raises:
        ReadError: a file cannot be read, or is not like that.
        InputError: words are missing, not needed or do not fit, or a number is no weight.
    """
    name = file_name(path)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        known_endings = ", ".join(ENDINGS)
        raise ReadError(name, f"not one of {known_endings}", FORMATS_FIX)
    if ending in (".csv", ".json"):
        if words_path is not None:
            raise InputError("--topic-words", "left out, as the table names its words", "a file")
        text = text_of(path)
        if ending == ".csv":
            return _table_in_csv(text, name)
        return _table_in_json(text, name)
    weights, words = _array_in(path)
    if words_path is not None:
        words = read_topic_words(words_path)
    elif words is None:
        advice = "Give one word a line, in the order of the columns."
        raise InputError("--topic-words", f"given beside {name}", "nothing", advice)
    return make_topic_table(weights, words, name)


def _array_in(path: Path) -> tuple[ArrayLike, Sequence[str] | None]:
    """The weights of a file of arrays, and its words if it or the file beside it has them.

    Words are the array ``words`` of an archive, or those of BERTopic's configuration beside
    safetensors; else None.

    Raises:
        ReadError: the file cannot be read, or an archive holds no array ``topics``.
    """
    ending = path.suffix.lower()
    if ending == ".safetensors":
        weights = read_bertopic(path)
        config_path = path.with_name(BERTOPIC_CONFIG)
        if not config_path.is_file():
            return weights, None
        return weights, read_topic_words(config_path)
    if ending == ".npy":
        return read_npy(path), None
    arrays = read_npz(path)
    if "topics" not in arrays:
        problem_text = "no array called topics"
        raise ReadError(file_name(path), problem_text, "Use numpy.savez with topics and words.")
    if "words" not in arrays:
        return arrays["topics"], None
    words = [str(word) for word in arrays["words"]]
    return arrays["topics"], words


def read_topic_words(path: Path) -> list[str]:
    """Read the words of an array's columns, in order.

    The file has one word a line, where empty lines and spaces around a word do not count; or it is
    gensim's dictionary as text. With the ending ``.json`` it is a list, an object of places by
    word, or BERTopic's ``ctfidf_config.json``.

    Raises:
        ReadError: it is none of these, or places are not 0, 1, 2, ….
    """
    name = file_name(path)
    text = text_of(path)
    if path.suffix.lower() == ".json":
        return _words_in_json(text, name)
    lines = text.splitlines()
    dictionary_fields = [line.split("\t") for line in lines[1:]]  # gensim's first line is a number
    if dictionary_fields and all(_is_dictionary_entry(fields) for fields in dictionary_fields):
        place_of_word: dict[str, object] = {}
        for place, word, _ in dictionary_fields:
            place_of_word[word] = int(place)
        return _words_in_order(place_of_word, name)
    stripped_lines = [line.strip() for line in lines]
    return [line for line in stripped_lines if line]


def _is_dictionary_entry(fields: list[str]) -> bool:
    """Whether a line has the fields of gensim's dictionary: place, word and document frequency."""
    return len(fields) == 3 and fields[0].isdecimal()


def _words_in_json(text: str, name: str) -> list[str]:
    """Words of a JSON list, of an object of places by word, or of BERTopic's configuration.

    Raises:
        ReadError: it is none of these, or places are not 0, 1, 2, ….
    """
    content = _json_in(text, name)
    if isinstance(content, dict):
        vectorizer = content.get("vectorizer_model")
        if isinstance(vectorizer, dict):
            content = vectorizer.get("vocab")
    if isinstance(content, dict):
        return _words_in_order(content, name)
    if isinstance(content, list):
        are_texts = all(isinstance(word, str) for word in content)
        if are_texts:
            return content
    raise ReadError(name, "neither a list of words nor places by word", FORMATS_FIX)


def _words_in_order(place_of_word: dict[str, object], name: str) -> list[str]:
    """Words in the order of their places.

    Raises:
        ReadError: the places are not 0, 1, 2, ….
    """
    word_at_place = {}
    for word, place in place_of_word.items():
        if isinstance(place, int):
            word_at_place[place] = word
    expected_places = range(len(place_of_word))
    if sorted(word_at_place) != list(expected_places):
        raise ReadError(name, "places of words that are not 0, 1, 2, …", FORMATS_FIX)
    return [word_at_place[place] for place in expected_places]


def _table_in_json(text: str, name: str) -> TopicTable:
    """The table of ``dplda fit --out topics.json``: an object with a list of topics.

    Each topic has an object ``words`` with its weights by word. Topics are numbered from 1.

    Topics below the noise, which have no words, are left out. A word that a topic lacks has the
    weight 0 there.

    Raises:
        ReadError: no such list, one without a topic, or any topic of another form.
        InputError: a number is no weight, a topic has none above 0, or words are too few.
    """
    content = _json_in(text, name)
    topics = content.get("topics") if isinstance(content, dict) else None
    weights_by_topic: _Weights = {}
    try:
        for number, topic in enumerate(topics or (), start=1):
            if topic["words"] is not None:  # a topic below the noise has none
                word_weight_pairs = topic["words"].items()
                weights_by_topic[str(number)] = {
                    word: float(weight) for word, weight in word_weight_pairs
                }
    except (AttributeError, TypeError, KeyError, ValueError):
        weights_by_topic = {}
    if not weights_by_topic:
        raise ReadError(name, "no list of topics with weights by word", FORMATS_FIX)
    return _table_of(weights_by_topic, name)


def _json_in(text: str, name: str) -> object:
    """The content of a JSON text; refused if it is none."""
    try:
        content: object = json.loads(text)
    except (ValueError, RecursionError):
        raise ReadError(name, "not JSON", FORMATS_FIX) from None
    return content


def _table_in_csv(text: str, name: str) -> TopicTable:
    """One of three tables: topics × words, words × topics, or a row for each topic and word.

    The names in the first row tell which: with ``word`` first, the other columns are topics; with
    ``topic``, ``word`` and a weight, each row is one of both; else its names are the words, beside
    a column of topics' names if the first cell is called so.

    Raises:
        ReadError: the text is not CSV, a row of another length than the first, or a cell that is
            no number.
        InputError: a number is no weight, a topic has none above 0, or words are too few or
            repeated.
    """
    rows = _rows_of(text, name)
    _, header = next(rows, (1, []))
    column_names = [cell.strip().lower() for cell in header]
    weight_names = [label for label in PROBABILITY_NAMES if label in column_names]
    has_long_rows = "topic" in column_names and "word" in column_names and weight_names
    if has_long_rows:
        long_names = ("topic", "word", weight_names[0])
        columns = tuple(column_names.index(label) for label in long_names)
        weights_by_topic = _long_weights(rows, columns, name)
        return _table_of(weights_by_topic, name)
    first_name = column_names[0] if column_names else None
    has_labels = first_name == "word" or first_name in _NAMES_OF_TOPICS
    first_column = 1 if has_labels else 0
    labels, weights = _wide_weights(rows, len(header), first_column, name=name)
    if first_name == "word":
        return make_topic_table(np.transpose(weights), labels, name)
    return make_topic_table(weights, header[first_column:], name)


def _wide_weights(
    rows: _NumberedRows, n_cells: int, first_column: int, *, name: str
) -> tuple[list[str], list[list[float]]]:
    """The first cell of every row, and the numbers in its cells from a column on.

    Raises:
        ReadError: a row that has not ``n_cells`` cells, or a cell that is no number.
    """
    labels: list[str] = []
    weights: list[list[float]] = []
    for row_number, row in rows:
        if len(row) != n_cells:
            problem_text = f"{len(row):,} cells where the first row has {n_cells:,}"
            raise ReadError(name, problem_text, FORMATS_FIX, row=row_number)
        labels.append(row[0])
        number_cells = row[first_column:]
        row_weights = [_number(cell, name, row_number) for cell in number_cells]
        weights.append(row_weights)
    return labels, weights


def _long_weights(rows: _NumberedRows, columns: tuple[int, ...], name: str) -> _Weights:
    """Weights by topic and word, from three numbered columns: topic, word and weight.

    A word loses a leading apostrophe.

    Raises:
        ReadError: a row that is too short, a word that its topic has before, or no number.
    """
    topic_column, word_column, weight_column = columns
    weights: _Weights = {}
    for row_number, row in rows:
        if len(row) <= max(columns):
            raise ReadError(name, "fewer cells than columns", FORMATS_FIX, row=row_number)
        weight_by_word = weights.setdefault(row[topic_column], {})
        word = row[word_column].removeprefix("'")  # which keeps spreadsheets from computing it
        if word in weight_by_word:
            problem_text = "a word that its topic has before"
            raise ReadError(name, problem_text, "List each word once.", row=row_number)
        weight_by_word[word] = _number(row[weight_column], name, row_number)
    return weights


def _table_of(weights: _Weights, name: str) -> TopicTable:
    """A table of weights by topic and word; a word that a topic lacks has the weight 0."""
    words_of_topics = chain.from_iterable(weights.values())
    words = list(dict.fromkeys(words_of_topics))
    table = []
    for topic in weights.values():
        topic_weights = [topic.get(word, 0.0) for word in words]
        table.append(topic_weights)
    return make_topic_table(table, words, name)


def _rows_of(text: str, name: str) -> _NumberedRows:
    """Rows of a CSV file that are not empty, each with the line on which it ends, from 1.

    Raises:
        ReadError: the text is not CSV, as soon as that row is asked for.
    """
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error:
        raise ReadError(name, "not CSV", FORMATS_FIX, row=reader.line_num) from None


def _number(cell: str, name: str, row_number: int) -> float:
    """The number in a cell; refused, with its row, if it is none."""
    try:
        return float(cell)
    except ValueError:
        fix = "Give one column per word, with its name in the first row."
        raise ReadError(name, "a cell that is no number", fix, row=row_number) from None
