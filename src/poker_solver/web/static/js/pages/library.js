// Saved solves: find one, open it, name it, bring one in; what is being solved stands on top.
import { html, useEffect, useMemo, useState } from "/static/js/ui.js";
import { getJson, remove, sendJson, upload } from "/static/js/api.js";
import { notify } from "/static/js/notify.js";
import { Link, changeQuery, navigate } from "/static/js/router.js";
import { Confirm } from "/static/js/components/dialog.js";
import { JobTable, isUnderWay, useJobs } from "/static/js/pages/jobs.js";
import { LibraryRow } from "/static/js/library/row.js";

/** @typedef {{ id: string, name: string, tags: string[], kind: string, board: string, stack: string, exploitability: string,
 *   exploitability_pct: number | null, iterations: number, num_bytes: number, modified: number, num_locks: number, is_shipped: boolean, problem: string }} Entry */

const EXAMPLE = "turn_example";
/** @type {[string, string, (entry: Entry) => string | number][]} */
const COLUMNS = [
  ["name", "Name", (one) => one.name.toLowerCase()],
  ["board", "Board", (one) => one.board],
  ["stack", "Stack", (one) => parseFloat(one.stack.replace(/,/g, "")) || 0],
  ["exploitability", "Exploitability", (one) => one.exploitability_pct ?? Infinity],
  ["size", "Size", (one) => one.num_bytes],
  ["date", "Date", (one) => one.modified],
];
/** @type {Record<string, string>} */
const KINDS = { spot: "spots", preflop: "before the flop", game: "full games" };

/** @param {any} error */
const say = (error) => notify(error.message, "error");

/** Whether a board has the cards or ranks that were typed, in any order. @param {string} board @param {string} typed */
function onBoard(board, typed) {
  const wanted = typed.replace(/10/g, "T").match(/[2-9TJQKA][shdc]?/gi) ?? [];
  /** @type {string[]} */
  let left = board.toLowerCase().match(/../g) ?? [];
  return wanted.every((one) => {
    const at = left.findIndex((card) => card.startsWith(one.toLowerCase()));
    left = left.filter((_, n) => n !== at);
    return at >= 0;
  });
}

/** @param {{ route: import("/static/js/router.js").Route }} props */
export default function Library({ route }) {
  const [entries, setEntries] = useState(/** @type {Entry[] | null} */ (null));
  const [ticked, setTicked] = useState(/** @type {string[]} */ ([]));
  const [deleting, setDeleting] = useState(/** @type {Entry | null} */ (null));
  const [jobs, lookAtJobs] = useJobs();
  const active = (jobs?.filter(isUnderWay) ?? []).sort((one, other) => one.position - other.position);
  const look = () => getJson("/api/library").then(setEntries, say);
  useEffect(() => { look(); }, [active.length]);

  const asked = route.query;
  const wanted = { text: asked.get("q") ?? "", tag: asked.get("tag") ?? "", kind: asked.get("kind") ?? "", board: asked.get("board") ?? "" };
  const sort = asked.get("sort") ?? "", down = asked.get("down") === "1";
  const tags = useMemo(() => [...new Set((entries ?? []).flatMap((one) => one.tags))].sort(), [entries]);
  const shown = useMemo(() => {
    const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = (entries ?? []).filter((one) => {
      const text = `${one.name} ${one.id} ${one.board} ${one.stack} ${one.tags.join(" ")}`.toLowerCase();
      return words.every((word) => text.includes(word)) && (!wanted.tag || one.tags.includes(wanted.tag))
        && (!wanted.kind || one.kind === wanted.kind) && (!wanted.board || onBoard(one.board, wanted.board));
    });
    const value = COLUMNS.find(([name]) => name === sort)?.[2];
    if (!value) return found;
    return [...found].sort((a, b) => { const [x, y] = [value(a), value(b)]; return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1); });
  }, [entries, wanted.text, wanted.tag, wanted.kind, wanted.board, sort, down]);

  if (!entries) return html`<p class="loading">Loading…</p>`;
  const own = entries.filter((one) => !one.is_shipped);
  /** @param {string} name */
  const put = (name) => (/** @type {any} */ e) => changeQuery({ [name]: e.target.value }, true);
  /** @param {string} name */
  const sortBy = (name) => changeQuery({ sort: name, down: sort === name && !down ? "1" : null }, true);
  /** @param {string} id */
  const tick = (id) => setTicked(ticked.includes(id) ? ticked.filter((one) => one !== id) : [...ticked, id].slice(-2));
  /** @param {Entry} one */
  const forget = (one) => remove(`/api/library/${encodeURIComponent(one.id)}`).then(() => {
    setEntries((entries ?? []).filter((other) => other.id !== one.id));
    setTicked(ticked.filter((id) => id !== one.id));
    notify(`${one.name} is deleted.`);
  }, say);
  /** @param {Entry} next */
  const changed = (next) => setEntries((entries ?? []).map((one) => (one.id === next.id ? next : one)));
  const [a, b] = ticked;
  return html`<${Drop} onAdded=${look}>
    <div class="row library-head"><h1 class="grow">Library</h1>
      <${Import} onAdded=${look} />
      <${Link} to="/jobs" class="button">Jobs<//>
      <${Link} to="/build" class="button main" testid="build-link">Build a spot<//></div>
    ${active.length ? html`<section class="panel active" aria-label="Being solved" data-testid="active"><h2>Being solved</h2><${JobTable} jobs=${active} onChange=${lookAtJobs} /></section>` : null}
    ${own.length || active.length ? null : html`<${First} />`}
    ${entries.length ? html`<div class="row filters" role="search">
      <label class="grow">Search<input type="search" value=${wanted.text} placeholder="name, tag, board" data-testid="search" onInput=${put("q")} /></label>
      <label>Board has<input value=${wanted.board} size="8" placeholder="K 7h" data-testid="board-filter" onInput=${put("board")} /></label>
      <label>Tag<select data-testid="tag-filter" onChange=${put("tag")}><option value="">all</option>${tags.map((one) => html`<option key=${one} value=${one} selected=${one === wanted.tag}>${one}</option>`)}</select></label>
      <label>Kind<select data-testid="kind-filter" onChange=${put("kind")}><option value="">all</option>${Object.entries(KINDS).map(([kind, words]) => html`<option key=${kind} value=${kind} selected=${kind === wanted.kind}>${words}</option>`)}</select></label>
      ${a && b ? html`<${Link} to=${`/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`} class="button main" testid="compare">Compare the two<//>`
        : html`<button disabled>Tick two to compare</button>`}
    </div>
    <div class="panel scroll"><table data-testid="library" class="library">
      <thead><tr><th><span class="visually-hidden">Compare</span></th>${COLUMNS.map(([name, title]) => html`<th key=${name} class=${name === "size" ? "number" : ""}
        aria-sort=${sort === name ? (down ? "descending" : "ascending") : "none"}>
        <button class="plain sort" onClick=${() => sortBy(name)}>${title}<span aria-hidden="true">${sort === name ? (down ? " ▾" : " ▴") : ""}</span></button></th>`)}
        <th><span class="visually-hidden">Actions</span></th></tr></thead>
      <tbody>${shown.map((one) => html`<${LibraryRow} key=${one.id} entry=${one} ticked=${ticked.includes(one.id)} onTick=${() => tick(one.id)}
        onChange=${changed} onDelete=${() => setDeleting(one)} onTag=${(/** @type {string} */ tag) => changeQuery({ tag }, true)} />`)}</tbody>
    </table>${shown.length ? null : html`<p class="muted" data-testid="nothing">Nothing here has all of that. <button class="plain" onClick=${() => navigate("/", true)}>Show everything</button></p>`}</div>` : null}
    ${deleting ? html`<${Confirm} title="Delete this solve?" text=${`${deleting.name} is removed from the disk. This cannot be undone.`} yes="Delete"
      onYes=${() => forget(deleting)} onClose=${() => setDeleting(null)} />` : null}
  <//>`;
}

