// Every card that can fall: a map of one number or of all actions, and means over ranks, suits, kinds.
import { html, useEffect, useState } from "/static/js/ui.js";
import { getJson, query } from "/static/js/api.js";
import { known, money, percent } from "/static/js/format.js";
import { cardWords } from "/static/js/components/cards.js";
import { light, RANKS } from "/static/js/components/matrix.js";
import { SUITS, SUIT_SIGNS } from "/static/js/components/card-picker.js";
import { heat, short, spread } from "/static/js/study/colors.js";

/** @typedef {{ card: string, share: number | null, ev: (number | null)[], equity: (number | null)[], mix: (number | null)[] }} Row */
/** @typedef {{ line: string, before: string[], after: string[], board: string, pot: number, unit: string, player: string, players: string[],
 *   actions: { action: string, words: string, color: string, is_bet: boolean }[], cards: Row[], ranks: Row[], suits: Row[], kinds: Row[] }} Report */

const ALL = "all actions";

/** What can stand on the map: a name, words, and the number of a row.
 * @param {Report} found @returns {{ name: string, words: string, of: (row: Row) => number, view: string }[]}
 */
function measures(found) {
  const bets = found.actions.map((action, a) => (action.is_bet ? a : -1)).filter((a) => a >= 0);
  const sum = (/** @type {Row} */ row, /** @type {number[]} */ which) => which.reduce((total, a) => total + (row.mix[a] ?? NaN), 0);
  return [
    ...(found.actions.length ? [{ name: ALL, words: `${found.player}: all actions`, of: (/** @type {Row} */ row) => sum(row, bets), view: "share" }] : []),
    ...found.actions.map((action, a) => ({ name: action.action, words: `${found.player}: ${action.words}`, of: (/** @type {Row} */ row) => row.mix[a] ?? NaN, view: "share" })),
    ...(bets.length > 1 ? [{ name: "bet", words: `${found.player}: any bet`, of: (/** @type {Row} */ row) => sum(row, bets), view: "share" }] : []),
    ...[0, 1].map((seat) => ({ name: `ev-${seat}`, words: `${found.players[seat]}: EV`, of: (/** @type {Row} */ row) => row.ev[seat] ?? NaN, view: "ev" })),
    ...[0, 1].map((seat) => ({ name: `equity-${seat}`, words: `${found.players[seat]}: equity`, of: (/** @type {Row} */ row) => row.equity[seat] ?? NaN, view: "equity" })),
  ];
}

/**
 * @param {{ id: string, tokens: string[], go: (tokens: string[]) => void }} props
 */
export function Runouts({ id, tokens, go }) {
  const [found, setFound] = useState(/** @type {Report | null} */ (null));
  const [problem, setProblem] = useState("");
  const [what, setWhat] = useState(ALL);
  const [typed, setTyped] = useState("");
  const line = typed || tokens.join(" ");
  useEffect(() => { setTyped(""); }, [tokens.join(" ")]);
  useEffect(() => {
    const stop = new AbortController();
    getJson(`/api/solutions/${encodeURIComponent(id)}/runouts${query({ line })}`, stop.signal).then(
      (report) => { setFound(report); setProblem(""); },
      (error) => { if (error.name !== "AbortError") setProblem(error.message); },
    );
    return () => stop.abort();
  }, [id, line]);
  const box = html`<form class="row" onSubmit=${(/** @type {any} */ e) => { e.preventDefault(); setTyped(e.target.elements.line.value); }}>
    <label class="inline grow">Line <input class="grow mono" name="line" key=${found?.line ?? line} defaultValue=${found?.line ?? line}
      aria-describedby="star-help" spellcheck="false" /></label><button>Show</button></form>
    <p id="star-help" class="muted small">The star is the card. What follows it is played on every card, as in x x * x.</p>`;
  if (problem) return html`<div data-testid="runouts"><p class="problem">${problem}</p>${box}</div>`;
  if (!found) return html`<p class="loading">Looking at every card…</p>`;
  return html`<div data-testid="runouts">${box}<${CardMap} found=${found} what=${what} setWhat=${setWhat} go=${go} /></div>`;
}

