/* Keeps a note of the tab's work in the browser, and hands it back when the page is loaded again.

   mode "ask": nothing is loaded yet; what this tab knows comes back by itself, what another tab knew is offered; the
   server may wait for the answer that there is nothing. answered: what was found has arrived; a file may be asked for.
   mode "keep": write the note. mode "forget": nothing is kept any more.

   Besides its note each tab has the secret of its session from the first moment on: what the server keeps is found by it
   also where the page was loaded again before the note was written.

   A connection that was lost and is there again runs the whole page: the server may have let the session go by then, or
   be another one, and what a part of the page asks of it would come to nothing.

   While this tab's work is on its way back the start page stays out of sight: nobody asked for it. */

const KEY = "treecore", TAB = "treecore.tab", COMING = 1500;

const guarded = (act) => {
  try {
    return act();
  } catch {
    return null; // a browser that keeps nothing
  }
};

const root = document.documentElement;

/* Until the page of the work is there; a long computation shows how far it is. */
function returned(since = performance.now()) {
  const busy = document.querySelector("[data-test-script-state=running]") && performance.now() - since < COMING;
  if (busy) setTimeout(returned, 50, since);
  else root.removeAttribute("data-returning");
}

let lost = false, again = () => {};

new MutationObserver(() => {
  const now = document.querySelector("[data-test-connection-state]")?.dataset.testConnectionState;
  if (now === "CONNECTED" && lost) again();
  lost = now !== "CONNECTED";
}).observe(document.body, { attributes: true, subtree: true, attributeFilter: ["data-test-connection-state"] });

export default function ({ data, setTriggerValue, parentElement }) {
  if (!data) return;
  again = () => setTriggerValue("again", true);
  const tab = guarded(() => sessionStorage.getItem(TAB)); // of the session before this one, when the page was loaded again
  guarded(() => sessionStorage.setItem(TAB, data.secret));
  if (data.mode === "keep") {
    guarded(() => sessionStorage.setItem(KEY, data.note));
    guarded(() => localStorage.setItem(KEY, data.note));
  }
  if (data.mode === "forget") {
    guarded(() => sessionStorage.removeItem(KEY));
    guarded(() => localStorage.removeItem(KEY));
  }
  if (data.mode !== "ask" || data.answered || parentElement.dataset?.asked) {
    if (data.mode === "keep") returned();
    else root.removeAttribute("data-returning");
    return;
  }
  if (parentElement.dataset) parentElement.dataset.asked = "yes";
  const mine = guarded(() => sessionStorage.getItem(KEY)), last = guarded(() => localStorage.getItem(KEY));
  if (mine || tab) {
    root.setAttribute("data-returning", "");
    setTimeout(returned, COMING); // the answer may be that the file has to be given again
  }
  if (mine || tab || last || data.waits) setTriggerValue("found", { mine, tab, last });
}
