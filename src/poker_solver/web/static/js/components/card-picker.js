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

/** A flop, typed or picked: told as soon as it is whole, and when it is no more.
 * @param {{ first: string, onFlop: (flop: string) => void }} props
 */
export function FlopChooser({ first, onFlop }) {
  const [text, setText] = useState(first);
  const all = cardsBut("");
  const read = (/** @type {string} */ typed) => cardsOf(typed.replace(/10/g, "T").replace(/[\s,]/g, "")).map((card) => (card[0] ?? "").toUpperCase() + (card[1] ?? "").toLowerCase());
  const sound = read(text).filter((card) => all.has(card)), chosen = new Set(sound);
  const change = (/** @type {string} */ typed) => {
    setText(typed);
    const cards = read(typed), isFlop = cards.length === 3 && new Set(cards).size === 3 && cards.every((card) => all.has(card));
    onFlop(isFlop ? cards.join("") : "");
  };
  const toggle = (/** @type {string} */ card) => change((chosen.has(card) ? sound.filter((one) => one !== card) : [...sound, card].slice(-3)).join(""));
  return html`<div class="flop-chooser" data-testid="flop-chooser">
    <form class="row" onSubmit=${(/** @type {Event} */ e) => e.preventDefault()}>
      <label class="inline">Flop <input value=${text} size="8" placeholder="QsJh2h" maxlength="12" data-testid="flop-text"
        onInput=${(/** @type {any} */ e) => change(e.target.value)} /></label>
      <span class="row flop-cards">${sound.map((card) => html`<${Card} key=${card} card=${card} />`)}</span>
    </form>
    <${CardPicker} cards=${all} chosen=${chosen} onPick=${toggle} label="Cards of the flop" />
  </div>`;
}
