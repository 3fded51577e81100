"""A palette image as a data address: a few kilobytes for any number of rectangles."""

import base64
import struct
import zlib

import numpy as np


def palette_png(index: np.ndarray, rgba: np.ndarray) -> str:
    """A PNG of colour indices as "data:image/png;base64,...".

    index : uint8 (height, width), the top row first. rgba : uint8 (256, 4).
    """
    height, width = index.shape
    lines = np.zeros((height, width + 1), np.uint8)  # a filter byte of 0 before every line
    lines[:, 1:] = index
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # 8 bits, palette
    chunks = [
        (b"IHDR", header),
        (b"PLTE", np.ascontiguousarray(rgba[:, :3]).tobytes()),
        (b"tRNS", np.ascontiguousarray(rgba[:, 3]).tobytes()),
        (b"IDAT", zlib.compress(lines.tobytes(), 6)),
        (b"IEND", b""),
    ]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)
    return "data:image/png;base64," + base64.b64encode(data).decode()


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
