import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BashSandbox } from '../../../src/bash/index.ts'
import { goesOn, isBeginning } from '../../../src/cli/repl/unfinished.ts'
import { isBeginningInBash } from '../../../src/cli/repl/unfinished-bash.ts'
import { StrandsShellSandbox } from '../../../src/index.ts'

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

describe('isBeginningInBash', () => {
  let sandbox: BashSandbox
  beforeAll(async () => {
    sandbox = await BashSandbox.open()
    await sandbox.writeText('/tmp/broken', 'if true')
  })
  afterAll(() => sandbox.close())

  test.each([
    ['for x in 1 2'],
    ['for x in 1 2; do'],
    ['while :; do echo a'],
    ['if true'],
    ['if true; then'],
    ['if true; then echo a; else'],
    ['case a in'],
    ['{ echo a'],
    ['( echo a'],
    ['f()'],
    ['f() {'],
    ['echo "abc'],
    ["echo 'abc"],
    ['echo $(ls'],
    ['echo `ls'],
    ['a=(1'],
    ['[[ -f x'],
    ['[[ -f x &&'],
    ['echo $' + '{x'],
    ['echo a\nif true'],
    ['for x in 1 2\ndo\necho "$x'],
  ])('of %j, which bash did not run, is true', async (text) => {
    expect(isBeginningInBash(text, await sandbox.execute(text))).toBe(true)
  })

  test.each([
    ['echo a'],
    ['fi'],
    ['done'],
    ['}'],
    ['. /tmp/broken'],
    ['bash /tmp/broken'],
    ["bash -c 'if true'"],
    [`bash -c 'echo "a'`],
    ['false'],
  ])('of %j, which is whole, is false', async (text) => {
    expect(isBeginningInBash(text, await sandbox.execute(text))).toBe(false)
  })
})

describe('isBeginning', () => {
  let sandbox: StrandsShellSandbox
  beforeAll(async () => {
    sandbox = await StrandsShellSandbox.open()
    await sandbox.writeText('/tmp/broken', 'if true')
  })
  afterAll(() => sandbox.close())

  test.each([
    ['for x in 1 2'],
    ['for x in 1 2; do'],
    ['while :; do echo a'],
    ['if true'],
    ['if true; then'],
    ['case a in'],
    ['{ echo a'],
    ['( echo a'],
    ['f()'],
    ['f() {'],
    ['echo "abc'],
    ["echo 'abc"],
    ['echo $(ls'],
    ['echo "a $(echo b"'],
    ['echo `ls'],
    ['echo $((1 +'],
  ])('of %j, which the engine did not run, is true', async (text) => {
    expect(isBeginning(text, await sandbox.execute(text))).toBe(true)
  })

  test.each([
    ['echo a'],
    ['fi'],
    ['done'],
    ['}'],
    ['echo a | | b'],
    ['. /tmp/broken'],
    ['sh /tmp/broken'],
    ['false'],
  ])('of %j, which is whole, is false', async (text) => {
    expect(isBeginning(text, await sandbox.execute(text))).toBe(false)
  })
})
