/* Whose figures the nodes show, the classes and their colours, in one line under the tree: it lies over nothing. What has no room is one click away. */

import { button, html, svg } from "./make.js";
import { fitted } from "./text.js";

const FACE = "400 12px", ROOM = 220, BESIDE = 110; // of a name, as bench.css has it; of one beside a strip of colours
const GAP = 12, MORE = 52; // pixels between two names, and of the button after the last one

export class Legend {
  constructor(pane) {
    this.pane = pane;
    this.element = html("ul", "legend");
    this.entries = [];
    this.open = false;
  }

  update(data) {
    const { classes, words, interest, numbers, groups, figures, shape } = data, { colors } = this.pane;
    this.entries = classes.map((name, i) => {
      const entry = html("li", "", fitted(name, ROOM, this.pane.font(FACE)));
      entry.prepend(colors.swatch(i));
      entry.title = name;
      return entry;
    });
    if (data.nodes?.some(({ came, rest }) => came || rest)) this.entries.push(this.missing(words.missing));
    if (groups) this.entries = [...this.groups(groups), ...this.entries];
    if (interest) this.entries.unshift(this.scale(interest, classes.length));
    if (numbers) this.entries.unshift(this.amounts(numbers, shape !== "tree"));
    if (figures) {
      const entry = html("li", "figures", figures.text);
      entry.title = figures.title;
      this.entries.unshift(entry);
    }
    this.button = button("", words.legend, () => {
      this.open = !this.open;
      this.fit();
    });
    this.more = html("li", "more");
    this.more.append(this.button);
    this.element.hidden = !this.entries.length;
    this.element.replaceChildren(...this.entries, this.more);
    this.fit();
  }

  /* The line beside the branches that took rows without a value, and its sign where a word has no room. */
  missing([name, title]) {
    const entry = html("li", "missing", `? ${name}`);
    entry.prepend(svg("svg", { class: "dashes", width: 26, height: 4, "aria-hidden": "true" }, svg("path", { d: "M0 2H26" })));
    entry.title = title;
    return entry;
  }

  /* The groups of a column that the bars show. */
  groups({ column, names }) {
    const { shades } = this.pane, title = html("li", "", `Bars: ${column}`);
    const entries = names.map((name, i) => {
      if (name === null) return null;
      const entry = html("li", "", name);
      entry.prepend(shades.swatch(i));
      entry.title = `${column}: ${name}`;
      return entry;
    });
    return [title, ...entries.filter(Boolean), ...(this.entries.length ? [html("li", "", "Nodes:")] : [])];
  }

  /* How a share of the class of interest is coloured, from a quarter of its base rate to four times it. */
  scale({ k, name, base }, count) {
    const { colors } = this.pane, entry = html("li", "scale"), strip = html("i", "");
    const below = colors.shade(count === 2 ? 1 - k : -1, 1, 60), above = colors.shade(k, 1, 60);
    strip.style.background = `linear-gradient(to right, ${below}, var(--paper), ${above})`;
    entry.append(`${fitted(name, BESIDE, this.pane.font(FACE))}: ¼×`, strip, `4× · ${base}`);
    entry.title = `Nodes by their share of ${name}: ${base} of all rows`;
    return entry;
  }

  /* How a predicted number is coloured, from the least of the tree to the largest; around 0 with a colour on either side. */
  amounts({ name, low, high, ends, zero }, ofWhole) {
    const { colors } = this.pane, entry = html("li", "scale"), strip = html("i", ""), at = (part) => (ofWhole ? colors.amountOfWhole(part) : colors.amount(part));
    const around = ends?.map(([index, part]) => colors.shade(index, part, ofWhole ? 90 : 38));
    strip.style.background = `linear-gradient(to right, ${around ? [around[0], ...(zero ? ["var(--paper)"] : []), around[1]].join(", ") : `${at(0)}, ${at(1)}`})`;
    entry.append(`${fitted(name, BESIDE, this.pane.font(FACE))}: ${low}`, strip, high);
    entry.title = `Nodes by their prediction: ${name} ${low} to ${high}`;
    return entry;
  }

  /* As many names as the line has room for, the others behind the button. */
  fit() {
    const { element, entries, open } = this;
    for (const entry of entries) entry.hidden = false;
    if (element.hidden || !element.clientWidth) return;
    const shown = this.howMany(), rest = entries.length - shown;
    element.classList.toggle("open", open && rest > 0);
    this.more.hidden = !rest;
    this.button.textContent = open ? "−" : `+${rest}`;
    this.button.setAttribute("aria-expanded", String(open));
    entries.slice(shown).forEach((entry) => { entry.hidden = !open; });
    element.insertBefore(this.more, entries[shown] ?? null);
  }

  howMany() {
    const style = getComputedStyle(this.element), wide = this.entries.map((entry) => entry.offsetWidth + GAP);
    const room = this.element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) + GAP;
    if (wide.reduce((sum, each) => sum + each, 0) <= room) return wide.length;
    let used = MORE, count = 0;
    while (used + wide[count] <= room) used += wide[count++];
    return Math.max(count, 1);
  }
}
