// Questions that wait for an answer.
import { html, useEffect, useRef, useState } from "/static/js/ui.js";

/** A window over the page; Escape closes it.
 * @param {{ title: string, onClose: () => void, children?: any, testid?: string }} props
 */
export function Dialog({ title, onClose, children, testid }) {
  const own = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => { if (own.current && !own.current.open) own.current.showModal(); }, []);
  return html`<dialog ref=${own} class="dialog" aria-label=${title} data-testid=${testid} onClose=${onClose}>
    <h2>${title}</h2>${children}
  </dialog>`;
}

/** Yes or no.
 * @param {{ title: string, text: string, yes: string, onYes: () => void, onClose: () => void }} props
 */
export function Confirm({ title, text, yes, onYes, onClose }) {
  return html`<${Dialog} title=${title} onClose=${onClose} testid="confirm">
    <p>${text}</p>
    <div class="row end">
      <button onClick=${onClose}>Cancel</button>
      <button class="danger" data-testid="confirm-yes" onClick=${() => { onYes(); onClose(); }}>${yes}</button>
    </div>
  <//>`;
}

/** One line of text.
 * @param {{ title: string, label: string, first: string, yes: string, onText: (text: string) => void, onClose: () => void }} props
 */
export function AskText({ title, label, first, yes, onText, onClose }) {
  const [text, setText] = useState(first);
  /** @param {Event} event */
  const send = (event) => {
    event.preventDefault();
    if (!text.trim()) return;
    onText(text.trim());
    onClose();
  };
  return html`<${Dialog} title=${title} onClose=${onClose} testid="ask">
    <form onSubmit=${send}>
      <label>${label}<input value=${text} maxlength="80" autofocus data-testid="ask-text"
        onInput=${(/** @type {any} */ e) => setText(e.target.value)} /></label>
      <div class="row end"><button type="button" onClick=${onClose}>Cancel</button>
        <button class="main" data-testid="ask-yes" disabled=${!text.trim()}>${yes}</button></div>
    </form>
  <//>`;
}
