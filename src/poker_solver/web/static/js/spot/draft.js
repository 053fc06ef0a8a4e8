// A spot while it is written: its YAML is the truth, the form a view of it; the server reads both ways.
import { useEffect, useRef, useState } from "/static/js/ui.js";
import { sendJson } from "/static/js/api.js";
import { notify } from "/static/js/notify.js";

/**
 * @typedef {{ place: string, what: string }} Problem
 * @typedef {{ yaml: string, fields: any, problems: Problem[], unit: "bb" | "chips", checked: string }} Draft
 *   `checked` is the last text in which nothing was wrong; empty while that is not known
 * @typedef {{ draft: Draft, setYaml: (text: string) => void, change: (path: string[], value: any) => void,
 *   changeAll: (make: (fields: any) => any) => void, setUnit: (unit: "bb" | "chips") => void }} Editing
 */

const READ_MS = 250, WRITE_MS = 120;

/** Fields with one of them changed; undefined takes it away. @param {any} fields @param {string[]} path @param {any} value @returns {any} */
export function changed(fields, [key = "", ...rest], value) {
  const list = Array.isArray(fields);
  const after = list ? [...fields] : { ...(fields ?? {}) };
  const inner = rest.length ? changed(after[key], rest, value) : value;
  if (inner !== undefined) after[key] = inner;
  else if (list) after.splice(Number(key), 1);
  else delete after[key];
  return after;
}

/** @param {string} first  YAML to begin with @returns {Editing} */
export function useDraft(first) {
  const [draft, setDraft] = useState(/** @type {Draft} */ ({ yaml: first, fields: null, problems: [], unit: "chips", checked: "" }));
  const now = useRef(draft), turn = useRef(0), timer = useRef(0);
  /** @param {Partial<Draft>} part */
  const put = (part) => { now.current = { ...now.current, ...part }; setDraft(now.current); };

  /** Ask the server after a while, unless something else is typed before. @param {string} path @param {any} body @param {number} ms @param {boolean} takesFields */
  const ask = (path, body, ms, takesFields) => {
    const own = ++turn.current;
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      try {
        const found = await sendJson(path, body);
        if (turn.current !== own) return;
        const sound = found.fields && !found.problems.length;
        /** @type {Partial<Draft>} */
        const part = { problems: found.problems, unit: found.unit, checked: sound ? found.yaml : "" };
        if (path.endsWith("write")) part.yaml = found.yaml;
        if (takesFields && found.fields) part.fields = found.fields;
        put(part);
      } catch (error) {
        notify(/** @type {Error} */ (error).message, "error");
      }
    }, ms);
  };
  /** @param {string} yaml */
  const setYaml = (yaml) => {
    put({ yaml, checked: "" });
    ask("/api/build/read", { yaml }, now.current.fields ? READ_MS : 0, true);
  };
  /** @param {(fields: any) => any} make */
  const changeAll = (make) => {
    const fields = make(now.current.fields ?? {});
    put({ fields, checked: "" });
    ask("/api/build/write", { fields }, WRITE_MS, false);
  };
  useEffect(() => { setYaml(first); return () => clearTimeout(timer.current); }, []);
  return {
    draft, setYaml, changeAll,
    change: (path, value) => changeAll((fields) => changed(fields, path, value)),
    setUnit: (unit) => { put({ unit }); ask("/api/build/write", { fields: now.current.fields ?? {}, unit }, 0, true); },
  };
}

/** What is wrong at a place, or inside it where that is asked. @param {Problem[]} problems @param {string} place @param {boolean} [inside] */
export function problemAt(problems, place, inside = false) {
  return problems.filter((one) => one.place === place || (inside && (one.place.startsWith(`${place}.`) || one.place.startsWith(`${place}[`))))
    .map((one) => one.what).join("; ");
}
