import { expect, it } from 'vitest'
import { readOptions } from '../../soak/options.ts'

it('runs for two minutes at every level with a new seed without arguments', () => {
  const { seed, ...options } = readOptions([])
  expect(options).toEqual({
    minutes: 2,
    shell: 'strands',
    levels: ['worker', 'shared', 'process'],
    jails: false,
    sandboxes: 10,
    pace: 0.4,
  })
  expect(Number.isSafeInteger(seed) && seed > 0).toBe(true)
})

it('reads every argument', () => {
  const args =
    '--minutes 0.5 --shell bash --level process --jails --seed 7 --sandboxes 3 --pace 1 --svg a.svg --json a.json'.split(
      ' ',
    )
  expect(readOptions(args)).toEqual({
    minutes: 0.5,
    shell: 'bash',
    levels: ['process'],
    jails: true,
    seed: 7,
    sandboxes: 3,
    pace: 1,
    svg: 'a.svg',
    json: 'a.json',
  })
})

it('runs with an actor of each role with bash', () => {
  expect(readOptions(['--shell', 'bash']).sandboxes).toBe(11)
})

it.each([
  ['--level', 'threads', '--level must be worker, shared, process or all, but is threads.'],
  ['--shell', 'zsh', '--shell must be bash or strands, but is zsh.'],
  ['--minutes', '0', '--minutes must be a number above 0, but is 0.'],
  ['--pace', 'x', '--pace must be a number above 0, but is x.'],
])('rejects %s %s', (name, value, message) => {
  expect(() => readOptions([name, value])).toThrow(message)
})
