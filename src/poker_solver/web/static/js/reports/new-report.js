// A new report: which spot, which flops, which lines, how exact.
import { html, useEffect, useState } from "/static/js/ui.js";
import { getJson, getText, query, sendJson } from "/static/js/api.js";
import { navigate } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";
import { size } from "/static/js/format.js";

const SETS = [["47", "47 flops"], ["95", "95 flops"], ["184", "184 flops"], ["all", "all 1,755 flops"], ["", "these flops:"]];

/** The spot of a solution, or of what follows a line of a game. @param {string} id @param {string} line */
function readSpot(id, line) {
  return getText(`/api/solutions/${encodeURIComponent(id)}/spot${query({ line })}`);
}

/** Where a spot is read from; fills in its text.
 * @param {{ from: string, line: string, onSpot: (text: string, name: string) => void }} props
 */
function Source({ from, line: given, onSpot }) {
  const [entries, setEntries] = useState(/** @type {any[]} */ ([]));
  const [id, setId] = useState(from);
  const [line, setLine] = useState(given);
  useEffect(() => {
    getJson("/api/library").then((all) => setEntries(all.filter((/** @type {any} */ one) => !one.problem)), (e) => notify(e.message, "error"));
  }, []);
  const entry = entries.find((one) => one.id === id);
  const isGame = entry ? entry.kind !== "spot" : id.startsWith("game:");
  const read = async () => {
    try {
      onSpot(await readSpot(id, isGame ? line : ""), `${entry?.name ?? id.replace("game:", "")}${isGame && line ? ` ${line}` : ""}`);
    } catch (error) { notify(/** @type {Error} */ (error).message, "error"); }
  };
  useEffect(() => { if (from) void read(); }, [from]);
  return html`<fieldset class="source"><legend>Spot</legend>
    <div class="row">
      <label class="grow">From a solution or a game <select data-testid="report-source" value=${id} onChange=${(/** @type {any} */ e) => setId(e.target.value)}>
        <option value="">choose, or write it below</option>
        ${entries.map((one) => html`<option key=${one.id} value=${one.id} selected=${one.id === id}>${one.name}${one.kind === "spot" ? "" : ` (${one.kind})`}</option>`)}
      </select></label>
      ${isGame && html`<label>Line before the flop <input value=${line} placeholder="r2.5 c" size="12" data-testid="report-source-line"
        onInput=${(/** @type {any} */ e) => setLine(e.target.value)} /></label>`}
      <button disabled=${!id} onClick=${read} data-testid="report-read">Read it</button>
    </div>
  </fieldset>`;
}

/** @param {{ from: string, line: string }} props  a solution whose spot is read at once, and a line of it */
export function NewReport({ from, line }) {
  const [spot, setSpot] = useState("");
  const [name, setName] = useState("");
  const [set, setSet] = useState("47");
  const [typed, setTyped] = useState("");
  const [lines, setLines] = useState("x");
  const [target, setTarget] = useState("1");
  const [told, setTold] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  const wanted = () => ({
    spot, name: name.slice(0, 100), flops: set || typed,
    lines: lines.split("\n").map((one) => one.trim()).filter(Boolean),
    target_pct: Number(target) > 0 ? Number(target) : null,
  });
  /** @param {(body: any) => Promise<void>} then */
  const ask = async (then) => {
    setProblem("");
    setTold(null);
    try { await then(wanted()); } catch (error) { setProblem(/** @type {Error} */ (error).message); }
  };
  const check = () => ask(async (body) => setTold(await sendJson("/api/reports/check", body)));
  const start = () => ask(async (body) => navigate(`/reports/${(await sendJson("/api/reports", body)).id}`));
  const text = (/** @type {(value: string) => void} */ set_) => (/** @type {any} */ e) => set_(e.target.value);
  return html`<section class="panel new-report" data-testid="new-report" aria-labelledby="new-report-title">
    <h2 id="new-report-title">New report</h2>
    <p class="muted">One spot on many flops: what is played after each line, and what it is worth.</p>
    <${Source} from=${from} line=${line} onSpot=${(/** @type {string} */ yaml, /** @type {string} */ of) => { setSpot(yaml); setName(of); }} />
    <label class="wide">The spot as YAML; its board is not used <textarea rows="9" spellcheck="false" value=${spot} data-testid="report-spot"
      onInput=${text(setSpot)}></textarea></label>
    <div class="row fields">
      <label>Flops <select value=${set} data-testid="report-set" onChange=${text(setSet)}>
        ${SETS.map(([value, title]) => html`<option key=${value} value=${value} selected=${value === set}>${title}</option>`)}</select></label>
      ${set === "" && html`<label class="grow">Flops by commas, with weights if wanted
        <input value=${typed} placeholder="As7d2c, KsQs5h:12" data-testid="report-flops" onInput=${text(setTyped)} /></label>`}
      <label>Target, % of pot <input value=${target} inputmode="decimal" size="5" data-testid="report-target" onInput=${text(setTarget)} /></label>
      <label class="grow">Name <input value=${name} maxlength="100" data-testid="report-name" onInput=${text(setName)} /></label>
    </div>
    <label class="wide">Lines to report, one each row; the first decision is always there
      <textarea rows="3" spellcheck="false" value=${lines} placeholder=${"x\nx b33%"} data-testid="report-lines" onInput=${text(setLines)}></textarea></label>
    ${problem && html`<p class="problem" role="alert" data-testid="report-problem">${problem}</p>`}
    ${told && html`<p data-testid="report-check" role="status">${told.num_flops.toLocaleString("en")} flops on ${told.device}, ${size(told.num_bytes)} each while it is solved.
      ${told.num_impossible > 0 && ` ${told.num_impossible} of them leave a range no hand.`} ${told.note}</p>`}
    <div class="row">
      <button class="main" disabled=${!spot.trim()} onClick=${start} data-testid="report-start">Start</button>
      <button disabled=${!spot.trim()} onClick=${check} data-testid="report-look">How large is it?</button>
    </div>
  </section>`;
}
