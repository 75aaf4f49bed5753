import { format, inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { Secret } from '../../src/config/secret.ts'

describe('Secret', () => {
  const secret = new Secret('hush')

  test('reveals its string when asked', () => {
    expect(secret.reveal()).toBe('hush')
  })

  test('shows itself to no printer, serializer or clone', () => {
    expect({
      inspected: inspect({ secret }, { showHidden: true, depth: 9, getters: true }),
      formatted: format('%s %o %j', secret, secret, secret),
      json: JSON.stringify({ secret }),
      text: `${secret}`,
      keys: Reflect.ownKeys(secret),
      clone: structuredClone(secret),
      spread: { ...secret },
    }).toEqual({
      inspected: '{ secret: [secret] }',
      formatted: '[secret] [secret] "[secret]"',
      json: '{"secret":"[secret]"}',
      text: '[secret]',
      keys: [],
      clone: {},
      spread: {},
    })
  })
})
