import { done, failed, type OwnCommand } from './command.ts'

const LETTERS = ['', 'K', 'M', 'G', 'T', 'P', 'E']

function parse(text: string, from: string): number | undefined {
  const match = /^(-?\d+(?:\.\d+)?)([KMGTPE]?)(i?)$/.exec(text)
  if (match === null) return undefined
  const power = LETTERS.indexOf(match[2] ?? '')
  const base = from === 'si' || (from === 'auto' && match[3] === '') ? 1000 : 1024
  if (power > 0 && from === 'none') return undefined
  return Number(match[1]) * base ** power
}

function format(value: number, to: string): string {
  if (to === 'none') return String(value)
  const base = to === 'si' ? 1000 : 1024
  let [size, power] = [Math.abs(value), 0]
  while (size >= base && power < LETTERS.length - 1) {
    size /= base
    power += 1
  }
  const rounded = power > 0 && size < 10 ? Math.ceil(size * 10) / 10 : Math.ceil(size)
  const text = power > 0 && rounded < 10 ? rounded.toFixed(1) : String(rounded)
  return `${value < 0 ? '-' : ''}${text}${LETTERS[power]}${to === 'iec-i' && power > 0 ? 'i' : ''}`
}

/** `numfmt --to=iec|si --from=… [number…]`, of stdin's lines where none is given. */
export const numfmt: OwnCommand = {
  name: 'numfmt',
  run(args, context) {
    const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
    const unknown = args.find((arg) => /^-\D/.test(arg) && !/^--(to|from|suffix)=/.test(arg))
    if (unknown !== undefined) return failed('numfmt', `this numfmt has no ${unknown}`)
    const numbers = args.filter((arg) => !/^--/.test(arg))
    const words =
      numbers.length > 0
        ? numbers
        : String(context.stdin)
            .split('\n')
            .filter((line) => line.trim() !== '')
    const lines: string[] = []
    for (const word of words.map((text) => text.trim())) {
      const value = parse(word, option('from') ?? 'none')
      if (value === undefined) return failed('numfmt', `invalid number: '${word}'`, 2)
      lines.push(`${format(value, option('to') ?? 'none')}${option('suffix') ?? ''}\n`)
    }
    return done(lines.join(''))
  },
}
