"""Files of topic tables: CSV, JSON, and arrays with a list of their words."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
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
        raise ReadError(name, "not one of " + ", ".join(ENDINGS), FORMATS_FIX)
    if ending in (".csv", ".json"):
        if words_path is not None:
            raise InputError("--topic-words", "left out, as the table names its words", "a file")
        text = text_of(path)
        return _table_in_csv(text, name) if ending == ".csv" else _table_in_json(text, name)
    weights, words = _array_in(path)
    if words_path is not None:
        words = read_topic_words(words_path)
    elif words is None:
        advice = "Give one word a line, in the order of the columns."
        raise InputError("--topic-words", f"given beside {name}", "nothing", advice)
    return make_topic_table(weights, words, name)


def _array_in(path: Path) -> tuple[ArrayLike, Sequence[str] | None]:
    """The weights of a file of arrays, and its words if it or the file beside it has them.

    Raises:
        ReadError: the file cannot be read, or an archive holds no array ``topics``.
    """
    ending = path.suffix.lower()
    if ending == ".safetensors":
        config_path = path.with_name(BERTOPIC_CONFIG)
        return read_bertopic(path), read_topic_words(config_path) if config_path.is_file() else None
    if ending == ".npy":
        return read_npy(path), None
    arrays = read_npz(path)
    if "topics" not in arrays:
        problem_text = "no array called topics"
        raise ReadError(file_name(path), problem_text, "Use numpy.savez with topics and words.")
    return arrays["topics"], [str(word) for word in arrays["words"]] if "words" in arrays else None


def read_topic_words(path: Path) -> list[str]:
    """Read the words of an array's columns, in order.

    The file has one word a line; or it is gensim's dictionary as text, a JSON list, a JSON object
    of places by word, or BERTopic's ``ctfidf_config.json``.

    Raises:
        ReadError: it is none of these, or places are not 0, 1, 2, ….
    """
    name = file_name(path)
    text = text_of(path)
    if path.suffix.lower() == ".json":
        content = _json_in(text, name)
        if isinstance(content, dict) and isinstance(content.get("vectorizer_model"), dict):
            content = content["vectorizer_model"].get("vocab")
        if isinstance(content, dict):
            return _in_order(content, name)
        if isinstance(content, list) and all(isinstance(word, str) for word in content):
            return content
        raise ReadError(name, "neither a list of words nor places by word", FORMATS_FIX)
    lines = text.splitlines()
    fields = [line.split("\t") for line in lines]
    is_gensim = len(fields) > 1 and all(len(parts) == 3 for parts in fields[1:])
    if is_gensim and all(parts[0].isdecimal() for parts in fields[1:]):
        return _in_order({word: int(place) for place, word, _ in fields[1:]}, name)
    return [line.strip() for line in lines if line.strip()]


def _in_order(places: dict[str, object], name: str) -> list[str]:
    """Words by their places, which are 0, 1, 2, …."""
    words_by_place = {place: word for word, place in places.items() if isinstance(place, int)}
    if sorted(words_by_place) != list(range(len(places))):
        raise ReadError(name, "places of words that are not 0, 1, 2, …", FORMATS_FIX)
    return [words_by_place[place] for place in range(len(places))]


def _table_in_json(text: str, name: str) -> TopicTable:
    """The table of ``dplda fit --out topics.json``: a list of topics with weights by word.

    Topics below the noise, which have no words, are left out.

    Raises:
        ReadError: no such list, one without a topic, or any topic of another form.
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
    try:
        content: object = json.loads(text)
    except (ValueError, RecursionError):
        raise ReadError(name, "not JSON", FORMATS_FIX) from None
    return content


def _table_in_csv(text: str, name: str) -> TopicTable:
    """One of three tables: topics × words, words × topics, or a row for each topic and word.

    The names in the first row tell which.

    Raises:
        ReadError: a row of another length than the first, or a cell that is no number.
    """
    rows = _rows_of(text, name)
    _, header = next(rows, (1, []))
    column_names = [cell.strip().lower() for cell in header]
    probability = next((label for label in PROBABILITY_NAMES if label in column_names), "")
    if {"topic", "word"} <= set(column_names) and probability:
        places = tuple(column_names.index(label) for label in ("topic", "word", probability))
        return _table_of(_long_weights(rows, places, name), name)
    first_column = int(bool(column_names) and column_names[0] in (*_NAMES_OF_TOPICS, "word"))
    labels: list[str] = []
    weights: list[list[float]] = []
    for row_number, row in rows:
        if len(row) != len(header):
            problem_text = f"{len(row):,} cells where the first row has {len(header):,}"
            raise ReadError(name, problem_text, FORMATS_FIX, row=row_number)
        labels.append(row[0])
        weights.append([_number(cell, name, row_number) for cell in row[first_column:]])
    if column_names[:1] == ["word"]:
        return make_topic_table(np.transpose(weights), labels, name)
    return make_topic_table(weights, header[first_column:], name)


def _long_weights(
    rows: Iterator[tuple[int, list[str]]], places: tuple[int, ...], name: str
) -> _Weights:
    """Weights by topic and word, from the columns at three places: topic, word and weight.

    Raises:
        ReadError: a row that is too short, a word that its topic has before, or no number.
    """
    topic_place, word_place, weight_place = places
    weights: _Weights = {}
    for row_number, row in rows:
        if len(row) <= max(places):
            raise ReadError(name, "fewer cells than columns", FORMATS_FIX, row=row_number)
        weight_by_word = weights.setdefault(row[topic_place], {})
        word = row[word_place].removeprefix("'")  # which keeps spreadsheets from computing it
        if word in weight_by_word:
            problem_text = "a word that its topic has before"
            raise ReadError(name, problem_text, "List each word once.", row=row_number)
        weight_by_word[word] = _number(row[weight_place], name, row_number)
    return weights


def _table_of(weights: _Weights, name: str) -> TopicTable:
    """A table of weights by topic and word; a word that a topic lacks has the weight 0."""
    words = list(dict.fromkeys(word for topic in weights.values() for word in topic))
    table = [[topic.get(word, 0.0) for word in words] for topic in weights.values()]
    return make_topic_table(table, words, name)


def _rows_of(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Rows of a CSV file with their numbers, from 1, but for empty ones."""
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error:
        raise ReadError(name, "not CSV", FORMATS_FIX, row=reader.line_num) from None


def _number(cell: str, name: str, row_number: int) -> float:
    try:
        return float(cell)
    except ValueError:
        fix = "Give one column per word, with its name in the first row."
        raise ReadError(name, "a cell that is no number", fix, row=row_number) from None
