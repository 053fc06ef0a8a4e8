// Fix what a player does at a node: drag how often, paint hands, list the locks, solve from here.
import { html, useEffect, useRef, useState } from "/static/js/ui.js";
import { followJob, getJson, query, sendJson } from "/static/js/api.js";
import { Link } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";
import { CLASSES } from "/static/js/components/matrix.js";
import { MiniMatrix } from "/static/js/components/mini-matrix.js";
import { ExploitPanel } from "/static/js/components/exploit-panel.js";
import { combos } from "/static/js/format.js";

/** @typedef {{ number: number, line: string, text: string }} Lock */

/** @type {[string, string, string][]} */
const WAYS = [
  ["range", "The range, by its hands", "The hands nearest to an action take it first, until the whole range plays this often."],
  ["alike", "Every hand alike", "Every hand plays this mix, the best ones too."],
  ["hands", "These hands", "The hands below play this mix; the others are solved."],
];

/** Whole per cents that sum to 100. @param {number[]} parts */
export function hundred(parts) {
  const total = parts.reduce((sum, part) => sum + part, 0) || 1;
  const exact = parts.map((part) => (100 * part) / total), whole = exact.map(Math.floor);
  const order = exact.map((value, n) => [value - (whole[n] ?? 0), n]).sort((a, b) => (b[0] ?? 0) - (a[0] ?? 0));
  let left = 100 - whole.reduce((sum, part) => sum + part, 0);
  for (const [, n] of order) if (left-- > 0) whole[n ?? 0] = (whole[n ?? 0] ?? 0) + 1;
  return whole;
}

/** One share changed; the others keep their odds. @param {number[]} shares @param {number} which @param {number} to */
export function withShare(shares, which, to) {
  const value = Math.max(0, Math.min(100, Math.round(to) || 0)), others = shares.filter((_, n) => n !== which);
  const sum = others.reduce((total, share) => total + share, 0);
  const exact = others.map((share) => (sum ? share / sum : 1 / others.length));
  const scaled = hundred(exact).map((share) => (share * (100 - value)) / 100), whole = scaled.map(Math.floor);
  let left = 100 - value - whole.reduce((total, share) => total + share, 0);
  for (let n = 0; left > 0 && whole.length; n = (n + 1) % whole.length, left--) whole[n] = (whole[n] ?? 0) + 1;
  whole.splice(which, 0, value);
  return whole;
}

/** The lock as it is typed. @param {string} line @param {string} way @param {string} hands @param {string[]} actions @param {number[]} shares */
export function lockText(line, way, hands, actions, shares) {
  const mix = actions.map((action, n) => `${action}:${shares[n]}%`).join(",");
  return `${line}${way === "hands" ? ` with ${hands}` : ""}=${mix}${way === "range" ? " of range" : ""}`.trim();
}

/** @param {{ actions: any[], shares: number[], onShares: (shares: number[]) => void }} props */
function Sliders({ actions, shares, onShares }) {
  return html`<div class="sliders" data-testid="lock-sliders">${actions.map((action, n) => {
    const change = (/** @type {any} */ e) => onShares(withShare(shares, n, Number(e.target.value)));
    return html`<div class="slider" key=${action.action}><span><i class="dot" style=${{ background: action.color }}></i>${action.words}</span>
      <input type="range" min="0" max="100" step="1" value=${shares[n]} aria-label=${`${action.words}, per cent`} onInput=${change} />
      <input type="number" min="0" max="100" value=${shares[n]} aria-label=${`${action.words} in per cent`} data-testid=${`lock-share-${action.action}`} onChange=${change} /></div>`;
  })}</div>`;
}

/** Classes to paint, and the same as text. @param {{ text: string, onText: (text: string) => void, parts: any }} props */
function HandPainter({ text, onText, parts }) {
  const named = text.split(/[\s,]+/).filter(Boolean);
  const cells = Object.fromEntries(CLASSES.map((name, n) => /** @type {[string, any]} */ ([name, { facts: `${combos(100 * (parts?.data[n] ?? 0))} % of it is here` }]))
    .filter((_, n) => (parts?.data[n] ?? 0) > 0));
  const paint = (/** @type {string} */ name, /** @type {boolean} */ on) => {
    const others = named.filter((one) => one !== name);
    onText((on ? [...others, name] : others).join(","));
  };
  return html`<label>Hands, as a range <input value=${text} placeholder="AA,AKs,AhQd" data-testid="lock-hands" onInput=${(/** @type {any} */ e) => onText(e.target.value)} /></label>
    <div class="paint"><${MiniMatrix} cells=${cells} chosen=${new Set(named)} label="Hands to lock; click or drag" testid="lock-matrix" small onPaint=${paint} /></div>`;
}

/** A solve that was started here. @param {{ job: any, id: string, line: string }} props */
function Solving({ job, id, line }) {
  const own = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => own.current?.scrollIntoView({ block: "nearest" }), [job.id, job.status]);
  const stop = () => sendJson(`/api/jobs/${job.id}/stop`, {}).catch((e) => notify(e.message, "error"));
  if (job.status === "waiting" || job.status === "running") {
    const pct = job.progress.exploitability_pct;
    return html`<p ref=${own} role="status" data-testid="lock-progress">${job.status === "waiting" ? "Waiting for other work" : job.progress.text}${pct ? `, ${pct.toPrecision(2)} % of the pot` : ""}
      ${" "}<button onClick=${stop}>Stop</button></p>`;
  }
  if (job.status === "failed") return html`<p ref=${own} class="problem" role="alert">${job.error}</p>`;
  return html`<p ref=${own} role="status" data-testid="lock-solved">Solved: <${Link} to=${`/study/${encodeURIComponent(job.result)}${query({ line })}`} testid="lock-study">study it<//>
    ${" or "}<${Link} to=${`/compare${query({ a: id, b: job.result, line })}`} testid="lock-compare">EV before and after, by hand<//></p>`;
}

