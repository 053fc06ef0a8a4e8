// What fills the cells: actions by how often they are played, or a number as a heat colour.
import { known, plain } from "/static/js/format.js";
import { CLASSES } from "/static/js/components/matrix.js";
import { isHere, mixOf, rowOf } from "/static/js/study/node.js";

/** @typedef {import("/static/js/components/matrix.js").Cell} Cell */
/** @typedef {import("/static/js/study/node.js").Node} Node */
/** @typedef {{ low: number, high: number, stops: string[] }} Scale */

export const HELD = "#8794a5"; // hands of who does not act
const RISING = ["#3d2a73", "#2f6a8f", "#2fae7c", "#c8dc3d", "#fde725"];
const AROUND = ["#b5470f", "#f0a35a", "#e9e9e4", "#7fb6dd", "#1f5c99"];

/** A colour of a scale. @param {Scale} scale @param {number} value */
export function heat(scale, value) {
  const span = scale.high - scale.low || 1;
  const place = Math.max(0, Math.min(1, (value - scale.low) / span)) * (scale.stops.length - 1);
  const from = Math.min(scale.stops.length - 2, Math.floor(place)), part = place - from;
  const mixed = [1, 3, 5].map((at) => {
    const [a, b] = [scale.stops[from], scale.stops[from + 1]].map((color) => parseInt((color ?? "").slice(at, at + 2), 16));
    return Math.round((a ?? 0) + part * ((b ?? 0) - (a ?? 0))).toString(16).padStart(2, "0");
  });
  return `#${mixed.join("")}`;
}

/** The scale of a view, the same for both players. @param {Node} node @param {string} view @returns {Scale} */
export function scaleOf(node, view) {
  if (view === "eqr") return { low: 0.4, high: 1.6, stops: AROUND };
  if (view !== "ev") return { low: 0, high: 1, stops: RISING };
  const found = [0, 1].flatMap((seat) => CLASSES.map((_, index) => rowOf(node.arrays[`${seat}.classes`], index)))
    .filter((row) => isHere(row) && known(row.ev)).map((row) => row.ev);
  return { low: Math.min(0, ...found), high: Math.max(...found, 0), stops: RISING };
}

/** The scale of numbers. @param {number[]} values @returns {Scale} */
export function spread(values) {
  const sound = values.filter((value) => known(value));
  return { low: Math.min(...sound), high: Math.max(...sound), stops: RISING };
}

/** A number as it fits a cell. @param {number} value @param {string} view @param {string} unit */
export function short(value, view, unit) {
  if (!known(value)) return "";
  if (view !== "ev") return plain(100 * value, 0);
  const size = Math.abs(value);
  if (unit === "bb") return plain(value, size < 10 ? 2 : 1);
  return size >= 10000 ? `${(value / 1000).toFixed(0)}k` : size >= 1000 ? `${(value / 1000).toFixed(1)}k` : plain(value, size < 10 ? 1 : 0);
}

/** How high cells are filled: by weight, by weight beside the hand that is held most, or to the top. */
export const FILLS = ["weight", "relative", "full"];

/** The 169 cells of a player. @param {Node} node @param {number} seat @param {string} view @param {string} [fill] @returns {Cell[]} */
export function cellsOf(node, seat, view, fill = "weight") {
  const { head, arrays } = node, table = arrays[`${seat}.classes`], parts = arrays[`${seat}.part`];
  const scale = scaleOf(node, view), locked = head.num_locked > 0 && seat === head.actor ? lockedClasses(node) : null;
  const most = Math.max(...CLASSES.map((_, index) => (isHere(rowOf(table, index)) ? parts?.data[index] ?? 0 : 0))) || 1;
  const heightOf = (/** @type {number} */ part) => (fill === "full" ? 1 : fill === "relative" ? part / most : part);
  return CLASSES.map((name, index) => {
    const row = rowOf(table, index);
    if (!isHere(row)) return { height: 0, parts: [], text: "" };
    const mark = locked?.has(name) ?? false, part = parts?.data[index] ?? 0;
    const text = view === "both" ? short(row.ev, "ev", head.unit) : "";
    if (view !== "strategy" && view !== "both") {
      const value = view === "reach" ? part : row[/** @type {"ev" | "equity" | "eqr"} */ (view)];
      const color = known(value) ? heat(scale, value) : HELD;
      return { height: 1, parts: [[color, 1]], text: short(value, view, head.unit), mark };
    }
    if (seat !== head.actor) return { height: heightOf(part), parts: [[HELD, 1]], text };
    const mix = mixOf(arrays.mix, index);
    const shown = /** @type {[string, number][]} */ (head.actions.map((action, a) => [action.color, mix[a] ?? 0]));
    return { height: heightOf(part), parts: shown.filter(([, width]) => width > 0.001).reverse(), text, mark };
  });
}

/** @param {Node} node */
function lockedClasses(node) {
  const hands = node.head.players[node.head.actor ?? 0]?.hands ?? [], locked = node.arrays.locked;
  const found = new Set();
  hands.forEach((hand, index) => {
    if (locked?.data[index]) found.add(hand[0] === hand[2] ? hand[0] + hand[2] : `${hand[0]}${hand[2]}${hand[1] === hand[3] ? "s" : "o"}`);
  });
  return found;
}
