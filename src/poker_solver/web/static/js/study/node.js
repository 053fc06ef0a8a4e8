// A node as the server packs it: types, and the rows of its arrays.
import { combos, known, money, percent } from "/static/js/format.js";
import { CLASSES } from "/static/js/components/matrix.js";

/**
 * @typedef {{ action: string, label: string, words: string, color: string, combos: number, share: number | null,
 *   ev: number | null, ev_pct: number | null, is_rough: boolean }} Action
 * @typedef {{ token: string, words: string, player: string, share: number | null, color: string, line: string,
 *   siblings: Action[], before: string }} Step
 * @typedef {{ name: string, behind: number, ev: number | null, ev_pct: number | null, equity: number | null,
 *   eqr: number | null, combos: number, arrived: number, shown: number, hands: string[], made: string[], draws: string[] }} Player
 * @typedef {{ name: string, combos: number, share: number, ev: number | null, equity: number | null, eqr: number | null,
 *   mix: number[] }} Group
 * @typedef {{ solution: string, title: string, name: string, line: string, history: string[], board: string, kind: string,
 *   actor: number | null, pot: number, unit: string, reached: number, iterations: number, exploitability: string,
 *   warning: string, rare: string, num_locked: number, filter: string, actions: Action[], steps: Step[], cards: string[],
 *   flops: number | null, solved: string[], solve: string, is_looked_up: boolean, can_build: boolean, kinds: { made?: string[], draws?: string[] }, players: Player[],
 *   groups: { made?: Group[][], draws?: Group[][] } }} Head
 * @typedef {import("/static/js/api.js").Table} Table
 * @typedef {{ head: Head, arrays: Record<string, Table> }} Node
 * @typedef {{ dealt: number, reach: number, share: number, ev: number, equity: number, eqr: number }} Row
 */

export const VIEWS = ["strategy", "both", "ev", "equity", "eqr", "reach"];
/** @type {Record<string, string>} */
export const VIEW_NAMES = { strategy: "Strategy", both: "+ EV", ev: "EV", equity: "Equity", eqr: "EQR", reach: "Reach" };

const NEVER = 0.0005; // as NodeView has it: what rounds to 0.0 % is said never to get here

/** One row of `p.classes` or `p.combos`. @param {Table | undefined} table @param {number} index @returns {Row} */
export function rowOf(table, index) {
  const at = 6 * index, data = table?.data ?? new Float32Array(0);
  return {
    dealt: data[at] ?? NaN, reach: data[at + 1] ?? NaN, share: data[at + 2] ?? NaN,
    ev: data[at + 3] ?? NaN, equity: data[at + 4] ?? NaN, eqr: data[at + 5] ?? NaN,
  };
}

/** Numbers of one hand and every action. @param {Table | undefined} table @param {number} index @returns {number[]} */
export function mixOf(table, index) {
  if (!table) return [];
  const width = table.shape[1] ?? 0;
  return Array.from(table.data.subarray(width * index, width * (index + 1)));
}

/** Whether a hand gets here, to the precision that is shown. @param {Row} row */
export function isHere(row) {
  return row.dealt > 0 && row.reach >= NEVER;
}

/** The class of a combo, `AhKh` -> AKs. @param {string} combo */
export function classOf(combo) {
  const high = combo[0] ?? "", low = combo[2] ?? "";
  return high === low ? high + low : high + low + (combo[1] === combo[3] ? "s" : "o");
}

/** A combo's cards apart. @param {string} combo */
export function cardsIn(combo) {
  return [combo.slice(0, 2), combo.slice(2)];
}

/** An amount with a mark where it is rough. @param {number | null} amount @param {string} unit @param {boolean} rough */
export function roughMoney(amount, unit, rough) {
  return known(amount) ? money(amount, unit) + (rough ? "?" : "") : "–";
}

/** What a class does and is worth, in words. @param {Node} node @param {number} seat @param {number} index */
export function classFacts(node, seat, index) {
  const { head, arrays } = node, row = rowOf(arrays[`${seat}.classes`], index), name = CLASSES[index] ?? "";
  const who = head.players[seat]?.name ?? "";
  if (!isHere(row)) return `${who} ${name}: does not get here`;
  const mix = head.actor === seat ? mixOf(arrays.mix, index) : [];
  const plays = head.actions.map((action, a) => [action.words, mix[a] ?? 0]).filter(([, part]) => Number(part) >= 0.0005)
    .map(([words, part]) => `${words} ${percent(Number(part))}`);
  return [
    `${who} ${name}: ${combos(row.dealt * row.reach)} combos`, ...(mix.length ? plays : []),
    `EV ${money(row.ev, head.unit)}`, `equity ${percent(row.equity)}`, `EQR ${percent(row.eqr, 0)}`,
  ].join(", ");
}

/** The address of a node. @param {string} id @param {string[]} tokens @param {URLSearchParams} query */
export function address(id, tokens, query) {
  const kept = new URLSearchParams(query);
  kept.delete("next");
  if (tokens.length) kept.set("line", tokens.join(" "));
  else kept.delete("line");
  const text = kept.toString();
  return `/study/${encodeURIComponent(id)}${text ? `?${text}` : ""}`;
}
