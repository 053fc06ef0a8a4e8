// The 13 x 13 hands on a canvas: cells split by colours, reached with the mouse, a finger or the keys.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/js/ui.js";

/**
 * @typedef {Object} Cell
 * @property {number} height   how much of it is filled, from below; 0 to 1
 * @property {[string, number][]} parts  colours and widths that sum to 1
 * @property {string} text     a second line, as a number; may be empty
 * @property {boolean} [mark]  a locked hand
 */

export const RANKS = "AKQJT98765432";

/** The classes in the order in which the server names them: pairs, suited, offsuit.
 * @type {string[]}
 */
export const CLASSES = [
  ...[...RANKS].map((rank) => rank + rank),
  ...unpaired("s"), ...unpaired("o"),
];

/** @param {string} suits */
function unpaired(suits) {
  return [...RANKS].flatMap((high, n) => [...RANKS.slice(n + 1)].map((low) => high + low + suits));
}

/** Row and column of each class: suited above the pairs, offsuit below.
 * @type {[number, number][]}
 */
export const PLACES = CLASSES.map((name) => {
  const high = RANKS.indexOf(name[0] ?? ""), low = RANKS.indexOf(name[1] ?? "");
  return name[2] === "o" ? [low, high] : [high, low];
});

/** The class of a row and column. @param {number} row @param {number} col */
export function classAt(row, col) {
  return PLACES.findIndex(([r, c]) => r === row && c === col);
}

/** @type {Map<string, number>} */
const lightness = new Map();

/** How light a colour is to the eye, 0 to 1. @param {string} color */
export function light(color) {
  let found = lightness.get(color);
  if (found === undefined) {
    const part = (/** @type {number} */ at) => parseInt(color.slice(at, at + 2), 16) / 255;
    found = 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5);
    lightness.set(color, found);
  }
  return found;
}

/** @typedef {{ ground: string, empty: string, ink: string, faint: string }} Inks */

/** The colours of the theme that is on. @returns {Inks} */
export function themeInks() {
  const style = getComputedStyle(document.documentElement);
  const of = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return { ground: of("--panel"), empty: of("--cell"), ink: of("--ink"), faint: of("--cell-ink") };
}

/** Draw all cells into a square.
 * @param {CanvasRenderingContext2D} pen @param {number} left @param {number} top @param {number} size
 * @param {Cell[]} cells @param {Inks} inks
 */
export function drawMatrix(pen, left, top, size, cells, inks) {
  const step = size / 13, gap = step > 22 ? 1 : 0.5;
  pen.fillStyle = inks.ground;
  pen.fillRect(left, top, size, size);
  const font = Math.max(7, Math.min(13, step * 0.31));
  const wide = step - gap;
  const tops = cells.map((cell, index) => {
    const [row, col] = PLACES[index] ?? [0, 0];
    const x = left + col * step, y = top + row * step;
    const high = Math.min(1, cell.height) * wide;
    pen.fillStyle = inks.empty;
    pen.fillRect(x, y, wide, wide - high);
    let from = x, shade = 0;
    if (high > 0) {
      for (const [color, part] of cell.parts) {
        pen.fillStyle = color;
        pen.fillRect(from, y + wide - high, part * wide, high);
        shade += part * light(color);
        from += part * wide;
      }
    }
    const covers = high > 0.74 * wide, crosses = high > 0.5 * wide && high < 0.97 * wide;
    const ink = !cell.height ? inks.faint : covers ? (shade > 0.42 ? "#0b0e12" : "#ffffff") : inks.ink;
    if (cell.mark) {
      pen.fillStyle = ink;
      pen.fillRect(x + wide - step * 0.2, y + step * 0.08, step * 0.12, step * 0.12);
    }
    const below = high > 0.4 * wide ? (shade > 0.42 ? "#0b0e12" : "#ffffff") : inks.ink; // of the number at the bottom
    return { x, y, ink, halo: crosses || (covers && cell.parts.length > 1), below, belowHalo: high < 0.97 * wide || cell.parts.length > 1 };
  });
  pen.textBaseline = "top";
  pen.textAlign = "left";
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.font = `600 ${font}px system-ui, sans-serif`; // set once: it is what text costs most
  tops.forEach(({ x, y, ink, halo }, index) => write(pen, CLASSES[index] ?? "", x + step * 0.08, y + step * 0.08, ink, halo));
  pen.textAlign = "right";
  pen.font = `500 ${font}px system-ui, sans-serif`;
  tops.forEach(({ x, y, below, belowHalo }, index) => {
    const text = cells[index]?.text;
    if (text) write(pen, text, x + wide - step * 0.08, y + wide - font - step * 0.06, below, belowHalo);
  });
}

