"""Small panels of lines on two logarithmic axes, as SVG text."""

import math
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, LEGEND = 330, 230, 52, 12, 14, 40, 26
# a colour and a dash each: colour is never alone
STYLES = (
    ("#0b6e4f", ""), ("#0b6e4f", "6 3"), ("#c44536", ""), ("#3366aa", ""), ("#8a5a00", "2 2"), ("#6a3d9a", "8 2 2 2"),
    ("#444444", "1 3"), ("#aa3377", "10 4"),
)  # fmt: skip


class Panel(NamedTuple):
    """x, y : what the axes show. lines : name -> ascending points, all above 0."""

    x: str
    y: str
    lines: dict[str, list[tuple[float, float]]]


class Scale(NamedTuple):
    """Powers of ten from `low` to `high` on pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        return [10.0**power for power in range(math.ceil(self.low), math.floor(self.high) + 1)]


def svg(panels: list[Panel], columns: int) -> str:
    """The panels row by row, a legend of the first one's lines above."""
    width, height = WIDTH * columns, HEIGHT * math.ceil(len(panels) / columns) + LEGEND
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" ']
    parts += ['font-size="11">', f'<rect width="{width}" height="{height}" fill="white"/>', *_legend(panels[0].lines)]
    for i, panel in enumerate(panels):
        parts.append(f'<g transform="translate({i % columns * WIDTH},{i // columns * HEIGHT + LEGEND})">')
        parts += [*_panel(panel), "</g>"]
    return "\n".join([*parts, "</svg>\n"])


def _legend(names) -> Iterator[str]:
    for i, name in enumerate(names):
        yield f'<line x1="{LEFT + 130 * i}" x2="{LEFT + 130 * i + 24}" y1="14" y2="14" {_stroke(i)}/>'
        yield _text(LEFT + 130 * i + 30, 18, name)


def _panel(panel: Panel) -> Iterator[str]:
    points = [point for line in panel.lines.values() for point in line]
    if not points:
        return
    x = _scale([p[0] for p in points], LEFT, WIDTH - RIGHT)
    y = _scale([p[1] for p in points], HEIGHT - BOTTOM, TOP)
    for tick in x.ticks():
        yield f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>'
        yield _text(x(tick), HEIGHT - BOTTOM + 15, f"{tick:g}", "middle")
    for tick in y.ticks():
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>'
        yield _text(LEFT - 5, y(tick) + 4, f"{tick:g}", "end")
    for i, line in enumerate(panel.lines.values()):
        path = " ".join(f"{x(px):.1f},{y(py):.1f}" for px, py in line)
        yield f'<polyline points="{path}" fill="none" {_stroke(i)}/>'
        for px, py in line:
            yield f'<circle cx="{x(px):.1f}" cy="{y(py):.1f}" r="2" fill="{STYLES[i % len(STYLES)][0]}"/>'
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, f"{panel.y} against {panel.x}", "middle")


def _scale(values: list[float], start: float, end: float) -> Scale:
    """Room for all values, and for at least one power of ten."""
    low, high = math.log10(min(values)) - 0.05, math.log10(max(values)) + 0.05
    return Scale(min(low, math.floor(high)), max(high, math.floor(low) + 1), start, end)


def _stroke(i: int) -> str:
    colour, dashes = STYLES[i % len(STYLES)]
    return f'stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dashes}"'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#222">{escape(text)}</text>'
