import { beforeAll, describe, expect, test } from 'vitest'
import type { JustBash } from '../../../../../worker/engines/bash/just-bash.ts'
import { loadJustBash } from '../../../../../worker/engines/bash/load-just-bash.ts'
import { lineEnds } from '../../../../../worker/engines/bash/transform/discard.ts'
import { Programs } from '../../../../../worker/engines/bash/transform/program.ts'
import { bundle } from '../open-shell.ts'

let justBash: JustBash
beforeAll(async () => {
  justBash = await loadJustBash(bundle)
})

/** What a script reads like after it was rewritten. Names that hold values are counted on, so that `__a1` stands for all. */
function rewritten(text: string): string {
  const { statements } = new Programs(justBash).read(text)
  return justBash
    .serialize({ type: 'Script', statements: [...statements] })
    .trim()
    .replaceAll(/__a\d+/g, '__a')
}

describe('a script is rewritten', () => {
  test.each([
    ['false; a[n]=1', 'false\n{ a[n]=1 || { /usr/bin/__discard "$BASHPID" exit 1; }; }'],
    ['for x; do :; done', '{ for x in "$@"; do\n:\ndone; }'],
    ['declare -f g', '/usr/bin/__functions g'],
    ['./x.sh a', '/usr/bin/__run ./x.sh a'],
    ['case $x in [!a]) ;; esac', 'case $x in\n  [^a])\n  ;;\nesac'],
    ['x="p${a[@]:1}"', '{ __a=("${a[@]:1}") x="p${__a[@]}"; }'],
  ])('%s', (text, expected) => {
    expect(rewritten(text).replaceAll(/\s+/g, ' ')).toBe(expected.replaceAll(/\s+/g, ' '))
  })

  test.each(['echo $((x + 1))', 'a | b', 'echo "${a[@]}" {1..9}', 'if [ -e f ]; then echo; fi'])(
    'not where just-bash does what bash does: %s',
    (text) => {
      expect(rewritten(text)).toBe(justBash.serialize(justBash.parse(text)).trim())
    },
  )
})

test('bodies are exit once the script must end', () => {
  let ending = false
  const programs = new Programs(justBash, () => ending)
  const { statements } = programs.read('while :; do x=1; done')
  const source = () => justBash.serialize({ type: 'Script', statements: [...statements] })
  expect(source()).not.toContain('exit 124')
  ending = true
  expect(source()).toContain('exit 124')
})

test('a line ends where the next statement begins on a later one', () => {
  const ends = (text: string) => lineEnds(justBash.parse(text).statements)
  expect(ends('a; b\nc; d\ne')).toEqual([2, 2, 4, 4, 5])
  expect(ends('if a; then\nb\nfi; c\nd')).toEqual([2, 2, 3])
})
