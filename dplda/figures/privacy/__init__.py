"""Figures of privacy: accounting, attacks and audits."""
