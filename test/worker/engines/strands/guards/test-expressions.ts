import { spawnSync } from 'node:child_process'

const WORDS = ['a', '', '=', '!=', '-eq', '-nt', '-f', '-n', '!', '(', ')', '-a', '-o', '1']
const FEW = ['a', '=', '-n', '!', '(', ')', '-a']
const RARE = ['<', '>', '-lt', '-ge', '-ot', '-ef', '-z', '==', '-t', '5 5', '*', '-k', '-G']

/** Some 6500 expressions: all of one to three words, most of four, and a sample of longer ones. */
export function expressions(): string[][] {
  return [
    ...combinations(WORDS, 1),
    ...combinations(WORDS, 2),
    ...combinations(WORDS, 3),
    ...combinations(FEW, 4),
    ...RARE.flatMap((rare) =>
      WORDS.flatMap((word) => [
        [word, rare],
        [rare, word],
        [word, rare, '1'],
        ['!', word, rare],
      ]),
    ),
    ...sample(1000),
  ]
}

function combinations(words: readonly string[], length: number): string[][] {
  if (length === 0) return [[]]
  return combinations(words, length - 1).flatMap((rest) => words.map((word) => [...rest, word]))
}

function sample(count: number): string[][] {
  const words = [...WORDS, ...RARE]
  let seed = 42
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (seed >>> 8) % below
  }
  return Array.from({ length: count }, () =>
    Array.from({ length: 5 + next(4) }, () => words[next(words.length)] ?? ''),
  )
}

export function bracketed(words: readonly string[]): string {
  return `[ ${words.map((word) => `'${word}'`).join(' ')} ]`
}

/** The statuses that dash gives, or null where there is no dash. */
export function dashStatuses(commands: readonly string[]): number[] | null {
  const script = commands.map((command) => `${command} 2>/dev/null </dev/null; echo $?\n`).join('')
  const { status, stdout } = spawnSync('dash', {
    input: script,
    encoding: 'utf8',
    cwd: '/',
    maxBuffer: 2 ** 24,
  })
  return status === 0 ? stdout.trim().split('\n').map(Number) : null
}