/**
 * @param {{ found: Report, what: string, setWhat: (what: string) => void, go: (tokens: string[]) => void }} props
 */
function CardMap({ found, what, setWhat, go }) {
  const known_ = measures(found), one = known_.find((own) => own.name === what) ?? known_[0];
  if (!one) return null;
  const rows = new Map(found.cards.map((row) => [row.card, row])), scale = spread(found.cards.map(one.of));
  const told = (/** @type {Row} */ row) => (one.view === "ev" ? money(one.of(row), found.unit) : percent(one.of(row)));
  const paint = (/** @type {Row} */ row) => (one.name === ALL ? stripes(found, row) : heat(scale, one.of(row)));
  return html`<label class="inline">Show <select value=${one.name} onChange=${(/** @type {any} */ e) => setWhat(e.target.value)} data-testid="runouts-what">
      ${known_.map((own) => html`<option key=${own.name} value=${own.name}>${own.words}</option>`)}</select></label>
    ${one.name === ALL && html`<p class="muted small" data-testid="runouts-number">${found.actions.some((action) => action.is_bet)
      ? `The number is how often ${found.player} bets or raises, in %.` : `${found.player} can neither bet nor raise on any card.`}</p>`}
    <div class="card-map" role="group" aria-label=${`${one.words} on every card`}>
      ${[...SUITS].map((suit) => [...RANKS].map((rank) => {
    const card = rank + suit, row = rows.get(card);
    if (!row) return html`<span key=${card} class="map-cell gone" aria-hidden="true"></span>`;
    const value = one.of(row), sound = known(value), color = sound ? paint(row) : "transparent";
    const ink = one.name !== ALL && sound && light(heat(scale, value)) < 0.45 ? "#ffffff" : "#0b0e12";
    return html`<button key=${card} class="map-cell" style=${{ background: color, color: sound ? ink : "inherit" }}
      aria-label=${`${cardWords(card)}: ${told(row)}`} title=${`${card}: ${mixWords(found, row)}`} onClick=${() => go([...found.before, card, ...found.after])}>
      <b>${rank}${SUIT_SIGNS[suit]}</b><span>${sound ? short(value, one.view, found.unit) : "–"}</span></button>`;
  }))}
    </div>
    ${[["By rank", found.ranks], ["By suit", found.suits], ["By kind of card", found.kinds]].map(([title, list]) => html`<${Means}
      key=${title} title=${title} rows=${list} told=${told} paint=${paint} found=${found} />`)}`;
}

/**
 * @param {{ title: string, rows: Row[], found: Report, told: (row: Row) => string, paint: (row: Row) => string }} props
 */
function Means({ title, rows, found, told, paint }) {
  return html`<h3>${title}</h3><ul class="means">${rows.map((row) => html`<li key=${row.card} title=${mixWords(found, row)}>
    <i class="swatch long" style=${{ background: paint(row) }}></i><span class="grow">${row.card}</span><span class="mono">${told(row)}</span></li>`)}</ul>`;
}

/** @param {Report} found @param {Row} row */
function mixWords(found, row) {
  const plays = found.actions.map((action, a) => `${action.words} ${percent(row.mix[a])}`);
  const worth = found.players.map((name, seat) => `${name} EV ${money(row.ev[seat], found.unit)}, equity ${percent(row.equity[seat])}`);
  return [...plays, ...worth].join(", ");
}

/** All actions side by side as a background. @param {Report} found @param {Row} row */
function stripes(found, row) {
  let at = 0;
  const stops = found.actions.map((action, a) => {
    const from = at;
    at += 100 * (row.mix[a] ?? 0);
    return `${action.color} ${from}% ${at}%`;
  });
  return `linear-gradient(270deg, ${[...stops].join(", ")})`;
}
