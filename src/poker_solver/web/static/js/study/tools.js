// What can be taken from a node: ranges as text, files, a picture, a spot to build; and its colours.
import { html, useEffect, useRef, useState } from "/static/js/ui.js";
import { getJson, query, sendJson } from "/static/js/api.js";
import { Link } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";
import { buildAddress } from "/static/js/study/actions.js";
import { download, fileName, picture } from "/static/js/study/picture.js";

/** @typedef {import("/static/js/study/node.js").Node} Node */

/**
 * @param {{ node: Node, view: string, fill: string, onPalette: () => void, onHelp: () => void, onLine: () => void }} props
 */
export function Tools({ node, view, fill, onPalette, onHelp, onLine }) {
  const { head } = node, base = `/api/solutions/${encodeURIComponent(head.solution)}`, line = head.history.join(" ");
  const own = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    const outside = (/** @type {Event} */ event) => {
      if (own.current && event.target instanceof Element && !own.current.contains(event.target)) own.current.open = false;
    };
    const escape = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && own.current?.open) { own.current.open = false; event.preventDefault(); }
    };
    document.addEventListener("click", outside);
    document.addEventListener("keydown", escape, true);
    return () => { document.removeEventListener("click", outside); document.removeEventListener("keydown", escape, true); };
  }, []);
  const close = () => { if (own.current) own.current.open = false; };
  const copy = async (/** @type {string} */ name) => {
    close();
    try {
      const ranges = await getJson(`${base}/ranges${query({ line })}`);
      await navigator.clipboard.writeText(ranges[name] ?? "");
      notify(`${name}'s range is in the clipboard.`);
    } catch (error) {
      notify(`The range could not be copied: ${/** @type {Error} */ (error).message}`, "error");
    }
  };
  const png = async () => {
    close();
    try { download(await picture(node, view, fill), fileName(node, "png")); } catch (error) { notify(/** @type {Error} */ (error).message, "error"); }
  };
  return html`<div class="tools row">
    <button onClick=${onLine} data-testid="line-open" title="Go to a line (/)">Line <kbd>/</kbd></button>
    <details ref=${own} data-testid="tools"><summary class="button">Take along ▾</summary><div class="tools-menu panel">
      ${head.players.map((player) => html`<button key=${player.name} class="plain" onClick=${() => copy(player.name)}>Copy ${player.name}'s range</button>`)}
      ${head.actor !== null && html`
        <a class="button plain" href=${`${base}/export${query({ format: "csv", line })}`} download onClick=${close}>Hands as CSV</a>
        <a class="button plain" href=${`${base}/export${query({ format: "json", line })}`} download onClick=${close}>Hands as JSON</a>`}
      <button class="plain" onClick=${png} data-testid="png">Picture (PNG)</button>
      ${head.solve && html`<${Link} class="button plain" testid="to-solve" to=${`/study/${encodeURIComponent(head.solve)}`}>Lock and exploit: this solve by itself<//>`}
      ${head.can_build && html`<${Link} class="button plain" to=${buildAddress(head, "")}>Build a spot from here<//>`}
      ${(head.kind === "flop" || (head.board.length === 6 && !head.name)) && html`<${Link} class="button plain" testid="to-report"
        to=${`/reports${query({ from: head.solution, line: head.kind === "flop" ? line : "" })}`}>Report on many flops<//>`}
      <${Link} class="button plain" to=${`/compare${query({ a: head.solution, line })}`} testid="to-compare">Compare with another solve<//>
      <${Palettes} onChoice=${onPalette} />
    </div></details>
    <button onClick=${onHelp} aria-label="Keys" title="Keys (?)" data-testid="help-open">?</button>
  </div>`;
}

/** @param {{ onChoice: () => void }} props */
function Palettes({ onChoice }) {
  const [settings, setSettings] = useState(/** @type {{ palette: string, palettes: { name: string, what: string }[] } | null} */ (null));
  useEffect(() => { getJson("/api/settings").then(setSettings, () => setSettings(null)); }, []);
  if (!settings) return null;
  const choose = (/** @type {any} */ event) => sendJson("/api/settings", { palette: event.target.value }, "PUT").then(
    (found) => { setSettings(found); onChoice(); }, (error) => notify(error.message, "error"));
  return html`<label>Colours <select value=${settings.palette} onChange=${choose} data-testid="palette">
    ${settings.palettes.map((one) => html`<option key=${one.name} value=${one.name} title=${one.what}>${one.name}</option>`)}</select></label>`;
}
