// The study page: a node of a solution on one screen; the address says which, and how it is looked at.
import { html, useCallback, useEffect, useMemo, useRef, useState } from "/static/js/ui.js";
import { getPacked, query } from "/static/js/api.js";
import { changeQuery, Link, navigate } from "/static/js/router.js";
import { money } from "/static/js/format.js";
import { Cards } from "/static/js/components/cards.js";
import { cardsBut } from "/static/js/components/card-picker.js";
import { ExploitPanel } from "/static/js/components/exploit-panel.js";
import { LockPanel } from "/static/js/components/lock-panel.js";
import { Matrix, RANKS } from "/static/js/components/matrix.js";
import { Actions } from "/static/js/study/actions.js";
import { Breadcrumb } from "/static/js/study/breadcrumb.js";
import { cellsOf, FILLS, scaleOf, short } from "/static/js/study/colors.js";
import { Filters, partsOf, textOf, toggled } from "/static/js/study/filters.js";
import { Graphs } from "/static/js/study/graphs.js";
import { Groups } from "/static/js/study/groups.js";
import { Hands } from "/static/js/study/hands.js";
import { Help, LineBox, useKeys } from "/static/js/study/keys.js";
import { address, classFacts, VIEW_NAMES, VIEWS } from "/static/js/study/node.js";
import { PlayerLine } from "/static/js/study/players.js";
import { Runouts } from "/static/js/study/runouts.js";
import { Tools } from "/static/js/study/tools.js";

/** @typedef {import("/static/js/study/node.js").Node} Node */
/** @typedef {{ seat: number, hand: number }} Look */

const TABS = [["hands", "Hands"], ["groups", "Made & draws"], ["runouts", "Runouts"], ["graphs", "Graphs"]];
const SPOT_TABS = [["lock", "Lock"], ["exploit", "Exploit"]];

/** The node of an address; the one before stays until it is there.
 * @param {string} id @param {string} line @param {string} filter @param {number} version
 */
function useNode(id, line, filter, version) {
  const [node, setNode] = useState(/** @type {Node | null} */ (null));
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const shown = useRef("");
  const key = (/** @type {string} */ at) => JSON.stringify([id, at, filter, version]);
  useEffect(() => {
    if (shown.current === key(line)) return; // the same line, as the server writes it
    const stop = new AbortController();
    const late = setTimeout(() => setBusy(true), 150);
    const done = () => { clearTimeout(late); setBusy(false); };
    getPacked(`/api/solutions/${encodeURIComponent(id)}/node${query({ line, filter })}`, stop.signal).then((found) => {
      done();
      const plain = found.head.history.join(" ");
      shown.current = key(plain);
      setNode(found);
      setProblem("");
      if (plain !== line) changeQuery({ line: plain }, true);
    }, (error) => {
      if (error.name === "AbortError") return;
      done();
      shown.current = "";
      if (error.status === 409) changeQuery({ line: error.told.line, next: error.told.next }, true); // solved first, from there
      else setProblem(error.message);
    });
    return () => { stop.abort(); clearTimeout(late); };
  }, [id, line, filter, version]);
  return { node: node?.head.solution === id ? node : null, problem, isBusy };
}

/** @param {{ route: import("/static/js/router.js").Route }} props */
export default function Study({ route }) {
  const { id } = route, line = route.query.get("line") ?? "", filter = route.query.get("filter") ?? "";
  const [version, setVersion] = useState(0);
  const { node, problem, isBusy } = useNode(id, line, filter, version);
  useEffect(() => { if (node) document.title = `${node.head.title} · ${node.head.line || "start"}`; }, [node]);
  useEffect(() => () => { document.title = "poker-solver"; }, []);
  if (problem) return html`<${Problem} id=${id} line=${line} filter=${filter} problem=${problem} />`;
  if (!node) return html`<p class="loading">Loading…</p>`;
  return html`<div class=${isBusy ? "study waiting" : "study"} aria-busy=${isBusy ? "true" : "false"} data-line=${node.head.history.join(" ")}>
    <${Screen} node=${node} route=${route} filter=${filter} onPalette=${() => setVersion(version + 1)} /></div>`;
}

