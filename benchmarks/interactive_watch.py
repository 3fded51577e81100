"""Times taken inside the browser: from the event of the user's hand to the frame that shows its effect."""

from collections.abc import Callable

from playwright.sync_api import Page

from benchmarks.interactive_server import processor_seconds

# The event counts from when the browser saw it; the effect is looked for in every frame, also inside components.
WATCH = """
() => {
  let view = null;
  const search = root => root.querySelector(".tree-view")
    ?? [...root.querySelectorAll("*")].reduce((found, e) => found ?? (e.shadowRoot && search(e.shadowRoot)), null);
  const diagram = () => (view?.isConnected ? view : view = search(document));
  const app = () => document.querySelector("[data-testid=stApp]");
  window.effects = {
    drawing: () => diagram()?.querySelector(".camera"),
    inspector: () => [...document.querySelectorAll("[data-testid=stMain] h3")]
      .map(e => e.innerText).find(text => text.startsWith("Node ")),
    "in force": () => [...document.querySelectorAll("[data-testid=stCaptionContainer]")]
      .map(e => e.innerText).find(text => text.startsWith("In force: ")),
    settled: () => app().dataset.testScriptState !== "running" && !document.querySelector("[data-stale=true]"),
  };
  window.began = null;
  for (const kind of ["pointerup", "keydown"])
    window.addEventListener(kind, event => { window.began = event.timeStamp; }, true);
}
"""
EXPECT = """
(names) => {
  window.began = null;
  const former = Object.fromEntries(names.map(name => [name, window.effects[name]()]));
  const seen = {};
  window.expected = new Promise(resolve => {
    const look = () => {
      if (window.began !== null) {
        for (const name of names)
          if (!(name in seen) && window.effects[name]() && window.effects[name]() !== former[name])
            seen[name] = performance.now() - window.began;
      }
      if (names.every(name => name in seen))
        return resolve(seen);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
"""
SETTLED = "() => window.effects.settled()"


class Watch:
    """Stands beside one page and its server and times what follows from what is done to the page."""

    def __init__(self, page: Page, pid: int):
        self.page, self.pid = page, pid
        page.evaluate(WATCH)
        self.inside = page.context.new_cdp_session(page)
        self.inside.send("Performance.enable")

    def times(self, act: Callable[[], None], *effects: str) -> dict[str, float]:
        """Milliseconds from the last key or release of the pointer in `act` until each effect is in a new state.

        effects : "drawing" (the diagram is another one), "inspector" (its heading names another node), "in force" (what
        the page Size & pruning says of it).
        Always added: "settled", the server has nothing more to send; and what a busy machine adds little to, the
        processor's time in the "server" and in the "browser" (the process of the page) from before the act to the end.
        """
        server, browser = processor_seconds(self.pid), self._busy()
        self.page.evaluate(EXPECT, list(effects))
        act()
        seen = self.page.evaluate("() => window.expected")
        self.page.wait_for_function(SETTLED)
        seen["settled"] = self.page.evaluate("() => performance.now() - window.began")
        seen["server"] = 1000 * (processor_seconds(self.pid) - server)
        seen["browser"] = 1000 * (self._busy() - browser)
        return seen

    def _busy(self) -> float:
        """Seconds of processor time that the process of the page has used."""
        metrics = self.inside.send("Performance.getMetrics")["metrics"]
        return next(entry["value"] for entry in metrics if entry["name"] == "ProcessTime")
