// One saved solve of the list; its name and tags are edited where they stand.
import { html, useEffect, useRef, useState } from "/static/js/ui.js";
import { sendJson } from "/static/js/api.js";
import { size } from "/static/js/format.js";
import { notify } from "/static/js/notify.js";
import { Link } from "/static/js/router.js";
import { Cards } from "/static/js/components/cards.js";

/** @typedef {import("/static/js/pages/library.js").Entry} Entry */

/** @param {number} seconds */
const day = (seconds) => (seconds ? new Date(1000 * seconds).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" }) : "");

/** @param {{ entry: Entry, ticked: boolean, onTick: () => void, onChange: (entry: Entry) => void, onDelete: () => void, onTag: (tag: string) => void }} props */
export function LibraryRow({ entry, ticked, onTick, onChange, onDelete, onTag }) {
  const [editing, setEditing] = useState(false);
  const id = encodeURIComponent(entry.id);
  /** @param {string} name @param {string[]} tags */
  const save = (name, tags) => sendJson(`/api/library/${id}`, { name, tags }, "PATCH").then(
    (next) => { onChange(next); setEditing(false); }, (error) => notify(error.message, "error"));
  return html`<tr data-testid="entry" class=${entry.problem ? "broken" : ""}>
    <td><input type="checkbox" checked=${ticked} disabled=${Boolean(entry.problem)} aria-label=${`Compare ${entry.name}`} onChange=${onTick} /></td>
    <td class="name">${editing ? html`<${Names} entry=${entry} onSave=${save} onClose=${() => setEditing(false)} />` : html`
      ${entry.problem ? html`<strong>${entry.name}</strong>` : html`<${Link} to=${`/study/${id}`} class="open" testid="study">${entry.name}<//>`}
      <span class="tags">${entry.num_locks ? html`<span class="tag locked">${entry.num_locks === 1 ? "1 lock" : `${entry.num_locks} locks`}</span>` : null}
        ${entry.tags.map((tag) => html`<button key=${tag} class="tag" title=${`Show only ${tag}`} onClick=${() => onTag(tag)}>${tag}</button>`)}</span>
      ${entry.problem ? html`<p class="problem">${entry.problem}</p>` : null}`}</td>
    <td>${entry.board ? html`<${Cards} cards=${entry.board} />` : html`<span class="muted">${entry.kind === "spot" ? "" : "preflop"}</span>`}</td>
    <td>${entry.stack}</td>
    <td title=${entry.iterations ? `${entry.iterations.toLocaleString("en")} iterations` : undefined}>${entry.exploitability}</td>
    <td class="number">${size(entry.num_bytes)}</td>
    <td class="date">${day(entry.modified)}</td>
    <td class="actions"><div class="row tight end">
      ${entry.problem ? null : html`<${Link} class="button small" to=${`/train?solution=${id}`} label=${`Train ${entry.name}`}>Train<//>`}
      ${entry.problem || entry.kind !== "spot" ? null : html`<${Link} class="button small" to=${`/build?from=${id}`} label=${`Build from ${entry.name}`} testid="build-from">Build<//>`}
      <a class="button small" href=${`/api/library/${id}/file`} download aria-label=${`Download ${entry.name}`} title="Download">↓</a>
      ${entry.is_shipped ? null : html`<button class="small" aria-label=${`Rename ${entry.name}`} title="Name and tags" data-testid="edit" onClick=${() => setEditing(true)}>✎</button>
        <button class="small danger" aria-label=${`Delete ${entry.name}`} title="Delete" data-testid="delete" onClick=${onDelete}>✕</button>`}
    </div></td>
  </tr>`;
}

/** @param {{ entry: Entry, onSave: (name: string, tags: string[]) => void, onClose: () => void }} props */
function Names({ entry, onSave, onClose }) {
  const [name, setName] = useState(entry.name);
  const [tags, setTags] = useState(entry.tags.join(", "));
  const first = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => first.current?.select(), []);
  /** @param {Event} e */
  const send = (e) => { e.preventDefault(); onSave(name, tags.split(",").map((tag) => tag.trim()).filter(Boolean)); };
  return html`<form class="names" onSubmit=${send} onKeyDown=${(/** @type {KeyboardEvent} */ e) => { if (e.key === "Escape") onClose(); }}>
    <label><span class="visually-hidden">Name</span><input value=${name} maxlength="100" data-testid="edit-name" ref=${first}
      onInput=${(/** @type {any} */ e) => setName(e.target.value)} /></label>
    <label><span class="visually-hidden">Tags, by commas</span><input value=${tags} placeholder="tags, by commas" data-testid="edit-tags" onInput=${(/** @type {any} */ e) => setTags(e.target.value)} /></label>
    <button class="main small" data-testid="edit-save">Save</button><button type="button" class="small" onClick=${onClose}>Cancel</button>
  </form>`;
}
