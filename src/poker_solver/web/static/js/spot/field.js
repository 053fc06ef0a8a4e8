// One field of the form, with what is wrong right below it.
import { html } from "/static/js/ui.js";

/** @param {string} place */
const idOf = (place) => `problem-${place.replace(/[^a-z0-9]+/gi, "-")}`;

/** What stands in a field, as text. @param {unknown} value */
export const textOf = (value) => (value === undefined || value === null ? "" : String(value));

/**
 * @param {{ label: string, place: string, value: unknown, problem?: string, size?: number, placeholder?: string, hint?: string,
 *   hidden?: boolean, list?: string, onText: (text: string) => void }} props  `hidden` keeps the label for screen readers alone
 */
export function Field({ label, place, value, problem = "", size = 8, placeholder, hint, hidden, list, onText }) {
  return html`<label class=${`field${problem ? " wrong" : ""}`} title=${hint}>
    <span class=${hidden ? "visually-hidden" : ""}>${label}</span>
    <input value=${textOf(value)} size=${size} placeholder=${placeholder} list=${list} data-testid=${`field-${place}`} spellcheck=${false} autocomplete="off"
      aria-invalid=${problem ? "true" : undefined} aria-describedby=${problem ? idOf(place) : undefined}
      onInput=${(/** @type {any} */ e) => onText(e.target.value)} />
    ${problem ? html`<small id=${idOf(place)} class="field-problem">${problem}</small>` : null}
  </label>`;
}
