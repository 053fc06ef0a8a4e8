// Who is here: EV, equity, EQR and combos of both players, each above its matrix.
import { html } from "/static/js/ui.js";
import { combos, known, money, percent } from "/static/js/format.js";

/**
 * @param {{ head: import("/static/js/study/node.js").Head, seat: number, chosen: boolean, onChoose: () => void }} props
 */
export function PlayerLine({ head, seat, chosen, onChoose }) {
  const player = head.players[seat];
  if (!player) return null;
  const rough = head.rare ? "?" : "", acts = head.actor === seat;
  return html`<div class="player-line" data-testid=${`player-${seat}`}>
    <p class="player-first"><button class=${`plain player-name ${chosen ? "chosen" : ""}`} aria-pressed=${chosen ? "true" : "false"} onClick=${onChoose}
      title="Lists and tables show this player's hands (p)">${player.name}${acts ? " acts" : ""}</button>
      <span class="muted">${money(player.behind, head.unit)} behind</span></p>
    <dl>
      <div><dt>EV</dt><dd>${known(player.ev) ? money(player.ev, head.unit) + rough : "–"}
        ${known(player.ev_pct) ? html` <small>${player.ev_pct.toFixed(1)} %</small>` : ""}</dd></div>
      <div><dt>Equity</dt><dd>${percent(player.equity)}</dd></div>
      <div><dt title="EV as a part of what equity alone would give">EQR</dt><dd>${percent(player.eqr, 0)}</dd></div>
      <div><dt>Combos</dt><dd>${combos(player.combos)}${head.filter && html` <small>${percent(player.shown)}</small>`}</dd></div>
    </dl>
  </div>`;
}
