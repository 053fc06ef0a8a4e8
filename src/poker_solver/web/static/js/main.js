// The frame around every page: where one can go, what was said, which page is shown.
import { html, render, useEffect, useState } from "/static/js/ui.js";
import { Link, useRoute } from "/static/js/router.js";
import { currentNotices, dismiss, onNotices } from "/static/js/notify.js";
import { PanelPicture } from "/static/js/panel-picture.js";

/** @type {Record<string, () => Promise<{ default: any }>>} */
const PAGES = {
  library: () => import("/static/js/pages/library.js"),
  study: () => import("/static/js/pages/study.js"),
  build: () => import("/static/js/pages/build.js"),
  jobs: () => import("/static/js/pages/jobs.js"),
  reports: () => import("/static/js/pages/reports.js"),
  compare: () => import("/static/js/pages/compare.js"),
  train: () => import("/static/js/pages/train.js"),
  review: () => import("/static/js/pages/review.js"),
  routes: () => import("/static/js/pages/routes.js"),
};

const NAV = [
  ["/", "Library"], ["/build", "Build"], ["/reports", "Reports"], ["/train", "Train"], ["/review", "Review"],
];

function Notices() {
  const [notices, setNotices] = useState(currentNotices());
  useEffect(() => onNotices(() => setNotices(currentNotices())), []);
  return html`<div class="notices" role="status" aria-live="polite">
    ${notices.map((one) => html`<p key=${one.id} class=${`notice ${one.kind}`}>
      <span>${one.text}</span>
      <button class="plain" aria-label="Dismiss" onClick=${() => dismiss(one.id)}>×</button>
    </p>`)}
  </div>`;
}

function Theme() {
  const root = document.documentElement;
  const [theme, setTheme] = useState(root.dataset.theme);
  const other = theme === "dark" ? "light" : "dark";
  const change = () => {
    root.dataset.theme = other;
    setTheme(other);
    try { localStorage.setItem("theme", other); } catch { /* storage may be off */ }
  };
  return html`<button class="plain" data-testid="theme" aria-label=${`Use the ${other} theme`} onClick=${change}>
    ${theme === "dark" ? "☀" : "☾"}</button>`;
}

/** @param {{ route: import("/static/js/router.js").Route }} props */
function Page({ route }) {
  const [found, setFound] = useState(/** @type {{ page: string, Shown: any } | null} */ (null));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let current = true;
    setProblem("");
    const open = PAGES[route.page];
    if (!open) { setProblem(`There is no page ${route.path}.`); return; }
    open().then(
      (module) => { if (current) setFound({ page: route.page, Shown: module.default }); },
      (error) => { if (current) setProblem(`This page cannot be drawn: ${error.message}`); },
    );
    return () => { current = false; };
  }, [route.page]);
  if (problem) return html`<p class="problem" role="alert">${problem} <${Link} to="/">To the library<//></p>`;
  if (!found || found.page !== route.page) return html`<p class="loading">Loading…</p>`;
  return html`<${found.Shown} route=${route} />`;
}

function App() {
  const route = useRoute();
  return html`
    <a class="skip" href="#main">To the page</a>
    <header class="top">
      <${Link} to="/" class="brand" label="poker-solver, to the library">poker-solver<//>
      <nav aria-label="Pages">
        ${NAV.map(([path, name]) => html`<${Link} key=${path} to=${path}
          current=${path === "/" ? route.page === "library" : path === `/${route.page}`}>${name}<//>`)}
      </nav>
      <${PanelPicture} /><${Theme} />
    </header>
    <main id="main" class=${`page-${route.page}`} tabindex="-1"><${Page} route=${route} /></main>
    <${Notices} />`;
}

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
root.replaceChildren();
render(html`<${App} />`, root);
