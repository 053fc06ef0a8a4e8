// Two solutions at a line, as the server tells them, and how differences are written.
import { known, percent } from "/static/js/format.js";

/**
 * @typedef {[number | null, number | null]} Two  of the first solution and of the second
 * @typedef {{ combos: Two, ev: Two, gain: number | null, equity: Two, strategy?: Two[], moved?: number | null }} Change
 * @typedef {{ ev: Two, equity: Two, classes: Record<string, Change>, hands: Record<string, Change>,
 *   members: Record<string, string[]> }} PlayerChange
 * @typedef {{ a: { id: string, name: string }, b: { id: string, name: string }, unit: string, chips_per_unit: number,
 *   labels: string[], colors: string[], line: [string, string], board: string, player: string, pot: [number, number],
 *   reached: Two, exploitability_pct: Two, differs: Record<string, [string, string]>, actions: string[], frequency: Two[],
 *   moved: number | null, players: Record<string, PlayerChange> }} Comparison
 */

/** Chips in the unit that is shown. @param {number | null | undefined} chips @param {{ unit: string, chips_per_unit: number }} of */
export function amount(chips, of) {
  if (!known(chips)) return "–";
  const size = Math.abs(chips / of.chips_per_unit);
  const digits = of.unit !== "bb" ? 1 : size > 0.00005 && size < 0.01 ? 4 : 2; // a few mbb are not nothing
  return (chips / of.chips_per_unit).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace(/^-(0[.0]*)$/, "$1");
}

/** The same with its sign. @param {number | null | undefined} chips @param {{ unit: string, chips_per_unit: number }} of */
export function signed(chips, of) {
  const text = amount(chips, of);
  return known(chips) && chips > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Short enough for a cell. @param {number | null | undefined} chips @param {{ unit: string, chips_per_unit: number }} of */
export function brief(chips, of) {
  if (!known(chips)) return "";
  const value = chips / of.chips_per_unit, size = Math.abs(value);
  const text = value.toFixed((of.unit === "bb" ? 1 : 0) + (size >= 10 ? 0 : 1));
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** @type {Record<string, { title: string, key: (row: Change) => number | null }>} */
export const ORDERS = {
  ev: { title: "largest difference", key: (row) => (known(row.gain) ? Math.abs(row.gain) : null) },
  gain: { title: "B wins most", key: (row) => row.gain },
  loss: { title: "B loses most", key: (row) => (known(row.gain) ? -row.gain : null) },
  strategy: { title: "played otherwise", key: (row) => row.moved ?? null },
};

/** Rows in order, those without a number last. @param {[string, Change][]} rows @param {string} by */
export function ordered(rows, by) {
  const key = (ORDERS[by] ?? ORDERS.ev)?.key ?? (() => null);
  return [...rows].sort((one, other) => (key(other[1]) ?? -Infinity) - (key(one[1]) ?? -Infinity) || 0);
}

/** A hand in words. @param {Change} row @param {Comparison} of */
export function changeFacts(row, of) {
  const mixes = row.strategy?.map((pair, n) => `${of.labels[n]} ${percent(pair[0])} to ${percent(pair[1])}`) ?? [];
  const moved = known(row.moved) ? [`${percent(row.moved)} played otherwise`] : [];
  return [`EV ${amount(row.ev[0], of)} to ${amount(row.ev[1], of)} (${signed(row.gain, of)})`, ...moved, ...mixes].join(", ");
}
