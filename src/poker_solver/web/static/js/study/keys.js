// The keyboard of the study page, and the two boxes that it opens: a line to go to, and what the keys do.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/js/ui.js";
import { ApiError, getPacked, query } from "/static/js/api.js";

/** @type {[string, string][]} */
const KEYS = [
  ["1 … 9", "take that action"], ["← →", "the action before or after the last one taken, or the next card"], ["↑ or Backspace", "one step back"],
  ["/", "type a line: x b33% c 7d"], ["v", "next view: strategy, with EV, EV, equity, EQR, reach"], ["h", "how high cells are filled: by weight, relative, full"], ["p", "the other player's hands"],
  ["Tab, then arrows", "walk over the matrix; Enter keeps a hand"], ["Esc", "close, or let go of a hand"], ["?", "these keys"],
];

/** Whether somebody is typing. @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || target.isContentEditable);
}

/** Call what a key is for; never while somebody types, or where the key was used already.
 * @param {(key: string) => boolean} pressed  whether it meant something
 */
export function useKeys(pressed) {
  const latest = useRef(pressed);
  latest.current = pressed;
  useLayoutEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      if (latest.current(event.key)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** @param {{ open: boolean, onClose: () => void, label: string, testid: string, children?: any }} props */
function Dialog({ open, onClose, label, testid, children }) {
  const own = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const dialog = own.current;
    if (open && dialog && !dialog.open) dialog.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  return html`<dialog ref=${own} class="panel" aria-label=${label} data-testid=${testid} onClose=${onClose}
    onClick=${(/** @type {any} */ event) => { if (event.target === own.current) onClose(); }}>${open && children}</dialog>`;
}

/** @param {{ open: boolean, onClose: () => void }} props */
export function Help({ open, onClose }) {
  return html`<${Dialog} open=${open} onClose=${onClose} label="Keys" testid="help"><h2>Keys</h2>
    <dl class="keys">${KEYS.map(([key, what]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
    <button class="main" autofocus onClick=${onClose}>Close</button><//>`;
}

/** A line as the terminal reads it; one that leads nowhere is refused here.
 * @param {{ open: boolean, id: string, line: string, onClose: () => void, go: (tokens: string[]) => void }} props
 */
export function LineBox({ open, id, line, onClose, go }) {
  const [problem, setProblem] = useState("");
  const [text, setText] = useState(line);
  useEffect(() => { setText(line ? `${line} ` : ""); setProblem(""); }, [open]);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const found = await getPacked(`/api/solutions/${encodeURIComponent(id)}/node${query({ line: text.trim() })}`);
      onClose();
      go(found.head.history);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) { // the page solves it first
        onClose();
        go([...(error.told.line ?? "").split(" "), error.told.next ?? ""]);
      } else setProblem(/** @type {Error} */ (error).message);
    }
  };
  return html`<${Dialog} open=${open} onClose=${onClose} label="Go to a line" testid="line-box"><form onSubmit=${submit}>
    <label>Line from the start <input class="mono" autofocus spellcheck="false" value=${text} placeholder="x b33% c 7d" data-testid="line-text"
      onInput=${(/** @type {any} */ e) => setText(e.target.value)} /></label>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="row"><button class="main" type="submit">Go</button><button type="button" onClick=${onClose}>Cancel</button></div></form><//>`;
}
