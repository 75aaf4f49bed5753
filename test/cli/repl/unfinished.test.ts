import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BashSandbox } from '../../../src/bash/index.ts'
import { goesOn, isBeginning } from '../../../src/cli/repl/unfinished.ts'
import { isBeginningInBash } from '../../../src/cli/repl/unfinished-bash.ts'
import { type HostedSandbox, StrandsShellSandbox } from '../../../src/index.ts'

describe('goesOn', () => {
  test.each([
    ['echo a &&'],
    ['false || '],
    ['echo a |'],
    ['echo a \\'],
    ['echo "it\'s" &&'],
    ['cat <<E'],
    ['cat <<E\nbody'],
    ["cat <<'E F'\nE"],
    ['cat <<-E\n\tbody'],
    ['cat <<A <<B\nA'],
    ['cat <<E > f\nbody\n E'],
  ])('asks for more after %j', (text) => {
    expect(goesOn(text)).toBe(true)
  })

  test.each([
    [''],
    ['echo a'],
    ['sleep 1 &'],
    ['echo a \\\\'],
    ['echo "a &&"'],
    ["echo 'a |'"],
    ['echo a # and &&'],
    ['echo a && \\\necho b'],
    ['cat <<E\nbody\nE'],
    ['cat <<-E\n\tbody\n\tE'],
    ['cat <<A <<B\nA\nB'],
    ['echo "<<E"'],
    ['echo $((1<<2))'],
    ['echo a # <<E'],
  ])('takes %j as it is', (text) => {
    expect(goesOn(text)).toBe(false)
  })
})

/** Texts of both shells that are the beginning of a command. */
const beginnings = [
  'for x in 1 2',
  'for x in 1 2; do',
  'while :; do echo a',
  'if true',
  'if true; then',
  'case a in',
  '{ echo a',
  '( echo a',
  'f()',
  'f() {',
  'echo "abc',
  "echo 'abc",
  'echo $(ls',
  'echo `ls',
]

/** Texts of both shells that are whole: `/tmp/broken` has a beginning. */
const whole = ['echo a', 'fi', 'done', '}', '. /tmp/broken', 'sh /tmp/broken', 'false']

/** Each shell, and what is a beginning or whole in it alone. */
const shells = [
  {
    shell: 'bash',
    isOpen: isBeginningInBash,
    open: () => BashSandbox.open(),
    beginnings: [
      'if true; then echo a; else',
      'a=(1',
      '[[ -f x',
      '[[ -f x &&',
      'echo $' + '{x',
      'for x in 1 2\ndo\necho "$x',
    ],
    whole: ['echo a\nif true', 'bash /tmp/broken', "bash -c 'if true'", `bash -c 'echo "a'`],
  },
  {
    shell: 'Strands Shell',
    isOpen: isBeginning,
    open: () => StrandsShellSandbox.open(),
    beginnings: [
      'echo "a $(echo b"',
      'echo $((1 +',
      'for x in 1; do if true; then :; fi',
      '[[ -f x',
      'echo $' + '{x',
    ],
    whole: ['echo a | | b', 'if true; fi', "bash -c 'if true'", "eval 'if true'"],
  },
]

describe.each(shells)('of a text that $shell was given', (of) => {
  let sandbox: HostedSandbox
  beforeAll(async () => {
    sandbox = await of.open()
    await sandbox.writeText('/tmp/broken', 'if true')
  })
  afterAll(() => sandbox.close())

  test.each([...beginnings, ...of.beginnings])('%j is a beginning', async (text) => {
    expect(of.isOpen(text, await sandbox.execute(text))).toBe(true)
  })

  test.each([...whole, ...of.whole])('%j is whole', async (text) => {
    expect(of.isOpen(text, await sandbox.execute(text))).toBe(false)
  })
})
