// Cards to choose from: thirteen ranks by four suits, and three of them for a flop.
import { html, useState } from "/static/js/ui.js";
import { Card, cardWords, cardsOf } from "/static/js/components/cards.js";
import { RANKS } from "/static/js/components/matrix.js";

export const SUITS = "shdc";

/** All cards, a suit a row.
 * @param {{ cards: Set<string>, chosen?: Set<string>, onPick: (card: string) => void, label: string, testid?: string }} props
 *   `cards` are those that can be picked
 */
export function CardPicker({ cards, chosen, onPick, label, testid }) {
  return html`<div class="deck" role="group" aria-label=${label} data-testid=${testid}>
    ${[...SUITS].map((suit) => [...RANKS].map((rank) => {
      const card = rank + suit, on = chosen?.has(card);
      return html`<button key=${card} class=${`deck-card ${suit}`} disabled=${!cards.has(card)} aria-label=${cardWords(card)}
        aria-pressed=${chosen ? (on ? "true" : "false") : undefined} onClick=${() => onPick(card)}>${rank}<i>${SUIT_SIGNS[suit]}</i></button>`;
    }))}
  </div>`;
}

/** @type {Record<string, string>} */
export const SUIT_SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** Every card but these. @param {string} dead `Td9d6h` */
export function cardsBut(dead) {
  const gone = new Set(cardsOf(dead));
  return new Set([...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)).filter((card) => !gone.has(card)));
}

/** A flop, typed or picked.
 * @param {{ onFlop: (flop: string) => void, action: string }} props
 */
export function FlopChooser({ onFlop, action }) {
  const [text, setText] = useState("");
  const picked = cardsOf(text.replace(/[\s,]/g, "")).map((card) => (card[0] ?? "").toUpperCase() + (card[1] ?? "").toLowerCase());
  const all = cardsBut("");
  const sound = picked.filter((card) => all.has(card));
  const chosen = new Set(sound);
  const flop = sound.length === 3 && chosen.size === 3 && picked.length === 3 ? sound.join("") : "";
  const toggle = (/** @type {string} */ card) => {
    const next = chosen.has(card) ? sound.filter((one) => one !== card) : [...sound, card].slice(-3);
    setText(next.join(""));
  };
  return html`<div class="flop-chooser" data-testid="flop-chooser">
    <form class="row" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); if (flop) onFlop(flop); }}>
      <label class="inline">Flop <input value=${text} size="8" placeholder="QsJh2h" maxlength="12" data-testid="flop-text"
        onInput=${(/** @type {any} */ e) => setText(e.target.value)} /></label>
      <span class="row flop-cards">${sound.map((card) => html`<${Card} key=${card} card=${card} />`)}</span>
      <button class="main" disabled=${!flop} data-testid="flop-go">${action}</button>
    </form>
    <${CardPicker} cards=${all} chosen=${chosen} onPick=${toggle} label="Cards of the flop" />
  </div>`;
}
