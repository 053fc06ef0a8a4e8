// Two solutions side by side at the same line: what each hand is worth in both, what is played otherwise.
import { html, useEffect, useState } from "/static/js/ui.js";
import { getJson, query } from "/static/js/api.js";
import { changeQuery, Link } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";
import { percent } from "/static/js/format.js";
import { Cards } from "/static/js/components/cards.js";
import { Actions, Difference, Differs, Hands, Totals } from "/static/js/compare/parts.js";
import { amount, ORDERS } from "/static/js/compare/change.js";

/** @typedef {import("/static/js/compare/change.js").Comparison} Comparison */

/** @param {{ which: string, entries: any[], chosen: string, onChoose: (id: string) => void }} props */
function Chooser({ which, entries, chosen, onChoose }) {
  const named = (/** @type {any} */ one) => (entries.some((other) => other !== one && other.name === one.name) ? `${one.name} (${one.id})` : one.name);
  const isListed = !chosen || entries.some((one) => one.id === chosen);
  return html`<label class="grow">${which} <select data-testid=${`compare-${which.toLowerCase()}`} onChange=${(/** @type {any} */ e) => onChoose(e.target.value)}>
    <option value="" selected=${!chosen}>choose a solution</option>
    ${!isListed && html`<option value=${chosen} selected>${chosen}</option>`}
    ${entries.map((one) => html`<option key=${one.id} value=${one.id} selected=${one.id === chosen}>${named(one)}</option>`)}</select></label>`;
}

/** @param {{ line: string, found: Comparison | null }} props */
function LineForm({ line, found }) {
  const [text, setText] = useState(line);
  useEffect(() => setText(line), [line]);
  const steps = line.split(/\s+/).filter(Boolean);
  return html`<form class="row" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); changeQuery({ line: text.trim(), hand: null }); }}>
    <label class="inline">Line <input value=${text} placeholder="x b33% c 7d" data-testid="compare-line"
      onInput=${(/** @type {any} */ e) => setText(e.target.value)} /></label>
    <button>Go</button>
    ${steps.length > 0 && html`<button type="button" data-testid="compare-back" onClick=${() => changeQuery({ line: steps.slice(0, -1).join(" "), hand: null })}>One step back</button>`}
    ${found && html`<span class="row compare-facts"><${Cards} cards=${found.board} />
      <span>pot ${amount(found.pot[0], found)}${found.pot[1] !== found.pot[0] ? ` (A), ${amount(found.pot[1], found)} (B)` : ""} ${found.unit}</span>
      <span class="muted">${percent(found.reached[0])} (A) and ${percent(found.reached[1])} (B) of all deals get here</span></span>`}
  </form>`;
}

/** @param {{ name: string, options: [string, string][], chosen: string, label: string }} props */
function Choice({ name, options, chosen, label }) {
  return html`<span class="row" role="group" aria-label=${label}>${options.map(([value, title]) => html`<button key=${value} data-testid=${`${name}-${value}`}
    aria-pressed=${value === chosen ? "true" : "false"} onClick=${() => changeQuery({ [name]: value, hand: null }, true)}>${title}</button>`)}</span>`;
}

