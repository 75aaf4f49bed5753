/** An axis: where a value is, from 0 to 1, and the values that get a mark. */
export interface Scale {
  readonly at: (value: number) => number
  readonly marks: readonly number[]
  readonly logarithmic: boolean
}

/** Above how many times between the least and the greatest value a linear axis shows too little. */
const widest = 30

/** An axis for values above 0: logarithmic in powers of ten where they are far apart, else from 0. */
export function scaleFor(values: readonly number[]): Scale {
  const positive = values.filter((value) => value > 0)
  const [least, most] = [Math.min(...positive), Math.max(...positive)]
  if (positive.length === 0) return linear(1)
  return most / least > widest ? logarithmic(least, most) : linear(most)
}

/** An axis from 0 to a round number that is not below `most`. */
export function linear(most: number): Scale {
  const end = roundUp(most)
  const at = (value: number) => Math.min(1, Math.max(0, value / end))
  return { at, marks: [0, end / 4, end / 2, (end * 3) / 4, end], logarithmic: false }
}

function logarithmic(least: number, most: number): Scale {
  const [from, to] = [Math.floor(Math.log10(least * 0.8)), Math.ceil(Math.log10(most))]
  const at = (value: number) =>
    value <= 0 ? 0 : Math.min(1, Math.max(0, (Math.log10(value) - from) / (to - from)))
  return {
    at,
    marks: Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index)),
    logarithmic: true,
  }
}

function roundUp(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value * (1 - 1e-9)) ?? 10) * power
}
