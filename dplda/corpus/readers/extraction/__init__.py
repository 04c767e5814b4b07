"""Text out of formats that hold more than text: HTML, Word, PDF."""
