"""Text extracted from formats that hold more than text: HTML, Word, PDF."""
