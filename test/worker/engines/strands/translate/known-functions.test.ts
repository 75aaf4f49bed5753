import { expect, it } from 'vitest'
import { definedIn, markOf } from '../../../../../worker/engines/strands/translate/definitions.ts'
import { KnownFunctions } from '../../../../../worker/engines/strands/translate/known-functions.ts'
import { Refusal } from '../../../../../worker/engines/strands/translate/refusal.ts'
import { translate } from '../../../../../worker/engines/strands/translate/translate.ts'

/** What is known after some scripts. */
function after(...scripts: readonly string[]) {
  const known = new KnownFunctions()
  for (const script of scripts) {
    const translation = translate(script)
    if (translation === undefined || translation instanceof Refusal) throw new Error(script)
    known.see(translation)
  }
  return known
}

it.each([
  ['f() { :; }', ['f']],
  ['if x; then f() { :; }; else f() { g() { :; }; }; fi', ['f', 'g']],
  ["echo 'f() { :; }' source eval", []],
  ['"$x" y', []],
])('reads the definitions of %s', (script, names) => {
  const known = after(script)
  expect([known.names, known.isUnseen]).toEqual([names, false])
})

it.each([
  [['eval "$x"']],
  [['. ./x']],
  [['source x']],
  [["trap 'x' EXIT"]],
  [['command eval "$x"']],
  [['if x; then (eval "$x"); fi']],
  [['x=eval', '$x y']],
  [['f() { "$@"; }', 'f eval "x() { :; }"']],
  [['f() { "$@"; }; f . ./x']],
  [['alias a="b; c() { :; }"']],
  [['alias "$x"']],
  [['alias f=g', 'f() { :; }']],
  [['f() { :; }', 'alias f=g']],
])('knows that definitions may be unseen after %j', (scripts) => {
  expect(after(...scripts).isUnseen).toBe(true)
})

it('knows the text of each definition by its mark', () => {
  const known = after('f() { :; }', 'f() { echo; }')
  const translation = translate('f() { echo; }')
  if (translation === undefined || translation instanceof Refusal) throw new Error('It has a translation.')
  const [defined] = translation.scripts[0]?.defined ?? []
  expect(defined?.text).toBe(translation.text)
  expect(known.withMark(defined?.id ?? '')?.text).toBe(defined?.text)
  expect([known.withMark(`-${defined?.id}`), known.withMark('')]).toEqual([undefined, undefined])
})

it('leaves out a definition that a text has in two forms, or has not whole', () => {
  const mark = markOf('f')
  const one = `{ ${mark}=-x; f() { :; }; ${mark}=x; }`
  const names = new Map([['x', 'f']])
  expect(definedIn(`${one}\n${one}`, names)).toEqual([{ name: 'f', id: 'x', text: one }])
  expect(definedIn(`${one}\n${one.replace(':', 'g')}`, names)).toEqual([])
  expect(definedIn(one.slice(0, -3), names)).toEqual([])
})
