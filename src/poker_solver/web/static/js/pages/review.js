// Hands that were played: bring them in, and look at what they lost.
import { html, useEffect, useState } from "/static/js/ui.js";
import { getJson, query, upload } from "/static/js/api.js";
import { known } from "/static/js/format.js";
import { Link, navigate } from "/static/js/router.js";
import { notify } from "/static/js/notify.js";
import { OneReview } from "/static/js/review/one-review.js";

/** @typedef {{ id: string, title: string, created: number, status: string, num_done: number, num_asked: number,
 *   lost_bb_per_100: number | null }} Summary */

/** Several files as one text; single PHH hands get a number each. @param {FileList | File[]} files */
async function joined(files) {
  const texts = await Promise.all([...files].map((file) => file.text()));
  const isPhh = [...files].length > 1 && [...files].every((file) => file.name.toLowerCase().endsWith(".phh"));
  return texts.map((text, n) => (isPhh ? `[${n + 1}]\n${text}` : text)).join("\n\n");
}

function Bring() {
  const [text, setText] = useState("");
  const [player, setPlayer] = useState("");
  const [flops, setFlops] = useState(false);
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const send = async (/** @type {string} */ hands) => {
    setBusy(true);
    setProblem("");
    try {
      const found = await upload(`/api/reviews${query({ player, solve_flops: flops || "" })}`, new Blob([hands]));
      navigate(`/review/${found.id}`);
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    } finally {
      setBusy(false);
    }
  };
  const take = async (/** @type {FileList | undefined | null} */ files) => {
    if (files && files.length) await send(await joined(files));
  };
  const submit = (/** @type {Event} */ event) => { event.preventDefault(); void send(text); };
  const drop = (/** @type {DragEvent} */ event) => { event.preventDefault(); setOver(false); void take(event.dataTransfer?.files); };
  return html`<form class=${`panel bring ${over ? "over" : ""}`} onSubmit=${submit} data-testid="bring" onDrop=${drop}
    onDragOver=${(/** @type {DragEvent} */ e) => { e.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)}>
    <p>Paste hands of PokerStars or GGPoker, or PHH; or drop files here. Heads-up hands are reviewed, others are counted.
      <strong> Nothing leaves this machine.</strong></p>
    <label class="wide">Hand histories <textarea rows="8" value=${text} data-testid="paste" spellcheck=${false}
      onInput=${(/** @type {any} */ e) => setText(e.target.value)}></textarea></label>
    <div class="row">
      <label>Files <input type="file" multiple accept=".txt,.log,.phh,.phhs,text/plain" data-testid="files" disabled=${busy}
        onChange=${(/** @type {any} */ e) => take(e.target.files)} /></label>
      <label>Whose decisions <input value=${player} placeholder="the hero's" data-testid="player" onInput=${(/** @type {any} */ e) => setPlayer(e.target.value)} /></label>
      <label class="inline"><input type="checkbox" checked=${flops} data-testid="flops" onChange=${(/** @type {any} */ e) => setFlops(e.target.checked)} />
        Solve flops, up to a minute each</label>
      <button class="main" data-testid="start" disabled=${busy || !text.trim()}>${busy ? "Reading…" : "Review"}</button>
    </div>
    ${problem ? html`<p class="problem" role="alert" data-testid="problem">${problem}</p>` : null}
    <p class="muted">Before the flop the stored game of the nearest stack answers; turns and rivers are solved with the sizes that were played.
      Flops are only searched unless they are solved, so their EVs are not said.</p>
  </form>`;
}

/** @param {{ reviews: Summary[] }} props */
function List({ reviews }) {
  if (!reviews.length) return null;
  return html`<section class="panel" aria-label="Earlier reviews"><h2>Earlier reviews</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Earlier reviews"><table data-testid="reviews"><thead><tr><th scope="col">Review</th><th scope="col">State</th><th scope="col" class="number">Hands</th>
      <th scope="col" class="number">bb lost per 100</th><th scope="col">Made</th></tr></thead>
      <tbody>${reviews.map((one) => html`<tr key=${one.id}><td><${Link} to=${`/review/${one.id}`}>${one.title}<//></td><td>${one.status}</td>
        <td class="number">${one.num_done}/${one.num_asked}</td><td class="number mono">${known(one.lost_bb_per_100) ? one.lost_bb_per_100.toFixed(1) : "–"}</td>
        <td>${new Date(1000 * one.created).toLocaleDateString()}</td></tr>`)}</tbody></table></div></section>`;
}

/** @param {{ route: import("/static/js/router.js").Route }} props */
export default function ReviewPage({ route }) {
  const [reviews, setReviews] = useState(/** @type {Summary[]} */ ([]));
  useEffect(() => {
    if (!route.id) getJson("/api/reviews").then(setReviews, (error) => notify(error.message, "error"));
  }, [route.id]);
  if (route.id) return html`<${OneReview} key=${route.id} id=${route.id} route=${route} />`;
  return html`<h1>Review</h1><div class="review-parts"><${Bring} /><${List} reviews=${reviews} /></div>`;
}
