// The line, step by step: what was played or dealt, and what else could have been.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/js/ui.js";
import { Link } from "/static/js/router.js";
import { percent } from "/static/js/format.js";
import { Card, cardsOf } from "/static/js/components/cards.js";
import { CardPicker, cardsBut } from "/static/js/components/card-picker.js";

/** @typedef {import("/static/js/study/node.js").Head} Head */
/** @typedef {import("/static/js/study/node.js").Step} Step */
/** @typedef {(tokens: string[]) => string} To */

/** Actions as a thin bar of their frequencies. @param {{ actions: import("/static/js/study/node.js").Action[] }} props */
export function MixBar({ actions }) {
  return html`<span class="freq-bar" aria-hidden="true">${actions.map((one) => html`<i key=${one.action}
    style=${{ width: `${100 * (one.share ?? 0)}%`, background: one.color }}></i>`)}</span>`;
}

/** What else could have been played. @param {{ step: Step, tokens: string[], to: To, close: () => void }} props */
function Siblings({ step, tokens, to, close }) {
  return html`<ul class="siblings">${step.siblings.map((one) => html`<li key=${one.action} onClick=${close}>
    <${Link} to=${to([...tokens, one.action])} current=${one.action === step.token}>
      <i class="swatch" style=${{ background: one.color }}></i><span class="grow">${one.words}</span>
      <span class="mono">${percent(one.share)}</span>
    <//></li>`)}</ul>`;
}

/** Another card in the same place; what was played behind it stays.
 * @param {{ head: Head, place: number, go: (tokens: string[]) => void }} props
 */
function OtherCard({ head, place, go }) {
  const change = (/** @type {string} */ card) => go(head.history.map((token, n) => (n === place ? card : token)));
  return html`<div class="other-card"><p class="muted">Another card, the same line:</p>
    <${CardPicker} cards=${cardsBut(head.board)} onPick=${change} label="Another card" /></div>`;
}

/**
 * @param {{ head: Head, to: To, go: (tokens: string[]) => void }} props
 */
export function Breadcrumb({ head, to, go }) {
  const [open, setOpen] = useState(-1);
  const own = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => { setOpen(-1); }, [head.line]);
  useEffect(() => {
    if (own.current) own.current.scrollLeft = own.current.scrollWidth;
  }, [head.line]);
  useLayoutEffect(() => { // at once: a key may follow the click
    if (open < 0) return;
    const outside = (/** @type {Event} */ event) => {
      if (!(event.target instanceof Element) || !event.target.closest(".step")) setOpen(-1);
    };
    const escape = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") { setOpen(-1); event.preventDefault(); }
    };
    document.addEventListener("click", outside);
    document.addEventListener("keydown", escape, true);
    return () => {
      document.removeEventListener("click", outside);
      document.removeEventListener("keydown", escape, true);
    };
  }, [open]);
  return html`<nav class="breadcrumb" aria-label="Line" data-testid="breadcrumb"><ol ref=${own}>
    <li class="step"><${Link} class="step-main" to=${to([])} current=${!head.steps.length}>Start<//></li>
    ${head.steps.map((step, n) => html`<${StepItem} key=${`${n} ${step.line}`} step=${step} place=${n} head=${head} to=${to} go=${go}
      open=${open === n} toggle=${() => setOpen(open === n ? -1 : n)} />`)}
    <li class="step step-here" aria-current="step">${hereWords(head)}</li>
  </ol></nav>`;
}

/**
 * @param {{ step: Step, place: number, head: Head, to: To, go: (tokens: string[]) => void, open: boolean, toggle: () => void }} props
 */
function StepItem({ step, place, head, to, go, open, toggle }) {
  const before = head.history.slice(0, place), isCard = !step.player, isFlop = isCard && step.token.length > 2;
  return html`<li class=${`step ${isCard ? "step-card" : ""}`} data-testid="step">
    <${Link} class="step-main" to=${to([...before, step.token])} current=${place === head.steps.length - 1}>
      ${isCard ? html`<span class="row step-cards">${cardsOf(step.token).map((card) => html`<${Card} key=${card} card=${card} />`)}</span>` : html`
        <span class="step-player">${step.player}</span><span class="step-words">${step.words}</span>
        <span class="step-share mono">${percent(step.share, 0)}</span><${MixBar} actions=${step.siblings} />`}
    <//>
    ${!isFlop && html`<button class="step-more" aria-expanded=${open ? "true" : "false"} onClick=${toggle}
      aria-label=${isCard ? `Another card than ${step.token}` : `What else than ${step.words}`}>▾</button>`}
    ${open && html`<div class="step-menu" data-testid="siblings">
      ${isCard ? html`<${OtherCard} head=${head} place=${place} go=${go} />`
    : html`<${Siblings} step=${step} tokens=${before} to=${to} close=${toggle} />`}</div>`}
  </li>`;
}

/** What happens at the end of the line. @param {Head} head */
export function hereWords(head) {
  if (head.actor !== null) return `${head.players[head.actor]?.name} to act`;
  /** @type {Record<string, string>} */
  const words = {
    deal: head.board.length === 6 ? "Turn card" : "River card", flop: "Flop", fold: "Fold: the hand is over",
    "all-in": "All-in: hands are shown", showdown: "Showdown",
  };
  return words[head.kind] ?? head.kind;
}
