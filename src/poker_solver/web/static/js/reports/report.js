// What a report is, as the server tells it, and how its numbers are written.
import { known, money, percent } from "/static/js/format.js";

/**
 * @typedef {{ spot: string, flops: string, lines: string[], name: string, target_pct: number | null,
 *   max_iterations: number | null, created: number }} Wanted
 * @typedef {{ num_flops: number, num_solved: number, num_done: number, num_impossible: number,
 *   mean_exploitability_pct: number | null, most_exploitability_pct: number | null, lines: string[], titles: string[],
 *   target_pct: number | null, note: string }} State
 * @typedef {{ id: string, wanted: Wanted, state: State, job: any }} Report
 * @typedef {{ name: string, title: string, kind: "share" | "money" | "ratio", color: string }} Column
 * @typedef {{ flop: string, weight: number, tags: string[], values: (number | null)[], exploitability_pct: number | null,
 *   solution: string }} Row
 * @typedef {{ tag: string, num_flops: number, values: (number | null)[] }} Average
 * @typedef {{ line: string, player: string, pot: number, unit: string, columns: Column[], rows: Row[],
 *   total: (number | null)[], averages: Average[], num_flops: number, where: string, sort: string }} Table
 */

/** A number of a column, without its unit. @param {Column} column @param {number | null | undefined} value @param {string} unit */
export function cellText(column, value, unit) {
  if (!known(value)) return "–";
  return column.kind === "money" ? money(value, unit).replace(" bb", "") : percent(value).replace(" %", "");
}

/** A column with its unit. @param {Column} column @param {string} unit */
export function columnTitle(column, unit) {
  if (column.kind === "money") return `${column.title}, ${unit}`;
  return column.name.startsWith("freq_") ? column.title : `${column.title}, %`;
}

/** Columns that stand together: how often, EV, equity, EQR of both. @param {Column} column @param {string} unit */
export function groupTitle(column, unit) {
  if (column.name.startsWith("freq_")) return "How often, %";
  const what = column.name.split("_").at(-1) ?? "";
  return { ev: `EV, ${unit}`, equity: "Equity, %", eqr: "EQR, %" }[what] ?? "Deals, %";
}

/** A column below the title of its group. @param {Column} column */
export function shortTitle(column) {
  return column.name.startsWith("freq_") ? column.title : column.title.split(" ")[0];
}

/** What a report is called. @param {Report} report */
export function reportName(report) {
  const flops = report.wanted.flops;
  return report.wanted.name || `${flops.length > 30 ? `${flops.slice(0, 30)}…` : flops} flops`;
}

/** Whether its job is queued or at work. @param {Report} report */
export function isBusy(report) {
  return report.job?.status === "waiting" || report.job?.status === "running";
}

/** How it stands, in words. @param {Report} report */
export function standing(report) {
  const { state, job } = report;
  const done = `${state.num_done.toLocaleString("en")} of ${state.num_flops.toLocaleString("en")} flops`;
  if (isBusy(report)) return `${job.status === "waiting" ? "waiting" : "running"}, ${done}`;
  if (job?.status === "failed") return `failed, ${done}`;
  return state.num_done < state.num_flops ? `stopped, ${done}` : "done";
}
