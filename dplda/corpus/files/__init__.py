"""From a path or an upload to a bounded stream of bytes."""
