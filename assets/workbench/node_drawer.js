/* Beside the tree of a notebook: why the selected node is as it is, its rivals, its rows, and what if one was another. */

import { button, html } from "./make.js";
import { Rivals } from "./rivals.js";
import { WhatIf } from "./what_if.js";

export class NodeDrawer {
  constructor(element, tell) {
    Object.assign(this, { element, tell });
    this.tabs = html("div", "tabs");
    this.tabs.setAttribute("role", "tablist");
    this.title = html("h3", "");
    this.why = html("div", "why");
    this.list = html("div", "rivals");
    this.rivals = new Rivals(this.list);
    this.rivals.pick = (value) => tell("pick", { pick: value });
    this.take = button("", "", () => tell("take"), "take");
    this.remark = html("p", "remark");
    this.split = html("div", "split");
    this.split.append(this.list, this.take, this.remark);
    this.rows = html("div", "rows");
    this.asked = html("div", "asked");
    this.whatIf = new WhatIf(this.asked, tell);
    this.said = html("p", "line");
    this.said.setAttribute("role", "status");
    this.body = html("div", "body");
    this.body.append(this.title, this.why, this.split, this.rows, this.asked);
    element.append(this.tabs, this.body, this.said);
  }

  /* of: whose preview it is, where there are several trees in the page. */
  update(data, of) {
    const stamp = JSON.stringify(data);
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    this.element.classList.toggle("closed", !data.tab);
    this.choose(data);
    this.body.hidden = !data.tab;
    this.title.textContent = data.title;
    this.why.hidden = data.tab !== "why";
    this.split.hidden = data.tab !== "rivals" && !(data.tab === "what_if" && data.remark);
    this.asked.hidden = !data.what_if;
    if (data.what_if) this.whatIf.update(data.what_if, data.words);
    this.rows.hidden = data.tab !== "rows";
    this.why.replaceChildren(...(data.lines ?? []).map((line) => html("p", "", line)));
    this.list.hidden = !data.rivals;
    if (data.rivals) this.rivals.update({ ...data.rivals, of });
    this.take.hidden = !data.take;
    if (data.take) {
      this.take.textContent = data.take.text;
      this.take.disabled = !data.take.on;
    }
    this.remark.textContent = data.remark ?? "";
    if (data.rows) this.fill(data.rows);
    this.said.textContent = data.recipe;
    this.said.title = data.all;
    this.said.hidden = !data.recipe;
  }

  choose({ tab, tabs, words }) {
    const focused = this.tabs.contains(this.element.getRootNode().activeElement) ? this.element.getRootNode().activeElement.dataset.tab : null;
    const made = tabs.map(([name, text, title]) => {
      const choice = button(text, title, () => this.tell("tab", { tab: name === tab ? "" : name }));
      choice.dataset.tab = name;
      choice.setAttribute("role", "tab");
      choice.setAttribute("aria-selected", String(name === tab));
      return choice;
    });
    const close = button(tab ? "›" : "‹", tab ? words.close : words.open, () => this.tell("tab", { tab: tab ? "" : tabs[0][0] }), "turn");
    close.dataset.tab = "";
    this.tabs.replaceChildren(...(tab ? made : []), close);
    if (focused !== null) this.tabs.querySelector(`[data-tab="${focused}"]`)?.focus({ preventScroll: true });
  }

  fill({ head, rows, right, told }) {
    const table = html("table"), line = (cells, kind) => {
      const made = html("tr");
      made.append(...cells.map((cell, i) => html(kind, right[i] ? "right" : "", cell)));
      return made;
    };
    table.append(line(head, "th"), ...rows.map((row) => line(row, "td")));
    const frame = html("div", "frame");
    frame.tabIndex = 0;
    frame.append(table);
    this.rows.replaceChildren(html("p", "", told), frame);
  }

  leave() {
    this.rivals.leave();
  }
}
