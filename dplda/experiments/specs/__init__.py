"""The specification of a sweep, as frozen data."""
