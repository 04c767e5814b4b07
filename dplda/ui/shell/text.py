"""What a sensitivity says, wherever one is shown."""

from dplda.privacy.release import Status


def sensitivity_means(status: Status, unit: str) -> str:
    """What a sensitivity says of a document or a person, where a method has this status: a theorem, or a claim."""
    if status is Status.AS_PUBLISHED:
        return (
            f"how far one replaced {unit} moves it as the paper has it, which is not proven: where Proofs has a"
            f" counterexample one {unit} moves it further"
        )
    return f"how far one replaced {unit} can move it"
