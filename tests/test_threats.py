"""Which test answers which threat, and which row of the table of bad input; and the numbers that nobody may ask for.

A row of the product's tables has its tests here, by file and name, so that one finds them from the threat. What is
named has to exist; that it passes is for itself to show.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

from dplda.cli import main

ROOT = Path(__file__).resolve().parents[1]
CANARY = "zanzibarcanary"

THREATS = {
    "low bits of floating-point noise": (
        "attacks/audit/test_exact.py::test_audit_of_a_release_with_exact_noise_stays_within_its_claim",
        "attacks/audit/test_exact.py::test_floating_point_noise_in_its_place_is_caught_by_its_last_bits",
        "attacks/audit/test_releases.py::test_sabotage_is_caught_by_the_audit_of_its_release",
        "methods/configurations/test_last_bits.py::test_copies_that_differ_do_not_reach_the_release",
        "privacy/test_exact.py::test_low_bits_tell_nothing_of_the_value",
        "release/test_release.py::test_artefact_of_a_run_with_simulated_noise_is_refused",
    ),
    "seed known or reused": (
        "release/test_release.py::test_release_ignores_the_seed_of_its_request",
        "privacy/test_exact.py::test_exact_noise_takes_no_seed",
        "privacy/test_exact.py::test_exact_noise_of_two_draws_is_never_equal",
        "attacks/test_replay.py::test_replay_finds_values_without_noise_or_with_shared_noise",
    ),
    "averaging by re-running": (
        "release/test_release.py::test_release_asked_again_is_returned_free_of_charge",
        "release/test_public.py::test_public_pages_of_a_release_are_independent_of_documents_beside_it",
        "pages/test_release.py::test_release_page_charges_once_by_its_button_alone",
    ),
    "adaptive choices on private data": (
        "release/test_release.py::test_release_of_another_request_is_charged_until_the_budget_is_used_up",
        "release/test_release.py::test_release_that_cannot_be_made_is_refused_uncharged",
        "release/test_release.py::test_words_from_the_documents_or_selected_from_fixed_ones_are_refused",
    ),
    "wrong sensitivity or lost factor": (
        "attacks/audit/test_layers.py::test_neighbor_search_reaches_each_sensitivity_without_passing_it",
        "attacks/audit/test_releases.py::test_audit_of_a_release_stays_within_its_claim",
        "attacks/audit/test_releases.py::test_sabotage_is_caught_by_the_audit_of_its_release",
        "attacks/audit/test_exact.py::test_audit_of_a_release_with_exact_noise_stays_within_its_claim",
        "attacks/test_replay.py::test_replayed_loss_of_any_document_stays_within_the_claim",
        "attacks/audit/test_minibatches.py::test_audit_of_minibatches_catches_sampling_that_leaves_nobody_out",
        "attacks/audit/test_harness.py::test_audit_of_persons_catches_documents_counted_one_by_one",
    ),
    "cache as oracle": (
        "pages/test_corpus.py::test_shared_caches_hold_nothing_of_a_sensitive_corpus",
        "ui/test_fits.py::test_sensitive_documents_leave_files_or_processes_with_their_session",
    ),
    "crash between charge and result": (
        "release/test_ledger_processes.py::test_release_killed_at_any_point_leaves_no_file_without_its_charge",
        "release/test_release.py::test_release_whose_fit_is_interrupted_stays_charged",
    ),
    "a killed release resumed": (
        "release/test_journal_kills.py::test_release_of_one_answer_killed_anywhere_is_finished_at_no_further_charge",
        "release/test_journal_kills.py::test_release_killed_after_many_answers_goes_on_from_them",
        "release/test_journal.py::test_noisy_answer_is_counted_on_disk_before_it_is_given",
        "release/test_journal.py::test_uncounted_record_is_opened_by_nothing_on_the_disk",
        "release/test_journal.py::test_request_is_charged_again_where_a_counted_answer_is_missing",
        "release/test_journal.py::test_copied_journal_serves_no_other_charge",
        "release/test_journal.py::test_journal_of_another_version_corpus_or_request_is_not_reused",
        "release/test_journal.py::test_ledger_that_is_older_than_a_journal_is_refused",
        "release/test_journal.py::test_selection_is_kept_as_the_words_that_were_taken_alone",
        "release/test_journal.py::test_finished_runs_have_the_law_of_unbroken_ones",
    ),
    "two sessions racing": (
        "release/test_ledger_processes.py::test_ledger_charged_by_eight_racing_processes_is_never_overspent",
        "release/test_ledger_format.py::test_older_ledger_that_eight_processes_convert_at_once_keeps_all_their_charges",
        "release/test_ledger_disk.py::test_ledger_opened_again_in_one_process_keeps_its_locks",
    ),
    "restored old ledger": (
        "release/test_release_command.py::test_verify_command_after_a_restored_backup_names_unpaid_releases",
        "release/test_ledger.py::test_ledger_with_a_flipped_byte_has_a_fault",
        "release/test_folder.py::test_name_of_a_released_file_that_no_charge_has_stops_every_entry",
        "release/test_folder.py::test_ledger_that_is_gone_while_files_remain_is_refused",
        "release/test_folder.py::test_key_that_is_gone_while_files_remain_is_refused",
        "release/test_rollback.py::test_ledger_restored_with_its_head_refuses_entries",
    ),
    "kept file forged, or one that leads out of the folder": (
        "release/test_file_seal.py::test_forged_file_is_never_taken_for_the_original",
        "release/test_file_seal.py::test_room_whose_charge_is_no_number_writes_nowhere",
        "release/test_file_seal.py::test_room_with_a_forged_release_is_freed",
        "release/test_file_seal.py::test_file_without_a_seal_opens_free_of_charge",
        "release/test_folder.py::test_turn_file_that_is_a_link_is_refused",
    ),
    "new upload with one byte changed opens a fresh budget": (
        "release/test_fingerprints.py::test_documents_of_one_dataset_are_not_another_ones",
    ),
    "details in errors and logs": (
        "ui/test_server.py::test_error_log_names_the_place_without_the_words",
        "release/test_release_command.py::test_errors_never_quote_a_document",
        "corpus/readers/test_bad_input.py::test_bad_input_is_refused_with_its_place_without_a_word",
        "browser/test_corpus.py::test_sensitive_corpus_leaves_nothing_beyond_its_session",
    ),
    "corpora told apart by a report": (
        "release/test_public.py::test_public_pages_of_a_release_are_independent_of_documents_beside_it",
        "release/test_report.py::test_report_depends_on_documents_through_releases_alone",
    ),
    "frames, foreign scripts and foreign origins": (
        "ui/test_server.py::test_server_answers_carry_the_security_headers",
        "ui/test_server.py::test_server_refuses_a_strange_origin_without_a_lookup",
        "browser/test_house.py::test_content_policy_refuses_foreign_hosts_or_scripts",
        "browser/test_house.py::test_server_over_real_http_answers_its_own_address_alone",
    ),
    "others on this machine": (
        "ui/test_server.py::test_cache_files_are_closed_to_other_users",
        "release/test_ledger.py::test_release_folder_is_closed_to_other_users",
    ),
}
BAD_INPUT = {
    "encodings, tables, archives, counts, nothing left": (
        "corpus/readers/test_bad_input.py::test_odd_input_that_can_be_read_is_accepted",
        "corpus/readers/test_bad_input.py::test_bad_input_is_refused_with_its_place_without_a_word",
        "corpus/readers/test_bad_input.py::test_text_that_was_changed_is_counted",
        "corpus/readers/test_archives.py",
        "corpus/readers/test_matrices.py",
        "corpus/readers/test_uci.py",
    ),
    "numbers out of range, and those that are warned of": (
        "test_threats.py::test_number_out_of_range_is_refused_before_any_charge",
        "test_threats.py::test_release_command_warns_of_a_large_delta_or_epsilon_before_its_price",
    ),
    "formulas in tokens": (
        "experiments/test_run_card.py::test_topic_tables_hold_what_is_known_without_formulas",
    ),
    "a spectrum that cannot carry k topics": (
        "release/test_release.py::test_release_that_passes_the_check_is_drawn_at_any_epsilon",
    ),
}


@cache
def names_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / "tests" / file).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("row", [*THREATS, *BAD_INPUT])
def test_table_of_threats_names_tests_that_exist(row: str) -> None:
    for place in (THREATS | BAD_INPUT)[row]:
        file, _, name = place.partition("::")
        assert not name or name in names_in(file), place


@pytest.fixture
def letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A command that would release topics of a real file, were its numbers in range."""
    monkeypatch.setenv("DPLDA_RELEASES", str(tmp_path / "releases"))
    monkeypatch.setenv("DPLDA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "letters.txt").write_text(
        f"tea milk {CANARY}\nmilk sugar tea\nkettle tea milk\n" * 40
    )
    (tmp_path / "words.txt").write_text("tea\nmilk\nsugar\nkettle\n")
    (tmp_path / "two.txt").write_text(f"tea milk {CANARY}\nmilk sugar tea\n")
    assert main.main(["ledger", "declare", "mail", "--epsilon", "2.5"]) == 0
    options = [
        "--dataset",
        "mail",
        "--title",
        "tea",
        "--words",
        str(tmp_path / "words.txt"),
        "--method",
        "refined",
    ]
    return ["release", str(tmp_path / "letters.txt"), *options]


