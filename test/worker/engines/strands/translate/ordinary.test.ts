import { expect, it } from 'vitest'
import { Random } from '../../../../../soak/random.ts'
import { isOrdinary } from '../../../../../worker/engines/strands/translate/ordinary.ts'
import { NEW_SESSION } from '../../../../../worker/engines/strands/translate/session-facts.ts'
import { translate } from '../../../../../worker/engines/strands/translate/translate.ts'

const COMMANDS = 'true false : pwd cd echo mkdir rmdir touch rm sleep exit'.split(' ')
const WORDS = [
  'a',
  '-',
  '--',
  '-a',
  '-n',
  '-e',
  '-nE',
  '-p',
  'b=c',
  '/tmp/x.y',
  '2',
  'if',
  'done',
  '1:2',
  '%s',
  '+x',
  '@,',
  'lua',
  '-i',
  'test',
  'command',
  'for',
  'do',
  'unalias',
]
const SESSIONS = [NEW_SESSION, { ...NEW_SESSION, pipefail: true, nounset: true, readonly: new Set(['a']) }]

it('says of no command that it is ordinary that a translation changes', () => {
  const random = new Random(1, 'ordinary')
  const pick = (texts: readonly string[]) => texts[random.below(texts.length)] ?? ''
  const commands = Array.from({ length: 2000 }, () => {
    const words = Array.from({ length: random.below(4) }, () => pick(WORDS))
    return [pick(['', ' ']), pick(COMMANDS), ...words.map((word) => pick([' ', '  ']) + word)].join('')
  })
  const ordinary = [...new Set(commands)].filter(isOrdinary)
  const changed = ordinary.filter((command) =>
    SESSIONS.some((session) => {
      const translation = translate(command, { session })
      return typeof translation !== 'object' || !('text' in translation) || translation.text !== command
    }),
  )
  expect(ordinary.length).toBeGreaterThan(300)
  expect(changed).toEqual([])
})

it('looks at options of echo, quotes, variables and lists', () => {
  const commands = ['echo -n a', 'echo  -e a', "echo 'a'", 'echo $a', 'echo a; pwd', 'a=1 echo a', 'ls']
  expect(commands.filter(isOrdinary)).toEqual([])
})
