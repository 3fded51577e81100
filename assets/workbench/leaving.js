/* A page that is being left says nothing more: its word would call for a part of a page that is gone, and the page that
   comes would stay empty. */

const LINKS = "[data-testid=stTopNavLink], [data-testid=stTopNavDropdownLink], [data-testid=stPageLink] a";
const MOST = 2000; // milliseconds after which the page was not left after all
let left = -MOST;
addEventListener("click", (event) => { if (event.target.closest?.(LINKS)) left = performance.now(); }, true);

/* Act now, or once it is known that the page stays. heard: when the server last spoke to this pane. */
export function unlessLeaving(root, heard, act) {
  const rest = left + MOST - performance.now();
  if (rest <= 0 || heard() > left) act();
  else setTimeout(() => { if (root.isConnected) act(); }, rest);
}
