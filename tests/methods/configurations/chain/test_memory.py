"""A fit's price in memory is not below what it takes, and what is too dear is refused before it begins."""

import tracemalloc

import pytest

from dplda import Plan, simulate
from dplda.core.errors import DpldaError, InputError
from dplda.methods.base.problem import Problem, ProblemSize
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain import memory
from dplda.methods.configurations.chain.memory import check_memory, free_memory, peak_bytes
from dplda.methods.configurations.chain.spectral_methods import fit_spectral

CORPUS = simulate(n_documents=2000, n_words=700, n_topics=3, alpha0=1.0, mean_length=30, seed=0)
PLANS = {
    "none": None,
    "adaptive": Plan("adaptive", 1e3),
    "config-1": Plan("config-1", 1e3),
    "config-2": Plan("config-2", 1e3),
    "config-4": Plan("config-4", 1e6),
}


def shape(n_words: int) -> ProblemSize:
    return ProblemSize(100_000, n_words, 10, 1.0)


@pytest.mark.parametrize("name", PLANS)
def test_peak_memory_of_a_fit_is_within_its_forecast(name: str) -> None:
    tracemalloc.start()
    try:
        fit_spectral(CORPUS, PLANS[name], Problem(3, 1.0))
    except DpldaError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    forecast_bytes = peak_bytes(
        ProblemSize(CORPUS.n_documents, CORPUS.n_words, 3, 1.0), is_private=PLANS[name] is not None
    )
    assert peak <= forecast_bytes
    assert name not in ("adaptive", "config-1") or peak >= 0.25 * forecast_bytes


def test_fit_above_free_memory_is_refused_with_the_largest_word_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 8e9)
    check_memory(shape(8_000), is_private=True)
    with pytest.raises(InputError) as refusal:
        check_memory(shape(20_000), is_private=True)
    words = int(refusal.value.limit.split()[2].replace(",", ""))
    assert (
        peak_bytes(shape(words), is_private=True)
        <= 8e9
        < peak_bytes(shape(words + 1), is_private=True)
    )
    assert "8.0 GB of memory" in refusal.value.limit
    assert "without noise" in refusal.value.fix
    check_memory(shape(20_000), is_private=False)


def test_fit_above_free_memory_is_refused_before_its_first_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 1e6)
    steps = []
    with pytest.raises(InputError, match="n_words must be at most"):
        fit_spectral(
            CORPUS,
            PLANS["adaptive"],
            Problem(3, 1.0),
            Runtime(report=lambda *step: steps.append(step)),
        )
    assert steps == []


def test_free_memory_is_the_smaller_of_system_or_container(monkeypatch: pytest.MonkeyPatch) -> None:
    system_files = {"/proc/meminfo": "MemTotal: 9000 kB\nMemAvailable:    2000 kB\n"}
    monkeypatch.setattr(memory, "_read_text", lambda path: system_files.get(path, ""))
    assert free_memory() == 2000 * 1024
    system_files |= {
        "/sys/fs/cgroup/memory.max": "3000\n",
        "/sys/fs/cgroup/memory.current": "1000\n",
    }
    assert free_memory() == 2000
    system_files["/sys/fs/cgroup/memory.max"] = "max\n"
    assert free_memory() == 2000 * 1024
    system_files.clear()
    assert free_memory() == float("inf")
