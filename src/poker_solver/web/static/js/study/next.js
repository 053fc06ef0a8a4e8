// A flop or turn of a game that has to be solved before it is looked at: how long, how far, and then the node itself.
import { html, useEffect, useRef, useState } from "/static/js/ui.js";
import { followJob, getJson, query, sendJson } from "/static/js/api.js";
import { duration, known, size } from "/static/js/format.js";
import { changeQuery, Link, navigate } from "/static/js/router.js";
import { Cards } from "/static/js/components/cards.js";
import { Curve } from "/static/js/components/curve.js";
import { address } from "/static/js/study/node.js";

/** @typedef {import("/static/js/study/node.js").Head} Head */
/** @typedef {{ line: string, cards: string, is_ready: boolean, hands: [number, number] | null, num_bytes: number, fits: boolean, threads: number,
 *   goals: { target_pct: number, seconds: number }[], target_pct: number, job: any }} Found */

/** @param {any} job */
const isUnderWay = (job) => job.status === "waiting" || job.status === "running";

/** Cards that were picked at the end of a line of a game. `auto` begins at once.
 * @param {{ head: Head, cards: string, auto: boolean }} props
 */
export function Next({ head, cards, auto }) {
  const path = `/api/solutions/${encodeURIComponent(head.solution)}/next`, line = head.history.join(" ");
  const [found, setFound] = useState(/** @type {Found | null} */ (null));
  const [job, setJob] = useState(/** @type {any} */ (null));
  const [target, setTarget] = useState("");
  const [problem, setProblem] = useState("");
  const [lost, setLost] = useState(false);
  const begun = useRef(false);
  const open = () => {
    changeQuery({ next: null }, true); // so that back leads to the line, and not to what was waited for
    navigate(address(head.solution, [...head.history, cards], new URLSearchParams(location.search)));
  };
  const say = (/** @type {Error} */ error) => { if (error.name !== "AbortError") setProblem(error.message); };
  const begin = (/** @type {number} */ goal) => {
    setProblem("");
    sendJson(path, { line, cards, target_pct: goal }).then(setJob, say);
  };
  useEffect(() => {
    const stop = new AbortController();
    setFound(null);
    setJob(null);
    setProblem("");
    begun.current = false;
    getJson(`${path}${query({ line, cards })}`, stop.signal).then((/** @type {Found} */ told) => {
      if (told.is_ready) { open(); return; }
      setFound(told);
      setTarget(String(told.target_pct));
      setJob(told.job);
      if (auto && !told.job && told.fits && !begun.current) { begun.current = true; begin(told.target_pct); }
    }, say);
    return () => stop.abort();
  }, [path, line, cards]);
  const id = job && isUnderWay(job) ? job.id : "";
  useEffect(() => (id ? followJob(id, setJob, setLost) : undefined), [id]);
  useEffect(() => { if (job?.result && !isUnderWay(job) && job.status !== "failed") open(); }, [job?.status]);
  if (problem) return html`<p class="problem" role="alert" data-testid="next-problem">${problem}</p>`;
  if (!found) return html`<p class="muted small">Looking…</p>`;
  if (job && isUnderWay(job)) return html`<${Running} job=${job} lost=${lost} onJob=${setJob} onProblem=${setProblem} />`;
  const goal = found.goals.find((one) => String(one.target_pct) === target);
  return html`<div class="next" data-testid="next">
    ${job?.error ? html`<p class="problem" role="alert">${job.error}</p>` : null}
    <p><${Cards} cards=${cards} /> is not solved yet. ${goal ? html`It takes <b data-testid="next-seconds">about ${duration(goal.seconds)}</b> on ${found.threads} ${found.threads === 1 ? "core" : "cores"}, ${size(found.num_bytes)} of memory.` : null}</p>
    ${found.fits ? null : html`<p class="problem">This machine has not so much memory free now.</p>`}
    <div class="row">
      <label class="inline">How exact <select value=${target} data-testid="next-target" onChange=${(/** @type {any} */ e) => setTarget(e.target.value)}>
        ${found.goals.map((one) => html`<option key=${one.target_pct} value=${String(one.target_pct)}>${one.target_pct} % of the pot, about ${duration(one.seconds)}</option>`)}
      </select></label>
      <button class="main" data-testid="next-solve" onClick=${() => begin(Number(target))}>Solve it</button>
    </div>
    <p class="muted small">${found.hands?.map((count) => count.toLocaleString("en")).join(" and ")} hands come here, the rarest thousandth of each range left out. It is kept in the library, and found again for these cards in any suits.</p>
  </div>`;
}

/** @param {{ job: any, lost: boolean, onJob: (job: any) => void, onProblem: (text: string) => void }} props */
function Running({ job, lost, onJob, onProblem }) {
  const { progress } = job;
  const halt = () => sendJson(`/api/jobs/${job.id}/stop`, {}).then(onJob, (error) => onProblem(error.message));
  const far = known(progress.exploitability_pct) ? `${Number(progress.exploitability_pct.toPrecision(3))} % of the pot` : progress.text || "starting";
  return html`<div class="next" data-testid="next-running">
    ${lost ? html`<p class="warning" role="alert">The server does not answer; trying again.</p>` : null}
    <p role="status">${job.status === "waiting" ? `Waiting: ${Math.max(0, job.position - 1)} before it` : html`Solving: <b>${far}</b>${known(progress.seconds_left) ? `, ${duration(progress.seconds_left)} left` : ""}`}</p>
    ${job.curve.length > 1 ? html`<${Curve} points=${job.curve} target=${job.wanted.target_pct} height=${190} />` : html`<progress aria-label="Solving"></progress>`}
    <div class="row"><button data-testid="next-stop" onClick=${halt}>${job.status === "waiting" ? "Take it off the queue" : "Stop and show what there is"}</button>
      <${Link} to=${`/jobs/${job.id}`}>Its job<//></div>
  </div>`;
}
