// What programs may ask of the server: the OpenAPI description, to read.
import { html, useEffect, useState } from "/static/js/ui.js";
import { getJson } from "/static/js/api.js";
import { notify } from "/static/js/notify.js";

/**
 * @typedef {{ name: string, in: string, required?: boolean, schema: any, description?: string }} Given
 * @typedef {{ summary?: string, description?: string, tags?: string[], parameters?: Given[], requestBody?: any, responses: any }} Route
 * @typedef {{ info: { title: string, version: string }, paths: Record<string, Record<string, Route>>, components: { schemas: Record<string, any> } }} Description
 */

/** A type as people write it. @param {any} schema @returns {any} */
function typeOf(schema) {
  if (!schema) return "";
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    return html`<a href=${`#${name}`}>${name}</a>`;
  }
  if (schema.anyOf) return schema.anyOf.map((/** @type {any} */ one, /** @type {number} */ n) => html`${n ? " | " : ""}${typeOf(one)}`);
  if (schema.type === "array") return html`${typeOf(schema.items)}[]`;
  return schema.enum ? schema.enum.join(" | ") : schema.type ?? "any";
}

/** @param {any} holder @returns {any} what a body or an answer holds */
function contentOf(holder) {
  const first = Object.values(holder?.content ?? {})[0];
  return typeOf(/** @type {any} */ (first)?.schema);
}

/** @param {{ method: string, path: string, route: Route }} props */
function One({ method, path, route }) {
  const given = (route.parameters ?? []).filter((one) => one.in !== "path");
  return html`<li><p><strong class="mono">${method.toUpperCase()} ${path}</strong></p>
    <p>${route.description ?? route.summary}</p>
    ${given.length > 0 && html`<p class="muted">Query: ${given.map((one) => html`<span class="mono"> ${one.name}: ${typeOf(one.schema)}</span>`)}</p>`}
    ${route.requestBody && html`<p class="muted">Body: ${contentOf(route.requestBody)}</p>`}
    <p class="muted">Answer: ${contentOf(route.responses["200"]) || "nothing"}</p></li>`;
}

export default function Routes() {
  const [found, setFound] = useState(/** @type {Description | null} */ (null));
  useEffect(() => { getJson("/api/openapi.json").then(setFound, (error) => notify(error.message, "error")); }, []);
  if (!found) return html`<p class="loading">Loading…</p>`;
  const routes = Object.entries(found.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({ path, method, route })));
  const tags = [...new Set(routes.map((one) => one.route.tags?.[0] ?? ""))];
  return html`<h1>Routes</h1>
    <p>What programs may ask of this server, version ${found.info.version}; the same as <a href="/api/openapi.json">OpenAPI</a>.
      What is refused has a status and <span class="mono">{"error": "one line"}</span>.</p>
    ${tags.map((tag) => html`<section class="panel routes" key=${tag} aria-label=${tag}><h2>${tag}</h2>
      <ul>${routes.filter((one) => (one.route.tags?.[0] ?? "") === tag).map((one) => html`<${One} key=${one.method + one.path} ...${one} />`)}</ul></section>`)}
    <section class="panel routes" aria-label="Records"><h2>Records</h2>
      ${Object.entries(found.components.schemas).map(([name, schema]) => html`<div key=${name} id=${name}><h3>${name}</h3>
        <p>${schema.description}</p>
        <p class="mono">${Object.entries(schema.properties ?? {}).map(([field, kind], n) => html`${n ? ", " : ""}${field}: ${typeOf(kind)}`)}</p></div>`)}
    </section>`;
}
