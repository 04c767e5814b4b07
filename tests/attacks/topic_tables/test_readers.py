"""Topic tables in the formats of other packages: equal tables, and refusals that say where."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from dplda.attacks.topic_tables.readers import read_topic_table
from dplda.core.errors import DpldaError, InputError, ReadError

WORDS = ("rain", "wind", "tea")
WEIGHTS = np.array([[4.0, 4.0, 0.0], [1.0, 0.0, 3.0]])
TOPICS = np.array([[0.5, 0.5, 0.0], [0.25, 0.0, 0.75]])
IDF = np.array([0.5, 2.0, 4.0])


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    """As the package of that name writes them: a length, a header, the bytes."""
    kinds = {"<f4": "F32", "<f8": "F64", "<i4": "I32", "<i8": "I64"}
    header, body = {}, b""
    for name, values in tensors.items():
        start = len(body)
        body += values.tobytes()
        header[name] = {
            "dtype": kinds[values.dtype.str],
            "shape": list(values.shape),
            "data_offsets": [start, len(body)],
        }
    header_bytes = json.dumps(header | {"__metadata__": {"format": "pt"}}).encode()
    path.write_bytes(len(header_bytes).to_bytes(8, "little") + header_bytes + body)


def bertopic_tensors() -> dict[str, np.ndarray]:
    matrix = sparse.csr_array(TOPICS * IDF)
    return {
        "data": matrix.data,
        "indices": matrix.indices.astype("<i4"),
        "indptr": matrix.indptr.astype("<i4"),
        "shape": np.array(matrix.shape),
        "diag": IDF.astype("<f4"),
    }


def write_csv(folder: Path) -> Path:
    path = folder / "wide.csv"
    path.write_text("rain,wind,tea\n4,4,0\n1,0,3\n")
    return path


def write_csv_with_names(folder: Path) -> Path:
    path = folder / "named.csv"
    path.write_text(",rain,wind,tea\nweather,4,4,0\nkitchen,1,0,3\n")
    return path


def write_csv_of_words(folder: Path) -> Path:
    path = folder / "words.csv"
    path.write_text("word,1,2\nrain,4,1\nwind,4,0\ntea,0,3\n")
    return path


def write_csv_of_pairs(folder: Path) -> Path:
    path = folder / "long.csv"
    path.write_text("topic,word,probability\n1,rain,.5\n1,wind,.5\n2,tea,.75\n2,rain,.25\n")
    return path


def write_json(folder: Path) -> Path:
    path = folder / "topics.json"
    topics = [{"words": {"rain": 0.5, "wind": 0.5}}, {"words": {"tea": 0.75, "rain": 0.25}}]
    path.write_text(json.dumps({"topics": [*topics, {"words": None}]}))
    return path


def write_npz_with_words(folder: Path) -> Path:
    path = folder / "topics.npz"
    np.savez(path, topics=WEIGHTS, words=np.array(WORDS))
    return path


def write_bertopic(folder: Path) -> Path:
    path = folder / "ctfidf.safetensors"
    write_safetensors(path, bertopic_tensors())
    config = {"vectorizer_model": {"vocab": {"tea": 2, "wind": 1, "rain": 0}}}
    (folder / "ctfidf_config.json").write_text(json.dumps(config))
    return path


WRITERS = (
    *(write_csv, write_csv_with_names, write_csv_of_words, write_csv_of_pairs),
    *(write_json, write_npz_with_words, write_bertopic),
)


@pytest.mark.parametrize("write", WRITERS)
def test_table_that_names_its_words_is_read_from_every_format(write, tmp_path) -> None:
    table = read_topic_table(write(tmp_path))
    order = [table.words.index(word) for word in WORDS]
    np.testing.assert_allclose(table.topics[:, order], TOPICS, rtol=1e-6)


def lines(folder: Path) -> Path:
    path = folder / "words.txt"
    path.write_text("rain\nwind\ntea\n")
    return path


def gensim_dictionary(folder: Path) -> Path:
    path = folder / "dictionary.txt"
    path.write_text("12\n2\ttea\t3\n0\train\t9\n1\twind\t1\n")
    return path


def scikit_vocabulary(folder: Path) -> Path:
    path = folder / "vocabulary.json"
    path.write_text(json.dumps({"tea": 2, "wind": 1, "rain": 0}))
    return path


@pytest.mark.parametrize("write_words", [lines, gensim_dictionary, scikit_vocabulary])
@pytest.mark.parametrize("ending", [".npy", ".npz"])
def test_array_is_read_with_a_list_of_its_words(ending, write_words, tmp_path) -> None:
    path = tmp_path / f"topics{ending}"
    if ending == ".npy":
        np.save(path, WEIGHTS)
    else:
        sparse.save_npz(path, sparse.csr_array(WEIGHTS))
    table = read_topic_table(path, write_words(tmp_path))
    assert table.words == WORDS
    np.testing.assert_allclose(table.topics, TOPICS)


TEXTS = {
    "not a number": ("a.csv", "rain,wind\n1,x\n", "a.csv, row 2: a cell that is no number"),
    "ragged": ("a.csv", "rain,wind\n1,2,3\n", "row 2: 3 cells where the first row has 2"),
    "negative": ("a.csv", "rain,wind\n1,-2\n", "finite numbers from 0, got another one in topic 1"),
    "nothing in a topic": ("a.csv", "rain,wind\n1,2\n0,0\n", "none in topic 2"),
    "one word": ("a.csv", "rain\n1\n", "at least one topic and 2 words"),
    "word twice": ("a.csv", "rain,rain\n1,2\n", "distinct, got a repetition"),
    "nothing": ("a.csv", "", "at least one topic and 2 words"),
    "another ending": ("a.pkl", "", "not one of .csv, .json"),
    "no JSON": ("a.json", "{", "not JSON"),
    "JSON of something else": ("a.json", '{"topics": [{"words": {"rain": "x"}}]}', "no list of"),
    "no array": ("a.npy", "text", "not an array that NumPy saved"),
    "no archive": ("a.npz", "text", "not arrays that NumPy saved"),
    "no tensors": ("a.safetensors", "text", "not BERTopic's table"),
}


@pytest.mark.parametrize(("name", "text", "refusal"), TEXTS.values(), ids=TEXTS)
def test_file_that_is_no_table_is_refused_with_its_place(name, text, refusal, tmp_path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(DpldaError, match=r"\.") as refusal_raised:
        read_topic_table(path)
    assert refusal in str(refusal_raised.value)


def test_array_without_words_asks_for_them(tmp_path) -> None:
    np.save(tmp_path / "a.npy", WEIGHTS)
    with pytest.raises(InputError, match="--topic-words must be given beside a"):
        read_topic_table(tmp_path / "a.npy")


def test_array_of_python_objects_is_not_unpickled(tmp_path) -> None:
    np.save(tmp_path / "a.npy", np.array([{}, {}], dtype=object), allow_pickle=True)
    with pytest.raises(ReadError, match="not an array that NumPy saved"):
        read_topic_table(tmp_path / "a.npy", lines(tmp_path))


@pytest.mark.parametrize(
    "damage",
    [
        {"indices": np.array([0, 1, 0, 9], "<i4")},
        {"shape": np.array([10**6, 10**6])},
        {"diag": np.ones(2, "<f4")},
    ],
)
def test_bertopic_table_that_contradicts_itself_is_refused(damage, tmp_path) -> None:
    path = write_bertopic(tmp_path)
    write_safetensors(path, bertopic_tensors() | damage)
    with pytest.raises(ReadError, match="ctfidf"):
        read_topic_table(path)
