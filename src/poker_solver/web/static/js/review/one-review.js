// One review: how far it is, what was lost where, the worst hands first, a hand with its decisions.
import { html, useEffect, useState } from "/static/js/ui.js";
import { followJob, getJson, remove, sendJson } from "/static/js/api.js";
import { duration, known, money, percent } from "/static/js/format.js";
import { Cards } from "/static/js/components/cards.js";
import { MixTable } from "/static/js/components/mix.js";
import { changeQuery, Link, navigate } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";

/**
 * @typedef {{ action: string, words: string, color: string, share: number, ev_bb: number | null }} Said
 * @typedef {{ street: string, line: string, board: string, pot_bb: number, played: string, words: string, nearest: string,
 *   best: string, frequency: number, lost_bb: number | null, why: string, source: string, notes: string[], actions: Said[],
 *   solution: string, solution_line: string }} Decision
 * @typedef {{ number: number, hand_id: string, name: string, seat: string, cards: string, opponent: string, board: string,
 *   stack_bb: number, line: string, won_bb: number | null, lost_bb: number, num_decisions: number, num_known: number,
 *   worst: string, problem: string }} Row
 * @typedef {Row & { notes: string[], decisions: Decision[] }} Hand
 * @typedef {{ num_decisions: number, num_known: number, lost_bb: number }} Street
 * @typedef {{ id: string, job: any, num_asked: number, num_done: number, lost_bb: number, lost_bb_per_100: number | null,
 *   streets: Record<string, Street>, skipped: Record<string, number>, hands: Row[] }} Review
 */

const PAGE = 100;
const LOOK_MS = 5000;
/** @type {Record<string, string>} */
const SOURCES = { stored: "looked up", search: "searched", solved: "solved", none: "not in the strategy" };

/** @param {any} job */
function isBusy(job) {
  return job !== null && (job.status === "waiting" || job.status === "running");
}

/** @param {{ job: any, stop: () => void }} props */
function Progress({ job, stop }) {
  const { done, total, text, seconds_left } = job.progress;
  return html`<section class="panel progress-panel" aria-label="Progress" data-testid="progress">
    <div class="row"><progress aria-label="Hands reviewed" value=${total ? done : undefined} max=${total ?? 1}></progress>
      <span role="status">${job.status === "waiting" ? "waiting for the work before it" : text}${known(seconds_left) ? `, about ${duration(seconds_left)} left` : ""}</span>
      <button onClick=${stop} data-testid="stop">Stop</button></div></section>`;
}

/** @param {{ review: Review }} props */
function Totals({ review }) {
  const skipped = Object.entries(review.skipped);
  const left = skipped.reduce((sum, [, n]) => sum + n, 0);
  return html`<section class="panel" aria-label="Totals" data-testid="totals">
    <p class="large"><strong class="mono" data-testid="per-100">${known(review.lost_bb_per_100) ? review.lost_bb_per_100.toFixed(1) : "–"}</strong> bb lost per 100 hands:
      ${" "}${money(review.lost_bb, "bb")} in ${review.num_done.toLocaleString("en")} ${review.num_done === 1 ? "hand" : "hands"}
      ${review.num_done < review.num_asked ? ` of ${review.num_asked.toLocaleString("en")}` : ""}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="By street"><table><thead><tr><th scope="col">Street</th><th scope="col" class="number">Decisions</th>
      <th scope="col" class="number">with known EVs</th><th scope="col" class="number">EV lost</th></tr></thead>
      <tbody>${Object.entries(review.streets).map(([name, one]) => html`<tr key=${name}><th scope="row">${name}</th>
        <td class="number">${one.num_decisions}</td><td class="number">${one.num_known}</td><td class="number mono">${one.num_known ? money(one.lost_bb, "bb") : "not known"}</td></tr>`)}</tbody></table></div>
    ${skipped.length ? html`<details data-testid="skipped"><summary>${left === 1 ? "1 hand was left out" : `${left} hands were left out`}</summary>
      <ul>${skipped.map(([why, n]) => html`<li key=${why}>${n} × ${why}</li>`)}</ul></details>` : null}</section>`;
}

