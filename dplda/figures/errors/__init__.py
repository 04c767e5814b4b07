"""Pictures of errors: measured, predicted and bounded."""
