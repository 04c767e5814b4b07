"""What all pages draw alike: sidebar, frame, figures, words."""
