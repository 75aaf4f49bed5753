import { describe, expect, it } from 'vitest'
import { helpOf, usageOf } from '../../../src/tools/commands/help.ts'
import { propertiesOf } from '../../../src/tools/commands/input-schema.ts'
import { readArguments } from '../../../src/tools/commands/read-arguments.ts'

const schema = {
  type: 'object',
  required: ['city'],
  properties: {
    city: { type: 'string', description: 'The city.' },
    days: { type: 'integer' },
    factor: { type: ['number', 'null'] },
    maxResults: { type: 'number' },
    verbose: { type: 'boolean' },
    units: { enum: ['c', 'f', 3] },
    tags: { type: 'array', items: { type: 'string' }, description: 'Its\n tags.' },
    sizes: { type: 'array', items: { type: 'integer' } },
    place: { $ref: '#/$defs/place' },
    mode: { anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'null' }] },
    any: {},
  },
  $defs: { place: { type: 'object' } },
}
const properties = propertiesOf(schema)
const read = (args: readonly string[], stdin = 'from stdin') => ({
  ...readArguments(args, properties, stdin),
})

describe('words of a command', () => {
  it.each<[args: string[], input: object]>([
    [['--city', 'Rome'], { city: 'Rome' }],
    [['--city=Rome=x'], { city: 'Rome=x' }],
    [['--city', '3'], { city: '3' }],
    [['--city', '--days'], { city: '--days' }],
    [['--city', ''], { city: '' }],
    [['--city', '-'], { city: 'from stdin' }],
    [['--city=-'], { city: '-' }],
    [['--city', 'a', '--days', '-3'], { city: 'a', days: -3 }],
    [['--city', 'a', '--factor', '1.5e3'], { city: 'a', factor: 1500 }],
    [['--city', 'a', '--factor', 'null'], { city: 'a', factor: null }],
    [['--max-results', '2', '--city', 'a'], { city: 'a', maxResults: 2 }],
    [['--verbose', '--city', 'a'], { city: 'a', verbose: true }],
    [['--verbose', 'false', '--city', 'a'], { city: 'a', verbose: false }],
    [['--city', 'a', '--no-verbose'], { city: 'a', verbose: false }],
    [['--city', 'a', '--units', '3'], { city: 'a', units: 3 }],
    [['--city', 'a', '--tags', 'x', '--tags', '1'], { city: 'a', tags: ['x', '1'] }],
    [['--city', 'a', '--tags', '["x", "y"]'], { city: 'a', tags: ['x', 'y'] }],
    [['--city', 'a', '--sizes', '1', '--sizes', '2'], { city: 'a', sizes: [1, 2] }],
    [['--city', 'a', '--place', '{"x":[1]}'], { city: 'a', place: { x: [1] } }],
    [['--city', 'a', '--mode', 'b'], { city: 'a', mode: 'b' }],
    [['--city', 'a', '--mode', 'null'], { city: 'a', mode: null }],
    [['--city', 'a', '--any', '[1]'], { city: 'a', any: [1] }],
    [['--city', 'a', '--any', 'x'], { city: 'a', any: 'x' }],
    [['--json', '{"city":"a","days":2}', '--days', '3'], { city: 'a', days: 3 }],
  ])('%j', (args, input) => {
    expect(read(args)).toEqual(input)
  })

  it('take the whole input from standard input', () => {
    expect(read(['--json', '-'], ' {"city":"b"}\n')).toEqual({ city: 'b' })
  })

  it('never reach a prototype', () => {
    const input = readArguments(['--city', 'a', '--json', '{"__proto__":{"x":1}}'], properties, '')
    expect([Object.getPrototypeOf(input), Reflect.get(input, 'x')]).toEqual([Object.prototype, undefined])
  })

  it.each<[args: string[], message: string]>([
    [[], '--city is missing'],
    [['Rome'], 'Rome is not an option: every value has its --key'],
    [['--town', 'x'], '--town is not an option'],
    [['--no-city'], '--no-city is not an option'],
    [['--city'], '--city needs a value'],
    [['--days', 'x'], '--days must be integer, but is x'],
    [['--days', '1.5'], '--days must be integer, but is 1.5'],
    [['--days', ''], '--days must be integer, but is '],
    [['--units', 'k'], '--units must be one of c, f, 3, but is k'],
    [['--sizes', 'x'], '--sizes must be integer, but is x'],
    [['--place', '[1]'], '--place must be JSON object, but is [1]'],
    [['--verbose=maybe'], '--verbose must be boolean, but is maybe'],
    [['--json', 'x'], '--json must be JSON object, but is x'],
  ])('that do not fit are refused: %j', (args, message) => {
    expect(() => read(args)).toThrow(expect.objectContaining({ name: 'UsageError', message }))
  })
})

it('the help follows from the schema', () => {
  expect(usageOf('weather', properties)).toBe('usage: weather --city <string> [options]')
  const help = helpOf('weather', 'Tells the weather.', properties)
  expect(help.split('\n').slice(0, 8)).toEqual([
    'usage: weather --city <string> [options]',
    '',
    'Tells the weather.',
    '',
    '  --city <string>            The city. (required)',
    '  --days <integer>',
    '  --factor <number or null>',
    '  --maxResults <number>',
  ])
  expect(help).toContain('  --tags <string>            Its tags. (list)\n')
  expect(help).toContain('  --units <c|f|3>\n')
  expect(help).toContain('  --verbose\n')
})
