r"""Journals: answers of a release, kept until its file is written, so that a kill loses nothing.

A journal belongs to one charge. It holds noisy answers alone, in the order in which they were
drawn: never a mean, a sum, a key or a seed of noise. Word selection is one answer, of the words
that were taken. The same request for the same documents starts the run again; it is given the
answers that were kept, draws the rest anew, and writes the file that an unbroken run with these
answers would have written. Then the journal is deleted.

The ledger has an entry for each answer: how many there are, the SHA-256 of its record in the
journal, and a nonce. A record is encrypted: reading it takes the folder's key *and* the nonce,
which is on no disk before the ledger counts the answer.

Order of commits:
    0. An empty journal is made, and then the charge. (A charge without a journal comes from a copy
       of the folder: it is not finished, as its release may have ended since.)
    1. Noise is drawn, in memory.
    2. Its record is encrypted with a new nonce, appended to the journal, and put on the disk
       (``fsync``).
    3. The ledger counts it: the file ``head`` is replaced as one, then the table commits.
    4. The run is given the answer; only now its progress, its log or another answer can depend on
       it.

Windows in which the process can be killed:
    *Before the charge:* nothing was charged or drawn; an empty journal is removed by the next
    release.

    *After the charge, before step 2 of the first answer:* the ledger counts no answer. Nothing that
    was drawn has left the dead process. The same request draws at no charge.

    *Within or after step 2, before step 3:* the journal ends in a record, whole or torn, that the
    ledger does not count. Nobody can read it, whoever has the disk and even the key: its nonce died
    with the process. It is cut off and drawn anew. So there is no second draw to compare with the
    first, and nothing that was paid for is lost. The record's size says nothing either: it follows
    from public numbers and earlier answers (selected words are padded).

    *Within step 3:* ``head`` counts before the table does. An answer counts from the moment on from
    which its nonce can be read under that name. What is left of a ``head`` that was not yet in
    place may hold a nonce. Without the folder's key that opens nothing, and whoever has the key
    can write a ledger of their own.

    *After step 3, before step 4 or any time later:* the answer is counted, and given again.

    *While the file is written:* it has its name whole or not at all. Before that, the journal is
    complete and gives the same file again. After that the file is found, and the journal, which is
    deleted next, is not asked for any more.

Guarantee:
    Somebody who can end the process at any time, and read, delete, cut, change or copy the journal,
    but has neither the folder's key nor an older ledger, sees no answer of a release that is not
    counted, and gets no counted answer drawn again without another charge: if any counted record
    is missing or changed, or the program, the request or the documents are others, the same request
    is charged again. Together with the key, the journal says the noisy answers that were paid for.
    An older copy of the whole folder is another matter: nothing in it can show that it is older.
"""
