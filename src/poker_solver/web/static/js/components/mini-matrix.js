// A small 13 x 13: a number per class as heat, or classes to paint; by mouse, finger or keys.
import { html, useRef, useState } from "/static/js/ui.js";
import { RANKS } from "/static/js/components/matrix.js";

/**
 * @typedef {Object} MiniCell
 * @property {number} [heat]   -1 the most lost, 1 the most won; 0 and nothing are plain
 * @property {boolean} [shift] heat says how much, not for whom
 * @property {string} [text]   a number below the name
 * @property {string} [color]  instead of heat
 * @property {string} facts    in words
 */

/** The class of a row and a column: suited above the pairs, offsuit below. @param {number} row @param {number} col */
function nameAt(row, col) {
  const [high, low] = [RANKS[Math.min(row, col)], RANKS[Math.max(row, col)]];
  return row === col ? `${high}${low}` : `${high}${low}${row < col ? "s" : "o"}`;
}

/** @type {string[][]} */
const ROWS = [...RANKS].map((_, row) => [...RANKS].map((__, col) => nameAt(row, col)));

/** @param {{ cells: Record<string, MiniCell>, chosen?: Set<string>, label: string, testid?: string, small?: boolean,
 *   onPick?: (name: string) => void, onPaint?: (name: string, on: boolean) => void }} props
 *   Classes that are not among the cells are empty and cannot be picked. With `onPaint`, dragging chooses many.
 */
export function MiniMatrix({ cells, chosen, label, testid, small, onPick, onPaint }) {
  const [active, setActive] = useState([0, 0]);
  const painting = useRef(/** @type {boolean | null} */ (null));
  const grid = useRef(/** @type {HTMLElement | null} */ (null));

  /** @param {string} name */
  const pick = (name) => {
    if (!cells[name]) return;
    if (onPaint) onPaint(name, !chosen?.has(name));
    else onPick?.(name);
  };
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const moves = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    });
    const [row = 0, col = 0] = active, move = moves[event.key];
    if (move) {
      const next = [Math.max(0, Math.min(12, row + move[0])), Math.max(0, Math.min(12, col + move[1]))];
      setActive(next);
      /** @type {HTMLElement | null | undefined} */ (grid.current?.querySelector(`[data-at="${next.join("-")}"]`))?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      pick(nameAt(row, col));
    } else {
      return;
    }
    event.stopPropagation();
    event.preventDefault();
  };
  /** @param {PointerEvent} event @param {string} name */
  const press = (event, name) => {
    if (!onPaint || event.pointerType !== "mouse" || event.button !== 0 || !cells[name]) return;
    painting.current = !chosen?.has(name);
    onPaint(name, painting.current);
    addEventListener("pointerup", () => { painting.current = null; }, { once: true });
  };
  /** @param {string} name */
  const enter = (name) => {
    if (painting.current !== null && cells[name]) onPaint?.(name, painting.current);
  };
  return html`<div ref=${grid} class=${`mini${small ? " small" : ""}${onPaint ? " paint" : ""}`} role="grid" aria-label=${label} data-testid=${testid}
      aria-multiselectable=${onPaint ? "true" : undefined} onKeyDown=${key}>
    ${ROWS.map((names, row) => html`<div role="row" key=${row}>${names.map((name, col) => {
      const cell = cells[name], heat = cell?.heat ?? 0, on = chosen?.has(name) ?? false;
      const style = cell?.color ? { background: cell.color } : { "--heat": `${Math.round(75 * Math.min(1, Math.abs(heat)))}%` };
      return html`<div key=${name} role="gridcell" data-at=${`${row}-${col}`} data-hand=${name} style=${style}
        class=${`${cell ? (cell.shift ? "shift" : heat < 0 ? "loss" : "gain") : "none"}${on ? " on" : ""}`} aria-selected=${on ? "true" : "false"}
        aria-disabled=${cell ? undefined : "true"} tabindex=${active[0] === row && active[1] === col ? "0" : "-1"}
        aria-label=${cell ? `${name}: ${cell.facts}` : `${name}: not here`} title=${cell ? `${name}: ${cell.facts}` : undefined}
        onFocus=${() => setActive([row, col])} onPointerDown=${(/** @type {PointerEvent} */ e) => press(e, name)}
        onPointerEnter=${() => enter(name)}
        onClick=${(/** @type {any} */ e) => { if (!onPaint || e.pointerType !== "mouse") pick(name); }}>
        <b>${name}</b>${cell?.text && html`<span>${cell.text}</span>`}</div>`;
    })}</div>`)}
  </div>`;
}

/** The largest of some numbers, put aside their signs; 1 if all are nothing. @param {(number | null)[]} values */
export function widest(values) {
  return values.reduce((/** @type {number} */ most, value) => Math.max(most, Math.abs(value ?? 0)), 0) || 1;
}
