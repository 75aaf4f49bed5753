import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readAliases } from '../../../../../worker/engines/strands/checkpoint/aliases.ts'
import { FunctionReader } from '../../../../../worker/engines/strands/checkpoint/function-facts.ts'
import { StateReader, stateFacts } from '../../../../../worker/engines/strands/checkpoint/state-facts.ts'
import { cases } from '../../../../support/tier.ts'

const text = fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll('\0', ''))
const name = fc.constantFrom('a', 'B_1', '_')

it('aliases are read as they are printed', () => {
  const aliases = fc.dictionary(
    text.filter((one) => !/=|^$/.test(one)),
    text,
  )
  fc.assert(
    fc.property(aliases, (values) => {
      const printed = Object.entries(values).map(
        ([key, value]) => `${key}='${value.replaceAll("'", `'\\''`)}'\n`,
      )
      expect(Object.fromEntries(readAliases(printed.join('')))).toEqual({ ...values })
    }),
    { numRuns: cases(200) },
  )
  expect(() => readAliases("a='b\n")).toThrow('could not be read')
})

it('facts of a state give the same state', () => {
  const state = fc.record({
    variables: fc.dictionary(name, text).map((values) => new Map(Object.entries(values))),
    readonly: fc.uniqueArray(name).map((names) => new Set(names)),
    aliases: fc.dictionary(name, text).map((values) => new Map(Object.entries(values))),
    args: fc.array(text),
    cwd: text.map((path) => `/${path}`),
    umask: fc.constantFrom('0022', '077'),
    options: fc.constantFrom('', 'e', 'ux', 'eux'),
    pipefail: fc.constantFrom('on' as const, 'off' as const, 'never' as const),
    status: fc.nat(255),
  })
  fc.assert(
    fc.property(state, (before) => {
      const reader = new StateReader()
      for (const fact of stateFacts(before)) expect(reader.read(fact)).toBe(true)
      expect(reader.state).toEqual(before)
    }),
    { numRuns: cases(200) },
  )
})

it('facts of any other values are refused with an error, or are a state', () => {
  const kinds = ['variable', 'readonly', 'alias', 'value', 'function', 'script', 'other']
  const names = fc.constantFrom(
    'a',
    '',
    '=',
    'args',
    'cwd',
    'umask',
    'options',
    'pipefail',
    'status',
    '__proto__',
  )
  const fact = fc.record({
    key: fc.tuple(fc.constantFrom(...kinds), names).map((parts) => parts.join(' ')),
    value: fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.string(),
    ),
  })
  let taken = 0
  let refused = 0
  fc.assert(
    fc.property(fc.array(fact, { minLength: 1, maxLength: 4 }), (facts) => {
      const [state, functions] = [new StateReader(), new FunctionReader()]
      try {
        for (const one of facts) if (!state.read(one)) functions.read(one)
        const { variables, args, cwd, status } = state.state
        expect([...variables.values(), ...args, cwd].every((value) => typeof value === 'string')).toBe(true)
        expect(Number.isInteger(status)).toBe(true)
        taken += 1
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
        expect(String(error)).toMatch(/^(TypeError: The checkpoint is not|SyntaxError)/)
        refused += 1
      }
    }),
    { numRuns: cases(1000) },
  )
  expect([taken > 0, refused > 0]).toEqual([true, true])
})
