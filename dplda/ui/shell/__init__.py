"""What all pages share: session, sidebar, frame, cache, progress."""
