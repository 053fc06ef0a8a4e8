// Hands by what they have and draw to; a click on a row filters by it.
import { html } from "/static/js/ui.js";
import { combos, money, percent } from "/static/js/format.js";

/** @typedef {import("/static/js/study/node.js").Head} Head */

/**
 * @param {{ head: Head, seat: number, chosen: string[], onKind: (kind: string) => void }} props
 */
export function Groups({ head, seat, chosen, onKind }) {
  if (!head.board) return html`<p class="muted">There is no board yet to have or to draw to.</p>`;
  return html`<div data-testid="groups">${/** @type {const} */ (["made", "draws"]).map((kind) => html`<table class="study-table groups" key=${kind}>
    <thead><tr><th>${kind === "made" ? "Made hand" : "Draw"}</th><th class="number">Combos</th><th class="number">Share</th>
      <th class="bar-cell">${head.actor === seat ? "Plays" : ""}</th><th class="number">EV</th><th class="number">Equity</th></tr></thead>
    <tbody>${(head.groups[kind]?.[seat] ?? []).map((group) => html`<tr key=${group.name} class=${chosen.includes(group.name) ? "chosen" : ""}>
      <td><button class="plain hand" aria-pressed=${chosen.includes(group.name) ? "true" : "false"} onClick=${() => onKind(group.name)}>${group.name}</button></td>
      <td class="number">${combos(group.combos)}</td><td class="number">${percent(group.share)}</td>
      <td class="bar-cell">${group.mix.length > 0 && html`<span class="freq-bar tall" role="img"
        aria-label=${head.actions.map((action, a) => `${action.words} ${percent(group.mix[a])}`).join(", ")}
        title=${head.actions.map((action, a) => `${action.words} ${percent(group.mix[a])}`).join(", ")}>
        ${head.actions.map((action, a) => html`<i key=${action.action} style=${{ width: `${100 * (group.mix[a] ?? 0)}%`, background: action.color }}></i>`)}</span>`}</td>
      <td class="number">${money(group.ev, head.unit).replace(" bb", "")}</td><td class="number">${percent(group.equity, 0)}</td></tr>`)}</tbody>
  </table>`)}</div>`;
}
