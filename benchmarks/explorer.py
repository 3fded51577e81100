"""The explorer without a server: from choosing a file of 100,000 rows until its tree is drawn, in Chromium.

    uv run python -m benchmarks.explorer [repeats]

`read` and `grow` are what its worker takes; the rest is the page that shows the tree. To reach: 2 s. Nothing is said of
the machine by such seconds alone, so `scan` is a yardstick: the time in which this Chromium splits the same file into
its fields, and does nothing else with them.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from tests.browser.running import FLAGS, find_chromium
from treecore.export.static_explorer import explorer_page

ROWS = 100_000
TIMED = """() => {
  window.times = {};
  const ask = Work.prototype.ask;
  Work.prototype.ask = function (task, ...asked) {
    const start = performance.now();
    return ask.call(this, task, ...asked).finally(() => { window.times[task] = performance.now() - start; });
  };
  const start = () => { window.times.start = performance.now(); };
  document.querySelector("input[type=file]").addEventListener("change", start, true);
  find("tree").addEventListener("load", () => { window.times.drawn = performance.now() - window.times.start; });
}"""
SCAN = """(text) => {
  const start = performance.now();
  let fields = 0;
  for (const line of text.split("\\n")) fields += line.split(",").length;
  return fields ? performance.now() - start : 0;
}"""


def files() -> dict[str, str]:
    """Customers with whole numbers, money and words; eight and ten columns of numbers that hardly repeat."""
    rng = np.random.default_rng(0)
    tenure, calls = rng.integers(0, 72, ROWS), rng.poisson(2, ROWS)
    leaves = rng.random(ROWS) < 1 / (1 + np.exp(4.2 - 0.4 * calls + 0.03 * tenure))
    customers = zip(
        rng.integers(18, 90, ROWS), tenure, np.round(rng.gamma(2, 40, ROWS), 2), rng.choice(["basic", "plus"], ROWS),
        rng.choice(list("ABCDEFGH"), ROWS), calls, np.where(leaves, "yes", "no"), strict=True,
    )  # fmt: skip
    x = rng.normal(size=(ROWS, 10))
    price = 3 * x[:, 0] + np.abs(x[:, 1]) + rng.normal(size=ROWS)
    answer = np.where(x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=ROWS) > 0, "yes", "no")
    text = [",".join(f"{value:.6g}" for value in row) for row in x]
    eight = [line.rsplit(",", 2)[0] for line in text]
    return {
        "customers, 6 columns": "age,tenure,charges,plan,region,calls,leaves\n"
        + "\n".join(",".join(map(str, row)) for row in customers),
        "a number of 8 numbers": ",".join(f"x{j}" for j in range(8))
        + ",price\n"
        + "\n".join(f"{line},{value:.4f}" for line, value in zip(eight, price, strict=True)),
        "classes of 10 numbers": ",".join(f"x{j}" for j in range(10))
        + ",answer\n"
        + "\n".join(f"{line},{value}" for line, value in zip(text, answer, strict=True)),
    }


def measured(browser: Browser, page_file: Path, file: Path) -> dict[str, float]:
    """Milliseconds of the first tree of a page that has just been opened."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.goto(page_file.as_uri())
    page.evaluate(TIMED)
    page.locator("input[type=file]").first.set_input_files(file)
    page.wait_for_function("() => window.times.drawn > 0", timeout=120_000)
    found = {**page.evaluate("window.times"), "scan": page.evaluate(SCAN, file.read_text("utf-8"))}
    page.close()
    return found


def main(repeats: int) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        page_file, file = Path(folder) / "explorer.html", Path(folder) / "rows.csv"
        page_file.write_text(explorer_page(), "utf-8")
        print("| file | MB | read, s | grow, s | tree drawn, s | scan, s |\n| --- | --- | --- | --- | --- | --- |")
        for name, text in files().items():
            file.write_text(text, "utf-8")
            runs = [measured(browser, page_file, file) for _ in range(repeats)]
            shown = [median(run[key] for run in runs) / 1000 for key in ("read", "grow", "drawn", "scan")]
            print(f"| {name} | {len(text) / 1e6:.1f} | {' | '.join(f'{value:.2f}' for value in shown)} |")
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
