// Reports over many flops: those there are, a new one, and each of them.
import { html, useEffect, useState } from "/static/js/ui.js";
import { getJson } from "/static/js/api.js";
import { Link } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";
import { NewReport } from "/static/js/reports/new-report.js";
import { OneReport } from "/static/js/reports/one-report.js";
import { isBusy, reportName, standing } from "/static/js/reports/report.js";

/** @typedef {import("/static/js/reports/report.js").Report} Report */

const LOOK_MS = 2000;

/** @param {{ reports: Report[] }} props */
function List({ reports }) {
  if (!reports.length) return html`<p class="muted" data-testid="no-reports">There is no report yet. Read a spot, choose flops, and start one.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="All reports"><table data-testid="reports">
    <thead><tr><th scope="col">Report</th><th scope="col" class="number">Flops</th><th scope="col">Lines</th><th scope="col">State</th>
      <th scope="col" class="number">Exploitability</th><th scope="col">Made</th></tr></thead>
    <tbody>${reports.map((one) => html`<tr key=${one.id}>
      <td><${Link} to=${`/reports/${one.id}`}>${reportName(one)}<//></td>
      <td class="number">${one.state.num_flops.toLocaleString("en")}</td>
      <td class="mono">${one.state.lines.join(" · ") || "first decision"}</td>
      <td>${standing(one)}</td>
      <td class="number">${one.state.mean_exploitability_pct === null ? "–" : `${one.state.mean_exploitability_pct.toPrecision(2)} % of pot`}</td>
      <td>${new Date(1000 * one.wanted.created).toLocaleDateString()}</td>
    </tr>`)}</tbody></table></div>`;
}

/** @param {{ route: import("/static/js/router.js").Route }} props */
export default function Reports({ route }) {
  const [reports, setReports] = useState(/** @type {Report[] | null} */ (null));
  const isList = !route.id;
  const busy = reports?.some(isBusy) ?? false;
  useEffect(() => {
    if (!isList) return;
    const read = () => getJson("/api/reports").then(setReports, (error) => notify(error.message, "error"));
    void read();
    const timer = busy ? setInterval(read, LOOK_MS) : undefined;
    return () => clearInterval(timer);
  }, [isList, busy]);
  if (!isList) return html`<${OneReport} key=${route.id} id=${route.id} route=${route} />`;
  if (!reports) return html`<p class="loading">Loading…</p>`;
  return html`<h1>Reports</h1>
    <div class="reports-page">
      <section class="panel" aria-label="Reports that there are"><${List} reports=${reports} /></section>
      <${NewReport} from=${route.query.get("from") ?? ""} line=${route.query.get("line") ?? ""} />
    </div>`;
}
