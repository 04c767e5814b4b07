"""What an owner hands out with a release: a card, a page for data protection, a record."""
