const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

/**
 * The name that OpenTelemetry's metric has in Prometheus, by the rule of its specification: other characters become `_`, then
 * comes the unit, and `_total` for counters.
 */
export function prometheusName(
  { name, unit }: { readonly name: string; readonly unit: string },
  kind: 'counter' | 'histogram' | 'gauge',
): string {
  const total = kind === 'counter' ? '_total' : ''
  return `${name.replaceAll(/[^a-zA-Z0-9_:]+/g, '_')}${suffixes[unit] ?? ''}${total}`
}
