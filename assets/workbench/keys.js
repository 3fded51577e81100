/* The keyboard: a key acts on the node in focus, which need not be the selected one. */

import { play } from "./playing.js";

export function onKey(pane, event) {
  if (event.altKey || event.metaKey || event.ctrlKey) return;
  const sideways = pane.data.orientation === "LR";
  const steps = sideways
    ? { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "previous", ArrowDown: "next" }
    : { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "previous", ArrowRight: "next" };
  const node = pane.nodes.get(pane.active);
  const deeds = {
    Enter: () => (node?.row.below ? pane.chosen.open(node.id) : pane.chosen.select(pane.active)),
    " ": () => pane.chosen.select(pane.active),
    Home: () => pane.chosen.walk(pane.first), End: () => pane.chosen.walk(deepest(pane)),
    "+": () => pane.views.zoom(1.25), "=": () => pane.views.zoom(1.25), "-": () => pane.views.zoom(1 / 1.25), 0: () => pane.views.fit(),
    f: () => pane.chosen.turnOpen(pane.active), x: () => pane.chosen.cutOrRestore(pane.active), Delete: () => pane.chosen.cutOrRestore(pane.active),
    "/": () => pane.tools.box.focus(), n: () => pane.search.next(1), "?": () => pane.tools.showHelp(),
    p: () => pane.growth.play() || play(pane), g: () => pane.data.cuts && pane.report("choose", { name: "ghosts", value: !pane.data.ghosts }),
    r: () => pane.stream.run(), Escape: () => pane.calm(),
  };
  if (pane.data.made !== undefined) Object.assign(deeds, { PageDown: () => pane.growth.step(1), PageUp: () => pane.growth.step(-1) });
  const step = steps[event.key];
  const deed = step ? () => walkBy(pane, node, step) : deeds[event.key];
  if (!deed) return;
  event.preventDefault();
  event.stopPropagation(); // the page listens for single letters of its own
  deed();
}

function walkBy(pane, node, step) {
  if (!node) return pane.chosen.walk(pane.first);
  if (step === "parent") return pane.chosen.walk(node.row.parent);
  if (step === "child") return node.row.below ? pane.chosen.open(node.id) : pane.chosen.walk(pane.childrenOf(node.id)[0]?.id);
  const along = pane.data.orientation === "LR" ? "y" : "x";
  const level = [...pane.nodes.values()].filter((other) => other.row.level === node.row.level);
  level.sort((a, b) => a.row[along] - b.row[along]);
  return pane.chosen.walk(level[level.indexOf(node) + (step === "next" ? 1 : -1)]?.id);
}

function deepest(pane) {
  return [...pane.nodes.values()].reduce((best, node) => (node.row.level > best.row.level ? node : best)).id;
}
