// What can be done here: how often, with how many combos, for how much; or which card falls.
import { html } from "/static/js/ui.js";
import { changeQuery, Link } from "/static/js/router.js";
import { combos, known, money, percent, plain } from "/static/js/format.js";
import { query } from "/static/js/api.js";
import { Cards } from "/static/js/components/cards.js";
import { CardPicker, FlopChooser } from "/static/js/components/card-picker.js";
import { roughMoney } from "/static/js/study/node.js";
import { Next } from "/static/js/study/next.js";
import { hereWords } from "/static/js/study/breadcrumb.js";

/** @typedef {import("/static/js/study/node.js").Head} Head */

/**
 * @param {{ head: Head, next: string, to: (tokens: string[]) => string, go: (tokens: string[]) => void }} props  `next` are cards that wait to be solved
 */
export function Actions({ head, next, to, go }) {
  if (head.kind === "deal") {
    return html`<section class="panel study-actions" aria-label="Card">
      <h2>${hereWords(head)}</h2>
      <${CardPicker} cards=${new Set(head.cards)} onPick=${(/** @type {string} */ card) => (head.is_looked_up ? changeQuery({ next: card }, true) : go([...head.history, card]))}
        label=${hereWords(head)} testid="card-picker" />
      ${next && html`<${Next} key=${next} head=${head} cards=${next} auto=${true} />`}
    </section>`;
  }
  if (head.kind === "flop") return html`<${Flop} head=${head} next=${next} />`;
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

/** Where a flop falls in a game: three cards lead there at once, or show what solving them takes.
 * @param {{ head: Head, next: string }} props
 */
function Flop({ head, next }) {
  const pick = (/** @type {string} */ flop) => changeQuery({ next: flop || null }, true);
  const stored = head.flops ?? 0;
  return html`<section class="panel study-actions" aria-label="Flop">
    <h2>Flop</h2>
    <p class="muted small">${stored > 0 ? `${stored.toLocaleString("en")} flops are stored here, of any suits; any other is solved.` : "Pick three cards: the flop is solved from these ranges with the sizes of the game."}</p>
    <${FlopChooser} first=${next} onFlop=${pick} />
    ${next && html`<${Next} key=${next} head=${head} cards=${next} auto=${false} />`}
    ${head.solved.length > 0 && html`<p class="small solved-flops" data-testid="solved-flops">Solved before: ${head.solved.map((flop) => html`<button
      key=${flop} class="plain" aria-label=${`To ${flop}`} onClick=${() => pick(flop)}><${Cards} cards=${flop} /></button>`)}</p>`}
    <p class="small"><${Link} to=${buildAddress(head, next)}>Other sizes: take these ranges to the builder<//></p>
  </section>`;
}

/** The builder, from the ranges at a node. @param {Head} head @param {string} board */
export function buildAddress(head, board) {
  return `/build${query({ from: head.solution, line: head.history.join(" "), board })}`;
}
