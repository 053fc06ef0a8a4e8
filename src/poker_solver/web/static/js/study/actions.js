// What can be done here: how often, with how many combos, for how much; or which card falls.
import { html } from "/static/js/ui.js";
import { Link, navigate } from "/static/js/router.js";
import { combos, known, money, percent, plain } from "/static/js/format.js";
import { query } from "/static/js/api.js";
import { CardPicker, FlopChooser } from "/static/js/components/card-picker.js";
import { roughMoney } from "/static/js/study/node.js";
import { hereWords } from "/static/js/study/breadcrumb.js";

/** @typedef {import("/static/js/study/node.js").Head} Head */

/**
 * @param {{ head: Head, to: (tokens: string[]) => string, go: (tokens: string[]) => void }} props
 */
export function Actions({ head, to, go }) {
  if (head.kind === "deal") {
    return html`<section class="panel study-actions" aria-label="Card">
      <h2>${hereWords(head)}</h2>
      <${CardPicker} cards=${new Set(head.cards)} onPick=${(/** @type {string} */ card) => go([...head.history, card])}
        label=${hereWords(head)} testid="card-picker" />
    </section>`;
  }
  if (head.kind === "flop") return html`<${Flop} head=${head} go=${go} />`;
  if (head.actor === null) {
    return html`<section class="panel study-actions" aria-label="The end"><h2>${hereWords(head)}</h2>
      <p class="muted">${money(head.pot, head.unit)} in the pot.</p>
      <${Link} class="button" to=${to(head.history.slice(0, -1))}>One step back<//></section>`;
  }
  return html`<section class="panel study-actions" aria-label="Actions">
    <table data-testid="actions"><thead><tr><th>${head.players[head.actor]?.name} can</th><th class="number" title="How often">Freq</th>
      <th class="number">Combos</th><th class="number" title="Of the hands that do it">EV${head.unit === "bb" ? ", bb" : ""}</th><th class="number">% pot</th></tr></thead>
    <tbody>${head.actions.map((one, n) => html`<tr key=${one.action} data-testid="action">
      <td><${Link} class="action" to=${to([...head.history, one.action])}>
        <kbd aria-hidden="true">${n + 1}</kbd><i class="swatch" style=${{ background: one.color }}></i>${one.words}<//></td>
      <td class="number share"><i class="share-bar" style=${{ width: `${100 * (one.share ?? 0)}%`, background: one.color }}></i>
        <span>${percent(one.share)}</span></td>
      <td class="number">${combos(one.combos)}</td>
      <td class="number">${roughMoney(one.ev, head.unit, one.is_rough).replace(" bb", "")}</td>
      <td class="number">${known(one.ev_pct) ? plain(one.ev_pct, 1) : "–"}</td></tr>`)}</tbody></table>
    ${head.actions.some((one) => one.is_rough) && html`<p class="muted small">? rests on answers to what hardly anybody plays.</p>`}
  </section>`;
}

/** Where a flop falls in a game: go on where it is stored, else take the ranges to the builder.
 * @param {{ head: Head, go: (tokens: string[]) => void }} props
 */
function Flop({ head, go }) {
  const stored = (head.flops ?? 0) > 0;
  const build = (/** @type {string} */ flop) => navigate(buildAddress(head, flop));
  return html`<section class="panel study-actions" aria-label="Flop">
    <h2>${stored ? "Flop" : "Take these ranges to a flop"}</h2>
    <p class="muted small">${stored
      ? `${head.flops?.toLocaleString("en")} flops are stored here, of any suits.`
      : `Flops are not stored in this game: pick one, and the builder has both ranges, the pot and the stack.`}</p>
    <${FlopChooser} onFlop=${stored ? (/** @type {string} */ flop) => go([...head.history, flop]) : build}
      action=${stored ? "Go" : "To the builder"} />
    ${stored && html`<p class="small"><${Link} to=${buildAddress(head, "")}>Take these ranges to the builder<//></p>`}
  </section>`;
}

/** The builder, from the ranges at a node. @param {Head} head @param {string} board */
export function buildAddress(head, board) {
  return `/build${query({ from: head.solution, line: head.history.join(" "), board })}`;
}
