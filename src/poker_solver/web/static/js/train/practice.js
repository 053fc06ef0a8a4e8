// One practice: the hand, the answer, the grade, the score, the mistakes.
import { html, useCallback, useEffect, useLayoutEffect, useRef, useState } from "/static/js/ui.js";
import { getJson, remove, sendJson } from "/static/js/api.js";
import { known, money, percent } from "/static/js/format.js";
import { Cards } from "/static/js/components/cards.js";
import { MixTable } from "/static/js/components/mix.js";
import { Link } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";

/**
 * @typedef {import("/static/js/components/mix.js").Choice} Choice
 * @typedef {{ player: string, token: string, words: string, board: string }} Move
 * @typedef {{ line: string, board: string, combo: string, player: string, pot: number, unit: string, behind: number[],
 *   moves: Move[], choices: Choice[], is_repeat: boolean, warning: string }} Question
 * @typedef {{ played: string, best: string, verdict: string, frequency: number, lost: number | null,
 *   lost_pct: number | null, why: string }} Grade
 * @typedef {{ line: string, board: string, kind: string, opponent: string, moves: Move[], is_cut: boolean }} End
 * @typedef {{ num_decisions: number, num_known: number, num_right: number, num_off: number, accuracy: number | null,
 *   lost_bb: number | null, lost_pct: number | null }} Score
 * @typedef {{ number: number, solution: string, line: string, combo: string, played_words: string,
 *   best_words: string, lost_bb: number | null, lost_pct: number | null }} Mistake
 * @typedef {{ id: string, solution: string, title: string, num_hands: number, question: Question, grade: Grade | null,
 *   ended: End | null, scores: Record<string, Score>, all_scores: Record<string, Score>, mistakes: Mistake[] }} Practice
 */

/** @type {Record<string, string>} */
const VERDICTS = {
  right: "Right", mistake: "A mistake", blunder: "A blunder", off: "Not what the solution plays", unknown: "Its EV is not known",
};
/** @type {Record<string, string>} */
const ENDS = { fold: "A fold ends it.", showdown: "Hands are shown.", "all-in": "All-in.", flop: "A flop would fall.", deal: "A card would fall." };

/** @param {{ moves: Move[] }} props */
function Moves({ moves }) {
  if (!moves.length) return null;
  return html`<ol class="moves" aria-label="What happened">${moves.map((move, n) => html`<li key=${n}>
    ${move.player ? html`<strong>${move.player}</strong> ${move.words}` : html`<${Cards} cards=${move.token} />`}</li>`)}</ol>`;
}

/** @param {{ question: Question, grade: Grade | null, busy: boolean, answer: (action: string) => void }} props */
function Ask({ question, grade, busy, answer }) {
  const { unit } = question;
  return html`<section class="panel ask" aria-label="Your decision" data-testid="question">
    ${question.is_repeat ? html`<p><span class="tag">again</span> You have been wrong here before.</p>` : null}
    ${question.warning ? html`<p class="warning">${question.warning}</p>` : null}
    <div class="felt">
      <p class="board" data-testid="board">${question.board ? html`<${Cards} cards=${question.board} />` : html`<span class="muted">before the flop</span>`}</p>
      <p class="muted">Pot <strong class="mono">${money(question.pot, unit)}</strong> · behind
        <span class="mono"> ${money(question.behind[0], unit)}</span>, opponent <span class="mono">${money(question.behind[1], unit)}</span></p>
      <p class="hole" data-testid="hole"><span>${question.player}</span> <${Cards} cards=${question.combo} /></p>
    </div>
    <${Moves} moves=${question.moves} />
    <div class="choices" role="group" aria-label="Actions">${question.choices.map((one, n) => html`
      <button key=${one.action} data-testid=${`act-${one.action}`} disabled=${busy || grade !== null} onClick=${() => answer(one.action)}
        class=${grade?.played === one.action ? "chosen" : ""}><span class="dot" style=${{ background: one.color }}></span>
        ${one.words} <kbd>${n + 1}</kbd></button>`)}</div>
  </section>`;
}

/** @param {{ practice: Practice, grade: Grade, next: () => void, busy: boolean }} props */
function Graded({ practice, grade, next, busy }) {
  const { question, ended } = practice;
  const lost = known(grade.lost)
    ? `${money(grade.lost, question.unit)}${question.unit === "bb" ? "" : " chips"} lost, ${(grade.lost_pct ?? 0).toFixed(1)} % of the pot`
    : grade.why;
  const study = `/study/${encodeURIComponent(practice.solution)}?line=${encodeURIComponent(question.line)}`;
  return html`<section class="panel graded" aria-label="The grade" data-testid="grade">
    <div role="status"><h2 class=${`verdict ${grade.verdict}`} data-testid="verdict">${VERDICTS[grade.verdict] ?? grade.verdict}</h2>
      <p data-testid="lost">${lost}. The solution does so ${percent(grade.frequency)} of the time.</p></div>
    <${MixTable} choices=${question.choices} unit=${question.unit} played=${grade.played} best=${grade.best} label="What the solution plays" />
    ${ended ? html`<div class="ended" data-testid="ended"><${Moves} moves=${ended.moves} />
      <p>${ENDS[ended.kind] ?? ""} The opponent held <${Cards} cards=${ended.opponent} />
        ${ended.board ? html` on <${Cards} cards=${ended.board} />` : null}${ended.is_cut ? "; what follows is not played here." : "."}</p></div>` : null}
    <div class="row"><button class="main" data-testid="next" disabled=${busy} onClick=${next}>
      ${ended ? "Next hand" : "Go on"} <kbd>Enter</kbd></button>
      <${Link} to=${study} testid="study-link">Study this node<//></div>
  </section>`;
}

