// Dots of two numbers: one per flop, with its name, reached with the mouse or the keys.
import { html, useRef, useState } from "/static/js/ui.js";
import { known } from "/static/js/format.js";

/**
 * @typedef {{ name: string, x: number | null, y: number | null, color?: string, facts: string }} Dot
 * @typedef {{ title: string, text: (value: number) => string }} Axis
 */

const WIDE = 460, HIGH = 300, LEFT = 56, FOOT = 40, EDGE = 12;

/** Round numbers from low to high, some four of them. @param {number} low @param {number} high */
function ticks(low, high) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-6; at += step) found.push(at);
  return found;
}

/** @param {number[]} values */
function bounds(values) {
  const low = Math.min(...values), high = Math.max(...values), pad = (high - low || Math.abs(high) || 1) * 0.06;
  return [low - pad, high + pad];
}

/** @param {{ dots: Dot[], x: Axis, y: Axis, onPick?: (name: string) => void }} props */
export function Scatter({ dots, x, y, onPick }) {
  const [looked, setLooked] = useState("");
  const svg = useRef(/** @type {SVGElement | null} */ (null));
  const shown = dots.filter((dot) => known(dot.x) && known(dot.y)).sort((one, other) => Number(one.x) - Number(other.x));
  if (shown.length < 2) return html`<p class="muted">At least two flops make a picture.</p>`;
  const [left, right] = bounds(shown.map((dot) => Number(dot.x))), [low, high] = bounds(shown.map((dot) => Number(dot.y)));
  const across = (/** @type {number} */ v) => LEFT + ((v - left) / (right - left)) * (WIDE - LEFT - EDGE);
  const up = (/** @type {number} */ v) => HIGH - FOOT - ((v - low) / (high - low)) * (HIGH - FOOT - EDGE);
  const chosen = shown.find((dot) => dot.name === looked);
  /** From dot to dot across, or open one. @param {KeyboardEvent} event @param {number} at */
  const key = (event, at) => {
    if (event.key === "Enter") onPick?.(shown[at]?.name ?? "");
    const next = at + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0);
    if (next === at || !shown[next]) return;
    event.preventDefault();
    /** @type {SVGElement | undefined} */ (svg.current?.querySelectorAll("circle")[next])?.focus();
  };
  return html`<figure class="scatter" data-testid="scatter">
    <svg ref=${svg} viewBox=${`0 0 ${WIDE} ${HIGH}`} role="group" aria-label=${`${shown.length} flops by ${x.title} and ${y.title}`}>
      ${ticks(left, right).map((v) => html`<g key=${`x${v}`}><line class="grid" x1=${across(v)} x2=${across(v)} y1=${EDGE} y2=${HIGH - FOOT} />
        <text x=${across(v)} y=${HIGH - FOOT + 15} text-anchor="middle">${x.text(v)}</text></g>`)}
      ${ticks(low, high).map((v) => html`<g key=${`y${v}`}><line class="grid" x1=${LEFT} x2=${WIDE - EDGE} y1=${up(v)} y2=${up(v)} />
        <text x=${LEFT - 6} y=${up(v) + 4} text-anchor="end">${y.text(v)}</text></g>`)}
      <text class="title" x=${(LEFT + WIDE) / 2} y=${HIGH - 6} text-anchor="middle">${x.title}</text>
      <text class="title" x="12" y=${(HIGH - FOOT) / 2} text-anchor="middle" transform=${`rotate(-90 12 ${(HIGH - FOOT) / 2})`}>${y.title}</text>
      ${shown.map((dot, at) => html`<circle key=${dot.name} cx=${across(Number(dot.x))} cy=${up(Number(dot.y))} r=${dot.name === looked ? 6 : 4}
        class=${dot.name === looked ? "on" : ""} style=${dot.color ? { fill: dot.color } : undefined} tabindex=${chosen ? (dot === chosen ? "0" : "-1") : at === 0 ? "0" : "-1"} role="button" aria-label=${`${dot.name}: ${dot.facts}`}
        onMouseEnter=${() => setLooked(dot.name)} onFocus=${() => setLooked(dot.name)} onClick=${() => onPick?.(dot.name)}
        onKeyDown=${(/** @type {KeyboardEvent} */ e) => key(e, at)} />`)}
    </svg>
    <figcaption class="muted" aria-live="polite">${chosen ? html`<strong>${chosen.name}</strong> ${chosen.facts}` : "Point at a dot, or walk with the arrow keys; a click or Enter opens the flop."}</figcaption>
  </figure>`;
}
