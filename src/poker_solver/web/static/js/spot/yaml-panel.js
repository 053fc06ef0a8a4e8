// The spot as text, and everything that is wrong with it.
import { html } from "/static/js/ui.js";
import { notify } from "/static/js/notify.js";

const MOST_BYTES = 1_000_000;

/** @param {{ text: string, problems: import("/static/js/spot/draft.js").Problem[], onText: (text: string) => void }} props */
export function YamlPanel({ text, problems, onText }) {
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
    link.download = "spot.yaml";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  /** @param {any} e */
  const open = async (e) => {
    const file = e.target.files?.[0];
    e.target.value = "";
    if (!file) return;
    if (file.size > MOST_BYTES) notify(`${file.name} is larger than any spot.`, "error");
    else onText(await file.text());
  };
  return html`<section class="panel yaml-panel" aria-label="YAML">
    <div class="row"><h2 class="grow">YAML</h2>
      <label class="button small file">Open…<input type="file" accept=".yaml,.yml" class="visually-hidden" onChange=${open} /></label>
      <button class="small" onClick=${save}>Download</button>
      <button class="small" onClick=${() => navigator.clipboard?.writeText(text).then(() => notify("The YAML is copied."))}>Copy</button></div>
    <label class="wide"><span class="visually-hidden">The spot as YAML</span>
      <textarea class="yaml" value=${text} spellcheck=${false} wrap="off" rows=${Math.min(28, Math.max(12, text.split("\n").length + 1))} data-testid="yaml"
        aria-invalid=${problems.length ? "true" : undefined} onInput=${(/** @type {any} */ e) => onText(e.target.value)}></textarea></label>
    ${/^\s*#/m.test(text) ? html`<p class="muted hint">Comments go once the form is used: it writes this text anew.</p>` : null}
    <div role="status"><ul class="problems" data-testid="problems">${problems.map((one) => html`<li key=${one.place + one.what}>
      ${one.place ? html`<code>${one.place}</code> ` : null}${one.what}</li>`)}</ul></div>
  </section>`;
}
