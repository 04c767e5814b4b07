"""The table of mutants on file: each method in it has all its mutants, all of them were killed, and it was not."""

import json

from benchmarks.__main__ import RESULTS
from dplda.attacks.audit.audited import audited_methods, sabotages_of, why_not_releasable
from dplda.attacks.audit.promise import make_promise

ROWS = json.loads((RESULTS / "mutants.json").read_text("utf-8"))["rows"]


def test_table_of_mutants_has_each_way_to_break_a_method() -> None:
    for text in {row["method"] for row in ROWS}:
        method, of = audited_methods()[text], [row for row in ROWS if row["method"] == text]
        broken = {*sabotages_of(method, make_promise(10.0)), "as it is"}
        assert {
            row["mutant"]
            for row in of
            if (row["hides"], row["noise"]) == ("a document", "simulated")
        } == broken
        of_persons = sabotages_of(method, make_promise(10.0, persons=True)).keys() - broken
        assert {row["mutant"] for row in of if row["hides"] == "a person"} == {
            *of_persons,
            "as it is",
        }
        released = set() if why_not_releasable(method) else broken
        assert {row["mutant"] for row in of if row["noise"] == "of a release"} == released


def test_recorded_audits_kill_all_but_the_unchanged_code() -> None:
    for row in ROWS:
        assert (row["killed_by"] == "none") == (row["mutant"] == "as it is"), row
        assert (row["runs"] is None) == (row["mutant"] == "as it is"), row
