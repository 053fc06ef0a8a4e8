// Cards as people see them.
import { html } from "/static/js/ui.js";

/** @type {Record<string, string>} */
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
/** @type {Record<string, string>} */
const SUIT_WORDS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
/** @type {Record<string, string>} */
const RANK_WORDS = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };

/** `Ah` as words. @param {string} card */
export function cardWords(card) {
  return `${RANK_WORDS[card[0] ?? ""] ?? card[0]} of ${SUIT_WORDS[card[1] ?? ""]}`;
}

/** `AhKd` -> ["Ah", "Kd"]. @param {string} text @returns {string[]} */
export function cardsOf(text) {
  return text.match(/../g) ?? [];
}

/** @param {{ card: string }} props */
export function Card({ card }) {
  return html`<span class=${`card ${card[1]}`} role="img" aria-label=${cardWords(card)}>${card[0]}${SUITS[card[1] ?? ""]}</span>`;
}

/** @param {{ cards: string }} props */
export function Cards({ cards }) {
  return html`<span class="row" style="gap:3px;display:inline-flex">${cardsOf(cards).map((card) => html`<${Card} key=${card} card=${card} />`)}</span>`;
}
