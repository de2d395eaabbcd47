# SPDX-License-Identifier: Apache-2.0
"""Kinds of operands, and how a kind is written: with the events that are chosen, or with widths of limbs."""

from collections.abc import Sequence

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expressions import within
from limbtrace.vectors.exhaustive import MOST

KINDS = {
    "mixed": "edge, random and run cases in turn",
    "random": "uniform below the modulus",
    "edge": "operands built for a corner of the algorithm first, then pairs and digit patterns of special values",
    "runs": "long runs of equal bits, below the modulus",
    "lazy": "the whole accepted range, corners beyond the modulus first",
}
OF_WHOLE_RANGE = {
    "random": "uniform over the accepted range",
    "runs": "long runs of equal bits, of the accepted range",
}
"""Other meanings that kinds have for a model that reduces its operand."""
CHAINED = "chained"
"""The kind whose operands are results; only for models that take every result as an operand."""
CHAINS = 4
"""Number of interleaved chains of kind `chained`; a core may process that many products at once."""
EVENTS, DIRECTED = "events", "directed"
"""Kinds that make every event of the model happen, and what hardware of any algorithm does."""
OF_WORDS = "words="
"""Stands before the widths of limbs, behind the name of a kind and a colon."""
MOST_WORDS = 8
"""Widths of limbs that may be given."""
LEAST_WORD, WIDEST_WORD = 2, 1024
"""Bits of a limb."""
DEFAULT_KIND = DIRECTED
EXHAUSTIVE = "exhaustive"
"""The kind that ends: all pairs of operands."""
EVERY_KIND = {
    **KINDS,
    CHAINED: f"operands are results of the case {CHAINS} before, not reduced, in the digits that hardware has",
    EVENTS: "operands constructed for the events of the model, at each index where they can happen, and then for what "
    "hardware does to multiply and reduce; events:q[3]=max;q[4]=0 for some events alone",
    DIRECTED: "events in every second place; in the others what hardware does to multiply and reduce, then mixed cases "
    "and the whole accepted range in turn; of a model that promises a result alone, what hardware does comes first; "
    "directed:words=17,34 and events:words=17,34 for limbs of 17 and 34 bits",
    EXHAUSTIVE: f"all pairs of operands of the accepted range, b counting up for each a, at most {MOST} pairs",
}


def limb_widths(words: Sequence[str | int]) -> tuple[int, ...]:
    """Widths of limbs, in bits, each once. Raises ParameterError("words")."""
    found = dict.fromkeys(within("words", word, LEAST_WORD, WIDEST_WORD) for word in words)
    if len(found) > MOST_WORDS:
        raise ParameterError("words", f"{len(found)} widths of limbs are more than {MOST_WORDS}")
    return tuple(found)


def of_words(kind: str, words: Sequence[str | int]) -> str:
    """A kind with widths of limbs, in bits. Raises ParameterError("words")."""
    return f"{kind}:{OF_WORDS}{','.join(map(str, limb_widths(words)))}"


def kind_with(kind: str | None, events: Sequence[str], words: Sequence[str | int] = ()) -> str | None:
    """A kind with the events that were chosen beside it, or with widths of limbs.

    Raises ParameterError("event") for a kind without events, ParameterError("words") for one without mechanisms.
    """
    if words:
        kind = kind or DEFAULT_KIND
        if events:
            raise ParameterError("words", "events that were chosen come alone, with nothing in limbs of these widths")
        if kind not in (EVENTS, DIRECTED):
            kinds = f"{DIRECTED} and {EVENTS}"
            raise ParameterError("words", f"it belongs to kinds {kinds}, and {shown(kind)} is asked for")
        return of_words(kind, words)
    if not events:
        return kind
    if kind not in (None, EVENTS):
        raise ParameterError("event", f"it belongs to kind {EVENTS}, and {shown(kind)} is asked for")
    return f"{EVENTS}:{';'.join(events)}"
