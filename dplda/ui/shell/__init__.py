"""Parts that all pages share: sidebar, frame, figures, words."""
