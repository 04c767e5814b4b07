"""Small drawings for what a release is handed out as: the risk as a dial, ε among deployments."""
