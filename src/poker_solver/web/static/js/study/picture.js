// Both matrices in one picture, for lessons.
import { drawMatrix, themeInks } from "/static/js/components/matrix.js";
import { percent } from "/static/js/format.js";
import { cellsOf } from "/static/js/study/colors.js";
import { VIEW_NAMES } from "/static/js/study/node.js";

/** @typedef {import("/static/js/study/node.js").Node} Node */

const SIZE = 560, EDGE = 24, HEAD = 84, FOOT = 56;

/** A PNG of what the page shows. @param {Node} node @param {string} view @param {string} fill @returns {Promise<Blob>} */
export function picture(node, view, fill) {
  const { head } = node, canvas = document.createElement("canvas"), dense = 2;
  const wide = 2 * SIZE + 3 * EDGE, high = HEAD + SIZE + FOOT;
  canvas.width = wide * dense;
  canvas.height = high * dense;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), inks = themeInks();
  pen.scale(dense, dense);
  pen.fillStyle = inks.ground;
  pen.fillRect(0, 0, wide, high);
  const write = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ font) => {
    pen.fillStyle = inks.ink;
    pen.textBaseline = "alphabetic";
    pen.textAlign = "left";
    pen.font = `${font} system-ui, sans-serif`;
    pen.fillText(text, x, y);
  };
  write(`${head.title}${head.board ? ` · ${head.board}` : ""} · ${head.line || "first decision"}`, EDGE, 30, "600 18px");
  write(`${VIEW_NAMES[view] ?? view}${head.filter ? ` · ${head.filter}` : ""} · exploitability ${head.exploitability}`, EDGE, 50, "13px");
  head.players.forEach((player, seat) => {
    const left = EDGE + seat * (SIZE + EDGE);
    write(`${player.name}${head.actor === seat ? " acts" : ""}`, left, HEAD - 8, "600 14px");
    drawMatrix(pen, left, HEAD, SIZE, cellsOf(node, seat, view, fill), inks);
  });
  let x = EDGE;
  for (const action of view === "strategy" || view === "both" ? head.actions : []) {
    const text = `${action.words} ${percent(action.share)}`;
    pen.fillStyle = action.color;
    pen.fillRect(x, HEAD + SIZE + 20, 14, 14);
    write(text, x + 20, HEAD + SIZE + 32, "13px");
    x += 44 + pen.measureText(text).width;
  }
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture could not be made"))), "image/png");
  });
}

/** Hand a file to the browser. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A name for a file of a node. @param {Node} node @param {string} suffix */
export function fileName(node, suffix) {
  const text = [node.head.solution, ...node.head.history].join("-").replace(/[^A-Za-z0-9.]+/g, "-");
  return `${text.slice(0, 100)}.${suffix}`;
}