/** What is wrong with an address, and where to go instead.
 * @param {{ id: string, line: string, filter: string, problem: string }} props
 */
function Problem({ id, line, filter, problem }) {
  return html`<div class="panel study-problem" role="alert" data-testid="problem"><h1>This cannot be shown</h1><p>${problem}</p>
    <p class="row">
      ${filter && html`<button onClick=${() => changeQuery({ filter: null })}>Without the filter</button>`}
      ${line && html`<${Link} class="button" to=${address(id, [], new URLSearchParams())}>First decision<//>`}
      <button onClick=${() => history.back()}>Back</button><${Link} class="button" to="/">Library<//>
    </p></div>`;
}

/**
 * @param {{ node: Node, route: import("/static/js/router.js").Route, filter: string, onPalette: () => void }} props
 */
function Screen({ node, route, filter, onPalette }) {
  const { head } = node, { id } = route;
  const asked = route.query.get("view") ?? "", view = VIEWS.includes(asked) ? asked : "strategy";
  const fill = FILLS.find((name) => name === route.query.get("fill")) ?? "weight";
  const tabs = head.board && !head.name ? [...TABS, ...SPOT_TABS] : TABS;
  const tab = tabs.find(([name]) => name === route.query.get("tab"))?.[0] ?? "hands", named = (route.query.get("player") ?? "").toUpperCase();
  const seat = Math.max(0, named ? head.players.findIndex((player) => player.name === named) : head.actor ?? 0);
  const [look, setLook] = useState(/** @type {Look} */ ({ seat: 0, hand: -1 }));
  const [pin, setPin] = useState(/** @type {Look} */ ({ seat: 0, hand: -1 }));
  const [box, setBox] = useState("");
  const to = useCallback((/** @type {string[]} */ tokens) => address(id, tokens, route.query), [id, route.query]);
  const go = useCallback((/** @type {string[]} */ tokens) => navigate(to(tokens)), [to]);
  const choose = (/** @type {number} */ which) => changeQuery({ player: head.players[which]?.name.toLowerCase() ?? null }, true);
  const setFilter = (/** @type {string} */ text) => changeQuery({ filter: text });
  const setView = (/** @type {string} */ name) => changeQuery({ view: name === "strategy" ? null : name }, true);
  const nextFill = () => { const name = FILLS[(FILLS.indexOf(fill) + 1) % FILLS.length]; changeQuery({ fill: name === "weight" ? null : name ?? null }, true); };
  useKeys((key) => pressed(key, { head, go, view, setView, nextFill, seat, choose, setBox, letGo: () => { setPin({ seat, hand: -1 }); setLook({ seat, hand: -1 }); } }));
  const shown = look.hand >= 0 ? look : pin.hand >= 0 ? pin : { seat, hand: -1 };
  const parts = partsOf(filter);
  return html`
    <header class="study-head">
      <h1 class="study-title">${head.title}</h1>${head.board && html`<${Cards} cards=${head.board} />`}
      <dl class="study-facts" data-testid="facts">
        <div><dt>Pot</dt><dd>${money(head.pot, head.unit)}</dd></div>
        <div><dt>We get here</dt><dd data-testid="reached">${reachedWords(head.reached)}</dd></div>
        <div><dt>Exploitability</dt><dd data-testid="exploitability">${head.exploitability}</dd></div>
        ${head.num_locked > 0 && html`<div><dt>Locked</dt><dd>${head.num_locked} combos</dd></div>`}
      </dl>
      <${Tools} node=${node} view=${view} fill=${fill} onPalette=${onPalette} onHelp=${() => setBox("help")} onLine=${() => setBox("line")} />
    </header>
    <${Breadcrumb} head=${head} to=${to} go=${go} />
    ${head.warning && html`<p class="warning" role="status" data-testid="warning">${head.warning}</p>`}
    <div class="study-bar">
      <div class="segments" role="group" aria-label="View">${VIEWS.map((name) => html`<button key=${name} data-testid=${`view-${name}`}
        title=${name === "both" ? "Strategy and EV in one cell" : undefined} aria-pressed=${view === name ? "true" : "false"} onClick=${() => setView(name)}>${VIEW_NAMES[name]}</button>`)}</div>
      ${(view === "strategy" || view === "both") && html`<button class="fill" data-testid="fill" title="How high cells are filled: by weight, beside the hand held most, or to the top" onClick=${nextFill}>Height: ${fill}</button>`}
      <${Legend} node=${node} view=${view} />
      <${Filters} head=${head} filter=${filter} onFilter=${setFilter} />
      <div class="segments narrow" role="group" aria-label="Player">${head.players.map((player, which) => html`<button key=${player.name}
        aria-pressed=${seat === which ? "true" : "false"} onClick=${() => choose(which)}>${player.name}</button>`)}</div>
    </div>
    <div class=${`study-body ${head.rare ? "rare" : ""}`} data-seat=${seat}>
      ${[0, 1].map((which) => html`<${Board} key=${which} node=${node} seat=${which} view=${view} fill=${fill} chosen=${seat === which}
        hand=${shown.seat === which ? shown.hand : -1} onChoose=${() => choose(which)}
        onLook=${(/** @type {number} */ hand) => setLook({ seat: which, hand })}
        onPick=${(/** @type {number} */ hand) => setPin(pin.seat === which && pin.hand === hand ? { seat: which, hand: -1 } : { seat: which, hand })} />`)}
      <aside class="study-side">
        <${Actions} head=${head} next=${route.query.get("next") ?? ""} to=${to} go=${go} />
        <section class="panel study-tabs">
          <div class="tabs" role="tablist" aria-label="More about this node">${tabs.map(([name, title]) => html`<button key=${name} role="tab" id=${`tab-${name}`}
            aria-selected=${tab === name ? "true" : "false"} aria-controls="tab-panel" data-testid=${`tab-${name}`}
            onClick=${() => changeQuery({ tab: name === "hands" ? null : name ?? null }, true)}>${title}</button>`)}</div>
          <div id="tab-panel" role="tabpanel" aria-labelledby=${`tab-${tab}`} tabindex="0" class="tab-panel">
            ${(tab === "hands" || tab === "groups") && html`<span class="tab-player" role="group" aria-label="Whose hands">${head.players.map((player, which) => html`<button
              key=${player.name} class="plain" aria-pressed=${shown.seat === which ? "true" : "false"} onClick=${() => choose(which)}>${player.name}</button>`)}</span>`}
            ${tab === "groups" ? html`<${Groups} head=${head} seat=${seat} chosen=${parts.kinds} onKind=${(/** @type {string} */ kind) => setFilter(textOf({ ...parts, kinds: toggled(parts.kinds, kind) }))} />`
    : tab === "runouts" ? html`<${Runouts} id=${id} tokens=${head.history} go=${go} />`
      : tab === "graphs" ? html`<${Graphs} node=${node} id=${id} />`
        : tab === "lock" ? html`<${LockPanel} head=${head} arrays=${node.arrays} id=${id} line=${head.history.join(" ")} />`
        : tab === "exploit" ? html`<${ExploitPanel} head=${head} id=${id} />`
        : html`<${Hands} node=${node} seat=${shown.seat} hand=${shown.hand} pinned=${pin.hand >= 0} onDrop=${() => setPin({ seat, hand: -1 })} />`}
          </div>
        </section>
      </aside>
    </div>
    <${Help} open=${box === "help"} onClose=${() => setBox("")} />
    <${LineBox} open=${box === "line"} id=${id} line=${head.history.join(" ")} onClose=${() => setBox("")} go=${go} />`;
}

/** A player above its matrix.
 * @param {{ node: Node, seat: number, view: string, fill: string, chosen: boolean, hand: number, onChoose: () => void,
 *   onLook: (hand: number) => void, onPick: (hand: number) => void }} props
 */
function Board({ node, seat, view, fill, chosen, hand, onChoose, onLook, onPick }) {
  const cells = useMemo(() => cellsOf(node, seat, view, fill), [node, seat, view, fill]);
  const name = node.head.players[seat]?.name ?? "";
  const facts = useCallback((/** @type {number} */ index) => classFacts(node, seat, index), [node, seat]);
  return html`<section class=${`study-board seat-board-${seat}`} aria-label=${`${name}'s hands`}>
    <${PlayerLine} head=${node.head} seat=${seat} chosen=${chosen} onChoose=${onChoose} />
    <${Matrix} cells=${cells} label=${`${name}: 169 hands, ${VIEW_NAMES[view]}; arrow keys walk over them`} chosen=${hand} facts=${facts}
      testid=${`matrix-${seat}`} onLook=${onLook} onPick=${onPick} />
  </section>`;
}

/** What the colours mean. @param {{ node: Node, view: string }} props */
function Legend({ node, view }) {
  const { head } = node;
  if (view === "strategy" || view === "both") {
    return html`<ul class="study-legend" aria-label="Colours">${head.actions.map((one) => html`<li key=${one.action}><i class="swatch" style=${{ background: one.color }}></i>${one.words}</li>`)}</ul>`;
  }
  const scale = scaleOf(node, view), unit = view === "ev" ? (head.unit === "bb" ? " bb" : "") : " %";
  const told = (/** @type {number} */ value) => short(value, view, head.unit) + unit;
  return html`<div class="study-legend" role="img" aria-label=${`${VIEW_NAMES[view]} from ${told(scale.low)} to ${told(scale.high)}`}>
    <span>${told(scale.low)}</span><i class="ramp" style=${{ background: `linear-gradient(90deg, ${scale.stops.join(", ")})` }}></i><span>${told(scale.high)}</span></div>`;
}

/** How often we get here. @param {number} part */
export function reachedWords(part) {
  if (!(part > 0)) return "never";
  if (part >= 0.001) return `${(100 * part).toFixed(part >= 0.1 ? 1 : 2)} %`;
  return `1 in ${Math.round(1 / part).toLocaleString("en")}`;
}

/** What a key does here; whether it did something.
 * @param {string} key
 * @param {{ head: import("/static/js/study/node.js").Head, go: (tokens: string[]) => void, view: string, setView: (view: string) => void, nextFill: () => void,
 *   seat: number, choose: (seat: number) => void, setBox: (box: string) => void, letGo: () => void }} page
 */
function pressed(key, { head, go, view, setView, nextFill, seat, choose, setBox, letGo }) {
  const tokens = head.history;
  if (/^[1-9]$/.test(key)) {
    const action = head.actions[Number(key) - 1];
    if (action) go([...tokens, action.action]);
    return Boolean(action);
  }
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const next = sibling(head, key === "ArrowRight" ? 1 : -1);
    if (next) go([...tokens.slice(0, -1), next]);
    return next !== "";
  }
  if ((key === "ArrowUp" || key === "Backspace") && tokens.length) go(tokens.slice(0, -1));
  else if (key === "/") setBox("line");
  else if (key === "?") setBox("help");
  else if (key === "v") setView(VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length] ?? "strategy");
  else if (key === "h") nextFill();
  else if (key === "p") choose(1 - seat);
  else if (key === "Escape") letGo();
  else return false;
  return true;
}

/** What stands beside the last step: another action, or another card. @param {import("/static/js/study/node.js").Head} head @param {number} by */
function sibling(head, by) {
  const last = head.steps.at(-1);
  if (!last || (!last.player && last.token.length > 2)) return "";
  const own = last.player ? last.siblings.map((one) => one.action) : cardsInOrder(head.board, last.token);
  return own[(own.indexOf(last.token) + by + own.length) % own.length] ?? "";
}

/** Cards from the ace down, those of a board left out but for one. @param {string} board @param {string} but */
function cardsInOrder(board, but) {
  const left = cardsBut(board).add(but);
  return [...RANKS].flatMap((rank) => [..."shdc"].map((suit) => rank + suit)).filter((card) => left.has(card));
}