/** @param {{ found: Comparison, route: import("/static/js/router.js").Route }} props */
function Shown({ found, route }) {
  const names = Object.keys(found.players), asked = route.query.get("player") ?? "";
  const acting = names.find((one) => one.toLowerCase() === found.player.toLowerCase());
  const name = names.includes(asked) ? asked : acting ?? names[0] ?? "";
  const player = /** @type {import("/static/js/compare/change.js").PlayerChange} */ (found.players[name]), acts = name === acting;
  const view = acts && route.query.get("view") === "strategy" ? "strategy" : "ev";
  const by = route.query.get("by") === "hand" && Object.keys(player.hands).length ? "hand" : "class";
  const sort = route.query.get("sort") ?? "ev", hand = route.query.get("hand") ?? "";
  const own = hand ? (player.members[hand] ?? []).map((one) => /** @type {[string, any]} */ ([one, player.hands[one]])) : [];
  const rows = own.length ? own : Object.entries(by === "hand" ? player.hands : player.classes);
  const to = (/** @type {string} */ action) => `/compare${query({ a: found.a.id, b: found.b.id, line: `${found.line[0]} ${action}`.trim() })}`;
  return html`<div class="compare-parts" data-testid="comparison">
    <section class="panel totals" aria-label="Totals"><${Totals} found=${found} /><${Actions} found=${found} to=${to} /><${Differs} found=${found} />
      <p class="muted">Both solves are a little off (${found.exploitability_pct.map((pct) => `${pct?.toPrecision(2)} %`).join(" and ")} of the pot):
        hands that are indifferent can be played otherwise without being worth more.</p></section>
    <section class="panel" aria-label="By class"><div class="row spaced">
        <${Choice} name="player" label="Whose hands" chosen=${name} options=${names.map((one) => [one, one.toUpperCase()])} />
        ${acts && html`<${Choice} name="view" label="What is shown" chosen=${view} options=${[["ev", "EV, B − A"], ["strategy", "Played otherwise"]]} />`}</div>
      <${Difference} found=${found} player=${player} name=${name} view=${view} chosen=${hand}
        onPick=${(/** @type {string} */ one) => changeQuery({ hand: one === hand ? null : one }, true)} />
      <p class="muted legend">${view === "strategy" ? html`<i class="shift"></i> % of the class that is played otherwise`
        : html`<i class="won"></i> B wins more <i class="lost"></i> B wins less`}; a click shows the hands of a class.</p></section>
    <section class="panel" aria-label="Hands"><div class="row spaced">
        ${hand && own.length ? html`<strong>${hand}</strong><button data-testid="compare-all" onClick=${() => changeQuery({ hand: null }, true)}>All hands</button>`
          : html`<${Choice} name="by" label="Rows" chosen=${by} options=${[["class", "Classes"], ["hand", "Hands"]]} />`}
        <label class="inline">Order <select data-testid="compare-sort" onChange=${(/** @type {any} */ e) => changeQuery({ sort: e.target.value }, true)}>
          ${Object.entries(ORDERS).filter(([key]) => acts || key !== "strategy").map(([key, { title }]) => html`<option key=${key} value=${key} selected=${key === sort}>${title}</option>`)}</select></label></div>
      <${Hands} found=${found} rows=${rows} sort=${sort} acts=${acts} /></section>
  </div>`;
}

/** @param {{ route: import("/static/js/router.js").Route }} props */
export default function Compare({ route }) {
  const [entries, setEntries] = useState(/** @type {any[]} */ ([]));
  const [found, setFound] = useState(/** @type {Comparison | null} */ (null));
  const [problem, setProblem] = useState("");
  const a = route.query.get("a") ?? "", b = route.query.get("b") ?? "", line = route.query.get("line") ?? "";
  useEffect(() => {
    getJson("/api/library").then((all) => setEntries(all.filter((/** @type {any} */ one) => !one.problem)), (e) => notify(e.message, "error"));
  }, []);
  useEffect(() => {
    setProblem("");
    if (!a || !b) { setFound(null); return; }
    const asking = new AbortController();
    getJson(`/api/compare${query({ a, b, line })}`, asking.signal).then(setFound, (error) => {
      if (error.name === "AbortError") return;
      setFound(null);
      setProblem(error.message);
    });
    return () => asking.abort();
  }, [a, b, line]);
  const study = (/** @type {string} */ id) => `/study/${encodeURIComponent(id)}${query({ line })}`;
  return html`<h1>Compare</h1>
    <section class="panel choosers" aria-label="What is compared">
      <div class="row">
        <${Chooser} which="A" entries=${entries} chosen=${a} onChoose=${(/** @type {string} */ id) => changeQuery({ a: id, hand: null })} />
        <button aria-label="Swap A and B" data-testid="compare-swap" onClick=${() => changeQuery({ a: b, b: a })}>⇄</button>
        <${Chooser} which="B" entries=${entries} chosen=${b} onChoose=${(/** @type {string} */ id) => changeQuery({ b: id, hand: null })} />
        ${a && html`<${Link} to=${study(a)}>Study A<//>`} ${b && html`<${Link} to=${study(b)}>Study B<//>`}
      </div>
      <${LineForm} line=${line} found=${found} />
    </section>
    ${problem && html`<p class="problem" role="alert" data-testid="compare-problem">${problem}</p>`}
    ${found ? html`<${Shown} found=${found} route=${route} />` : !problem && html`<p class="muted">${a && b ? "Loading…"
      : "Choose two solutions of the same board: another bet size, another range, a lock. What is it worth, and to which hands?"}</p>`}`;
}
