"""What error to expect, to first order and without a fitted constant; and who wins where."""
