"""What moves on a page by itself."""

SHIFTS = """() => {
    window.shifts = [];
    const where = source => `${(source.node?.textContent || source.node?.className || "").slice(0, 60)}:`
        + ` ${source.previousRect.top | 0} -> ${source.currentRect.top | 0}`;
    new PerformanceObserver(list => list.getEntries().filter(entry => !entry.hadRecentInput).forEach(
        entry => window.shifts.push([entry.value, entry.sources.map(where)])
    )).observe({ type: "layout-shift", buffered: true });
}"""
"""What moves by itself, as a share of the window, and what that is: all since the page was loaded, then what is new."""
FORGET_SHIFTS = "() => { window.shifts = []; }"


def stands_still(page, where: str) -> None:
    """Nothing to speak of has moved by itself."""
    moved = page.evaluate("() => window.shifts.splice(0)")
    told = "\n".join(f"{value:.4f} {what}" for value, what in moved)
    assert sum(value for value, _ in moved) <= 0.05, f"{where}\n{told}"


def stood_still(app, where: str) -> None:
    """A page that is loaded comes with each part in its place."""
    app.page.evaluate(SHIFTS)
    app.settled()
    app.page.wait_for_timeout(300)  # what comes last
    stands_still(app.page, where)
