// A player's range: paint it, paste it, take it from those that were named.
import { html, useEffect, useRef, useState } from "/static/js/ui.js";
import { query, remove, sendJson } from "/static/js/api.js";
import { combos, percent } from "/static/js/format.js";
import { notify } from "/static/js/notify.js";
import { AskText, Confirm } from "/static/js/components/dialog.js";
import { RangePainter } from "/static/js/components/range-painter.js";

/**
 * @typedef {import("/static/js/components/range-painter.js").Layout} Layout
 * @typedef {{ name: string, text: string }} Named
 */

const QUICK = [25, 50, 75, 100];
const NOTHING = Array(1326).fill(0);
const EMPTY = { weights: NOTHING, combos: 0, share: 0, live_combos: 0 };

/** @param {unknown} error */
const say = (error) => notify(/** @type {Error} */ (error).message, "error");

/** @param {{ player: "oop" | "ip", title: string, layout: Layout, text: string, board: string, dead: Set<string>, problem: string,
 *   named: Named[], setNamed: (named: Named[]) => void, onText: (text: string) => void }} props */
export function RangePanel({ player, title, layout, text, board, dead, problem, named, setNamed, onText }) {
  const [read, setRead] = useState(/** @type {any} */ (null));
  const [error, setError] = useState("");
  const [brush, setBrush] = useState(1);
  const [top, setTop] = useState("20");
  const turn = useRef(0), own = useRef("");

  useEffect(() => {
    const now = ++turn.current;
    if (!text.trim()) { setRead(EMPTY); setError(""); return; }
    const timer = setTimeout(async () => {
      try {
        const answer = await sendJson("/api/ranges/read", { text, board });
        if (turn.current !== now) return;
        setError(answer.error);
        if (answer.range) setRead(answer.range);
      } catch (failed) { say(failed); }
    }, own.current === text ? 0 : 150);
    return () => clearTimeout(timer);
  }, [text, board]);

  /** @param {number[]} weights */
  const paint = async (weights) => {
    const now = ++turn.current;
    setRead({ ...(read ?? {}), weights });
    try {
      const answer = await sendJson("/api/ranges/write", { weights, board });
      if (turn.current !== now) return;
      setRead(answer);
      setError("");
      own.current = answer.text;
      onText(answer.text);
    } catch (failed) { say(failed); }
  };
  const copy = () => navigator.clipboard?.writeText(text).then(() => notify(`${title}'s range is copied.`), say);
  const weights = read?.weights ?? NOTHING;
  return html`<section class="panel range-panel" aria-label=${`${title}'s range`} data-testid=${`range-${player}`}>
    <div class="row range-head"><h2>${title}</h2>
      <span class="mono" data-testid="range-read" aria-live="polite">${read?.combos !== undefined
        ? html`<b>${combos(read.combos)}</b> combos · <b>${percent(read.share)}</b>${dead.size && read.combos !== read.live_combos
          ? html` <span class="muted">· ${combos(read.live_combos)} live</span>` : null}`
        : html`<span class="muted">nothing yet</span>`}</span>
    </div>
    <div class="row brush">
      <label class="inline grow">Weight <input type="range" min="0" max="100" step="5" value=${100 * brush} data-testid="brush"
        aria-valuetext=${`${Math.round(100 * brush)} per cent`} onInput=${(/** @type {any} */ e) => setBrush(Number(e.target.value) / 100)} /></label>
      <output class="mono">${Math.round(100 * brush)} %</output>
      ${QUICK.map((one) => html`<button key=${one} class="small" aria-pressed=${100 * brush === one ? "true" : "false"} aria-label=${`Weight ${one} %`}
        onClick=${() => setBrush(one / 100)}>${one}</button>`)}
    </div>
    <${RangePainter} layout=${layout} weights=${weights} brush=${brush} dead=${dead} onPaint=${paint} testid=${`paint-${player}`}
      label=${`${title}'s range; arrows move, space paints or erases`} />
    <div class="row">
      <button class="small" onClick=${() => paint(NOTHING.map(() => brush))}>All</button>
      <button class="small" data-testid="clear-range" onClick=${() => paint(NOTHING)}>Clear</button>
      <form class="row tight" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); onText(`${top}%`); }}>
        <label class="inline">Top <input value=${top} size="3" inputmode="decimal" onInput=${(/** @type {any} */ e) => setTop(e.target.value)} /> %</label>
        <button class="small">Take</button>
      </form>
      <span class="grow"></span>
      <button class="small" disabled=${!text} onClick=${copy}>Copy</button>
    </div>
    <label class="wide">Text, in any notation
      <textarea rows="3" value=${text} spellcheck=${false} data-testid=${`text-${player}`} aria-invalid=${error || problem ? "true" : undefined}
        placeholder="QQ+, AKs, A5s-A2s:0.5, [50]KQo[/50], 15%" onInput=${(/** @type {any} */ e) => onText(e.target.value)}></textarea></label>
    <p class="field-problem" role="status">${error || problem}</p>
    <${NamedRanges} title=${title} text=${text} broken=${Boolean(error) || !text.trim()} named=${named} setNamed=${setNamed} onText=${onText} />
  </section>`;
}

/** @param {{ title: string, text: string, broken: boolean, named: Named[], setNamed: (named: Named[]) => void, onText: (text: string) => void }} props */
function NamedRanges({ title, text, broken, named, setNamed, onText }) {
  const [chosen, setChosen] = useState("");
  const [asking, setAsking] = useState(/** @type {"" | "save" | "rename" | "delete"} */ (""));
  const known = named.some((one) => one.name === chosen);
  const close = () => setAsking("");
  /** @param {string} name */
  const take = (name) => {
    setChosen(name);
    const found = named.find((one) => one.name === name);
    if (found) onText(found.text);
  };
  /** @param {string} name */
  const save = (name) => sendJson("/api/ranges/named", { name, text }, "PUT").then((all) => { setNamed(all); setChosen(name); notify(`Saved as ${name}.`); }, say);
  /** @param {string} to */
  const rename = (to) => sendJson("/api/ranges/named", { name: chosen, to }, "PATCH").then((all) => { setNamed(all); setChosen(to); }, say);
  const forget = () => remove(`/api/ranges/named${query({ name: chosen })}`).then(() => { setNamed(named.filter((one) => one.name !== chosen)); setChosen(""); }, say);
  return html`<div class="row named">
    <label class="inline grow"><span class="visually-hidden">Named ranges for ${title}</span>
      <select data-testid="named" onChange=${(/** @type {any} */ e) => take(e.target.value)}>
        <option value="" selected=${!known}>${named.length ? "Named ranges…" : "No names yet"}</option>
        ${named.map((one) => html`<option key=${one.name} value=${one.name} selected=${one.name === chosen}>${one.name}</option>`)}
      </select></label>
    <button class="small" disabled=${broken} data-testid="save-range" onClick=${() => setAsking("save")}>Save…</button>
    <button class="small" disabled=${!known} onClick=${() => setAsking("rename")}>Rename…</button>
    <button class="small danger" disabled=${!known} onClick=${() => setAsking("delete")}>Delete</button>
    ${asking === "save" ? html`<${AskText} title="Save this range" label="Name" first=${chosen} yes="Save" onText=${save} onClose=${close} />` : null}
    ${asking === "rename" ? html`<${AskText} title=${`Rename ${chosen}`} label="New name" first=${chosen} yes="Rename" onText=${rename} onClose=${close} />` : null}
    ${asking === "delete" ? html`<${Confirm} title="Delete this range?" text=${`${chosen} is taken off the list. Spots that use it keep it.`} yes="Delete"
      onYes=${forget} onClose=${close} />` : null}
  </div>`;
}
