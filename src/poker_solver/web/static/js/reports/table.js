// The flops of a line: a sortable table, averages by texture, and what each row opens.
import { html, useState } from "/static/js/ui.js";
import { Link } from "/static/js/router.js";
import { Cards } from "/static/js/components/cards.js";
import { percent } from "/static/js/format.js";
import { cellText, columnTitle, groupTitle, shortTitle } from "/static/js/reports/report.js";

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

/** Groups of columns, and columns to sort by where that means something.
 * @param {{ table: Table, sort: string, onSort?: (sort: string) => void, first: string, before?: any, after?: any }} props
 */
function Heads({ table, sort, onSort, first, before, after }) {
  const [sorted, way] = sort.split(" ");
  const next = (/** @type {string} */ name) => (sorted !== name ? name : way === "up" ? "" : `${name} up`);
  const mark = (/** @type {string} */ name) => (sorted !== name ? "" : way === "up" ? " ▲" : " ▼");
  /** @type {[string, number][]} */
  const groups = [];
  for (const column of table.columns) {
    const title = groupTitle(column, table.unit), last = groups.at(-1);
    if (last && last[0] === title) last[1] += 1;
    else groups.push([title, 1]);
  }
  const name = (/** @type {Column} */ column) => {
    const [, action = shortTitle(column), size = ""] = (column.color && column.title.match(/^(\S+) \((.+)\)$/)) || [];
    return html`${column.color && html`<i class="dot" style=${{ background: column.color }}></i>`}${action}${size && html`<br /><small>${size}</small>`}`;
  };
  return html`<thead>
    <tr><th scope="col" rowspan="2">${first}</th>${before}${table.player && html`<th scope="col" rowspan="2">Mix</th>`}
      ${groups.map(([title, width]) => html`<th key=${title} scope="colgroup" class="group" colspan=${width}>${title}</th>`)}${after}</tr>
    <tr>${table.columns.map((column) => html`<th key=${column.name} scope="col" class="number" data-column=${column.name}
      aria-sort=${!onSort ? undefined : sorted === column.name ? (way === "up" ? "ascending" : "descending") : "none"}>
      ${onSort ? html`<button class="plain sort" aria-label=${`Sort by ${columnTitle(column, table.unit)}`} onClick=${() => onSort(next(column.name))}>
        ${name(column)}<span aria-hidden="true">${mark(column.name)}</span></button>` : name(column)}</th>`)}</tr></thead>`;
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
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of flops"><table class="flops" data-testid="flop-table">
    <${Heads} table=${table} sort=${table.sort} onSort=${onSort} first="Flop" after=${html`<th scope="col" rowspan="2">Texture</th>`} />
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
  return html`<details class="panel averages" open data-testid="averages"><summary>Averages by texture</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of averages"><table>
      <${Heads} table=${table} sort="" first="Texture" before=${html`<th scope="col" rowspan="2" class="number">Flops</th>`} />
      <tbody>${table.averages.map((one) => html`<tr key=${one.tag}>
        <th scope="row"><button class="tag" onClick=${() => onTag(one.tag)} title=${`Only ${one.tag}`}>${one.tag}</button></th>
        <td class="number">${one.num_flops}</td><${Numbers} table=${table} values=${one.values} /></tr>`)}</tbody>
    </table></div></details>`;
}
