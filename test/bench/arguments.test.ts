import { expect, it } from 'vitest'
import { readArguments } from '../../bench/arguments.ts'

const names = { scenarios: ['open', 'files', 'sync'], comparisons: ['open', 'in-flight', 'files'] }
const read = (line: string) => readArguments(line.split(' ').filter(Boolean), names)

it('measures everything without arguments', () => {
  expect(read('')).toEqual({ kind: 'measure', only: ['open', 'files', 'sync'], quick: false })
})

it('measures the chosen scenarios in their usual order', () => {
  expect(read('--only sync --only open --quick --json a.json')).toEqual({
    kind: 'measure',
    only: ['open', 'sync'],
    quick: true,
    json: 'a.json',
  })
})

it('compares with a commit by all comparisons, 15 rounds each', () => {
  expect(read('--compare HEAD~1')).toEqual({
    kind: 'compare',
    ref: 'HEAD~1',
    only: ['open', 'in-flight', 'files'],
    rounds: 15,
  })
})

it('compares by the chosen comparisons and rounds', () => {
  expect(read('--compare main --only in-flight --rounds 3')).toEqual({
    kind: 'compare',
    ref: 'main',
    only: ['in-flight'],
    rounds: 3,
  })
})

it('compares with a tolerance', () => {
  expect(read('--compare main --only files --tolerance 10')).toMatchObject({ rounds: 15, tolerance: 10 })
})

it.each([
  ['--tolerance 10', '--tolerance needs --compare REF.'],
  ['--compare main --tolerance x', '--tolerance must be a whole number above 0, but is x.'],
  ['--only none', 'There is no scenario none. There are: open, files, sync.'],
  ['--compare main --only sync', 'There is no scenario sync. There are: open, in-flight, files.'],
  ['--rounds 3', '--rounds needs --compare REF.'],
  ['--compare main --rounds 1.5', '--rounds must be a whole number above 0, but is 1.5.'],
  ['--compare main --rounds 0', '--rounds must be a whole number above 0, but is 0.'],
  ['--compare main --quick', '--quick and --json do not apply to --compare.'],
  ['--compare main --json a.json', '--quick and --json do not apply to --compare.'],
  ['--compare=', '--compare needs a commit.'],
  ['--other', "Unknown option '--other'"],
])('rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
  )
})
