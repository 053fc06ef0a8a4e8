// Which hands are meant: parts of a filter as chips, and where more are chosen. The server reads the text.
import { html, useLayoutEffect, useState } from "/static/js/ui.js";
import { cardWords } from "/static/js/components/cards.js";
import { CardPicker, SUIT_SIGNS, cardsBut } from "/static/js/components/card-picker.js";
import { RANKS } from "/static/js/components/matrix.js";

/** @typedef {import("/static/js/study/node.js").Head} Head */
/** @typedef {{ kinds: string[], cards: string[], band: string }} Parts */

const SUIT_WORDS = ["spades", "hearts", "diamonds", "clubs"];
const BEGIN = /(?<![\w-])(made|m|draws?|d|has|holds|eq|equity)(?![\w-])/i;

/** The parts of a filter's text. @param {string} text @returns {Parts} */
export function partsOf(text) {
  /** @type {Parts} */
  const found = { kinds: [], cards: [], band: "" };
  const pieces = text.split(BEGIN).slice(1);
  for (let n = 0; n < pieces.length; n += 2) {
    const word = (pieces[n] ?? "").toLowerCase(), rest = (pieces[n + 1] ?? "").trim();
    if (/^(eq|equity)$/.test(word)) found.band = rest;
    else if (/^(has|holds)$/.test(word)) found.cards.push(...rest.split(/[\s,]+/).filter(Boolean));
    else found.kinds.push(...rest.split(",").map((kind) => kind.trim().replace(/-draw$/, " draw")).filter(Boolean));
  }
  return found;
}

/** The text of its parts; a draw alone would begin a part, so it is tied to its kind. @param {Parts} parts */
export function textOf(parts) {
  return [
    parts.kinds.length ? `made ${parts.kinds.map((kind) => kind.replace(/ draw$/, "-draw")).join(", ")}` : "", parts.cards.length ? `has ${parts.cards.join(" ")}` : "",
    parts.band ? `eq ${parts.band}` : "",
  ].filter(Boolean).join(" ");
}

/** @param {string[]} list @param {string} one */
export function toggled(list, one) {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}

/**
 * @param {{ head: Head, filter: string, onFilter: (text: string) => void }} props
 */
export function Filters({ head, filter, onFilter }) {
  const [open, setOpen] = useState(false);
  const parts = partsOf(filter);
  const set = (/** @type {Partial<Parts>} */ changes) => onFilter(textOf({ ...parts, ...changes }));
  useLayoutEffect(() => {
    if (!open) return;
    const escape = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") { setOpen(false); event.preventDefault(); }
    };
    document.addEventListener("keydown", escape, true);
    return () => document.removeEventListener("keydown", escape, true);
  }, [open]);
  if (!head.board) return null;
  return html`<div class="study-filters" data-testid="filters">
    <button aria-expanded=${open ? "true" : "false"} onClick=${() => setOpen(!open)} data-testid="filter-open">Filter</button>
    ${parts.kinds.map((kind) => html`<${Chip} key=${kind} text=${kind} drop=${() => set({ kinds: toggled(parts.kinds, kind) })} />`)}
    ${parts.cards.map((card) => html`<${Chip} key=${card} text=${`has ${card}`} drop=${() => set({ cards: toggled(parts.cards, card) })} />`)}
    ${parts.band && html`<${Chip} text=${`equity ${parts.band} %`} drop=${() => set({ band: "" })} />`}
    ${filter && html`<button class="plain" onClick=${() => onFilter("")} data-testid="filter-clear">Clear</button>`}
    ${open && html`<${Chooser} head=${head} parts=${parts} set=${set} close=${() => setOpen(false)} />`}
  </div>`;
}

/** @param {{ text: string, drop: () => void }} props */
function Chip({ text, drop }) {
  return html`<span class="chip" data-testid="chip">${text}<button class="plain" aria-label=${`Remove ${text}`} onClick=${drop}>×</button></span>`;
}

/**
 * @param {{ head: Head, parts: Parts, set: (changes: Partial<Parts>) => void, close: () => void }} props
 */
function Chooser({ head, parts, set, close }) {
  const [low, high] = parts.band.split("-");
  const band = (/** @type {string} */ from, /** @type {string} */ to) => set({ band: from || to ? `${from || 0}-${to || 100}` : "" });
  const toggle = (/** @type {string} */ card) => set({ cards: toggled(parts.cards, card) });
  return html`<div class="filter-panel panel" role="dialog" aria-label="Filter" data-testid="filter-panel">
    ${/** @type {const} */ (["made", "draws"]).map((kind) => html`<fieldset key=${kind}><legend>${kind === "made" ? "Made hands" : "Draws"}</legend>
      ${(head.kinds[kind] ?? []).map((name) => html`<button key=${name} class="choice" aria-pressed=${parts.kinds.includes(name) ? "true" : "false"}
        onClick=${() => set({ kinds: toggled(parts.kinds, name) })}>${name}</button>`)}</fieldset>`)}
    <fieldset><legend>Holds any of</legend>
      <${CardPicker} cards=${cardsBut(head.board)} chosen=${new Set(parts.cards)} onPick=${toggle} label="Holds a card" />
      <div class="row tight-row">${[...RANKS].map((rank) => html`<button key=${rank} class="choice" aria-label=${`Holds any ${cardWords(`${rank}s`).split(" ")[0]}`}
        aria-pressed=${parts.cards.includes(rank) ? "true" : "false"} onClick=${() => toggle(rank)}>${rank}</button>`)}
      ${SUIT_WORDS.map((suit) => html`<button key=${suit} class=${`choice deck-suit ${suit[0]}`} aria-label=${`Holds any of ${suit}`}
        aria-pressed=${parts.cards.includes(suit) ? "true" : "false"} onClick=${() => toggle(suit)}>${SUIT_SIGNS[suit[0] ?? ""]}</button>`)}</div></fieldset>
    <fieldset><legend>Equity, %</legend><div class="row">
      <label class="inline">from <input type="number" min="0" max="100" value=${low ?? ""} onChange=${(/** @type {any} */ e) => band(e.target.value, high ?? "")} /></label>
      <label class="inline">to <input type="number" min="0" max="100" value=${high ?? ""} onChange=${(/** @type {any} */ e) => band(low ?? "", e.target.value)} /></label>
      <span class="grow"></span><button class="main" onClick=${close}>Done</button></div></fieldset>
  </div>`;
}