GOOD = {"--topics": "2", "--alpha0": "1", "--epsilon": "1", "--delta": "1e-6"}


@pytest.mark.parametrize(
    ("changed_options", "message_parts"),
    [
        ({"--topics": "5"}, ("n_topics", "4", "5")),  # k > d
        ({"--topics": "1"}, ("n_topics", "2", "1")),
        ({"--alpha0": "0"}, ("alpha0", "0")),
        ({"--alpha0": "-1"}, ("alpha0", "-1")),
        ({"--alpha0": "nan"}, ("alpha0", "nan")),
        ({"--epsilon": "0"}, ("0",)),
        ({"--epsilon": "-1"}, ("-1",)),
        ({"--epsilon": "nan"}, ("nan",)),
        ({"--epsilon": "inf"}, ("inf",)),
        ({"--delta": "0"}, ("0",)),
        ({"--delta": "1"}, ("1",)),
        ({"--delta": "nan"}, ("nan",)),
        ({"two": "documents"}, ("2 documents", "3")),  # N < 3
    ],
    ids=str,
)
def test_number_out_of_range_is_refused_before_any_charge(
    changed_options, message_parts, letters, tmp_path, capsys
) -> None:
    """In a sentence that names limit and value, of a real file, and before anything is charged."""
    if "two" in changed_options:
        letters = [part.replace("letters.txt", "two.txt") for part in letters]
    numbers = [
        f"{name}={value}" for name, value in (GOOD | changed_options).items() if name != "two"
    ]
    capsys.readouterr()
    assert main.main([*letters, *numbers, "--yes"]) == 2
    error = capsys.readouterr().err
    assert all(part in error for part in message_parts), error
    assert CANARY not in error
    assert "Traceback" not in error
    assert main.main(["ledger", "show", "mail"]) == 0
    assert (
        "ε = 2.5 at δ = 1e-6 left for one more release. The whole budget is ε = 2.5 "
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("changed", "warning"),
    [({"--delta": "0.4"}, "δ is at least 1/N = 0.0083"), ({"--epsilon": "20"}, "ε is above 10")],
)
def test_release_command_warns_of_a_large_delta_or_epsilon_before_its_price(
    changed, warning, letters, capsys
) -> None:
    numbers = [f"{name}={value}" for name, value in (GOOD | changed).items()]
    assert main.main([*letters, *numbers]) == 1
    assert warning in capsys.readouterr().out
