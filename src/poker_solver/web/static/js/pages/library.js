// Saved solves: find one, open it, name it, bring one in.
import { html, useEffect, useState } from "/static/js/ui.js";
import { getJson } from "/static/js/api.js";
import { Link } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";
import { Cards } from "/static/js/components/cards.js";
import { size } from "/static/js/format.js";

export default function Library() {
  const [entries, setEntries] = useState(/** @type {any[] | null} */ (null));
  useEffect(() => {
    getJson("/api/library").then(setEntries, (error) => notify(error.message, "error"));
  }, []);
  if (!entries) return html`<p class="loading">Loading…</p>`;
  return html`<h1>Library</h1>
    <div class="panel scroll"><table data-testid="library">
      <thead><tr><th>Name</th><th>Board</th><th>Stack</th><th>Exploitability</th><th class="number">Size</th></tr></thead>
      <tbody>${entries.map((one) => html`<tr key=${one.id}>
        <td><${Link} to=${`/study/${encodeURIComponent(one.id)}`}>${one.name}<//></td>
        <td><${Cards} cards=${one.board} /></td><td>${one.stack}</td>
        <td>${one.problem || one.exploitability}</td><td class="number">${size(one.num_bytes)}</td>
      </tr>`)}</tbody>
    </table></div>`;
}
