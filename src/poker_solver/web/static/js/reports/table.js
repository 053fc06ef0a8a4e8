// The flops of a line: a sortable table, averages by texture, and what each row opens.
import { html, useState } from "/static/js/ui.js";
import { Link } from "/static/js/router.js";
import { Cards } from "/static/js/components/cards.js";
import { percent } from "/static/js/format.js";
import { cellText, columnTitle } from "/static/js/reports/report.js";

/** @typedef {import("/static/js/reports/report.js").Table} Table */
/** @typedef {import("/static/js/reports/report.js").Column} Column */

const FIRST_ROWS = 100;

/** How often each action is taken, as one bar. @param {{ columns: Column[], values: (number | null)[] }} props */
function MixBar({ columns, values }) {
  const parts = columns.map((column, n) => ({ column, part: values[n] ?? 0 })).filter(({ column }) => column.color);
  const words = parts.map(({ column, part }) => `${column.title} ${percent(part)}`).join(", ");
  return html`<span class="mix-bar" role="img" aria-label=${words} title=${words}>${parts.map(({ column, part }) =>
    html`<i key=${column.name} style=${{ background: column.color, width: `${100 * part}%` }}></i>`)}</span>`;
}

/** @param {{ table: Table, sort: string, onSort: (sort: string) => void, first: string }} props */
function Heads({ table, sort, onSort, first }) {
  const [sorted, way] = sort.split(" ");
  const next = (/** @type {string} */ name) => (sorted !== name ? name : way === "up" ? "" : `${name} up`);
  return html`<thead><tr><th scope="col">${first}</th>${table.player && html`<th scope="col">Mix</th>`}
    ${table.columns.map((column) => html`<th key=${column.name} scope="col" class="number" data-column=${column.name}
      aria-sort=${sorted === column.name ? (way === "up" ? "ascending" : "descending") : "none"}>
      <button class="plain sort" onClick=${() => onSort(next(column.name))}>
        ${column.color && html`<i class="dot" style=${{ background: column.color }}></i>`}
        ${columnTitle(column, table.unit)}<span aria-hidden="true">${sorted === column.name ? (way === "up" ? " ▲" : " ▼") : ""}</span></button></th>`)}
    ${first === "Flop" && html`<th scope="col">Texture</th>`}</tr></thead>`;
}

/** @param {{ table: Table, values: (number | null)[] }} props */
function Numbers({ table, values }) {
  return html`${table.player && html`<td><${MixBar} columns=${table.columns} values=${values} /></td>`}
    ${table.columns.map((column, n) => html`<td key=${column.name} class="number">${cellText(column, values[n], table.unit)}</td>`)}`;
}

/** @param {{ table: Table, onSort: (sort: string) => void, onTag: (tag: string) => void }} props */
export function FlopTable({ table, onSort, onTag }) {
  const [all, setAll] = useState(false);
  const rows = all ? table.rows : table.rows.slice(0, FIRST_ROWS);
  const more = table.rows.length - rows.length;
  const open = (/** @type {string} */ id) => `/study/${encodeURIComponent(id)}${table.line ? `?line=${encodeURIComponent(table.line)}` : ""}`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Flops"><table class="flops" data-testid="flop-table">
    <${Heads} table=${table} sort=${table.sort} onSort=${onSort} first="Flop" />
    <tbody>
      ${table.total.length > 0 && html`<tr class="total" data-testid="flop-total"><th scope="row">${table.rows.length.toLocaleString("en")} together</th>
        <${Numbers} table=${table} values=${table.total} /><td></td></tr>`}
      ${rows.map((row) => html`<tr key=${row.flop} data-flop=${row.flop}>
        <th scope="row" title=${row.exploitability_pct === null ? "" : `exploitability ${row.exploitability_pct.toPrecision(3)} % of pot; stands for ${row.weight} of the 22,100 flops`}>
          ${row.solution ? html`<${Link} to=${open(row.solution)} label=${`Study ${row.flop}`}><${Cards} cards=${row.flop} /><//>` : html`<${Cards} cards=${row.flop} />`}</th>
        <${Numbers} table=${table} values=${row.values} />
        <td class="tags">${row.tags.map((tag) => html`<button key=${tag} class="tag" title=${`Only ${tag}`} onClick=${() => onTag(tag)}>${tag}</button>`)}</td>
      </tr>`)}
    </tbody>
  </table></div>
  ${table.rows.length === 0 && html`<p class="muted">No flop is left to show.</p>`}
  ${more > 0 && html`<button onClick=${() => setAll(true)}>Show ${more.toLocaleString("en")} more</button>`}`;
}

/** @param {{ table: Table, onTag: (tag: string) => void }} props */
export function Averages({ table, onTag }) {
  if (!table.averages.length) return null;
  const shown = { ...table, columns: table.columns };
  return html`<details class="panel averages" open data-testid="averages"><summary>Averages by texture</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Averages by texture"><table>
      <thead><tr><th scope="col">Texture</th><th scope="col" class="number">Flops</th>${table.player && html`<th scope="col">Mix</th>`}
        ${table.columns.map((column) => html`<th key=${column.name} scope="col" class="number">${columnTitle(column, table.unit)}</th>`)}</tr></thead>
      <tbody>${table.averages.map((one) => html`<tr key=${one.tag}>
        <th scope="row"><button class="tag" onClick=${() => onTag(one.tag)} title=${`Only ${one.tag}`}>${one.tag}</button></th>
        <td class="number">${one.num_flops}</td><${Numbers} table=${shown} values=${one.values} /></tr>`)}</tbody>
    </table></div></details>`;
}
