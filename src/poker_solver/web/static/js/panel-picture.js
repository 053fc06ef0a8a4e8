// Any panel as a picture: choose it with the pointer or the keys, and it is kept as a PNG.
import { html, useEffect, useState } from "/static/js/ui.js";
import { notify } from "/static/js/notify.js";
import { download } from "/static/js/study/picture.js";

const PANELS = "main .panel, main section, main figure";
const DENSE = 2;

/** The panel around an element. @param {EventTarget | null} target @returns {HTMLElement | null} */
function panelOf(target) {
  const start = target instanceof Element ? target : null;
  return /** @type {HTMLElement | null} */ (start?.closest("main .panel") ?? start?.closest(PANELS) ?? null);
}

/** What is drawn, with its styles in itself; canvases become images. @param {Element} node @returns {Element} */
function standalone(node) {
  if (node instanceof HTMLCanvasElement) {
    const image = document.createElement("img");
    image.src = node.toDataURL();
    image.setAttribute("style", `width:${node.clientWidth}px;height:${node.clientHeight}px;display:block`);
    return image;
  }
  const copy = /** @type {Element} */ (node.cloneNode(false));
  const style = getComputedStyle(node);
  let text = "";
  for (const name of style) text += `${name}:${style.getPropertyValue(name)};`;
  copy.setAttribute("style", style.overflow === "visible" ? text : `${text}overflow:hidden`); // no scroll bars
  for (const child of node.childNodes) {
    if (child instanceof Element) copy.append(standalone(child));
    else copy.append(child.cloneNode());
  }
  return copy;
}

/** A PNG of a panel as it is on the screen. @param {HTMLElement} panel @returns {Promise<Blob>} */
export async function panelPng(panel) {
  const { width, height } = panel.getBoundingClientRect();
  const copy = standalone(panel);
  copy.setAttribute("xmlns", "http://www.w3.org/1999/xhtml");
  /** @type {HTMLElement} */ (copy).style.margin = "0";
  const inner = new XMLSerializer().serializeToString(copy);
  const size = `width="${Math.ceil(width)}" height="${Math.ceil(height)}"`;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><foreignObject width="100%" height="100%">${inner}</foreignObject></svg>`)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width) * DENSE;
  canvas.height = Math.ceil(height) * DENSE;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(DENSE, DENSE);
  pen.fillStyle = getComputedStyle(document.body).backgroundColor;
  pen.fillRect(0, 0, width, height);
  pen.drawImage(image, 0, 0);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture could not be made"))), "image/png");
  });
}

/** The button that starts it: then a click, or Enter on a panel, takes the picture; Esc does not. */
export function PanelPicture() {
  const [active, setActive] = useState(false);
  useEffect(() => {
    if (!active) return;
    const panels = [...document.querySelectorAll(PANELS)].filter((one) => panelOf(one) === one);
    panels.forEach((one) => one.setAttribute("tabindex", "0"));
    document.documentElement.classList.add("choosing-panel");
    /** @param {Event} event */
    const take = async (event) => {
      const panel = panelOf(event.target);
      if (event instanceof KeyboardEvent && event.key === "Escape") { setActive(false); return; }
      if (event instanceof KeyboardEvent && event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      setActive(false);
      if (!panel) return;
      try { download(await panelPng(panel), `${panel.getAttribute("aria-label") ?? "panel"}.png`); }
      catch (error) { notify(/** @type {Error} */ (error).message, "error"); }
    };
    document.addEventListener("click", take, true);
    document.addEventListener("keydown", take, true);
    return () => {
      panels.forEach((one) => one.removeAttribute("tabindex"));
      document.documentElement.classList.remove("choosing-panel");
      document.removeEventListener("click", take, true);
      document.removeEventListener("keydown", take, true);
    };
  }, [active]);
  const start = () => {
    notify("Click a panel to keep it as a picture; Esc does not.");
    setTimeout(() => setActive(true)); // this click is not the one
  };
  return html`<button class="plain" data-testid="panel-picture" aria-pressed=${active} aria-label="Keep a panel as a picture"
    title="Keep a panel as a picture" onClick=${start}>PNG</button>`;
}
