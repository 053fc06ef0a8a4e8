// Hands one by one: those of a class by suit, or all of them; one combo with its mix and EVs.
import { html, useMemo, useState } from "/static/js/ui.js";
import { combos, known, money, percent } from "/static/js/format.js";
import { Cards } from "/static/js/components/cards.js";
import { CLASSES } from "/static/js/components/matrix.js";
import { classOf, isHere, mixOf, rowOf } from "/static/js/study/node.js";

/** @typedef {import("/static/js/study/node.js").Node} Node */
/** @typedef {{ name: string, index: number, row: import("/static/js/study/node.js").Row, mix: number[], evs: number[],
 *   made: string, draw: string, locked: boolean }} Hand */

const MOST = 40; // rows of a list before it is cut
/** @type {[string, string, (hand: Hand) => number][]} */
const COLUMNS = [
  ["reach", "Weight", (hand) => hand.row.reach], ["ev", "EV", (hand) => hand.row.ev],
  ["equity", "Equity", (hand) => hand.row.equity], ["eqr", "EQR", (hand) => hand.row.eqr],
];

/** Hands of a player: combos after the flop, classes before it. @param {Node} node @param {number} seat @returns {Hand[]} */
export function handsOf(node, seat) {
  const { head, arrays } = node, player = head.players[seat], acts = head.actor === seat;
  const isAfter = head.board !== "", names = isAfter ? player?.hands ?? [] : CLASSES;
  const table = arrays[`${seat}.${isAfter ? "combos" : "classes"}`], kind = isAfter ? "combo_" : "";
  return names.map((name, index) => ({
    name, index, row: rowOf(table, index), mix: acts ? mixOf(arrays[`${kind}mix`], index) : [],
    evs: acts ? mixOf(arrays[`${kind}evs`], index) : [], made: player?.made[index] ?? "", draw: player?.draws[index] ?? "",
    locked: acts && isAfter && Boolean(arrays.locked?.data[index]),
  })).filter((hand) => isHere(hand.row));
}

/**
 * @param {{ node: Node, seat: number, hand: number, pinned: boolean, onDrop: () => void }} props
 *   `hand` is the class that is looked at, -1 for all
 */
export function Hands({ node, seat, hand, pinned, onDrop }) {
  const [sort, setSort] = useState("reach");
  const [open, setOpen] = useState("");
  const [most, setMost] = useState(MOST);
  const all = useMemo(() => handsOf(node, seat), [node, seat]);
  const name = CLASSES[hand] ?? "", player = node.head.players[seat]?.name;
  const shown = useMemo(() => {
    const found = name ? all.filter((one) => one.name === name || classOf(one.name) === name) : all;
    const of = COLUMNS.find(([key]) => key === sort)?.[2] ?? (() => 0);
    const order = (/** @type {number} */ value) => (known(value) ? value : -1e9);
    return [...found].sort((a, b) => order(of(b)) - order(of(a)) || order(b.row.equity) - order(a.row.equity));
  }, [all, name, sort]);
  const one = shown.find((found) => found.name === open) ?? (name ? shown[0] : undefined);
  return html`<div class="hands" data-testid="hands">
    <p class="hands-head"><strong>${name ? `${player} ${name}` : `${player}: all hands`}</strong>
      <span class="muted">${name ? `${combos(shown.reduce((sum, own) => sum + own.row.dealt * own.row.reach, 0))} combos` : `${shown.length} of them`}</span>
      ${pinned && html`<button class="plain" onClick=${onDrop}>show all</button>`}</p>
    ${one && html`<${OneHand} node=${node} hand=${one} seat=${seat} />`}
    ${shown.length ? html`<table class="study-table"><thead><tr><th>Hand</th><th class="bar-cell">${node.head.actor === seat ? "Plays" : node.head.board ? "Has" : ""}</th>
      ${COLUMNS.map(([key, title]) => html`<th key=${key} class="number" aria-sort=${sort === key ? "descending" : undefined}>
        <button class="plain head" onClick=${() => setSort(key)}>${title}${sort === key ? " ↓" : ""}</button></th>`)}</tr></thead>
      <tbody>${shown.slice(0, most).map((own) => html`<tr key=${own.name} class=${own === one ? "chosen" : ""} onMouseEnter=${() => setOpen(own.name)}>
        <td><button class="plain hand" onClick=${() => setOpen(own.name)} onFocus=${() => setOpen(own.name)}>${own.name.length === 4
    ? html`<${Cards} cards=${own.name} />` : own.name}</button>${own.locked ? html`<span title="locked" aria-label="locked">🔒</span>` : ""}</td>
        <td class="bar-cell">${own.mix.length ? html`<${Bar} node=${node} mix=${own.mix} />` : html`<span class="muted small">${own.made}</span>`}</td>
        <td class="number">${percent(own.row.reach, 0)}</td>
        <td class="number">${known(own.row.ev) ? money(own.row.ev, node.head.unit).replace(" bb", "") : "–"}</td>
        <td class="number">${percent(own.row.equity, 0)}</td><td class="number">${percent(own.row.eqr, 0)}</td></tr>`)}</tbody></table>`
    : html`<p class="muted">${player} does not get here with ${name || "any such hand"}.</p>`}
    ${shown.length > most && html`<button class="plain" onClick=${() => setMost(2000)}>Show ${shown.length - most} more</button>`}
  </div>`;
}

/** @param {{ node: Node, mix: number[] }} props */
function Bar({ node, mix }) {
  const words = node.head.actions.map((action, a) => `${action.words} ${percent(mix[a])}`).join(", ");
  return html`<span class="freq-bar tall" role="img" aria-label=${words} title=${words}>${node.head.actions.map((action, a) => html`<i
    key=${action.action} style=${{ width: `${100 * (mix[a] ?? 0)}%`, background: action.color }}></i>`)}</span>`;
}

/** One hand with each of its actions. @param {{ node: Node, hand: Hand, seat: number }} props */
function OneHand({ node, hand, seat }) {
  const { head } = node;
  return html`<div class="one-hand" data-testid="one-hand">
    <p>${hand.name.length === 4 ? html`<${Cards} cards=${hand.name} />` : html`<strong>${hand.name}</strong>`}
      <span>${[hand.made, hand.draw].filter((kind) => kind && kind !== "no draw").join(", ")}</span>
      <span class="muted">EV ${money(hand.row.ev, head.unit)}${head.rare ? "?" : ""} · equity ${percent(hand.row.equity)}</span></p>
    ${head.actor === seat && html`<ul>${head.actions.map((action, a) => html`<li key=${action.action}>
      <i class="swatch" style=${{ background: action.color }}></i><span class="grow">${action.words}</span>
      <span class="mono">${percent(hand.mix[a])}</span>
      <span class="mono ev">${known(hand.evs[a]) ? money(hand.evs[a], head.unit) + (action.is_rough ? "?" : "") : "–"}</span></li>`)}</ul>`}
  </div>`;
}
