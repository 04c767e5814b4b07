"""Topic shares by group and over time: one noisy table, and what it says of every group.

``topic_shares`` is the public function. ``groups`` holds the public list of groups,
``document_topics`` infers what each document is about, ``share_table`` sums and releases that by
group, and ``share_posterior`` draws the tables that the noisy one leaves possible.
"""
