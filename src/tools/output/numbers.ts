const format = new Intl.NumberFormat('en-US')

/** A count with its noun: `1 line`, `12,345 lines`. */
export function count(amount: number, noun: string): string {
  return `${format.format(amount)} ${noun}${amount === 1 ? '' : 's'}`
}
