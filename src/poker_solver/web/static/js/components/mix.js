// What a hand is to play, action by action: how often, and what each is worth.
import { html } from "/static/js/ui.js";
import { known, percent } from "/static/js/format.js";

/** @typedef {{ action: string, words: string, color: string, share: number | null, ev: number | null }} Choice */

/** An EV with two digits, without the sign of nothing. @param {number | null} ev */
function worth(ev) {
  if (!known(ev)) return "–";
  return (Math.abs(ev) < 0.005 ? 0 : ev).toFixed(2);
}

/** @param {{ choices: Choice[], unit: string, played: string, best: string, label: string }} props */
export function MixTable({ choices, unit, played, best, label }) {
  return html`<table class="mix-table" data-testid="mix" aria-label=${label}>
    <thead><tr><th scope="col">Action</th><th scope="col">How often</th><th scope="col" class="number">EV, ${unit}</th></tr></thead>
    <tbody>${choices.map((one) => html`<tr key=${one.action} class=${one.action === played ? "played" : ""}>
      <th scope="row"><span class="dot" style=${{ background: one.color }}></span>${one.words}
        ${one.action === played ? html` <span class="tag">yours</span>` : null}
        ${one.action === best ? html` <span class="tag">best</span>` : null}</th>
      <td><span class="bar" aria-hidden="true"><span style=${{ width: `${100 * (one.share ?? 0)}%`, background: one.color }}></span></span>
        <span class="mono">${percent(one.share)}</span></td>
      <td class="number mono">${worth(one.ev)}</td>
    </tr>`)}</tbody></table>`;
}