/** Locks of a solved spot at a node.
 * @param {{ head: any, arrays: Record<string, import("/static/js/api.js").Table>, id: string, line: string,
 *   onSolved?: (id: string) => void }} props
 */
export function LockPanel({ head, arrays, id, line, onSolved }) {
  const acts = head.actor !== null && head.board;
  const now = () => hundred(head.actions.map((/** @type {any} */ action) => action.share ?? 0));
  const [way, setWay] = useState("range");
  const [shares, setShares] = useState(/** @type {number[]} */ (now()));
  const [hands, setHands] = useState("");
  const [held, setHeld] = useState(/** @type {Lock[]} */ ([]));
  const [dropped, setDropped] = useState(/** @type {number[]} */ ([]));
  const [added, setAdded] = useState(/** @type {string[]} */ ([]));
  const [job, setJob] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  const [looks, setLooks] = useState(false);
  const base = `/api/solutions/${encodeURIComponent(id)}`;
  useEffect(() => { setShares(now()); setHands(""); }, [id, line]);
  useEffect(() => {
    setAdded([]);
    setDropped([]);
    setJob(null);
    if (head.board) getJson(`${base}/locks`).then(setHeld, (error) => setProblem(error.message));
  }, [id]);
  useEffect(() => {
    if (!job || (job.status !== "waiting" && job.status !== "running")) return;
    return followJob(job.id, (told) => { setJob(told); if (told.status === "done" && told.result) onSolved?.(told.result); });
  }, [job?.id]);
  if (!head.board) return html`<p class="muted">Lock a spot after the flop: take these ranges to a flop and solve it.</p>`;
  const text = acts ? lockText(head.line, way, hands.trim(), head.actions.map((/** @type {any} */ one) => one.action), shares) : "";
  const place = (/** @type {string} */ lock) => lock.split("=")[0];
  const add = async () => {
    setProblem("");
    const next = [...added.filter((one) => place(one) !== place(text)), text];
    try {
      await sendJson(`${base}/locked`, { keep: kept(), locks: next });
      setAdded(next);
    } catch (error) { setProblem(/** @type {Error} */ (error).message); }
  };
  const kept = () => held.map((lock) => lock.number).filter((number) => !dropped.includes(number));
  const solve = async () => {
    setProblem("");
    try {
      const made = await sendJson(`${base}/locked`, { keep: kept(), locks: added });
      setJob(await sendJson("/api/jobs/solve", { ...made, tags: ["locked"] }));
    } catch (error) { setProblem(/** @type {Error} */ (error).message); }
  };
  const changed = added.length > 0 || dropped.length > 0;
  const at = (/** @type {string} */ where) => where || "the first decision";
  return html`<section class="lock-panel" data-testid="lock-panel" aria-label="Lock">
    ${acts ? html`<p><strong>${head.players[head.actor].name}</strong> at <span class="mono">${at(head.line)}</span></p>
      <fieldset><legend>What is fixed</legend>${WAYS.map(([name, title]) => html`<label class="inline" key=${name}><input type="radio" name="lock-way" checked=${way === name}
        data-testid=${`lock-way-${name}`} onChange=${() => setWay(name)} />${title}</label>`)}</fieldset>
      <p class="muted">${WAYS.find(([name]) => name === way)?.[2]}</p>
      ${head.filter && html`<p class="muted">A filter is on: “as it is played” is that of the picked hands; a lock is of the whole range.</p>`}
      <${Sliders} actions=${head.actions} shares=${shares} onShares=${setShares} />
      ${way === "hands" && html`<${HandPainter} text=${hands} onText=${setHands} parts=${arrays[`${head.actor}.part`]} />`}
      <div class="row"><button onClick=${add} disabled=${way === "hands" && !hands.trim()} data-testid="lock-add">Add lock</button>
        <button class="plain" onClick=${() => setShares(now())}>As it is played</button></div>`
      : html`<p class="muted">Nobody acts here; go to a decision to lock it.</p>`}
    ${(held.length > 0 || added.length > 0) && html`<ul class="lock-list" data-testid="lock-list" aria-label="Locks">
      ${held.filter((lock) => !dropped.includes(lock.number)).map((lock) => html`<li key=${lock.number}><span><span class="mono">${at(lock.line)}</span>: ${lock.text}</span>
        <button class="plain" aria-label=${`Remove the lock at ${at(lock.line)}`} onClick=${() => setDropped([...dropped, lock.number])}>×</button></li>`)}
      ${added.map((one) => html`<li key=${one} class="new"><span class="mono">${one}</span>
        <button class="plain" aria-label=${`Remove ${one}`} onClick=${() => setAdded(added.filter((other) => other !== one))}>×</button></li>`)}</ul>`}
    ${problem && html`<p class="problem" role="alert" data-testid="lock-problem">${problem}</p>`}
    <div class="row"><button class="main" disabled=${!changed || job?.status === "running" || job?.status === "waiting"} onClick=${solve} data-testid="lock-solve">Solve from here</button>
      ${added.length > 0 && html`<button aria-expanded=${looks ? "true" : "false"} onClick=${() => setLooks(!looks)} data-testid="lock-exploit">Best answer without solving</button>`}</div>
    ${job && html`<${Solving} job=${job} id=${id} line=${head.line} />`}
    ${looks && added.length > 0 && html`<${ExploitPanel} id=${id} head=${head} locks=${added} atOnce />`}
  </section>`;
}
