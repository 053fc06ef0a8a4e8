// One field of the form, with what is wrong right below it.
import { html } from "/static/js/ui.js";

/** Where what is wrong at a place is said. @param {string} place */
export const idOf = (place) => `problem-${place.replace(/[^a-z0-9]+/gi, "-")}`;

/** What stands in a field, as text. @param {unknown} value */
export const textOf = (value) => (value === undefined || value === null ? "" : String(value));

/**
 * @param {{ label: string, place: string, value: unknown, problem?: string, size?: number, placeholder?: string, hint?: string,
 *   says?: string, onText: (text: string) => void }} props  `says` is the id of what says the problem elsewhere
 */
export function Field({ label, place, value, problem = "", size = 8, placeholder, hint, says, onText }) {
  return html`<label class=${`field${problem ? " wrong" : ""}`} title=${hint}>
    <span>${label}</span>
    <input value=${textOf(value)} size=${size} placeholder=${placeholder} data-testid=${`field-${place}`} spellcheck=${false} autocomplete="off"
      aria-invalid=${problem ? "true" : undefined} aria-describedby=${problem ? says ?? idOf(place) : undefined}
      onInput=${(/** @type {any} */ e) => onText(e.target.value)} />
    ${problem && !says ? html`<small id=${idOf(place)} class="field-problem">${problem}</small>` : null}
  </label>`;
}
