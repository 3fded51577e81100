/* Gives parts of the page the names by which tests find them: { selector: name }. */

export default function ({ parentElement, data }) {
  const mark = () => {
    for (const [selector, name] of Object.entries(data ?? {}))
      for (const element of document.querySelectorAll(selector)) {
        const seen = element.getClientRects().length > 0; // of a button there may be a second one for touch, out of sight
        if (seen && element.dataset.testid !== name) element.dataset.testid = name;
        else if (!seen && element.dataset.testid === name) element.dataset.testid = `${name}-unseen`;
      }
    // who scrolls a long sum may do so by keyboard
    for (const sum of document.querySelectorAll(".katex-display:not([tabindex])")) if (sum.scrollWidth > sum.clientWidth) sum.tabIndex = 0;
  };
  mark();
  const watch = new MutationObserver(mark);
  watch.observe(document.body, { childList: true, subtree: true });
  return () => watch.disconnect();
}
