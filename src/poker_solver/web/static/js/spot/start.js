// How far to solve, where, and under which name.
import { html, useState } from "/static/js/ui.js";
import { sendJson } from "/static/js/api.js";
import { navigate } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";

/**
 * @typedef {{ target: string, seconds: string, device: string, precision: string, rivers: string, name: string, tags: string }} Wanted
 * @param {{ wanted: Wanted, setWanted: (wanted: Wanted) => void, devices: string[], yaml: string, why: string }} props
 *   `yaml` is empty while the spot is not sound, and `why` says what is in the way
 */
export function StartPanel({ wanted, setWanted, devices, yaml, why }) {
  const [sending, setSending] = useState(false);
  /** @param {keyof Wanted} key */
  const put = (key) => (/** @type {any} */ e) => setWanted({ ...wanted, [key]: e.target.value });
  const target = Number(wanted.target), seconds = wanted.seconds.trim() ? Number(wanted.seconds) : null;
  const wrong = !(target > 0 && target <= 100) ? "The target is a number above 0, in % of the pot." : seconds !== null && !(seconds > 0) ? "The most seconds are a number above 0." : "";
  /** @param {Event} event */
  const start = async (event) => {
    event.preventDefault();
    if (!yaml || wrong) return;
    setSending(true);
    try {
      const tags = wanted.tags.split(",").map((tag) => tag.trim()).filter(Boolean);
      const job = await sendJson("/api/jobs/solve", {
        spot: yaml, target_pct: target, max_seconds: seconds, device: wanted.device, precision: wanted.precision,
        rivers: wanted.rivers ? wanted.rivers === "keep" : null, name: wanted.name.trim(), tags,
      });
      navigate(`/jobs/${job.id}`);
    } catch (error) {
      notify(/** @type {Error} */ (error).message, "error");
      setSending(false);
    }
  };
  return html`<form class="panel start" aria-label="Solve" data-testid="start" onSubmit=${start}>
    <h2>Solve</h2>
    <div class="start-grid">
      <label>Target, % of pot<input value=${wanted.target} inputmode="decimal" data-testid="target" onInput=${put("target")} /></label>
      <label>At most, seconds<input value=${wanted.seconds} inputmode="decimal" placeholder="no limit" data-testid="seconds" onInput=${put("seconds")} /></label>
      <label>Device<select onChange=${put("device")}>${devices.map((one) => html`<option key=${one} value=${one} selected=${one === wanted.device}>${one}</option>`)}</select></label>
      <label>Precision<select onChange=${put("precision")}><option value="float32" selected=${wanted.precision === "float32"}>float32</option><option value="int16" selected=${wanted.precision === "int16"}>int16, less memory</option></select></label>
      <label class="two" title="Without them a save is small, and rivers are solved as you come to them; an exploit needs them">Rivers in the save<select data-testid="rivers" onChange=${put("rivers")}>
        ${[["", "if they are small"], ["keep", "all, for an exploit"], ["drop", "none"]].map(([value, words]) => html`<option key=${value} value=${value} selected=${value === wanted.rivers}>${words}</option>`)}</select></label>
      <label class="two">Name<input value=${wanted.name} maxlength="100" placeholder="BTN v BB, K72 rainbow" data-testid="name" onInput=${put("name")} /></label>
      <label class="two">Tags, by commas<input value=${wanted.tags} placeholder="srp, 100bb" data-testid="tags" onInput=${put("tags")} /></label>
    </div>
    <div class="row"><button class="main" data-testid="solve" disabled=${!yaml || Boolean(wrong) || sending}>${sending ? "Starting…" : "Start"}</button>
      <span class="muted grow" role="status">${wrong || why}</span></div>
  </form>`;
}
