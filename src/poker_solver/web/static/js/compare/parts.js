// What a comparison shows: totals of both, what differs, the matrix, and the hands.
import { html, useState } from "/static/js/ui.js";
import { combos, percent } from "/static/js/format.js";
import { Link } from "/static/js/router.js";
import { MiniMatrix, widest } from "/static/js/components/mini-matrix.js";
import { amount, brief, changeFacts, ordered, signed } from "/static/js/compare/change.js";

/** @typedef {import("/static/js/compare/change.js").Comparison} Comparison */
/** @typedef {import("/static/js/compare/change.js").Change} Change */
/** @typedef {import("/static/js/compare/change.js").PlayerChange} PlayerChange */

const FIRST_ROWS = 60;

/** Both players' EV and equity. @param {{ found: Comparison }} props */
export function Totals({ found }) {
  return html`<table data-testid="compare-totals"><caption>Both players, EV in ${found.unit}</caption>
    <thead><tr><th scope="col">Player</th><th scope="col" class="number">EV A</th><th scope="col" class="number">EV B</th><th scope="col" class="number">B − A</th>
      <th scope="col" class="number">Equity A</th><th scope="col" class="number">B</th></tr></thead>
    <tbody>${Object.entries(found.players).map(([name, player]) => html`<tr key=${name}><th scope="row">${name.toUpperCase()}</th>
      <td class="number">${amount(player.ev[0], found)}</td><td class="number">${amount(player.ev[1], found)}</td>
      <td class="number"><strong>${signed((player.ev[1] ?? NaN) - (player.ev[0] ?? NaN), found)}</strong></td>
      <td class="number">${percent(player.equity[0])}</td><td class="number">${percent(player.equity[1])}</td></tr>`)}</tbody></table>`;
}

/** A mix as a bar. @param {{ found: Comparison, shares: (number | null)[], name: string }} props */
function Bar({ found, shares, name }) {
  const words = shares.map((part, n) => `${found.labels[n]} ${percent(part)}`).join(", ");
  return html`<span class="mix-bar" role="img" aria-label=${`${name}: ${words}`} title=${`${name}: ${words}`}>${shares.map((part, n) =>
    html`<i key=${n} style=${{ background: found.colors[n], width: `${100 * (part ?? 0)}%` }}></i>`)}</span>`;
}

/** Every action over the range in both, and where it leads. @param {{ found: Comparison, to: (action: string) => string }} props */
export function Actions({ found, to }) {
  if (!found.actions.length) return html`<p class="muted">Nobody acts here.</p>`;
  return html`<table data-testid="compare-actions"><caption>${found.player.toUpperCase()} acts; ${percent(found.moved)} of the range is played otherwise</caption>
    <thead><tr><th scope="col">Action</th><th scope="col" class="number">A</th><th scope="col" class="number">B</th><th scope="col" class="number">B − A</th></tr></thead>
    <tbody>${found.actions.map((action, n) => {
      const [a, b] = found.frequency[n] ?? [null, null], both = a !== null && b !== null;
      return html`<tr key=${action}><th scope="row"><i class="dot" style=${{ background: found.colors[n] }}></i>
        ${both && action !== "f" ? html`<${Link} to=${to(action)} label=${`Compare after ${found.labels[n]}`}>${found.labels[n]}<//>` : found.labels[n]}</th>
        <td class="number">${percent(a)}</td><td class="number">${percent(b)}</td>
        <td class="number">${both ? `${b - a > 0 ? "+" : ""}${(100 * (b - a)).toFixed(1)}` : "–"}</td></tr>`;
    })}</tbody></table>`;
}

/** What was written otherwise. @param {{ found: Comparison }} props */
export function Differs({ found }) {
  const rows = Object.entries(found.differs);
  if (!rows.length) return html`<p class="muted" data-testid="compare-differs">Both spots are written alike; only the solves differ.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="What differs in the spots"><table data-testid="compare-differs"><caption>What differs in the spots</caption>
    <thead><tr><th scope="col">Field</th><th scope="col">A</th><th scope="col">B</th></tr></thead>
    <tbody>${rows.map(([name, [before, after]]) => html`<tr key=${name}><th scope="row">${name}</th>
      <td class="written">${before}</td><td class="written">${after}</td></tr>`)}</tbody></table></div>`;
}

/** EV or strategy differences by class. @param {{ found: Comparison, player: PlayerChange, name: string, view: string,
 *   chosen: string, onPick: (name: string) => void }} props */
export function Difference({ found, player, name, view, chosen, onPick }) {
  const rows = Object.entries(player.classes), most = widest(rows.map(([, row]) => row.gain));
  const cells = Object.fromEntries(rows.map(([hand, row]) => [hand, {
    heat: view === "strategy" ? row.moved ?? 0 : (row.gain ?? 0) / most, shift: view === "strategy",
    text: view === "strategy" ? (row.moved === undefined ? "" : ((row.moved ?? 0) * 100).toFixed(0)) : brief(row.gain, found),
    facts: changeFacts(row, found),
  }]));
  const what = view === "strategy" ? "how much each class is played otherwise, in per cent" : `what each class wins in B over A, in ${found.unit}`;
  return html`<${MiniMatrix} cells=${cells} chosen=${new Set([chosen])} label=${`${name.toUpperCase()}: ${what}`} testid="compare-matrix" onPick=${onPick} />`;
}

/** The hands, or those of one class. @param {{ found: Comparison, rows: [string, Change][], sort: string, acts: boolean }} props */
export function Hands({ found, rows, sort, acts }) {
  const [all, setAll] = useState(false);
  const sorted = ordered(rows, sort), shown = all ? sorted : sorted.slice(0, FIRST_ROWS), more = sorted.length - shown.length;
  return html`<div class="scroll tall" tabindex="0" role="region" aria-label="Table of hands"><table data-testid="compare-hands">
    <thead><tr><th scope="col">Hand</th><th scope="col" class="number">Combos</th><th scope="col" class="number">EV A</th><th scope="col" class="number">EV B</th>
      <th scope="col" class="number">B − A</th>${acts && html`<th scope="col" class="number">Otherwise</th><th scope="col">A above B</th>`}</tr></thead>
    <tbody>${shown.map(([name, row]) => html`<tr key=${name} data-hand=${name} title=${changeFacts(row, found)}><th scope="row" class="mono">${name}</th>
      <td class="number">${combos(row.combos[0])}</td><td class="number">${amount(row.ev[0], found)}</td><td class="number">${amount(row.ev[1], found)}</td>
      <td class=${`number ${(row.gain ?? 0) < 0 ? "lost" : "won"}`}>${signed(row.gain, found)}</td>
      ${acts && html`<td class="number">${percent(row.moved, 0)}</td><td class="bars">
        <${Bar} found=${found} name="A" shares=${row.strategy?.map((pair) => pair[0]) ?? []} />
        <${Bar} found=${found} name="B" shares=${row.strategy?.map((pair) => pair[1]) ?? []} /></td>`}</tr>`)}</tbody></table></div>
    ${more > 0 && html`<button onClick=${() => setAll(true)}>Show ${more} more</button>`}`;
}
