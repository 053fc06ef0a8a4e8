// Sizes of every street that is played, for both players, by presets or typed.
import { html } from "/static/js/ui.js";
import { Field, idOf, textOf } from "/static/js/spot/field.js";
import { problemAt } from "/static/js/spot/draft.js";

/**
 * @typedef {import("/static/js/spot/draft.js").Editing} Editing
 * @typedef {{ name: string, bet: string, raise: string }} Preset
 */

export const STREETS = ["flop", "turn", "river"];
/** @type {["oop" | "ip", string][]} */
export const PLAYERS = [["oop", "OOP"], ["ip", "IP"]];
const NO_DONK = "none";

/** The streets that a board leaves to play. @param {number} cards */
export const played = (cards) => STREETS.slice(Math.max(0, Math.min(2, cards - 3)));

/** Fields in which every street that is played has sizes: those of the next one, without its donks.
 * @param {any} fields @param {number} cards
 */
export function withStreets(fields, cards) {
  if (fields.lines?.length || cards < 3) return fields;
  const after = { ...fields };
  for (const [name] of PLAYERS) {
    const own = { ...(after[name] ?? {}) };
    for (const street of [...played(cards)].reverse()) {
      const next = own[STREETS[STREETS.indexOf(street) + 1] ?? ""] ?? { bet: "75%", raise: "60%" };
      if (!own[street]) { own[street] = { ...next }; delete own[street].donk; }
    }
    after[name] = own;
  }
  return after;
}

/** @param {{ editing: Editing, cards: number, presets: Preset[] }} props */
export function Sizes({ editing, cards, presets }) {
  const { draft, change, changeAll } = editing;
  const fields = draft.fields;
  if (fields.lines?.length) {
    return html`<section class="panel" aria-label="Sizes"><h2>Sizes</h2>
      <p class="muted">This tree is written out in ${fields.lines.length} lines; they are edited in the YAML.</p></section>`;
  }
  const mirror = () => changeAll((before) => {
    const ip = { ...before.ip };
    for (const street of played(cards)) {
      const { donk, ...own } = before.oop?.[street] ?? {};
      ip[street] = own;
    }
    return { ...before, ip };
  });
  return html`<section class="panel" aria-label="Sizes" data-testid="sizes">
    <div class="row"><h2 class="grow">Sizes</h2>
      <button class="small" title="Give IP the sizes of OOP on every street" onClick=${mirror}>OOP → IP</button></div>
    <div class="size-grid">
      ${PLAYERS.map(([name, title]) => html`<div key=${name} class="size-player" role="group" aria-label=${`Sizes of ${title}`}>
        <div class="size-head" aria-hidden="true"><h3>${title}</h3><span>bet</span><span>raise</span><span>${name === "oop" && played(cards).some((one) => one !== "flop") ? "donk" : ""}</span></div>
        ${played(cards).map((street) => html`<${Street} key=${street} name=${name} title=${title} street=${street} presets=${presets}
          sizes=${fields[name]?.[street]} problems=${draft.problems} change=${change} />`)}
      </div>`)}
    </div>
    <p class="muted hint">33% of the pot · 2.5x a bet · 120c chips · a all-in · e the same share on every street. Several by commas.
      Empty: none. A donk opens after calling the street before; empty: as the bets, “none”: never.</p>
  </section>`;
}

/** @param {{ name: "oop" | "ip", title: string, street: string, presets: Preset[], sizes: any, problems: any[], change: Editing["change"] }} props */
function Street({ name, title, street, presets, sizes, problems, change }) {
  const place = `${name}.${street}`;
  const canDonk = name === "oop" && street !== "flop";
  const current = presets.findIndex((one) => one.bet === textOf(sizes?.bet) && one.raise === textOf(sizes?.raise));
  /** @param {any} e */
  const preset = (e) => {
    const found = presets[Number(e.target.value)];
    if (e.target.value !== "" && found) change([name, street], { ...(sizes ?? {}), bet: found.bet, raise: found.raise });
  };
  /** @param {string} key @param {string} text */
  const put = (key, text) => change([name, street], { ...(sizes ?? {}), [key]: text });
  const donk = sizes?.donk === "" ? NO_DONK : textOf(sizes?.donk);
  /** @param {string} text */
  const putDonk = (text) => {
    const { donk: _, ...rest } = sizes ?? {};
    change([name, street], text === "" ? rest : { ...rest, donk: text.trim().toLowerCase() === NO_DONK ? "" : text });
  };
  const wrong = problemAt(problems, place, true), says = idOf(place);
  return html`<div class="size-row">
    <span class="size-street">${street}</span>
    <label><span class="visually-hidden">${title}, ${street}: a preset</span>
      <select data-testid=${`preset-${place}`} onChange=${preset}>
        <option value="" selected=${current < 0}>own sizes</option>
        ${presets.map((one, n) => html`<option key=${one.name} value=${String(n)} selected=${n === current}>${one.name}</option>`)}
      </select></label>
    <${Field} label="bet" place=${`${place}.bet`} value=${sizes?.bet} problem=${problemAt(problems, `${place}.bet`) || problemAt(problems, place)} says=${says}
      placeholder="none" onText=${(/** @type {string} */ text) => put("bet", text)} />
    <${Field} label="raise" place=${`${place}.raise`} value=${sizes?.raise} problem=${problemAt(problems, `${place}.raise`)} says=${says}
      placeholder="none" onText=${(/** @type {string} */ text) => put("raise", text)} />
    ${canDonk ? html`<${Field} label="donk" place=${`${place}.donk`} value=${donk} problem=${problemAt(problems, `${place}.donk`)} says=${says}
      placeholder="as bets" onText=${putDonk} />` : html`<span class="no-donk"></span>`}
    ${wrong ? html`<p id=${says} class="field-problem size-wrong">${wrong}</p>` : null}
  </div>`;
}
