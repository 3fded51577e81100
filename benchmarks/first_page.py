"""The first seconds: when something can be seen, when the start page can be used, and what that takes.

    uv run python -m benchmarks.first_page [repeats]

Every line is a visit by a browser that has kept nothing: as soon as a new server answers, ten seconds later (imports
are done by then), and once more. To reach on two quiet cores: 0.7 s to the first paint, 2.5 s (once more: 1.5 s) until
the page can be used. `server` is processor time from the visit on, compilers not counted; bytes as they are sent.
"""

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from benchmarks.interactive_server import processor_seconds
from tests.browser.app_steps import APP
from tests.browser.running import FLAGS, find_chromium, start_server, stop_server

SETTLING = 10  # seconds in which a new server imports
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
USABLE = "[data-testid=stFileUploader] input[type=file]"


def visit(browser: Browser, address: str, pid: int) -> tuple[float, ...]:
    """Seconds to the first paint, seconds until a file can be given, processor seconds, megabytes, files."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page, sent = context.new_page(), []
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    used, start = processor_seconds(pid), time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(USABLE).first.wait_for(state="attached", timeout=120_000)
    usable = time.perf_counter() - start
    found = page.evaluate(PAINTED), usable, processor_seconds(pid) - used, sum(sent) / 1e6, len(sent)
    context.close()
    return found


def main(repeats: int) -> None:
    os.environ["TREECORE_BACKGROUND"] = "0"
    visits: dict[str, list] = {"at once": [], "after 10 s": [], "once more": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for _ in range(repeats):
            for name, pause in (("at once", 0), ("after 10 s", SETTLING)):
                with tempfile.TemporaryDirectory() as folder:
                    server, address = start_server(APP, Path(folder) / "log.txt")
                    time.sleep(pause)
                    visits[name].append(visit(browser, address, server.pid))
                    if pause:
                        visits["once more"].append(visit(browser, address, server.pid))
                    stop_server(server)
        browser.close()
    print("| visit | first paint, s | usable, s | server, s | MB | files |\n| --- | --- | --- | --- | --- | --- |")
    for name, found in visits.items():
        painted, usable, used, megabytes, files = (median(column) for column in zip(*found, strict=True))
        print(f"| {name} | {painted:.2f} | {usable:.2f} | {used:.2f} | {megabytes:.2f} | {files:.0f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
