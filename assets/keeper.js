/* Keeps a note of the tab's work in the browser, and hands it back when the page is loaded again.

   mode "ask": nothing is loaded yet; what this tab knows comes back by itself, what another tab knew is offered; the
   server may wait for the answer that there is nothing.
   mode "keep": write the note. mode "forget": nothing is kept any more. mode "idle": leave everything as it is.

   A connection that was lost and is there again runs the whole page: the server may have let the session go by then, or
   be another one, and what a part of the page asks of it would come to nothing. */

const KEY = "treecore";

const guarded = (act) => {
  try {
    return act();
  } catch {
    return null; // a browser that keeps nothing
  }
};

let lost = false, again = () => {};

new MutationObserver(() => {
  const now = document.querySelector("[data-test-connection-state]")?.dataset.testConnectionState;
  if (now === "CONNECTED" && lost) again();
  lost = now !== "CONNECTED";
}).observe(document.body, { attributes: true, subtree: true, attributeFilter: ["data-test-connection-state"] });

export default function ({ data, setTriggerValue, parentElement }) {
  if (!data) return;
  again = () => setTriggerValue("again", true);
  if (data.mode === "keep") {
    guarded(() => sessionStorage.setItem(KEY, data.note));
    guarded(() => localStorage.setItem(KEY, data.note));
  }
  if (data.mode === "forget") {
    guarded(() => sessionStorage.removeItem(KEY));
    guarded(() => localStorage.removeItem(KEY));
  }
  if (data.mode !== "ask" || parentElement.dataset?.asked) return;
  if (parentElement.dataset) parentElement.dataset.asked = "yes";
  const mine = guarded(() => sessionStorage.getItem(KEY)), last = guarded(() => localStorage.getItem(KEY));
  if (mine || last || data.waits) setTriggerValue("found", { note: mine ?? last, mine: Boolean(mine) });
}
