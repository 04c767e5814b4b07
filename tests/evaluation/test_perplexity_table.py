"""The benchmark's table: medians where they belong, what is worse than the unigram model marked."""

import math
from dataclasses import asdict

import pandas as pd
import pytest

from benchmarks import perplexity
from dplda.errors import InputError
from dplda.methods import METHODS
from dplda.sweeps import Row


def row(method: str, epsilon: float = math.nan, score: float = math.nan, refused: str = "") -> dict[str, object]:
    name, _, calibration = method.partition("/")
    return asdict(
        Row(
            setting="farm",
            method=method,
            configuration=name,
            calibration=calibration,
            status="proven",
            epsilon=epsilon,
            delta=1e-7,
            corpus=0,
            repeat=0,
            n_documents=9000,
            n_words=100,
            n_topics=4,
            alpha0=1.0,
            mean_length=20.0,
            noise_seed=0,
            version="",
            perplexity=score,
            refused=refused,
        )
    )


def lines(*rows: dict[str, object]) -> list[str]:
    return perplexity.tables(pd.DataFrame(rows)).splitlines()


def test_entries_worse_than_unigram_are_marked() -> None:
    text = lines(
        row("unnoised", score=60),
        row("unigram", score=80),
        row("adaptive/corrected", 1, 81),
        row("adaptive/corrected", 3, 70),
        row("config-1/corrected", 1, refused="no finite noise"),
        row("config-1/corrected", 3, 79),
        row("config-1/corrected", 3, refused="no finite noise"),
        row("config-1/corrected", 3, 79.4),
    )
    assert "N = 9,000, d = 100, k = 4" in text[0]
    assert text[2].endswith("| no noise | ε = 1 | ε = 3 |")
    assert text[4].endswith("| 60 |  |  |")
    assert text[5].endswith("| 80 |  |  |")
    assert text[6].endswith("|  | 81 ▲ | 70 |")
    assert text[7].endswith("|  | *refused* | 79 (2 of 3) |")


def test_the_gate_names_private_methods_worse_than_the_private_unigram_at_the_same_epsilon() -> None:
    rows = [
        row("private-unigram", 1, 80),
        row("private-unigram", 3, 70),
        row("adaptive/corrected", 1, 81.5),
        row("adaptive/corrected", 3, 72),
        row("dp-vi/corrected", 1, 79),
        row("dp-vi/corrected", 3, 60),
        row("refined", 0.5, 90),
        row("unigram", score=100) | {"status": "not private"},
    ]
    assert perplexity.gate(pd.DataFrame(rows)) == ["Adaptive: 72, not 70 (farm, ε = 3)"]
    assert perplexity.gate(pd.DataFrame(rows[1:3])) == []


def test_the_sweep_holds_every_method_and_corpus() -> None:
    sweep = perplexity.sweep_of(["Bags=docword.txt.gz", "Mail=a.jsonl.gz"], text="body", topics=5)
    assert [setting.name for setting in sweep.settings] == [perplexity.EMBEDDED, "Bags", "Mail"]
    assert [getattr(setting.source, "text", None) for setting in sweep.settings] == [None, None, "body"]
    assert len(sweep.methods) == len(METHODS)
    assert sweep.n_cells == 3 * (3 + 13 * 4 * 3)
    with pytest.raises(InputError, match="path"):
        perplexity.sweep_of(["no path"])
