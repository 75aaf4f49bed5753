import { done, failed, type OwnCommand } from './command.ts'

/** Above this a factor may take longer than a command may. */
const MOST = 2n ** 53n

function factorsOf(number: bigint): string[] {
  const found: string[] = []
  let rest = Number(number)
  for (let divisor = 2; divisor * divisor <= rest; divisor += divisor === 2 ? 1 : 2)
    while (rest % divisor === 0) {
      found.push(String(divisor))
      rest /= divisor
    }
  return rest > 1 ? [...found, String(rest)] : found
}

/** `factor [number…]` */
export const factor: OwnCommand = {
  name: 'factor',
  run(args, { stdin }) {
    const words =
      args.length > 0
        ? args
        : String(stdin)
            .split(/\s+/)
            .filter((word) => word !== '')
    let [stdout, stderr] = ['', '']
    for (const word of words.filter((one) => one !== '--')) {
      if (!/^\+?\d+$/.test(word)) stderr += `factor: '${word}' is not a valid positive integer\n`
      else if (BigInt(word) > MOST)
        return { ...failed('factor', `${word} is larger than is known here (2^53)`), stdout }
      else stdout += `${[`${BigInt(word)}:`, ...factorsOf(BigInt(word))].join(' ')}\n`
    }
    return { ...done(stdout, stderr === '' ? 0 : 1), stderr }
  },
}
