// Work under way: how a solve converges, what waits, what came of it.
import { html, useEffect, useState } from "/static/js/ui.js";
import { followJob, getJson, remove, sendJson } from "/static/js/api.js";
import { duration, known } from "/static/js/format.js";
import { notify } from "/static/js/notify.js";
import { Link, navigate } from "/static/js/router.js";
import { Curve } from "/static/js/components/curve.js";
import { Confirm } from "/static/js/components/dialog.js";

/** @type {Record<string, string>} */
const WORDS = { waiting: "waiting", running: "running", done: "done", stopped: "stopped", failed: "failed" };
const REFRESH_MS = 2000, IDLE_MS = 15000;

/** @param {any} error */
const say = (error) => notify(error.message, "error");
/** @param {any} job */
export const isUnderWay = (job) => job.status === "waiting" || job.status === "running";

/** Where what came of a job is looked at; empty if nothing did. @param {any} job */
export function resultPath(job) {
  if (job.kind === "report") return `/reports/${encodeURIComponent(job.wanted.report)}`; // while it runs, too
  if (!job.result) return "";
  const page = job.kind === "review" ? "review" : "study";
  return `/${page}/${encodeURIComponent(job.result)}`;
}

/** How a job stands, in a few words. @param {any} job */
export function standing(job) {
  if (job.status === "waiting") return job.position > 1 ? `waiting, ${job.position - 1} before it` : "waiting, next";
  return WORDS[job.status] ?? job.status;
}

/** How far it is, in a few words. @param {any} job */
export function progressText(job) {
  const { progress } = job, said = [];
  if (known(progress.exploitability_pct)) said.push(`${Number(progress.exploitability_pct.toPrecision(3))} % of pot`);
  else if (progress.total) said.push(`${progress.done} of ${progress.total}`);
  else if (progress.text) said.push(progress.text);
  if (job.status === "running" && known(progress.seconds_left)) said.push(`${duration(progress.seconds_left)} left`);
  return said.join(", ");
}

/** @param {{ route: import("/static/js/router.js").Route }} props */
export default function Jobs({ route }) {
  return route.id ? html`<${JobPage} key=${route.id} id=${route.id} />` : html`<${JobList} />`;
}

