"""Files with wrong bytes: changed, cut out, doubled, or with what no parser expects in their place."""

import io
import json
import zipfile

import numpy as np

from treecore.errors import TreecoreError

ODD = [b"9999999999", b"-1", b"null", b"1e999", b"[", b'"']


def broken(data: bytes, n: int = 1000, odd=ODD, seed: int = 1):
    """n files that differ from this one in a few places."""
    rng = np.random.RandomState(seed)
    for _ in range(n):
        made = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            at, length = rng.randint(len(made)), rng.randint(1, 9)
            how = rng.randint(4)
            if how == 0:
                made[at] = rng.randint(256)
            elif how == 1:
                del made[at : at + length]
            elif how == 2:
                made[at:at] = made[at : at + length]
            else:
                made[at : at + 1] = odd[rng.randint(len(odd))]
        yield bytes(made)


def broken_inside(data: bytes, parts, n: int = 1000):
    """n zips that differ from this one in the bytes of these parts of it, which the zip itself does not notice."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        whole = {name: file.read(name) for name in file.namelist()}
    for part in parts:
        for wrong in broken(whole[part], n=n // len(parts)):
            made = io.BytesIO()
            with zipfile.ZipFile(made, "w") as file:
                for name, own in whole.items():
                    file.writestr(name, wrong if name == part else own)
            yield made.getvalue()


def n_refused(files, use) -> int:
    """How many of these files `use` refuses with an error of ours; any other error is a fault."""
    refused = 0
    for made in files:
        try:
            with np.errstate(all="ignore"):
                use(made)
        except TreecoreError:
            refused += 1
    return refused


def altered(told, n: int = 1000, seed: int = 1):
    """n copies of what JSON holds, each with a few of its values or keys changed: for models that are objects."""
    rng = np.random.RandomState(seed)
    odd = [None, -1, 10**10, float("nan"), float("inf"), "", "x", [], {}, True, 0.5, [[1]], "é" * 9]
    text = json.dumps(told)
    for _ in range(n):
        made = json.loads(text)
        for _ in range(rng.randint(1, 4)):
            place = made
            while True:
                key = rng.randint(len(place)) if isinstance(place, list) else list(place)[rng.randint(len(place))]
                if not isinstance(place[key], list | dict) or not place[key] or rng.rand() < 0.05:
                    break
                place = place[key]
            place[key] = odd[rng.randint(len(odd))]
        yield made
