// The 13 x 13 hands to paint a range on, and the suits of one of them.
import { html, useMemo, useRef, useState } from "/static/js/ui.js";
import { SUIT_SIGNS } from "/static/js/components/card-picker.js";
import { cardWords, cardsOf } from "/static/js/components/cards.js";

/**
 * @typedef {{ grid: number[][], names: string[], combos: number[][], combo_names: string[] }} Layout
 * @typedef {{ layout: Layout, weights: number[], brush: number, label: string, dead: Set<string>, testid?: string,
 *   onPaint: (weights: number[]) => void }} PainterProps
 */

/** The mean weight of a class. @param {Layout} layout @param {number[]} weights @param {number} hand */
function held(layout, weights, hand) {
  const own = layout.combos[hand] ?? [];
  return own.reduce((sum, combo) => sum + (weights[combo] ?? 0), 0) / own.length;
}

/** Whether every combo has this weight. @param {Layout} layout @param {number[]} weights @param {number} hand @param {number} value */
function isAll(layout, weights, hand, value) {
  return (layout.combos[hand] ?? []).every((combo) => weights[combo] === value);
}

/** `AhKd` in words. @param {string} combo */
const comboWords = (combo) => cardsOf(combo).map(cardWords).join(" and ");

/** A weight as people say it. @param {number} weight */
const percentText = (weight) => (weight > 0 && weight < 0.0005 ? "under 0.1 %" : `${Math.round(1000 * weight) / 10} %`);

/** The same in a corner: nothing where it is none or all. @param {number} weight */
const cornerText = (weight) => (weight <= 0 || weight >= 0.9995 ? "" : weight < 0.005 ? "<1" : weight > 0.994 ? "99" : String(Math.round(100 * weight)));

/** @param {PainterProps} props */
export function RangePainter({ layout, weights, brush, label, dead, testid, onPaint }) {
  const [at, setAt] = useState(/** @type {[number, number]} */ ([0, 0]));
  const [stroke, setStroke] = useState(/** @type {number[] | null} */ (null));
  const under = useRef(/** @type {{ value: number, seen: Set<number>, weights: number[] } | null} */ (null));
  const grid = useRef(/** @type {HTMLElement | null} */ (null));
  const shown = stroke ?? weights;
  const hand = layout.grid[at[0]]?.[at[1]] ?? 0;

  /** @param {number[]} before @param {number} one @param {number} value */
  const painted = (before, one, value) => {
    const after = before.slice();
    for (const combo of layout.combos[one] ?? []) after[combo] = value;
    return after;
  };
  /** What painting a hand means now: the brush, or nothing where it has that already. @param {number} one */
  const meant = (one) => (brush === 0 || isAll(layout, shown, one, brush) ? 0 : brush);
  /** @param {PointerEvent} event @returns {[number, number] | null} */
  const placeOf = (event) => {
    const cell = /** @type {HTMLElement | null} */ (document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]"));
    if (!cell || !grid.current?.contains(cell)) return null;
    const [row = 0, col = 0] = (cell.dataset.place ?? "").split(" ").map(Number);
    return [row, col];
  };
  /** @param {PointerEvent} event */
  const begin = (event) => {
    const place = placeOf(event);
    if (event.button !== 0 || !place) return;
    const one = layout.grid[place[0]]?.[place[1]] ?? 0, value = meant(one);
    under.current = { value, seen: new Set([one]), weights: painted(weights, one, value) };
    setStroke(under.current.weights);
    setAt(place);
  };
  /** @param {PointerEvent} event */
  const move = (event) => {
    const place = under.current && placeOf(event);
    if (!under.current || !place) return;
    const one = layout.grid[place[0]]?.[place[1]] ?? 0;
    if (under.current.seen.has(one)) return;
    under.current.seen.add(one);
    under.current.weights = painted(under.current.weights, one, under.current.value);
    setStroke(under.current.weights);
  };
  const end = () => {
    if (!under.current) return;
    onPaint(under.current.weights);
    under.current = null;
    setStroke(null);
  };
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      onPaint(painted(weights, hand, meant(hand)));
    } else if (step) {
      event.preventDefault();
      /** @type {[number, number]} */
      const next = [Math.min(12, Math.max(0, at[0] + step[0])), Math.min(12, Math.max(0, at[1] + step[1]))];
      setAt(next);
      const cell = grid.current?.querySelector(`[data-place="${next[0]} ${next[1]}"]`);
      /** @type {HTMLElement | null} */ (cell)?.focus();
    }
  };
  // Drawn anew only when it looks different: a form of two grids is typed into letter by letter.
  const rows = useMemo(() => layout.grid.map((row, r) => html`<div key=${r} role="row" class="paint-row">
        ${row.map((one, c) => {
          const part = held(layout, shown, one), name = layout.names[one] ?? "";
          return html`<div key=${c} role="gridcell" class=${`paint-cell${r === c ? " pair" : ""}${one === hand ? " on" : ""}${cornerText(part) ? " part" : ""}${part >= 0.005 ? " held" : ""}`} data-place=${`${r} ${c}`}
            data-hand=${name} tabindex=${one === hand ? 0 : -1} aria-selected=${part > 0 ? "true" : "false"} aria-label=${`${name} ${percentText(part)}`}
            style=${{ "--w": `${100 * part}%` }} onFocus=${() => { if (!under.current) setAt([r, c]); }}>
            <span>${r === c ? name : name.slice(0, 2)}<i>${name[2] ?? ""}</i></span>
            <b>${cornerText(part)}</b>
          </div>`;
        })}
      </div>`), [layout, shown, hand]);
  return html`<div class="painter">
    <div ref=${grid} class="paint-grid" role="grid" aria-label=${label} data-testid=${testid}
      onPointerDown=${begin} onPointerMove=${move} onPointerUp=${end} onPointerCancel=${end} onPointerLeave=${end} onKeyDown=${key}>
      ${rows}
    </div>
    <${Suits} layout=${layout} weights=${shown} hand=${hand} brush=${brush} dead=${dead} onPaint=${onPaint} />
  </div>`;
}

/** The combos of one hand, to be switched one by one.
 * @param {{ layout: Layout, weights: number[], hand: number, brush: number, dead: Set<string>, onPaint: (weights: number[]) => void }} props
 */
function Suits({ layout, weights, hand, brush, dead, onPaint }) {
  const name = layout.names[hand] ?? "";
  /** @param {number} combo */
  const toggle = (combo) => {
    const after = weights.slice();
    after[combo] = brush === 0 || weights[combo] === brush ? 0 : brush;
    onPaint(after);
  };
  return html`<div class="suits" role="group" aria-label=${`Suits of ${name}`} data-testid="suits">
    <strong>${name}</strong>
    ${(layout.combos[hand] ?? []).map((combo) => {
      const text = layout.combo_names[combo] ?? "", weight = weights[combo] ?? 0;
      const blocked = cardsOf(text).some((card) => dead.has(card));
      return html`<button key=${combo} class=${`combo${blocked ? " blocked" : ""}`} aria-pressed=${weight > 0 ? "true" : "false"}
        aria-label=${`${comboWords(text)}, ${percentText(weight)}${blocked ? ", on the board" : ""}`}
        title=${`${text} ${percentText(weight)}`} onClick=${() => toggle(combo)}>
        ${cardsOf(text).map((card) => html`<span key=${card} class=${card[1]}>${card[0]}${SUIT_SIGNS[card[1] ?? ""]}</span>`)}
        ${cornerText(weight) ? html`<small>${cornerText(weight)}</small>` : null}
      </button>`;
    })}
  </div>`;
}
