"""What a class is given by one address: a tree's recipe, the pages to work on, and what is to be handed in."""

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from treecore.errors import TreecoreError
from treecore.recipe import Recipe
from treecore.teach.exercises import KINDS
from treecore.teach.guess import MOST_GUESSES

MOST_BYTES = 1 << 20
"""Of what an address holds: more is none of ours."""


@dataclass(frozen=True)
class Classwork:
    """The work of a class; it says nothing of who works.

    recipe : of the tree. pages : names of the pages that are open. guesses : so many splits are guessed before any page
    but Guess opens; 0 for none. numbered : does each learner enter a number, which is the variant of the sheet? If not,
    it is `variant` for all. kinds : questions of the sheet, of exercises.make.KINDS; () for no sheet. measure : as of
    exercises.make.sheet.
    """

    recipe: Recipe
    pages: tuple[str, ...]
    guesses: int = 0
    numbered: bool = False
    variant: int = 0
    kinds: tuple[str, ...] = ()
    measure: str = "entropy"

    def __post_init__(self):
        known = {"entropy", "gini"}
        whole = all(type(n) is int for n in (self.guesses, self.variant)) and isinstance(self.numbered, bool)
        if (
            not whole
            or not 0 <= self.guesses <= MOST_GUESSES
            or not 0 <= self.variant < 1 << 16
            or self.measure not in known
        ):
            raise _damaged()
        if not self.pages or not all(isinstance(name, str) for name in self.pages) or set(self.kinds) - set(KINDS):
            raise _damaged()

    def to_text(self) -> str:
        """Letters for an address, as from_text reads them."""
        fields = {
            "recipe": json.loads(self.recipe.to_json()), "pages": self.pages, "guesses": self.guesses,
            "numbered": self.numbered, "variant": self.variant, "kinds": self.kinds, "measure": self.measure,
        }  # fmt: skip
        packed = zlib.compress(json.dumps(fields, ensure_ascii=False).encode("utf-8"), 9)
        return urlsafe_b64encode(packed).decode().rstrip("=")

    @classmethod
    def from_text(cls, text: str) -> "Classwork":
        """The work that `to_text` wrote; TreecoreError for any other text."""
        try:
            packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
            fields = json.loads(zlib.decompressobj().decompress(packed, MOST_BYTES).decode("utf-8"))
            recipe = Recipe.from_json(json.dumps(fields["recipe"]))
            return cls(
                recipe, tuple(fields["pages"]), fields["guesses"], fields["numbered"], fields["variant"],
                tuple(fields["kinds"]), fields["measure"],
            )  # fmt: skip
        except (ValueError, zlib.error, TypeError, KeyError, RecursionError) as fault:
            raise _damaged() from fault


def _damaged() -> TreecoreError:
    return TreecoreError("This link holds no work for a class", where="Class link", remedy="Copy the whole of it")
