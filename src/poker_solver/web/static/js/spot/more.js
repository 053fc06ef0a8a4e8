// What few spots need: sizes of single lines, rake, thresholds, limits; and the locks of a spot.
import { html } from "/static/js/ui.js";
import { Field } from "/static/js/spot/field.js";
import { problemAt } from "/static/js/spot/draft.js";

/** @typedef {import("/static/js/spot/draft.js").Editing} Editing */

/** A list of mappings, whatever stands there while one types. @param {unknown} given @returns {any[]} */
const listOf = (given) => (Array.isArray(given) ? given.map((one) => (one && typeof one === "object" ? one : {})) : []);

const OVERRIDE = ["bet", "raise", "add", "remove"];

/** @param {{ editing: Editing }} props */
export function Lines({ editing }) {
  const { draft, change, changeAll } = editing;
  const list = listOf(draft.fields.overrides);
  /** @param {number} n @param {string} key @param {string} text */
  const put = (n, key, text) => change(["overrides", String(n), key], text === "" && key !== "at" ? undefined : text);
  const add = () => changeAll((fields) => ({ ...fields, overrides: [...listOf(fields.overrides), { at: "" }] }));
  return html`<details class="panel more" open=${list.length > 0} data-testid="lines">
    <summary><h2>Sizes of single lines</h2> <span class="muted">${list.length || "none"}</span></summary>
    ${list.map((/** @type {any} */ one, /** @type {number} */ n) => {
      const place = `overrides[${n}]`, wrong = problemAt(draft.problems, place);
      return html`<div key=${n} class="line-row" role="group" aria-label=${`Line ${n + 1}`}>
        <${Field} label="at" place=${`${place}.at`} value=${one.at} size=${14} placeholder="first decision" problem=${problemAt(draft.problems, `${place}.at`)}
          hint="The line, a card as *: x b33% c * x" onText=${(/** @type {string} */ text) => put(n, "at", text)} />
        ${OVERRIDE.map((key) => html`<${Field} key=${key} label=${key} place=${`${place}.${key}`} value=${one[key]} size=${7}
          problem=${problemAt(draft.problems, `${place}.${key}`)} onText=${(/** @type {string} */ text) => put(n, key, text)} />`)}
        <button class="plain danger" aria-label=${`Remove line ${n + 1}`} onClick=${() => change(["overrides", String(n)], undefined)}>×</button>
        ${wrong ? html`<p class="field-problem wide">${wrong}</p>` : null}
      </div>`;
    })}
    <div class="row"><button class="small" data-testid="add-line" onClick=${add}>Add a line</button>
      <span class="muted hint">x b33% c * x is the turn checked after a called flop bet; b any bet, r any raise. bet or raise replace, add adds, remove takes away.</span></div>
  </details>`;
}

/** @param {{ editing: Editing }} props */
export function Limits({ editing }) {
  const { draft, change } = editing;
  const { fields, problems } = draft;
  /** @param {string} place @param {string} label @param {string} hint @param {string} [placeholder] */
  const field = (place, label, hint, placeholder = "0") => {
    const path = place.split(".");
    return html`<${Field} key=${place} label=${label} place=${place} hint=${hint} size=${6} placeholder=${placeholder}
      value=${path.reduce((inner, key) => inner?.[key], fields)} problem=${problemAt(problems, place)}
      onText=${(/** @type {string} */ text) => change(path, text === "" ? undefined : text)} />`;
  };
  const is = ["rake", "thresholds", "max_raises", "min_bet", "bb"].filter((key) => fields[key] !== undefined);
  return html`<details class="panel more" data-testid="limits">
    <summary><h2>Rake, thresholds, limits</h2> <span class="muted">${is.map((key) => key.replace("_", " ")).join(", ") || "none"}</span></summary>
    <div class="row limits">
      ${field("rake.rate", "rake, part of the pot", "0.05 is 5 %")}
      ${field("rake.cap", "rake cap", "Chips, 3bb, or .inf for none")}
      ${field("max_raises", "raises per street", "The bet is not counted; empty: no limit", "no limit")}
      ${field("thresholds.add_allin", "add the all-in up to", "1.5: where the all-in is at most 1.5 pots")}
      ${field("thresholds.force_allin", "all-in if left behind", "0.15: where at most 15 % of the pot is left")}
      ${field("thresholds.merge", "merge sizes within", "0.1: sizes within 10 % become one")}
      ${field("min_bet", "least bet", "Chips, or 1bb", "1")}
      ${field("bb", "chips of a big blind", "100 where amounts are in bb", "none")}
    </div>
  </details>`;
}

/** What a lock says, in a few words. @param {any} lock */
function lockText(lock) {
  const mix = (/** @type {any} */ given) => Object.entries(given ?? {}).map(([action, share]) => `${action} ${typeof share === "number" ? `${Math.round(1000 * share) / 10} %` : share}`).join(", ");
  if (lock.frequency) return `${mix(lock.frequency)} of the range`;
  if (lock.strategy) return `every hand ${mix(lock.strategy)}`;
  const hands = Object.entries(lock.hands ?? {});
  const few = hands.slice(0, 3).map(([hand, share]) => `${hand} ${mix(share)}`).join("; ");
  return hands.length > 3 ? `${few}; and ${hands.length - 3} more` : few;
}

/** @param {{ editing: Editing }} props */
export function Locks({ editing }) {
  const { draft, change } = editing;
  const locks = listOf(draft.fields.locks);
  if (!locks.length) return null;
  return html`<section class="panel" aria-label="Locks" data-testid="locks"><h2>Locks</h2>
    <ul class="locks">${locks.map((/** @type {any} */ lock, /** @type {number} */ n) => html`<li key=${n}>
      <code>${lock.line || "first decision"}</code> <span>${lockText(lock)}</span>
      <button class="plain danger" aria-label=${`Remove the lock at ${lock.line || "the first decision"}`} onClick=${() => change(["locks", String(n)], undefined)}>×</button>
      <span class="field-problem">${problemAt(draft.problems, `locks[${n}]`, true)}</span></li>`)}</ul>
  </section>`;
}
