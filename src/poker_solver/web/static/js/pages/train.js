// Practice: choose where, then play hands against the solution.
import { html, useEffect, useState } from "/static/js/ui.js";
import { getJson, sendJson } from "/static/js/api.js";
import { navigate } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";
import { OnePractice } from "/static/js/train/practice.js";

/** @typedef {{ id: string, name: string, kind: string, problem: string, board: string, stack: string }} Entry */

/** The address of a practice. @param {Record<string, string>} wanted */
function address(wanted) {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  return `/train${query.size ? `?${query}` : ""}`;
}

/** @param {{ entries: Entry[], query: URLSearchParams }} props */
function Setup({ entries, query }) {
  const open = entries.filter((one) => !one.problem);
  const [solution, setSolution] = useState(query.get("solution") ?? open[0]?.id ?? "");
  const [line, setLine] = useState(query.get("line") ?? "");
  const [seat, setSeat] = useState(query.get("seat") ?? "both");
  const [one, setOne] = useState(query.get("one") === "1");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const kind = open.find((entry) => entry.id === solution)?.kind ?? "spot";
  const seats = kind === "spot" ? [["oop", "OOP"], ["ip", "IP"]] : [["sb", "SB, the button"], ["bb", "BB"]];
  const chosen = seat === "both" || seats.some(([value]) => value === seat) ? seat : "both";
  const start = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      const found = await sendJson("/api/training", { solution, line, seat: chosen, one_decision: one });
      navigate(address({ solution, line, seat: chosen, one: one ? "1" : "", practice: found.id }));
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    } finally {
      setBusy(false);
    }
  };
  return html`<form class="panel setup" onSubmit=${start} data-testid="setup">
    <div class="row">
      <label class="grow">Solution <select value=${solution} data-testid="solution" onChange=${(/** @type {any} */ e) => setSolution(e.target.value)}>
        ${open.map((entry) => html`<option key=${entry.id} value=${entry.id}>${entry.name}${entry.stack ? `, ${entry.stack}` : ""}</option>`)}</select></label>
      <label>From the line <input class="mono" value=${line} placeholder=${kind === "spot" ? "the first decision, or x b33%" : "the first decision, or SBr2.5"}
        data-testid="line" onInput=${(/** @type {any} */ e) => setLine(e.target.value)} /></label>
      <label>You are <select value=${chosen} data-testid="seat" onChange=${(/** @type {any} */ e) => setSeat(e.target.value)}>
        <option value="both">both in turn</option>${seats.map(([value, name]) => html`<option key=${value} value=${value}>${name}</option>`)}</select></label>
      <label class="inline"><input type="checkbox" checked=${one} onChange=${(/** @type {any} */ e) => setOne(e.target.checked)} /> One decision a hand</label>
      <button class="main" data-testid="start" disabled=${busy || !solution}>Deal</button>
    </div>
    ${kind === "game" ? html`<p class="muted">A full game is played before the flop, and on flops that are stored.</p>` : null}
    ${problem ? html`<p class="problem" role="alert" data-testid="problem">${problem}</p>` : null}
  </form>`;
}

/** @param {{ route: import("/static/js/router.js").Route }} props */
export default function Train({ route }) {
  const [entries, setEntries] = useState(/** @type {Entry[] | null} */ (null));
  const practice = route.query.get("practice") ?? "";
  useEffect(() => {
    getJson("/api/library").then(setEntries, (error) => notify(error.message, "error"));
  }, []);
  const lost = (/** @type {string} */ why) => {
    notify(why, "error");
    const query = new URLSearchParams(route.query);
    query.delete("practice");
    navigate(`/train${query.size ? `?${query}` : ""}`, true);
  };
  if (!entries) return html`<p class="loading">Loading…</p>`;
  return html`<h1>Train</h1>
    <${Setup} entries=${entries} query=${route.query} />
    ${practice ? html`<${OnePractice} key=${practice} id=${practice} lost=${lost} />`
      : html`<p class="muted">You are dealt hands as they get to this point; the opponent plays the solution. Digits answer, Enter goes on.</p>`}`;
}