/** @param {{ scores: Record<string, Score>, all: Record<string, Score>, numHands: number }} props  `all` are those of every practice on the solution */
function Scores({ scores, all, numHands }) {
  const has = (/** @type {Record<string, Score>} */ of) => Object.values(of).some((one) => one.num_decisions > 0);
  return html`<section class="panel" aria-label="Score"><h2>Score, ${numHands} ${numHands === 1 ? "hand" : "hands"}</h2>
    ${has(scores) ? html`<${ScoreTable} scores=${scores} label="Score by street" testid="scores" />` : html`<p class="muted">No decision yet.</p>`}
    ${(all.all?.num_decisions ?? 0) > (scores.all?.num_decisions ?? 0) ? html`<h3>All your practice on this solution</h3><${ScoreTable} scores=${all} label="All practice by street" testid="all-scores" />` : null}
    <p class="muted">Right is what loses less than 1 % of the pot, or what the solution often does itself.</p></section>`;
}

/** @param {{ scores: Record<string, Score>, label: string, testid: string }} props */
function ScoreTable({ scores, label, testid }) {
  const rows = Object.entries(scores).filter(([, one]) => one.num_decisions > 0);
  const hasBb = rows.some(([, one]) => one.lost_bb !== null);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table data-testid=${testid}>
      <thead><tr><th scope="col"></th><th scope="col" class="number">Decisions</th><th scope="col" class="number">Right</th>
        <th scope="col" class="number">EV lost each</th></tr></thead>
      <tbody>${rows.map(([name, one]) => html`<tr key=${name}><th scope="row">${name}</th><td class="number">${one.num_decisions}</td>
        <td class="number">${percent(one.accuracy, 0)}</td>
        <td class="number mono">${hasBb ? money(one.lost_bb, "bb") : known(one.lost_pct) ? `${one.lost_pct.toFixed(2)} % of pot` : "–"}</td></tr>`)}</tbody>
    </table></div>`;
}

/** @param {{ mistakes: Mistake[], repeat: (number: number) => void, forget: () => void, busy: boolean }} props */
function Mistakes({ mistakes, repeat, forget, busy }) {
  return html`<section class="panel" aria-label="Mistakes"><h2>Mistakes to repeat</h2>
    ${mistakes.length === 0 ? html`<p class="muted">None. Mistakes are kept, and come again after a few hands until you were right twice.</p>` : html`
    <ul class="mistakes" data-testid="mistakes">${mistakes.slice(0, 50).map((one) => html`<li key=${`${one.number}${one.combo}${one.line}`}>
      <${Cards} cards=${one.combo} /> <span class="mono">${one.line || "first decision"}</span>
      <span class="muted">${one.played_words}, not ${one.best_words}: ${known(one.lost_bb) ? money(one.lost_bb, "bb") : known(one.lost_pct) ? `${one.lost_pct.toFixed(1)} % of pot` : "the solution never does so"}</span>
      <button class="plain" data-testid="repeat" disabled=${busy} onClick=${() => repeat(one.number)}>Repeat</button></li>`)}</ul>
    <button class="plain danger" onClick=${forget}>Forget mistakes and statistics of this solution</button>`}</section>`;
}

/** @param {{ id: string, lost: (why: string) => void }} props */
export function OnePractice({ id, lost }) {
  const [practice, setPractice] = useState(/** @type {Practice | null} */ (null));
  const [busy, setBusy] = useState(false);
  const working = useRef(false);
  const path = `/api/training/${encodeURIComponent(id)}`;
  useEffect(() => {
    getJson(path).then(setPractice, (error) => lost(error.message));
  }, [path]);
  const change = useCallback(async (/** @type {string} */ what, /** @type {unknown} */ body) => {
    if (working.current) return;
    working.current = true;
    setBusy(true);
    try {
      setPractice(await sendJson(`${path}/${what}`, body));
    } catch (error) {
      notify(/** @type {Error} */ (error).message, "error");
    } finally {
      working.current = false;
      setBusy(false);
    }
  }, [path]);
  const answer = (/** @type {string} */ action) => change("answer", { action });
  const next = () => change("next", {});
  useLayoutEffect(() => {
    if (!practice) return undefined;
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const at = /** @type {HTMLElement} */ (event.target);
      if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) return;
      const one = practice.question.choices[Number(event.key) - 1];
      if (!practice.grade && one) { event.preventDefault(); answer(one.action); }
      if (practice.grade && event.key === "Enter" && !/^(BUTTON|A)$/.test(at.tagName)) { event.preventDefault(); next(); }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [practice]);
  if (!practice) return html`<p class="loading">Loading…</p>`;
  const forget = async () => {
    try {
      await remove(`/api/training/mistakes?solution=${encodeURIComponent(practice.solution)}`);
      setPractice(await getJson(path));
    } catch (error) { notify(/** @type {Error} */ (error).message, "error"); }
  };
  return html`<div class="practice" data-testid="practice">
    <div class="play"><${Ask} question=${practice.question} grade=${practice.grade} busy=${busy} answer=${answer} />
      ${practice.grade ? html`<${Graded} practice=${practice} grade=${practice.grade} next=${next} busy=${busy} />` : null}</div>
    <div class="aside"><${Scores} scores=${practice.scores} all=${practice.all_scores} numHands=${practice.num_hands} />
      <${Mistakes} mistakes=${practice.mistakes} repeat=${(/** @type {number} */ number) => change("repeat", { number })} forget=${forget} busy=${busy} /></div>
  </div>`;
}
