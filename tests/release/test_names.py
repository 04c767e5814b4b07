"""Names of datasets: one that looks like another is no other dataset."""

import pytest

from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger, LedgerError
from dplda.release.ledger.names import check_name

ALIKE = {
    "Cyrillic a": ("mail", "m\u0430il"),
    "all Cyrillic": ("scope", "\u0455\u0441\u043e\u0440\u0435"),
    "Cyrillic capitals": ("Mail", "\u041c\u0410\u0406L"),
    "Greek letters": ("\u03bf\u03b9\u03ba\u03bf\u03c2", "o\u03b9\u03bao\u03c2"),
    "a capital I for an l": ("mail", "maiI"),
    "a one for an l": ("mail", "mai1"),
    "two letters for one": ("mail", "rnail"),
    "a zero for an O": ("user_01", "user_O1"),
    "a ligature": ("file", "\ufb01le"),
    "full width": ("mail", "\uff4dail"),
    "mathematical letters": ("mail", "\U0001d426ail"),
    "another hyphen": ("a-b", "a\u2010b"),
    "two spaces": ("my mail", "my  mail"),
    "a selector of variants": ("mail", "ma\ufe0fil"),
    "a Hangul filler": ("mail", "mail\u3164"),
}
DIFFERENT = [
    ("mail", "male"),
    ("mail", "mails"),
    ("letters 1", "letters 2"),
    ("caf\u00e9", "cafe"),
    ("\u65e5\u672c", "\u65e5\u6728"),
]


@pytest.mark.parametrize("name", ALIKE)
def test_name_that_looks_like_another_is_refused(name: str) -> None:
    first_name, second = ALIKE[name]
    for declared, asked_name in ((first_name, second), (second, first_name)):
        with pytest.raises(LedgerError, match="looks like"):
            check_name(asked_name, [declared])


@pytest.mark.parametrize(("first_name", "second_name"), DIFFERENT)
def test_name_that_looks_different_is_taken(first_name: str, second_name: str) -> None:
    check_name(second_name, [first_name])
    check_name(first_name, [second_name])


def test_name_that_shows_nothing_is_refused() -> None:
    with pytest.raises(LedgerError, match="printable"):
        check_name("\u2800\ufe0f", [])


def test_look_alike_of_a_declared_dataset_gets_no_budget(folder: Folder) -> None:
    with pytest.raises(LedgerError, match="'mail' already, which looks like this name"):
        Ledger(folder).declare("m\u0430il", epsilon=1.0, delta=1e-6)
    assert Ledger(folder).datasets() == ("mail",)


def test_look_alikes_declared_before_both_keep_their_budgets(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("dplda.release.ledger.ledger.check_name", lambda *_: None)
        Ledger(folder).declare("m\u0430il", epsilon=1.0, delta=1e-6)
    ledger = Ledger(folder)
    ledger.charge("m\u0430il", epsilon=0.1, delta=0.0, detail="")
    assert ledger.faults() == ()
    assert ledger.balance("mail").added_up == (0, 0)