/** @param {{ id: string }} props */
function JobPage({ id }) {
  const [job, setJob] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  const [lost, setLost] = useState(false);
  const [follow, setFollow] = useState(0);
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    let stop = () => {}, current = true;
    getJson(`/api/jobs/${encodeURIComponent(id)}`).then((found) => {
      if (!current) return;
      setJob(found);
      if (isUnderWay(found)) stop = followJob(id, setJob, setLost);
    }, (error) => { if (current) setProblem(error.message); });
    return () => { current = false; stop(); };
  }, [id, follow]);
  if (problem) return html`<h1>Job</h1><p class="problem" role="alert">${problem} <${Link} to="/jobs">All jobs<//></p>`;
  if (!job) return html`<p class="loading">Loading…</p>`;
  const { progress, wanted } = job, path = resultPath(job);
  const halt = () => sendJson(`/api/jobs/${id}/stop`, {}).then((now) => { setJob(now); if (now.status === "running") notify("Stopping; what there is will be kept."); }, say);
  const forget = () => remove(`/api/jobs/${id}`).then(() => navigate("/jobs"), say);
  return html`<div class="row job-head"><h1 class="grow">${job.title} <span class=${`status ${job.status}`} data-testid="status" role="status">${standing(job)}</span></h1>
      <${Link} to="/jobs">All jobs<//></div>
    ${lost ? html`<p class="warning" role="alert">The server does not answer; trying again.</p>` : null}
    ${job.error ? html`<p class="problem panel" role="alert" data-testid="job-error">${job.error}</p>` : null}
    <div class="job" data-testid="job">
      <section class="panel" aria-label="Convergence">
        ${job.kind === "solve" ? html`<${Curve} points=${job.curve} target=${wanted.target_pct ?? null} />` : html`<${Bar} progress=${progress} status=${job.status} />`}
      </section>
      <section class="panel job-facts" aria-label="How it stands">
        <dl class="facts">
          ${job.kind === "solve" ? html`<div><dt>Exploitability</dt><dd data-testid="exploitability">${known(progress.exploitability_pct) ? `${Number(progress.exploitability_pct.toPrecision(3))} %` : "–"}</dd></div>
            <div><dt>Target</dt><dd>${wanted.target_pct ? `${wanted.target_pct} %` : "–"}</dd></div>
            <div><dt>Iteration</dt><dd data-testid="iteration">${progress.done.toLocaleString("en")}</dd></div>` : html`<div><dt>Done</dt><dd>${progress.done}${progress.total ? ` of ${progress.total}` : ""}</dd></div>`}
          <div><dt>Time</dt><dd>${duration(progress.seconds)}</dd></div>
          <div><dt>Time left</dt><dd data-testid="left">${job.status === "running" && known(progress.seconds_left) ? duration(progress.seconds_left) : "–"}</dd></div>
          <div><dt>Device</dt><dd>${job.device}</dd></div>
        </dl>
        <p class="muted hint">${job.status === "running" && !(job.kind === "solve" && progress.done) ? progress.text : ""}</p>
        <div class="row">
          ${isUnderWay(job) ? html`<button data-testid="stop" onClick=${halt}>${job.status === "waiting" ? "Take it off the queue" : "Stop and keep the result"}</button>` : null}
          ${path && !isUnderWay(job) ? html`<${Link} to=${path} class="button main" testid="open">${job.kind === "solve" ? "Open in study" : "Open"}<//>` : null}
          ${path && job.kind === "solve" && !isUnderWay(job) ? html`<${Link} to=${`/build?from=${encodeURIComponent(job.result)}`} class="button">Build from it<//>` : null}
          ${job.status === "running" ? null : html`<button class="danger" data-testid="delete-job" onClick=${() => setAsking(true)}>Delete</button>`}
        </div>
        ${job.can_go_on && !isUnderWay(job) ? html`<${GoOn} id=${id} wanted=${wanted} reached=${progress.exploitability_pct} onGo=${(/** @type {any} */ now) => { setJob(now); setFollow(follow + 1); }} />` : null}
        ${typeof wanted.spot === "string" ? html`<details class="spot-text"><summary>The spot</summary><pre tabindex="0">${wanted.spot}</pre></details>` : null}
      </section>
    </div>
    ${asking ? html`<${Confirm} title="Delete this job?" text="Its checkpoint goes, and it cannot go on. What it put into the library stays." yes="Delete" onYes=${forget} onClose=${() => setAsking(false)} />` : null}`;
}

/** @param {{ progress: any, status: string }} props */
function Bar({ progress, status }) {
  return html`<p>${progress.text || WORDS[status]}</p>${progress.total ? html`<progress max=${progress.total} value=${progress.done} aria-label="Progress"></progress>` : null}`;
}

/** A stricter target for a solve that has ended.
 * @param {{ id: string, wanted: any, reached: number | null, onGo: (job: any) => void }} props
 */
function GoOn({ id, wanted, reached, onGo }) {
  const [target, setTarget] = useState(String(Number(((wanted.target_pct ?? reached ?? 0.6) / 2).toPrecision(2))));
  const [seconds, setSeconds] = useState(wanted.max_seconds ? String(wanted.max_seconds) : "");
  const sound = Number(target) > 0 && (seconds === "" || Number(seconds) > 0);
  /** @param {Event} event */
  const go = (event) => {
    event.preventDefault();
    const more = { target_pct: Number(target), ...(seconds ? { max_seconds: Number(seconds) } : {}) };
    sendJson(`/api/jobs/${id}/go-on`, more).then(onGo, say);
  };
  return html`<form class="row go-on" onSubmit=${go} data-testid="go-on">
    <label>Go on to, % of pot<input value=${target} size="6" inputmode="decimal" data-testid="go-on-target" onInput=${(/** @type {any} */ e) => setTarget(e.target.value)} /></label>
    <label>At most, seconds<input value=${seconds} size="6" inputmode="decimal" placeholder="no limit" onInput=${(/** @type {any} */ e) => setSeconds(e.target.value)} /></label>
    <button class="main" disabled=${!sound} data-testid="go-on-yes">Go on</button>
  </form>`;
}

/** The jobs of this library, looked at again and again while some are under way. @returns {[any[] | null, () => void]} */
export function useJobs() {
  const [jobs, setJobs] = useState(/** @type {any[] | null} */ (null));
  const [again, setAgain] = useState(0);
  const active = jobs?.some(isUnderWay);
  useEffect(() => {
    let current = true;
    const look = () => getJson("/api/jobs").then((found) => { if (current) setJobs(found); }, () => {});
    look();
    const timer = setInterval(look, active ? REFRESH_MS : IDLE_MS);
    return () => { current = false; clearInterval(timer); };
  }, [active, again]);
  return [jobs, () => setAgain(again + 1)];
}

/** @param {{ jobs: any[], onChange: () => void }} props */
export function JobTable({ jobs, onChange }) {
  const [asking, setAsking] = useState("");
  const halt = (/** @type {string} */ id) => sendJson(`/api/jobs/${id}/stop`, {}).then(onChange, say);
  const forget = (/** @type {string} */ id) => remove(`/api/jobs/${id}`).then(onChange, say);
  return html`<div class="scroll"><table data-testid="jobs" class="job-table">
      <thead><tr><th>Job</th><th>Kind</th><th>Status</th><th>How far</th><th>Device</th><th>Since</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
      <tbody>${jobs.map((job) => html`<tr key=${job.id}>
        <td><${Link} to=${`/jobs/${job.id}`}>${job.title}<//></td><td>${job.kind}</td>
        <td><span class=${`status ${job.status}`}>${standing(job)}</span></td>
        <td class="far">${job.status === "failed" ? html`<span class="problem">${job.error}</span>` : progressText(job)}</td><td>${job.device}</td>
        <td class="since">${new Date(1000 * job.created).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}</td>
        <td class="actions"><div class="row tight end">${isUnderWay(job) ? html`<button class="small" aria-label=${`Stop ${job.title}`} onClick=${() => halt(job.id)}>Stop</button>` : null}
          ${!isUnderWay(job) && resultPath(job) ? html`<${Link} class="button small" to=${resultPath(job)} label=${`Open ${job.title}`}>Open<//>` : null}
          ${isUnderWay(job) ? null : html`<button class="small danger" aria-label=${`Delete ${job.title}`} onClick=${() => setAsking(job.id)}>Delete</button>`}</div></td>
      </tr>`)}</tbody>
    </table></div>
    ${asking ? html`<${Confirm} title="Delete this job?" text="Its checkpoint goes, and it cannot go on. What it put into the library stays." yes="Delete"
      onYes=${() => forget(asking)} onClose=${() => setAsking("")} />` : null}`;
}

function JobList() {
  const [jobs, look] = useJobs();
  if (!jobs) return html`<p class="loading">Loading…</p>`;
  return html`<div class="row"><h1 class="grow">Jobs</h1><${Link} to="/build" class="button main">Build a spot<//></div>
    <div class="panel">${jobs.length ? html`<${JobTable} jobs=${jobs} onChange=${look} />`
      : html`<p class="muted">Nothing was solved here yet.</p>`}</div>`;
}