/** What to do first. */
function First() {
  const [busy, setBusy] = useState(false);
  const solve = async () => {
    setBusy(true);
    try {
      const { spots } = await getJson("/api/build/start");
      const job = await sendJson("/api/jobs/solve", { spot: spots[EXAMPLE], target_pct: 0.3, name: "An example turn", tags: ["example"] });
      navigate(`/jobs/${job.id}`);
    } catch (error) { say(error); setBusy(false); }
  };
  return html`<section class="panel first" data-testid="first" aria-label="What to do first">
    <h2>Nothing is solved here yet</h2>
    <p>Solve a small turn to see how it goes: it takes seconds. Then build your own spot, or bring in a file that the terminal saved.</p>
    <div class="row"><button class="main" disabled=${busy} data-testid="solve-example" onClick=${solve}>${busy ? "Starting…" : "Solve an example"}</button>
      <${Link} to="/build" class="button">Build a spot<//></div>
  </section>`;
}

/** Bring files in, one after the other. @param {Iterable<File>} files @param {() => void} onAdded */
async function bringIn(files, onAdded) {
  for (const file of files) {
    try {
      const entry = await upload(`/api/library/upload?name=${encodeURIComponent(file.name)}`, file);
      notify(`${entry.name} is in the library.`);
    } catch (error) { say(error); }
  }
  onAdded();
}

/** @param {{ onAdded: () => void }} props */
function Import({ onAdded }) {
  /** @param {any} e */
  const take = async (e) => { const files = [...e.target.files]; e.target.value = ""; await bringIn(files, onAdded); };
  return html`<label class="button file">Import…<input type="file" accept=".pks" multiple class="visually-hidden" data-testid="import" onChange=${take} /></label>`;
}

/** The page as a place to drop files on. @param {{ onAdded: () => void, children?: any }} props */
function Drop({ onAdded, children }) {
  const [over, setOver] = useState(false);
  /** @param {DragEvent} e */
  const hover = (e) => { if (e.dataTransfer?.types.includes("Files")) { e.preventDefault(); setOver(true); } };
  /** @param {DragEvent} e */
  const drop = (e) => { e.preventDefault(); setOver(false); bringIn([...(e.dataTransfer?.files ?? [])], onAdded); };
  return html`<div class=${`drop${over ? " over" : ""}`} data-testid="drop" onDragOver=${hover} onDragLeave=${() => setOver(false)} onDrop=${drop}>${children}</div>`;
}
