// Numbers as people read them.

/** A part of 1 in per cent. @param {number | null | undefined} part @param {number} [digits] */
export function percent(part, digits = 1) {
  return known(part) ? `${plain(100 * part, digits)} %` : "–";
}

/** So many decimals, and never -0. @param {number} value @param {number} digits */
export function plain(value, digits) {
  return (Math.round(value * 10 ** digits) / 10 ** digits + 0).toFixed(digits);
}

/** An amount in bb or chips. @param {number | null | undefined} amount @param {string} unit */
export function money(amount, unit) {
  if (!known(amount)) return "–";
  return unit === "bb" ? `${plain(amount, 2)} bb` : Number(plain(amount, 1)).toLocaleString("en", { maximumFractionDigits: 1 });
}

/** Combos, whole where they are. @param {number | null | undefined} count */
export function combos(count) {
  return known(count) ? count.toLocaleString("en", { maximumFractionDigits: 1 }) : "–";
}

/** @param {number} bytes */
export function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB"];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) { bytes /= 1000; unit += 1; }
  return `${bytes >= 100 || unit === 0 ? bytes.toFixed(0) : bytes.toPrecision(2)} ${units[unit]}`;
}

/** @param {number | null | undefined} seconds */
export function duration(seconds) {
  if (!known(seconds)) return "–";
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** Whether there is a number. @param {number | null | undefined} value @returns {value is number} */
export function known(value) {
  return value !== null && value !== undefined && Number.isFinite(value);
}
