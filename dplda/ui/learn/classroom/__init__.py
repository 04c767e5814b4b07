"""The ten-minute class: its clock, its answers, and the phones that join."""
