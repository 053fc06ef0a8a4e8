// Build a spot: board, amounts, ranges and sizes in a form or as YAML; see its tree; start the solve.
import { html, useEffect, useMemo, useRef, useState } from "/static/js/ui.js";
import { getJson, getText, query } from "/static/js/api.js";
import { notify } from "/static/js/notify.js";
import { BoardPicker, namedCards } from "/static/js/components/board-picker.js";
import { problemAt, useDraft } from "/static/js/spot/draft.js";
import { Field } from "/static/js/spot/field.js";
import { Limits, Lines, Locks } from "/static/js/spot/more.js";
import { RangePanel } from "/static/js/spot/range-panel.js";
import { PLAYERS, Sizes, withStreets } from "/static/js/spot/sizes.js";
import { StartPanel } from "/static/js/spot/start.js";
import { TreePanel, useTree } from "/static/js/spot/tree.js";
import { YamlPanel } from "/static/js/spot/yaml-panel.js";

/** What the page begins with: what was being written here, the spot of a solution, or the first example.
 * @param {URLSearchParams} asked @param {any} start @returns {Promise<string>}
 */
async function firstText(asked, start) {
  if (history.state?.draft) return history.state.draft;
  const from = asked.get("from");
  if (!from) return start.spots[asked.get("spot") ?? ""] ?? Object.values(start.spots)[0];
  const text = await getText(`/api/solutions/${encodeURIComponent(from)}/spot${query({ line: asked.get("line") })}`);
  const board = asked.get("board");
  return board && !/^board:/m.test(text) ? `board: ${board}\n${text.replace(/^# No flop yet.*\n/m, "")}` : text;
}

/** @param {{ route: import("/static/js/router.js").Route }} props */
export default function Build({ route }) {
  const [ready, setReady] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  const key = route.query.toString();
  useEffect(() => {
    let current = true;
    setReady(null);
    setProblem("");
    Promise.all([getJson("/api/build/start"), getJson("/api/ranges/layout"), getJson("/api/ranges/named")]).then(async ([start, layout, named]) => {
      const first = await firstText(route.query, start);
      if (current) setReady({ start, layout, named, first });
    }).catch((error) => { if (current) setProblem(error.message); });
    return () => { current = false; };
  }, [key]);
  if (problem) return html`<h1>Build a spot</h1><p class="problem" role="alert">${problem}</p>`;
  if (!ready) return html`<h1>Build a spot</h1><p class="loading">Loading…</p>`;
  return html`<${Form} key=${key} ...${ready} from=${route.query.get("from") ?? ""} line=${route.query.get("line") ?? ""} />`;
}

/** @param {{ start: any, layout: import("/static/js/components/range-painter.js").Layout, named: any[], first: string, from: string, line: string }} props */
function Form({ start, layout, named: firstNamed, first, from, line }) {
  const editing = useDraft(first);
  const { draft, setYaml, change, changeAll, setUnit } = editing;
  const [named, setNamed] = useState(firstNamed);
  const [depth, setDepth] = useState(/** @type {number | null} */ (null));
  const [wanted, setWanted] = useState({ target: String(start.target_pct), seconds: "", device: "auto", precision: "float32", rivers: "", name: "", tags: "" });
  const target = Number(wanted.target) > 0 && Number(wanted.target) <= 100 ? Number(wanted.target) : start.target_pct;
  const sized = useTree(draft.checked, target, depth);
  const fields = draft.fields;
  const boardText = typeof fields?.board === "string" ? fields.board : "";
  const cards = namedCards(boardText), board = cards.join("");
  const dead = useMemo(() => new Set(cards), [board]);
  useKept(draft.yaml);

  const problems = useMemo(() => [...draft.problems, ...sized.problems.filter((one) => one.place)], [draft.problems, sized.problems]);
  const shown = useMemo(() => ({ ...editing, draft: { ...draft, problems } }), [draft, problems]);
  const why = !draft.yaml || draft.checked ? (sized.problems.length ? "The tree cannot be built." : "") : problems.length
    ? `${problems.length === 1 ? "One thing is" : `${problems.length} things are`} wrong.` : "Checking…";
  const begin = (/** @type {any} */ e) => { if (e.target.value) setYaml(start.spots[e.target.value]); e.target.value = ""; };
  return html`<div class="row build-head">
      <h1 class="grow">Build a spot${from ? html` <span class="muted">from ${from}${line ? `, ${line}` : ""}</span>` : null}</h1>
      <label class="inline">Start from<select data-testid="examples" onChange=${begin}><option value="">…</option>
        ${Object.keys(start.spots).map((name) => html`<option key=${name}>${name}</option>`)}</select></label>
    </div>
    <div class="build" data-testid="build">
      <div class="build-form">${fields ? html`
        <section class="panel spot" aria-label="Board and amounts">
          <${BoardPicker} text=${boardText} problem=${problemAt(problems, "board")}
            onText=${(/** @type {string} */ text) => changeAll((before) => withStreets({ ...before, board: text }, namedCards(text).length))} />
          <div class="amounts">
            <${Field} label="Pot" place="pot" value=${fields.pot} problem=${problemAt(problems, "pot")} placeholder="5.5bb" onText=${(/** @type {string} */ text) => change(["pot"], text)} />
            <${Field} label="Stack behind" place="stack" value=${fields.stack} problem=${problemAt(problems, "stack")} placeholder="97.5bb" onText=${(/** @type {string} */ text) => change(["stack"], text)} />
            <div role="group" aria-label="Unit of amounts" class="row tight unit">
              ${/** @type {("bb" | "chips")[]} */ (["bb", "chips"]).map((unit) => html`<button key=${unit} class="small" data-testid=${`unit-${unit}`}
                aria-pressed=${draft.unit === unit ? "true" : "false"} onClick=${() => setUnit(unit)}>${unit}</button>`)}
            </div>
            <p class="muted hint">${draft.unit === "bb" ? "5.5bb is five and a half big blinds." : "Whole chips; 5.5bb is understood too."}</p>
          </div>
        </section>
        <div class="ranges">${PLAYERS.map(([player, title]) => html`<${RangePanel} key=${player} player=${player} title=${title} layout=${layout}
          text=${typeof fields[player]?.range === "string" ? fields[player].range : ""} board=${board} dead=${dead} named=${named} setNamed=${setNamed}
          problem=${problemAt(problems, `${player}.range`) || problemAt(problems, player)} onText=${(/** @type {string} */ text) => change([player, "range"], text)} />`)}</div>
        <${Sizes} editing=${shown} cards=${cards.length} presets=${start.presets} />
        <${Lines} editing=${shown} />
        <${Limits} editing=${shown} />
        <${Locks} editing=${shown} />` : html`<p class="panel muted">The form comes back once the YAML can be read.</p>`}
      </div>
      <div class="build-side">
        <${StartPanel} wanted=${wanted} setWanted=${setWanted} devices=${start.devices} why=${why}
          yaml=${sized.problems.length ? "" : draft.checked} />
        <${TreePanel} ...${sized} stale=${draft.problems.length > 0} precision=${wanted.precision} target=${target} depth=${depth} setDepth=${setDepth} />
        <${YamlPanel} text=${draft.yaml} problems=${problems} onText=${setYaml} />
      </div>
    </div>`;
}

/** Keep what is being written with this step of the browser's history: a reload or back brings it again. @param {string} yaml */
function useKept(yaml) {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) { first.current = false; return; }
    try { history.replaceState({ draft: yaml }, ""); } catch { notify("This spot is too long to be kept over a reload.", "error"); }
  }, [yaml]);
}
