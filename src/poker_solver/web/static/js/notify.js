// Short messages at the foot of the page.

/** @typedef {{ id: number, text: string, kind: "info" | "error" }} Notice */

/** @type {Notice[]} */
let notices = [];
/** @type {Set<() => void>} */
const listeners = new Set();
let next = 1;

/** Say something for a while.
 * @param {string} text
 * @param {"info" | "error"} [kind]
 */
export function notify(text, kind = "info") {
  const notice = { id: next++, text, kind };
  notices = [...notices.filter((one) => one.text !== text), notice].slice(-4);
  listeners.forEach((listen) => listen());
  setTimeout(() => dismiss(notice.id), kind === "error" ? 12000 : 5000);
}

/** @param {number} id */
export function dismiss(id) {
  notices = notices.filter((one) => one.id !== id);
  listeners.forEach((listen) => listen());
}

/** @returns {Notice[]} */
export function currentNotices() {
  return notices;
}

/** @param {() => void} listen @returns {() => void} */
export function onNotices(listen) {
  listeners.add(listen);
  return () => { listeners.delete(listen); };
}
