// Curves: equity and EV of both ranges from the worst hand to the best, and how the solve converged.
import { html, useEffect, useMemo, useState } from "/static/js/ui.js";
import { getJson } from "/static/js/api.js";
import { known, money, percent } from "/static/js/format.js";
import { CLASSES } from "/static/js/components/matrix.js";
import { rowOf } from "/static/js/study/node.js";

/** @typedef {import("/static/js/study/node.js").Node} Node */
/** @typedef {{ name: string, points: [number, number][], kind: string }} Curve */

const WIDE = 380, HIGH = 190, LEFT = 46, RIGHT = 10, TOP = 10, FOOT = 30;

/** Hands of a player in order of a number, each as wide as its share.
 * @param {Node} node @param {number} seat @param {"ev" | "equity"} what @returns {[number, number][]}
 */
export function distribution(node, seat, what) {
  const isAfter = node.head.board !== "", table = node.arrays[`${seat}.${isAfter ? "combos" : "classes"}`];
  const count = isAfter ? table?.shape[0] ?? 0 : CLASSES.length;
  const rows = Array.from({ length: count }, (_, index) => rowOf(table, index)).filter((row) => row.share > 0 && known(row[what]));
  rows.sort((a, b) => a[what] - b[what]);
  const total = rows.reduce((sum, row) => sum + row.share, 0);
  let at = 0;
  return rows.flatMap((row) => {
    const from = at;
    at += row.share / total;
    return /** @type {[number, number][]} */ ([[from, row[what]], [at, row[what]]]);
  });
}

/** Numbers that are easy to read, some five over a span. @param {number} low @param {number} high */
function ticks(low, high) {
  const rough = (high - low) / 4 || 1, ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * ten).find((one) => one >= rough) ?? rough, first = Math.ceil(low / step - 1e-9) * step;
  return Array.from({ length: 12 }, (_, n) => first + n * step).filter((tick) => tick <= high + step * 1e-6);
}

/**
 * @param {{ title: string, about: string, curves: Curve[], across: (x: number) => string, up: (y: number) => string,
 *   span?: [number, number], log?: boolean, foot: string }} props
 */
function Graph({ title, about, curves, across, up, span, log, foot }) {
  const all = curves.flatMap((curve) => curve.points);
  if (!all.length) return html`<figure><figcaption>${title}</figcaption><p class="muted small">${about}</p></figure>`;
  const scaled = (/** @type {number} */ y) => (log ? Math.log10(Math.max(y, 1e-6)) : y);
  const xs = all.map(([x]) => x), ys = all.map(([, y]) => scaled(y));
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = span ?? [Math.min(...ys), Math.max(...ys)];
  const px = (/** @type {number} */ x) => LEFT + ((x - x0) / (x1 - x0 || 1)) * (WIDE - LEFT - RIGHT);
  const py = (/** @type {number} */ y) => HIGH - FOOT - ((scaled(y) - y0) / (y1 - y0 || 1)) * (HIGH - FOOT - TOP);
  const levels = log ? [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100].filter((y) => scaled(y) >= y0 - 0.01 && scaled(y) <= y1 + 0.01) : ticks(y0, y1);
  return html`<figure><figcaption>${title} ${curves.length > 1 && curves.map((curve) => html`<span key=${curve.name} class=${`key ${curve.kind}`}>${curve.name}</span>`)}</figcaption>
    <svg viewBox=${`0 0 ${WIDE} ${HIGH}`} role="img" aria-label=${`${title}. ${about}`}>
      ${levels.map((y) => html`<g key=${y}><line class="level" x1=${LEFT} x2=${WIDE - RIGHT} y1=${py(y)} y2=${py(y)} />
        <text x=${LEFT - 5} y=${py(y) + 3.5} text-anchor="end">${up(y)}</text></g>`)}
      ${ticks(x0, x1).map((x) => html`<text key=${x} x=${px(x)} y=${HIGH - FOOT + 13} text-anchor="middle">${across(x)}</text>`)}
      <text class="foot" x=${(LEFT + WIDE - RIGHT) / 2} y=${HIGH - 3} text-anchor="middle">${foot}</text>
      <path class="axis" d=${`M${LEFT} ${TOP}V${HIGH - FOOT}H${WIDE - RIGHT}`} />
      ${curves.map((curve) => html`<path key=${curve.name} class=${`graph-curve ${curve.kind}`} d=${`M${curve.points.map(([x, y]) => `${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join("L")}`} />`)}
    </svg></figure>`;
}

/** @param {{ node: Node, id: string }} props */
export function Graphs({ node, id }) {
  const [curve, setCurve] = useState(/** @type {{ points: [number, number][], unit: string, iterations: number } | null} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    getJson(`/api/solutions/${encodeURIComponent(id)}/curve`, stop.signal).then(setCurve, () => setCurve(null));
    return () => stop.abort();
  }, [id]);
  const { head } = node, names = head.players.map((player) => player.name);
  const [equity, ev] = useMemo(() => /** @type {const} */ (["equity", "ev"]).map((what) => [0, 1].map((seat) => ({
    name: names[seat] ?? "", kind: `seat-${seat}`, points: distribution(node, seat, what),
  })).filter((own) => own.points.length)), [node]);
  const mean = head.players.map((player) => `${player.name} ${percent(player.equity)}`).join(", ");
  const worth = head.players.map((player) => `${player.name} ${money(player.ev, head.unit)}`).join(", ");
  const share = (/** @type {number} */ x) => `${Math.round(100 * x)}`;
  return html`<div class="graphs" data-testid="graphs">
    <${Graph} title="Equity" about=${equity?.length ? `Hands from the worst to the best; on average ${mean}.` : "Nobody gets here."} curves=${equity ?? []} span=${[0, 1]}
      across=${share} up=${(/** @type {number} */ y) => `${Math.round(100 * y)} %`} foot="% of the range, worst hand to best" />
    <${Graph} title="EV by hand" about=${ev?.length ? `Hands from the worst to the best; on average ${worth}.` : "EVs are not known here."} curves=${ev ?? []}
      across=${share} up=${(/** @type {number} */ y) => (head.unit === "bb" ? `${y.toFixed(1)}` : y.toLocaleString("en", { maximumFractionDigits: 0 }))}
      foot=${`% of the range; EV in ${head.unit}`} />
    ${curve && html`<${Graph} title="Convergence" log curves=${curve.points.length > 1 ? [{ name: "", kind: "seat-0", points: curve.points }] : []}
      about=${curve.points.length > 1 ? `Exploitability from ${curve.points[0]?.[1].toPrecision(3)} to ${curve.points.at(-1)?.[1].toPrecision(3)} ${curve.unit} in ${curve.iterations} iterations.`
    : `${curve.iterations.toLocaleString("en")} iterations; how they converged was not kept.`}
      across=${(/** @type {number} */ x) => String(Math.round(x))} up=${(/** @type {number} */ y) => `${y} %`} foot=${`iterations; exploitability in ${curve.unit}`} />`}
  </div>`;
}
