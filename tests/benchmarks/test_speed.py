"""Time to equal error: passes are doubled until a rival is as good as ours, or patience ends."""

import pytest

from benchmarks import speed
from benchmarks.speed_corpora import Size

SMALL = Size(n_documents=50, n_words=20, n_topics=2, batch=4, online=2, gensim=2)


@pytest.mark.parametrize(("error_of_ours", "passes", "reached"), [(0.5, 1, True), (0.1, 8, True), (0.01, 16, False)])
def test_passes_double_until_the_error_is_ours(error_of_ours: float, passes: int, reached: bool, monkeypatch) -> None:
    """A rival whose error is 0.5 over its passes and whose seconds are its passes, beside a patience of 10."""

    def in_child(method, size, repeats: int) -> speed.Row:
        made = method.keywords.get("passes", 0)
        seconds = float(made or 2)
        return {"seconds": seconds, "processor_seconds": seconds, "l1_mean": 0.5 / made if made else error_of_ours}

    monkeypatch.setattr(speed, "in_child", in_child)
    monkeypatch.setattr(speed, "find_spec", lambda name: None)
    ours, *others = speed.to_equal(SMALL, 10)
    assert (ours["section"], ours["l1_mean"]) == ("50-20-2-equal", error_of_ours)
    assert [row["method"] for row in others] == [
        f"scikit-learn online, {passes} epochs",
        f"scikit-learn batch, {passes} iterations",
    ]
    for row in others:
        assert (row["reached"], row["times_our_processor_seconds"]) == (reached, passes / 2)