/** @param {{ one: Decision }} props */
function OneDecision({ one }) {
  const choices = one.actions.map(({ ev_bb, ...rest }) => ({ ...rest, ev: ev_bb }));
  return html`<li class="review-decision" data-testid="decision">
    <p><strong>${one.street}</strong> ${one.board ? html`<${Cards} cards=${one.board} />` : null} <span class="muted">pot ${money(one.pot_bb, "bb")}</span>
      ${" "}· you: <strong>${one.words}</strong> · <span class=${known(one.lost_bb) && one.lost_bb > 0 ? "problem" : ""}>${known(one.lost_bb) ? `${money(one.lost_bb, "bb")} lost` : `loss not known: ${one.why}`}</span></p>
    <${MixTable} choices=${choices} unit="bb" played=${one.nearest} best=${known(one.lost_bb) ? one.best : ""} label=${`What to play on the ${one.street}`} />
    <p class="muted">${[SOURCES[one.source] ?? one.source, ...one.notes].join(" · ")}
      ${one.solution ? html` · <${Link} to=${`/study/${encodeURIComponent(one.solution)}?line=${encodeURIComponent(one.solution_line)}`} testid="study-link">study this line<//>` : null}</p>
  </li>`;
}

/** @param {{ review: string, number: number }} props */
function OneHand({ review, number }) {
  const [hand, setHand] = useState(/** @type {Hand | null} */ (null));
  useEffect(() => {
    getJson(`/api/reviews/${review}/hands/${number}`).then(setHand, (error) => notify(error.message, "error"));
  }, [review, number]);
  if (!hand) return html`<p class="loading">Loading…</p>`;
  return html`<div class="review-hand" data-testid="hand">
    <p><span class="muted">Hand ${hand.hand_id}, ${hand.stack_bb} bb:</span> <span class="mono">${hand.line}</span></p>
    ${hand.notes.length ? html`<p class="muted">${hand.notes.join(" · ")}</p>` : null}
    ${hand.problem ? html`<p class="problem">${hand.problem}</p>` : null}
    <ol>${hand.decisions.map((one, n) => html`<${OneDecision} key=${n} one=${one} />`)}</ol></div>`;
}

/** @param {{ review: Review, open: number | null, more: () => void }} props */
function Hands({ review, open, more }) {
  const rows = review.hands.flatMap((one) => {
    const isOpen = open === one.number;
    const row = html`<tr key=${one.number} class=${isOpen ? "open" : ""}>
      <td><button class="plain" aria-expanded=${isOpen} data-testid="open-hand" aria-label=${`Hand ${one.hand_id}`}
        onClick=${() => changeQuery({ hand: isOpen ? null : String(one.number) })}>${isOpen ? "▾" : "▸"}</button></td>
      <td class="number mono">${one.num_known ? money(one.lost_bb, "bb") : one.num_decisions ? "not known" : "–"}</td><td>${one.problem ? html`<span class="problem">${one.problem}</span>` : one.worst || "–"}</td>
      <td>${one.seat} <${Cards} cards=${one.cards} /></td><td><${Cards} cards=${one.board} /></td><td class="number">${one.stack_bb} bb</td>
      <td class="number mono">${money(one.won_bb, "bb")}</td><td class="number">${one.num_known}/${one.num_decisions}</td></tr>`;
    if (!isOpen) return [row];
    return [row, html`<tr key=${`open ${one.number}`}><td colspan="8"><${OneHand} review=${review.id} number=${one.number} /></td></tr>`];
  });
  return html`<section class="panel" aria-label="Hands"><h2>Hands, the worst first</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Hands"><table data-testid="hands"><thead><tr><th scope="col"><span class="visually-hidden">Open</span></th><th scope="col" class="number">EV lost</th>
      <th scope="col">Worst decision</th><th scope="col">Hand</th><th scope="col">Board</th><th scope="col" class="number">Stack</th>
      <th scope="col" class="number">Won</th><th scope="col" class="number">Known</th></tr></thead><tbody>${rows}</tbody></table></div>
    ${review.hands.length < review.num_done ? html`<button onClick=${more} data-testid="more">More hands</button>` : null}</section>`;
}

/** @param {{ id: string, route: import("/static/js/router.js").Route }} props */
export function OneReview({ id, route }) {
  const [review, setReview] = useState(/** @type {Review | null} */ (null));
  const [count, setCount] = useState(PAGE);
  const [problem, setProblem] = useState("");
  const path = `/api/reviews/${encodeURIComponent(id)}`;
  const read = () => getJson(`${path}?limit=${Math.min(count, 1000)}`).then(setReview, (error) => setProblem(error.message));
  useEffect(() => { void read(); }, [path, count]);
  const job = review?.job ?? null;
  const busy = isBusy(job);
  useEffect(() => {
    if (!busy) return undefined;
    let looked = Date.now();
    const stop = followJob(job.id, (told) => {
      setReview((before) => before && { ...before, job: told });
      if (!isBusy(told) || Date.now() - looked > LOOK_MS) { looked = Date.now(); void read(); }
    });
    return stop;
  }, [busy, job?.id]);
  if (problem) return html`<p class="problem" role="alert">${problem} <${Link} to="/review">To the reviews<//></p>`;
  if (!review) return html`<p class="loading">Loading…</p>`;
  const hand = route.query.get("hand");
  const drop = async () => {
    try { await remove(path); navigate("/review"); } catch (error) { notify(/** @type {Error} */ (error).message, "error"); }
  };
  const stop = () => sendJson(`/api/jobs/${job.id}/stop`, {}).catch((/** @type {Error} */ error) => notify(error.message, "error"));
  return html`<div class="row"><h1 class="grow">${job?.title ?? "Review"}</h1>
      <${Link} to="/review" class="button">Another<//> <button class="danger" disabled=${busy} onClick=${drop} data-testid="delete">Delete</button></div>
    <div class="review-parts">
      ${busy ? html`<${Progress} job=${job} stop=${stop} />` : null}
      ${job?.status === "failed" ? html`<p class="problem" role="alert">${job.error}</p>` : null}
      ${review.num_done || !busy ? html`<${Totals} review=${review} />` : null}
      ${review.hands.length ? html`<${Hands} review=${review} open=${hand === null ? null : Number(hand)} more=${() => setCount(count + PAGE)} />` : null}
    </div>`;
}
