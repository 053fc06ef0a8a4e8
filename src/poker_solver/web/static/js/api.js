// Requests to the server; every refusal is an ApiError with the server's one line.

export class ApiError extends Error {
  /** @param {string} message @param {number} status @param {Record<string, string>} [told] */
  constructor(message, status, told = {}) {
    super(message);
    this.status = status;
    this.told = told; // all that the server said
  }
}

/**
 * @typedef {{ begin: number, shape: number[] }} Place
 * @typedef {{ shape: number[], data: Float32Array }} Table  numbers in rows, the last axis innermost
 * @typedef {{ head: any, arrays: Record<string, Table> }} Packed
 */

/** A query string of what is given; empty values are left out.
 * @param {Record<string, string | number | boolean | null | undefined>} given
 */
export function query(given) {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== null && value !== "") found.set(name, String(value));
  }
  const text = found.toString();
  return text ? `?${text}` : "";
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<Response>} */
async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("the server does not answer; is poker-solver web still running?", 0);
  }
  if (response.ok) return response;
  /** @type {Record<string, string>} */
  let told = {};
  try { told = await response.json(); } catch { /* no JSON: keep the status */ }
  throw new ApiError(told.error ?? `${response.status} ${response.statusText}`, response.status, told);
}

/** @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function getJson(path, signal) {
  return (await ask(path, { signal })).json();
}

/** @param {string} path @returns {Promise<string>} */
export async function getText(path) {
  return (await ask(path)).text();
}

/** @param {string} path @param {unknown} body @param {"POST" | "PUT" | "PATCH"} [method] @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function sendJson(path, body, method = "POST", signal) {
  const headers = { "content-type": "application/json" };
  const response = await ask(path, { method, headers, body: JSON.stringify(body), signal });
  return response.status === 204 ? null : response.json();
}

/** @param {string} path @returns {Promise<void>} */
export async function remove(path) {
  await ask(path, { method: "DELETE" });
}

/** @param {string} path @param {Blob} data @returns {Promise<any>} */
export async function upload(path, data) {
  const headers = { "content-type": "application/octet-stream" };
  return (await ask(path, { method: "POST", headers, body: data })).json();
}

/** A head with its arrays, as the server packs them.
 * @param {string} path @param {AbortSignal} [signal] @returns {Promise<Packed>}
 */
export async function getPacked(path, signal) {
  const body = await (await ask(path, { signal })).arrayBuffer();
  const length = new DataView(body).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, length)));
  const numbers = new Float32Array(body, 4 + length);
  /** @type {Record<string, Table>} */
  const arrays = {};
  for (const [name, place] of Object.entries(/** @type {Record<string, Place>} */ (head.arrays))) {
    const size = place.shape.reduce((product, n) => product * n, 1);
    arrays[name] = { shape: place.shape, data: numbers.subarray(place.begin, place.begin + size) };
  }
  return { head, arrays };
}

/** Follow a job until it ends, over restarts of the server; returns how to stop following.
 * A page that is not looked at lets go: browsers open only a few connections at a time.
 * @param {string} id @param {(job: any) => void} told
 * @param {(lost: boolean) => void} [heard]  whether the server does not answer
 * @returns {() => void}
 */
export function followJob(id, told, heard) {
  const path = `/api/jobs/${encodeURIComponent(id)}`;
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0, over = false;
  /** @param {any} job */
  const take = (job) => {
    over ||= job.status !== "waiting" && job.status !== "running";
    heard?.(false);
    if (over) stop();
    told(job);
  };
  const close = () => { clearTimeout(timer); source?.close(); source = null; };
  const open = () => {
    close();
    if (over || document.hidden) return;
    source = new EventSource(`${path}/events`);
    source.onmessage = (event) => take(JSON.parse(event.data));
    source.onerror = () => {
      heard?.(true);
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(again, 2000);
    };
  };
  const again = () => getJson(path).then((job) => { if (!over) { take(job); open(); } }, (error) => {
    if (over) return;
    if (error.status === 404) stop();
    else timer = setTimeout(again, 2000);
  });
  const stop = () => { over = true; close(); document.removeEventListener("visibilitychange", open); };
  document.addEventListener("visibilitychange", open);
  open();
  return stop;
}
