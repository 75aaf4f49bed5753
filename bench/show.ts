/** A figure with three significant digits. */
export function formatValue(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value === 0) return '0'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US').replaceAll(',', ' ')
  return String(Number(value.toPrecision(3)))
}

/** A ratio, such as `1.5x`. */
export function formatRatio(ratio: number): string {
  return Number.isFinite(ratio) ? `${formatValue(ratio)}x` : '–'
}
