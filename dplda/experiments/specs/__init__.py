"""What a sweep computes, as frozen data."""
