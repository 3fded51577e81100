/* A row of the selected node with other values: the answer first, then the values, then the way. */

import { button, html } from "./make.js";

export class WhatIf {
  constructor(element, tell) {
    Object.assign(this, { element, tell });
    this.answer = html("h4", "");
    this.answer.setAttribute("role", "status");
    this.before = html("p", "remark");
    this.which = html("div", "which");
    this.fields = html("div", "fields");
    this.way = html("ol", "way");
    this.ends = html("div", "ends");
    element.append(this.answer, this.before, this.which, this.fields, this.way, this.ends);
  }

  update(data, words) {
    const focused = this.element.getRootNode().activeElement?.dataset?.field;
    this.answer.textContent = data.answer;
    this.before.textContent = data.before;
    this.before.hidden = !data.before;
    this.choose(data, words);
    this.fields.replaceChildren(...data.fields.map((field, at) => this.field(field, at, words)));
    this.way.replaceChildren(...data.way.map((text) => html("li", "", text)));
    this.ends.replaceChildren(...data.ends.map((node) => button(`Show node ${node}`, "", () => this.tell("select", { node }))));
    if (focused !== undefined) this.element.querySelector(`[data-field="${focused}"]`)?.focus({ preventScroll: true });
  }

  choose({ row, rows, typed }, words) {
    const place = this.input("number", row, "row", (input) => this.ask({ row: Math.round(Number(input.value)) || 1 }));
    Object.assign(place, { min: 1, max: rows, step: 1 });
    const reset = button(words.reset, "", () => this.ask({ row }));
    reset.disabled = !typed;
    this.which.replaceChildren(this.named(`${words.row} (1 to ${rows.toLocaleString("en")})`, place), reset);
  }

  field({ name, value, levels, changed }, at, words) {
    const made = levels ? this.levels(levels, value, at, words) : this.input("number", value, at, (input) => {
      this.ask({ at, value: input.value === "" ? null : Number(input.value) });
    });
    if (!levels) Object.assign(made, { step: "any", placeholder: words.unknown });
    const named = this.named(name, made);
    named.classList.toggle("changed", changed);
    return named;
  }

  levels(levels, value, at, words) {
    const made = html("select");
    made.dataset.field = at;
    made.append(...[words.unknown, ...levels].map((text, i) => {
      const option = html("option", "", text);
      option.selected = i === (value === null ? 0 : levels.indexOf(value) + 1);
      return option;
    }));
    made.addEventListener("change", () => this.ask({ at, value: made.selectedIndex ? levels[made.selectedIndex - 1] : null }));
    return made;
  }

  input(type, value, field, changed) {
    const made = html("input");
    Object.assign(made, { type, value: value ?? "" });
    made.dataset.field = field;
    made.addEventListener("change", () => changed(made));
    return made;
  }

  named(text, element) {
    const made = html("label", "");
    made.append(html("span", "", text), element);
    return made;
  }

  ask(told) {
    this.tell("ask", { ask: told });
  }
}
