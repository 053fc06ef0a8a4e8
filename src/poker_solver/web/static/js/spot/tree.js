// What a spot will take, and what can be played in it, before anything is solved.
import { html, useEffect, useState } from "/static/js/ui.js";
import { sendJson } from "/static/js/api.js";
import { duration, size } from "/static/js/format.js";

const WAIT_MS = 300;

/** The tree of a sound spot, asked for a while after it was typed.
 * @param {string} yaml @param {number} target @param {number | null} depth
 * @returns {{ tree: any, problems: import("/static/js/spot/draft.js").Problem[], busy: boolean }}
 */
export function useTree(yaml, target, depth) {
  const [tree, setTree] = useState(/** @type {any} */ (null));
  const [problems, setProblems] = useState(/** @type {any[]} */ ([]));
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setProblems([]);
    if (!yaml) return;
    const stop = new AbortController();
    setBusy(true);
    const timer = setTimeout(async () => {
      try {
        const found = await sendJson("/api/build/tree", { yaml, target_pct: target, depth }, "POST", stop.signal);
        setProblems(found.problems);
        setTree(found.rows ? found : null);
        setBusy(false);
      } catch (error) {
        if (stop.signal.aborted) return;
        setProblems([{ place: "", what: /** @type {Error} */ (error).message }]);
        setBusy(false);
      }
    }, WAIT_MS);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [yaml, target, depth]);
  return { tree, problems, busy };
}

/** @param {number} count */
const many = (count) => (count >= 1e6 ? `${(count / 1e6).toPrecision(3)} M` : count.toLocaleString("en"));

/** @param {{ tree: any, problems: any[], busy: boolean, stale: boolean, precision: string, target: number, depth: number | null, setDepth: (depth: number | null) => void }} props */
export function TreePanel({ tree, problems, busy, stale, precision, target, depth, setDepth }) {
  const memory = tree?.memory.find((/** @type {any} */ one) => one.precision === precision);
  const deepest = tree ? Math.max(...tree.rows.map((/** @type {any} */ row) => row.depth)) : 0;
  return html`<section class=${`panel tree-panel${stale ? " busy" : ""}`} aria-label="Tree" aria-busy=${busy ? "true" : "false"} data-testid="tree">
    <div class="row"><h2 class="grow">Before the start</h2>${busy || stale ? html`<span class="muted">${stale ? "of the last sound spot" : "counting…"}</span>` : null}</div>
    ${problems.map((one) => html`<p key=${one.place + one.what} class="field-problem">${one.place ? `${one.place}: ` : ""}${one.what}</p>`)}
    ${tree && !problems.length ? html`
      <dl class="facts">
        <div><dt>Memory</dt><dd data-testid="tree-memory" class=${memory?.fits ? "" : "bad"}>${size(memory?.num_bytes ?? 0)}</dd></div>
        <div><dt>Time here, about</dt><dd data-testid="tree-seconds">${duration(tree.seconds)}</dd></div>
        <div><dt>Elements</dt><dd>${many(tree.elements)}</dd></div>
        <div><dt>Hands</dt><dd>${tree.hands[0]} v ${tree.hands[1]}</dd></div>
      </dl>
      <p class="muted hint">${memory?.fits ? html`Fits: ${size(tree.free_bytes ?? 0)} are free.` : html`<strong class="field-problem">Does not fit: ${size(tree.free_bytes ?? 0)} are free. Fewer sizes, fewer raises, narrower ranges${precision === "float32" ? ", or int16" : ""}.</strong>`}
        ${" "}Time to ${target} % of the pot on ${tree.threads} ${tree.threads === 1 ? "thread" : "threads"}, right within a factor of two.</p>
      <div class="scroll"><table class="streets">
        <thead><tr><th>Street</th><th class="number">Boards</th><th class="number">Nodes</th><th class="number">Decisions</th><th class="number">Elements</th></tr></thead>
        <tbody>${tree.streets.map((/** @type {any} */ one) => html`<tr key=${one.street}><td>${one.street}</td><td class="number">${one.boards.toLocaleString("en")}</td>
          <td class="number">${one.nodes.toLocaleString("en")}</td><td class="number">${many(one.decisions)}</td><td class="number">${many(one.elements)}</td></tr>`)}</tbody>
      </table></div>
      <div class="row outline-head"><h3 class="grow">What can be played</h3>
        <button class="small" aria-label="Follow fewer actions" disabled=${deepest < 1} onClick=${() => setDepth(Math.max(0, deepest - 1))}>−</button>
        <span class="mono">${deepest}<span class="visually-hidden"> actions deep</span></span>
        <button class="small" aria-label="Follow more actions" disabled=${deepest > 7 || (depth !== null && depth > deepest)} onClick=${() => setDepth(deepest + 1)}>+</button></div>
      <ol class="outline" data-testid="outline" tabindex="0" aria-label="Outline of the tree">${tree.rows.map((/** @type {any} */ row) => html`<li key=${row.line} style=${{ "--depth": row.depth }}>
        <b>${row.depth === 0 ? "start" : row.label}</b> <span>${row.what}</span>
        ${row.choices.length ? html`<span class="muted">: ${row.choices.join(", ")}</span>` : null}</li>`)}</ol>` : null}
    ${!tree && !problems.length ? html`<p class="muted">${busy ? "" : "The tree is shown once the spot is sound."}</p>` : null}
  </section>`;
}
