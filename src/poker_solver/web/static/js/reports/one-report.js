// One report: how far it is, a line of it on every flop, a picture of two numbers, averages.
import { html, useEffect, useRef, useState } from "/static/js/ui.js";
import { followJob, getJson, query, remove, sendJson } from "/static/js/api.js";
import { changeQuery, Link, navigate } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";
import { duration } from "/static/js/format.js";
import { Scatter } from "/static/js/components/scatter.js";
import { Averages, FlopTable } from "/static/js/reports/table.js";
import { cellText, columnTitle, isBusy, reportName, standing } from "/static/js/reports/report.js";

/** @typedef {import("/static/js/reports/report.js").Report} Report */
/** @typedef {import("/static/js/reports/report.js").Table} Table */

/** @param {unknown} error */
const fail = (error) => notify(/** @type {Error} */ (error).message, "error");

/** Progress, stop, go on, more of it. @param {{ report: Report, onChange: (report: Report) => void }} props */
function Progress({ report, onChange }) {
  const { state, job, id } = report, busy = isBusy(report);
  const [target, setTarget] = useState(String(state.target_pct ?? ""));
  const [line, setLine] = useState("");
  /** @param {Record<string, unknown>} more */
  const goOn = (more) => sendJson(`/api/reports/${id}/go-on`, more).then(onChange, fail);
  const stop = () => sendJson(`/api/jobs/${job.id}/stop`, {}).catch(fail);
  const drop = () => {
    if (confirm(`Delete the report ${reportName(report)} with its ${state.num_solved} saves?`)) {
      remove(`/api/reports/${id}`).then(() => navigate("/reports"), fail);
    }
  };
  const left = busy && job.progress.seconds_left !== null ? `, some ${duration(job.progress.seconds_left)} left` : "";
  const off = state.mean_exploitability_pct === null ? "" :
    `exploitability ${state.mean_exploitability_pct.toPrecision(2)} % of pot on average, ${state.most_exploitability_pct?.toPrecision(2)} % at most`;
  const value = (/** @type {(value: string) => void} */ set) => (/** @type {any} */ e) => set(e.target.value);
  return html`<section class="panel progress-panel" aria-label="How far it is">
    <div class="row">
      <progress max=${state.num_flops} value=${Math.max(state.num_done, busy ? job.progress.done : 0)} aria-label="Flops done"></progress>
      <span data-testid="report-standing" role="status">${standing(report)}${left}</span>
      ${busy ? html`<button onClick=${stop} data-testid="report-stop">Stop</button>`
        : state.num_done < state.num_flops && html`<button class="main" onClick=${() => goOn({})} data-testid="report-go-on">Go on</button>`}
      <span class="muted grow">${busy ? job.progress.text : off}</span>
      <button class="danger" disabled=${busy} onClick=${drop} data-testid="report-delete">Delete</button>
    </div>
    ${job?.error && html`<p class="problem" role="alert">${job.error}</p>`}
    ${state.num_impossible > 0 && html`<p class="muted">${state.num_impossible} flops leave a range no hand.</p>`}
    ${state.note && html`<p class="muted">${state.note}</p>`}
    ${!busy && html`<div class="row more">
      <form class="row" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); void goOn({ target_pct: Number(target) || null }); }}>
        <label class="inline">Target, % of pot <input value=${target} size="4" inputmode="decimal" onInput=${value(setTarget)} /></label>
        <button data-testid="report-stricter" disabled=${!(Number(target) > 0) || Number(target) === state.target_pct}>Solve to it</button></form>
      <form class="row" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); void goOn({ lines: [...state.lines, line] }); setLine(""); }}>
        <label class="inline">Another line <input value=${line} size="12" placeholder="x b33% c" data-testid="report-more-line" onInput=${value(setLine)} /></label>
        <button disabled=${!line.trim()} data-testid="report-add-line">Add</button></form>
    </div>`}
  </section>`;
}

/** Filter, which the server reads. @param {{ where: string, onWhere: (where: string) => void, problem: string }} props */
function Filter({ where, onWhere, problem }) {
  const [text, setText] = useState(where);
  useEffect(() => setText(where), [where]);
  return html`<form class="row filter" role="search" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); onWhere(text.trim()); }}>
    <label class="inline grow">Only flops with <input class="grow" value=${text} data-testid="report-where" aria-describedby="where-help"
      placeholder="A-high, not monotone, b33%>60%, ip_eqr<1" onInput=${(/** @type {any} */ e) => setText(e.target.value)} /></label>
    <button data-testid="report-filter">Show</button>
    ${where && html`<button type="button" onClick=${() => onWhere("")}>All</button>`}
    <span id="where-help" class="visually-hidden">Tags and comparisons by commas; all must hold.</span>
    ${problem && html`<p class="problem" role="alert" data-testid="where-problem">${problem}</p>`}
  </form>`;
}

