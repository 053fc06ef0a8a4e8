// The address is the state: where we are, going elsewhere, going back.
import { html, useEffect, useState } from "/static/js/ui.js";

/** @typedef {{ page: string, id: string, query: URLSearchParams, path: string }} Route */

/** @type {Set<() => void>} */
const listeners = new Set();

/** @returns {Route} */
export function currentRoute() {
  const [page = "", ...rest] = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  return { page: page || "library", id: rest.join("/"), query: new URLSearchParams(location.search), path: location.pathname };
}

/** Go to an address of ours; `replace` leaves no step to go back to.
 * @param {string} path @param {boolean} [replace]
 */
export function navigate(path, replace = false) {
  if (path === location.pathname + location.search) return;
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  listeners.forEach((listen) => listen());
}

/** The same page with some of its query changed. @param {Record<string, string | null>} changes @param {boolean} [replace] */
export function changeQuery(changes, replace = false) {
  const found = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") found.delete(name);
    else found.set(name, value);
  }
  const text = found.toString();
  navigate(location.pathname + (text ? `?${text}` : ""), replace);
}

/** @returns {Route} */
export function useRoute() {
  const [route, setRoute] = useState(currentRoute());
  useEffect(() => {
    const update = () => setRoute(currentRoute());
    listeners.add(update);
    addEventListener("popstate", update);
    return () => { listeners.delete(update); removeEventListener("popstate", update); };
  }, []);
  return route;
}

/** A link that changes the page without loading it anew.
 * @param {{ to: string, class?: string, label?: string, children?: any, testid?: string, current?: boolean }} props
 */
export function Link({ to, class: name, label, children, testid, current }) {
  /** @param {MouseEvent} event */
  const go = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(to);
  };
  return html`<a href=${to} class=${name} aria-label=${label} data-testid=${testid}
    aria-current=${current ? "page" : undefined} onClick=${go}>${children}</a>`;
}
