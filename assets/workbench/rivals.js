/* The splits that were possible at a node, as ranked bars: pointing at one shows what it would make, a click chooses it. */

import { Colors } from "./colors.js";
import { Cuts } from "./cuts.js";
import { html, svg } from "./make.js";
import { say } from "./signal.js";

const PAGE = 8;

export class Rivals {
  constructor(root) {
    this.root = root;
    this.heads = html("div", "heads");
    this.list = html("div", "list");
    this.list.tabIndex = 0;
    this.list.setAttribute("role", "listbox");
    this.about = html("div", "about");
    this.about.setAttribute("role", "status");
    this.cuts = new Cuts(this);
    this.ink = svg("svg", { class: "ink", width: 0, height: 0, "aria-hidden": "true" });
    root.append(this.ink, this.heads, this.list, this.about, this.cuts.element);
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("pointerleave", () => this.point(null));
    this.list.addEventListener("blur", () => this.point(null));
  }

  update(data) {
    const stamp = JSON.stringify([data.rivals, data.words, data.colors]);
    this.data = data;
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      this.draw();
    }
    this.options.forEach((option, i) => option.setAttribute("aria-selected", String(i === data.chosen)));
    this.cuts.update(data.cuts);
    this.point(null);
  }

  leave() {
    say(null);
  }

  draw() {
    const { data } = this, { words } = data;
    this.colors = new Colors(data.colors, data.classes);
    this.ink.replaceChildren(this.colors.defs);
    this.heads.replaceChildren(html("span", "", words.gain), html("span", "", words.held));
    this.heads.title = words.held_title;
    this.list.setAttribute("aria-label", words.name);
    this.options = data.rivals.map((rival, i) => this.option(rival, i));
    this.list.replaceChildren(...this.options);
  }

  option(rival, i) {
    const option = html("div", `rival${rival.own ? " own" : ""}${rival.passed ? " passed" : ""}`), bar = html("span", "rail"), full = html("i");
    option.id = `r${i}`;
    option.setAttribute("role", "option");
    option.setAttribute("aria-label", rival.label);
    full.style.width = `${(100 * rival.share).toFixed(1)}%`;
    bar.append(full);
    const asks = html("span", "asks");
    asks.append(html("b", "", rival.feature), html("span", "", ` ${rival.asks}`));
    asks.title = rival.label;
    option.append(asks, html("span", "gain", rival.gain), bar, html("span", `held ${rival.better ?? ""}`, rival.held));
    if (rival.own) asks.append(html("em", "", this.data.words.own));
    option.addEventListener("pointerenter", () => this.point(i));
    option.addEventListener("click", () => this.choose(i));
    return option;
  }

  /* Shown here and on the canvas: what this one would make of the node; of none, what the chosen one would. */
  point(i) {
    this.at = i;
    this.options.forEach((option, k) => option.classList.toggle("at", k === i));
    if (i === null) this.list.removeAttribute("aria-activedescendant");
    else this.list.setAttribute("aria-activedescendant", `r${i}`);
    const rival = this.data.rivals[i ?? this.data.chosen];
    this.tell(rival ? rival.branches : this.data.cuts?.branches ?? [], rival?.told ?? "");
    say(i === null || rival.own ? null : { node: this.data.node, branches: rival.branches, of: this.data.of });
  }

  tell(branches, told) {
    const lines = branches.map((branch) => this.branch(branch));
    if (told) lines.push(html("p", "", told));
    this.about.replaceChildren(...lines);
  }

  branch(row) {
    const line = html("div", "branch");
    line.append(html("span", "leads", row.branch), html("span", "answer", row.answer), html("span", "n", row.n));
    if (row.bars?.length) line.append(this.mix(row.bars[0]));
    return line;
  }

  mix(bar) {
    const picture = svg("svg", { class: "mix", "aria-hidden": "true" });
    const parts = typeof bar === "number" ? [[null, bar]] : bar ?? [];
    let x = 0;
    for (const [index, share] of parts) {
      const part = svg("rect", { x: `${x.toFixed(2)}%`, y: 0, width: `${Math.max(0, 100 * share - (share < 1 ? 0.6 : 0)).toFixed(2)}%`, height: 6 });
      part.style.fill = index === null ? "var(--muted)" : index < 0 ? "var(--line)" : this.colors.fill(index);
      picture.append(part);
      x += 100 * share;
    }
    return picture;
  }

  choose(i) {
    if (i === null || i === undefined) return;
    this.options.forEach((option, k) => option.setAttribute("aria-selected", String(k === i)));
    this.pick({ kind: "rival", at: i });
  }

  key(event) {
    const last = this.options.length - 1, now = this.at ?? this.data.chosen ?? -1;
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: last, PageDown: now + PAGE, PageUp: now - PAGE }[event.key];
    if (to !== undefined) {
      const place = Math.min(Math.max(to, 0), last);
      this.point(place);
      this.options[place].scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" || event.key === " ") this.choose(this.at);
    else if (event.key === "Escape") this.point(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
