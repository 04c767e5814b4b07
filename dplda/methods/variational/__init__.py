"""What the spectral method is compared with: variational inference, private and not, and the unigram model."""
