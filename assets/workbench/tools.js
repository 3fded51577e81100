/* The buttons over the tree, and the notice of what was done. */

import { isCalm } from "./life.js";
import { button, html } from "./make.js";

export class Tools {
  constructor(pane) {
    this.pane = pane;
    this.bar = html("div", "tools");
    this.bar.setAttribute("role", "toolbar");
    this.tag = html("div", "tag");
    this.notice = html("div", "notice");
    this.notice.setAttribute("role", "status");
    this.notice.hidden = true;
    this.help = html("div", "help");
    this.help.hidden = true;
  }

  /* Words and switches; drawn again only when they change. */
  update(data) {
    const stamp = JSON.stringify([data.words, data.classes, data.detail, data.ghosts, data.cuts, data.turned, data.colors, data.switches, data.shape, data.tag, data.shows, data.groups, data.interest, data.numbers]);
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    const { pane } = this, { words } = data;
    const group = (...buttons) => {
      const box = html("span", "group");
      box.append(...buttons);
      return box;
    };
    const choose = (name, value) => () => pane.report("choose", { name, value });
    const pressed = (element, on) => {
      element.setAttribute("aria-pressed", String(Boolean(on)));
      return element;
    };
    const details = Object.entries(words.details).map(([name, [text, title]]) =>
      pressed(button(text, title, choose("detail", name)), name === data.detail));
    const turns = Object.entries(words.turns).map(([name, [text, title]]) =>
      pressed(button(text, title, choose("orientation", name)), name === data.turned));
    const shapes = Object.entries(words.shapes).map(([name, [text, title]]) =>
      pressed(button(text, title, choose("shape", name)), name === data.shape));
    const find = this.search(words), parts = data.bare ? [] : [find, ...(data.shapes ? [group(...shapes)] : []), ...(data.slim ? [] : [group(...details), group(...turns)])];
    this.tag.textContent = data.tag ?? "";
    this.tag.hidden = !data.tag;
    if (data.cuts) parts.push(group(pressed(button(words.ghosts, words.ghosts_title, choose("ghosts", !data.ghosts)), data.ghosts)));
    for (const [name, { text, title, on }] of Object.entries(data.switches ?? {}))
      parts.push(group(pressed(button(text, title, choose(name, !on)), on)));
    if (data.shows) parts.push(group(this.menu(data.shows, words.shows)));
    parts.push(group(button("−", words.zoom_out, () => pane.views.zoom(1 / 1.25)), button("+", words.zoom_in, () => pane.views.zoom(1.25)), button(words.fit, words.fit_title, () => pane.views.fit())));
    const rows = button("▸", words.stream_title, () => pane.stream.run());
    rows.dataset.act = "stream";
    if (!data.bare) parts.push(group(...(isCalm() ? [] : [rows]), button(words.present, words.present_title, () => pane.present()), button("?", words.keys, () => this.showHelp())));
    const typing = this.box.matches(":focus");
    this.bar.replaceChildren(...parts);
    if (typing) this.box.focus({ preventScroll: true });
    this.bar.setAttribute("aria-label", words.tools);
    this.help.replaceChildren(...Object.entries(words.help).flatMap(([key, what]) => [html("kbd", "", key), html("span", "", what)]));
    pane.legend.update(data);
  }

  /* A choice among many. */
  menu({ name, options, now }, title) {
    const menu = html("select", "menu");
    menu.append(...options.map(([value, text]) => {
      const option = html("option", "", text);
      option.value = value;
      return option;
    }));
    menu.value = now;
    menu.title = title;
    menu.setAttribute("aria-label", title);
    menu.addEventListener("keydown", (event) => event.stopPropagation());
    menu.addEventListener("change", () => this.pane.report("choose", { name, value: menu.value }));
    return menu;
  }

  /* Made once, so that what was typed stays. */
  search(words) {
    if (this.box) return this.finding;
    const box = html("input", "find");
    box.type = "search";
    box.placeholder = words.find;
    box.setAttribute("aria-label", words.find_title);
    box.title = words.find_title;
    box.addEventListener("input", () => this.pane.search.find(box.value));
    box.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") this.pane.search.next(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") {
        box.value = "";
        this.pane.search.find("");
        this.pane.stage.focus();
      }
    });
    this.found = html("span", "found");
    this.box = box;
    this.finding = html("span", "group finding");
    this.finding.append(box, this.found);
    return this.finding;
  }

  showHelp(on = this.help.hidden) {
    this.help.hidden = !on;
  }

  /* A short notice with the way back. */
  tell(notice) {
    if (notice?.over && notice.id === this.told) this.notice.hidden = true;
    if (!notice || notice.over || notice.id === this.told) return;
    const first = this.told === undefined;
    this.told = notice.id;
    if (first && !notice.fresh) return;
    const undo = button(this.pane.data.words.undo, "", () => {
      this.notice.hidden = true;
      this.pane.report("undo");
    });
    this.notice.replaceChildren(html("span", "", notice.text), ...(notice.undo ? [undo] : []));
    this.notice.hidden = false;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => { this.notice.hidden = true; }, 7000);
  }
}
