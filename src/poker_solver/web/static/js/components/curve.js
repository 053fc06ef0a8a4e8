// How a solve converges: exploitability by iteration, on a log axis, with the target.
import { html, useEffect, useRef, useState } from "/static/js/ui.js";

const LEFT = 78, RIGHT = 16, TOP = 14, BOTTOM = 34;

/** Whole powers of ten around what is drawn. @param {number} low @param {number} high */
function decades(low, high) {
  const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high));
  return Array.from({ length: Math.max(1, to - from) + 1 }, (_, n) => 10 ** (from + n));
}

/** @param {number} value */
const short = (value) => `${Number(value.toPrecision(3))}`;

/** A few round numbers up to the last iteration. @param {number} last */
function steps(last) {
  const rough = last / 5, size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * size).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, n) => n * step);
}

/** @param {{ points: [number, number][], target: number | null, height?: number }} props */
export function Curve({ points, target, height = 300 }) {
  const own = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = useState(640);
  useEffect(() => {
    if (!own.current) return;
    const watch = new ResizeObserver(([entry]) => { if (entry) setWidth(Math.max(240, Math.round(entry.contentRect.width))); });
    watch.observe(own.current);
    return () => watch.disconnect();
  }, []);
  const drawn = points.filter(([, y]) => y > 0);
  const last = drawn.at(-1);
  const words = last ? `Exploitability ${short(last[1])} % of the pot after ${last[0].toLocaleString("en")} iterations${target ? `, target ${short(target)} %` : ""}` : "No point yet";
  const heights = [...drawn.map(([, y]) => y), ...(target ? [target] : [])];
  const marks = heights.length ? decades(Math.min(...heights), Math.max(...heights)) : [0.1, 1, 10];
  const low = Math.log10(marks[0] ?? 0.1), high = Math.log10(marks.at(-1) ?? 10), most = Math.max(1, last?.[0] ?? 1);
  const x = (/** @type {number} */ n) => LEFT + (n / most) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ value) => TOP + ((high - Math.log10(value)) / (high - low)) * (height - TOP - BOTTOM);
  return html`<figure ref=${own} class="converge" data-testid="curve">
    <svg viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} role="img" aria-label=${words}>
      ${marks.map((mark) => html`<g key=${`m${mark}`}><line class="rule" x1=${LEFT} x2=${width - RIGHT} y1=${y(mark)} y2=${y(mark)} />
        <text x=${LEFT - 8} y=${y(mark) + 4} text-anchor="end">${short(mark)} %</text></g>`)}
      ${steps(most).map((n) => html`<text key=${`s${n}`} x=${x(n)} y=${height - 12} text-anchor="middle">${n.toLocaleString("en")}</text>`)}
      ${target ? html`<line class="target" x1=${LEFT} x2=${width - RIGHT} y1=${y(target)} y2=${y(target)} />
        <text class="target-text" x=${width - RIGHT} y=${y(target) - 5} text-anchor="end">target ${short(target)} %</text>` : null}
      <polyline class="path" points=${drawn.map(([n, value]) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`).join(" ")} />
      ${last ? html`<circle class="dot" cx=${x(last[0])} cy=${y(last[1])} r="4" />` : null}
    </svg>
    <figcaption class="muted">Exploitability, % of the pot, by iteration</figcaption>
  </figure>`;
}