/** @param {{ table: Table, x: string, y: string }} props */
function Picture({ table, x, y }) {
  const at = (/** @type {string} */ name, /** @type {number} */ other) => {
    const found = table.columns.findIndex((column) => column.name === name);
    return found >= 0 ? found : Math.min(other, table.columns.length - 1);
  };
  const numFreq = table.columns.filter((column) => column.color).length;
  const first = at(x, numFreq + 2), second = at(y, numFreq > 1 ? 1 : numFreq);
  const [across, up] = [table.columns[first], table.columns[second]];
  if (!across || !up) return null;
  const text = (/** @type {typeof across} */ column) => (/** @type {number} */ value) => cellText(column, value, table.unit);
  const choose = (/** @type {string} */ name, /** @type {number} */ shown, /** @type {string} */ label) => html`<label class="inline">${label}
    <select data-testid=${`scatter-${name}`} onChange=${(/** @type {any} */ e) => changeQuery({ [name]: e.target.value }, true)}>
      ${table.columns.map((column, n) => html`<option key=${column.name} value=${column.name} selected=${n === shown}>${columnTitle(column, table.unit)}</option>`)}</select></label>`;
  const dots = table.rows.map((row) => ({
    name: row.flop, x: row.values[first] ?? null, y: row.values[second] ?? null, color: up.color || across.color,
    facts: `${columnTitle(across, table.unit)} ${text(across)(row.values[first] ?? NaN)}, ${columnTitle(up, table.unit)} ${text(up)(row.values[second] ?? NaN)}; ${row.tags.join(", ")}`,
  }));
  const open = (/** @type {string} */ flop) => {
    const row = table.rows.find((one) => one.flop === flop);
    if (row?.solution) navigate(`/study/${encodeURIComponent(row.solution)}${query({ line: table.line })}`);
  };
  return html`<section class="panel picture" aria-label="Two numbers of every flop"><div class="row">${choose("x", first, "Across")} ${choose("y", second, "Up")}</div>
    <${Scatter} dots=${dots} x=${{ title: columnTitle(across, table.unit), text: text(across) }}
      y=${{ title: columnTitle(up, table.unit), text: text(up) }} onPick=${open} /></section>`;
}

/** @param {{ id: string, route: import("/static/js/router.js").Route }} props */
export function OneReport({ id, route }) {
  const [report, setReport] = useState(/** @type {Report | null} */ (null));
  const [table, setTable] = useState(/** @type {Table | null} */ (null));
  const [problem, setProblem] = useState("");
  const [missing, setMissing] = useState("");
  const [count, setCount] = useState(0);
  const done = useRef(-1);
  const line = route.query.get("line") ?? "", where = route.query.get("where") ?? "", sort = route.query.get("sort") ?? "";
  const asked = query({ line, where, sort });
  const read = () => getJson(`/api/reports/${encodeURIComponent(id)}`).then(setReport, (e) => setMissing(e.message));
  useEffect(() => { void read(); }, [id]);
  useEffect(() => {
    const job = report?.job;
    if (!report || !isBusy(report)) return;
    return followJob(job.id, (told) => {
      setReport((/** @type {Report | null} */ now) => now && { ...now, job: told });
      const ended = told.status !== "waiting" && told.status !== "running";
      if (!ended && told.progress.done === done.current) return;
      done.current = told.progress.done;
      void read();
      setCount((/** @type {number} */ n) => n + 1);
    });
  }, [report?.job?.id, report?.job?.status === "waiting" || report?.job?.status === "running"]);
  useEffect(() => {
    const asking = new AbortController();
    getJson(`/api/reports/${encodeURIComponent(id)}/table${asked}`, asking.signal).then(
      (found) => { setTable(found); setProblem(""); },
      (error) => { if (error.name !== "AbortError") setProblem(error.message); },
    );
    return () => asking.abort();
  }, [id, asked, count]);
  if (missing) return html`<p class="problem" role="alert">${missing} <${Link} to="/reports">To the reports<//></p>`;
  if (!report) return html`<p class="loading">Loading…</p>`;
  const tag = (/** @type {string} */ name) => changeQuery({ where: where ? `${where}, ${name}` : name });
  const to = (/** @type {string} */ name) => `/reports/${id}${query({ line: name, where })}`;
  const isAt = (/** @type {string} */ name) => (table ? table.line === name : line === name);
  const who = table && (table.player ? `${table.player} acts` : "nobody acts");
  return html`<div class="report" data-testid="report">
    <div class="row"><h1>${reportName(report)}</h1><span class="grow"></span><${Link} to="/reports">All reports<//></div>
    <${Progress} report=${report} onChange=${setReport} />
    <nav class="row lines" aria-label="Lines">${["", ...report.state.lines].map((name, n) => html`<${Link} key=${name} to=${to(name)}
      class="button" current=${isAt(name)} testid=${`line-${name.replaceAll(" ", "-") || "first"}`}>${name ? report.state.titles[n - 1] : "first decision"}<//>`)}
      <span class="grow"></span>
      <a class="button" download href=${`/api/reports/${id}/csv${asked}`} data-testid="report-csv">CSV</a></nav>
    <${Filter} where=${where} problem=${problem} onWhere=${(/** @type {string} */ text) => changeQuery({ where: text })} />
    ${table && html`<p class="muted" data-testid="report-says">${table.line ? `After ${report.state.titles[report.state.lines.indexOf(table.line)] ?? table.line}: ` : ""}${who}; pot ${table.pot.toLocaleString("en")} ${table.unit};${" "}
      ${table.rows.length.toLocaleString("en")} of ${table.num_flops.toLocaleString("en")} solved flops. EQR is EV as a part of equity times the pot.</p>
    <div class="report-parts">
      <div class="stack"><section class="panel main-table" aria-label="Flops"><${FlopTable} table=${table} onTag=${tag} onSort=${(/** @type {string} */ by) => changeQuery({ sort: by }, true)} /></section>
        <${Averages} table=${table} onTag=${tag} /></div>
      <${Picture} table=${table} x=${route.query.get("x") ?? ""} y=${route.query.get("y") ?? ""} />
    </div>`}
  </div>`;
}