/** @param {CanvasRenderingContext2D} pen @param {string} text @param {number} x @param {number} y
 * @param {string} ink @param {boolean} halo
 */
function write(pen, text, x, y, ink, halo) {
  if (halo) {
    pen.strokeStyle = light(ink) > 0.5 ? "rgb(0 0 0 / .55)" : "rgb(255 255 255 / .55)";
    pen.strokeText(text, x, y);
  }
  pen.fillStyle = ink;
  pen.fillText(text, x, y);
}

/** How often the theme changed, to draw anew. */
export function useTheme() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const seen = new MutationObserver(() => setCount((/** @type {number} */ n) => n + 1));
    seen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => seen.disconnect();
  }, []);
  return count;
}

/** A matrix that can be hovered, tapped, and walked over with the arrow keys.
 * @param {{ cells: Cell[], label: string, chosen: number, facts: (hand: number) => string, testid?: string,
 *   onLook: (hand: number) => void, onPick: (hand: number) => void }} props
 *   `chosen` is the class that is looked at, -1 for none
 */
export function Matrix({ cells, label, chosen, facts, testid, onLook, onPick }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const [size, setSize] = useState(0);
  const [active, setActive] = useState(0);
  const [isFocused, setFocused] = useState(false);
  const theme = useTheme();
  const name = testid ?? "matrix";

  useLayoutEffect(() => {
    const own = canvas.current;
    if (!own) return;
    const measure = () => setSize(own.clientWidth);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(own);
    return () => watch.disconnect();
  }, []);

  useLayoutEffect(() => {
    const own = canvas.current, pen = own?.getContext("2d");
    if (!own || !pen || !size) return;
    const dense = window.devicePixelRatio || 1;
    own.width = own.height = Math.round(size * dense);
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    drawMatrix(pen, 0, 0, size, cells, themeInks());
  }, [cells, size, theme]);

  /** @param {MouseEvent} event */
  const at = (event) => {
    const box = /** @type {HTMLElement} */ (canvas.current).getBoundingClientRect();
    const place = (/** @type {number} */ offset) => Math.max(0, Math.min(12, Math.floor(13 * offset / box.width)));
    return classAt(place(event.clientY - box.top), place(event.clientX - box.left));
  };
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const [row, col] = PLACES[active] ?? [0, 0];
    const moves = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1],
      Home: [row, 0], End: [row, 12], PageUp: [0, col], PageDown: [12, col],
    });
    const move = moves[event.key];
    if (move) {
      const next = classAt(Math.max(0, Math.min(12, move[0])), Math.max(0, Math.min(12, move[1])));
      setActive(next);
      onLook(next);
    } else if (event.key === "Enter" || event.key === " ") {
      onPick(active);
    } else {
      return;
    }
    event.preventDefault();
  };
  const shown = isFocused ? active : chosen;
  const [row, col] = PLACES[shown] ?? [0, 0];
  return html`<div class="matrix" role="grid" tabindex="0" aria-label=${label} aria-rowcount="13" aria-colcount="13"
      aria-activedescendant=${`${name}-cell`} data-testid=${name}
      onKeyDown=${key} onFocus=${() => { setFocused(true); if (chosen >= 0) setActive(chosen); }} onBlur=${() => { setFocused(false); onLook(-1); }}
      onMouseMove=${(/** @type {MouseEvent} */ e) => { const hand = at(e); if (hand !== chosen) onLook(hand); }}
      onMouseLeave=${() => onLook(-1)}
      onClick=${(/** @type {MouseEvent} */ e) => { const hand = at(e); setActive(hand); onPick(hand); }}>
    <canvas ref=${canvas} aria-hidden="true"></canvas>
    ${shown >= 0 && html`<span class="matrix-ring" style=${{ left: `${(100 * col) / 13}%`, top: `${(100 * row) / 13}%` }}></span>`}
    <div role="row" aria-rowindex=${row + 1} class="visually-hidden">
      <span role="gridcell" id=${`${name}-cell`} aria-colindex=${col + 1} aria-live=${isFocused ? "polite" : "off"}>
        ${facts(shown >= 0 ? shown : active)}</span>
    </div>
  </div>`;
}
