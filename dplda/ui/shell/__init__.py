"""What all pages share: sidebar, frame, figures, words."""
