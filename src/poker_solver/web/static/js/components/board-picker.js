// The board: three to five of the 52 cards, typed or picked.
import { html } from "/static/js/ui.js";
import { CardPicker, cardsBut } from "/static/js/components/card-picker.js";
import { Cards, cardsOf } from "/static/js/components/cards.js";

const MOST = 5;
const EVERY = cardsBut("");

/** The cards that a text names, as far as it does. @param {string} text */
export function namedCards(text) {
  const plain = text.replace(/10/g, "T").replace(/[\s,]/g, "");
  return cardsOf(plain).map((card) => (card[0] ?? "").toUpperCase() + (card[1] ?? "").toLowerCase()).filter((card) => EVERY.has(card));
}

/** @param {{ text: string, problem: string, onText: (text: string) => void }} props */
export function BoardPicker({ text, problem, onText }) {
  const picked = namedCards(text), chosen = new Set(picked);
  /** @param {string} card */
  const toggle = (card) => {
    if (chosen.has(card)) onText(picked.filter((one) => one !== card).join(""));
    else if (picked.length < MOST) onText([...picked, card].join(""));
  };
  const free = picked.length < MOST ? EVERY : chosen;
  return html`<div class="board-picker" data-testid="board-picker">
    <div class="row">
      <label>Board<input value=${text} size="12" placeholder="QsJh2h" data-testid="board" aria-invalid=${problem ? "true" : undefined}
        aria-describedby="board-problem" onInput=${(/** @type {any} */ e) => onText(e.target.value)} /></label>
      <span class="board-cards"><${Cards} cards=${picked.join("")} /></span>
      <button class="plain" disabled=${!text} onClick=${() => onText("")}>Clear</button>
    </div>
    <p id="board-problem" class="field-problem">${text ? problem : "Pick three cards for a flop, four for a turn, five for a river."}</p>
    <${CardPicker} cards=${free} chosen=${chosen} onPick=${toggle} label="Cards of the board, three to five" testid="board-cards" />
  </div>`;
}
