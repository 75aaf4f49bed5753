import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  buildShellEnvPrefix,
  ENV_KEY_PATTERN,
  envField,
  findEnvFault,
  validateEnvKeys,
} from '../../src/sandbox/env.ts'
import { cases } from '../support/tier.ts'
import { refusalOf } from './refusal.ts'

const badName = 'is not a valid variable name: use letters, digits and underscores, and begin with no digit.'

describe('validateEnvKeys', () => {
  test('accepts POSIX names, and no names at all', () => {
    expect(validateEnvKeys({})).toBeUndefined()
    expect(validateEnvKeys({ A: '1', _b2: '2', constructor: '3' })).toBeUndefined()
  })

  test.each(['', '1A', 'A-B', 'A B', 'A=B', 'A\n', 'Ä', 'A;id', '$(id)', 'A\0'])(
    'refuses the name %j, and never shows a value',
    (name) => {
      expect(refusalOf(() => validateEnvKeys({ OK: 'hush', [name]: 'hush' }))).toEqual({
        field: envField(name),
        message: `${envField(name)} ${badName}`,
      })
    },
  )
})

describe('buildShellEnvPrefix', () => {
  test('is empty when there is nothing to set', () => {
    expect([buildShellEnvPrefix(), buildShellEnvPrefix({})]).toEqual(['', ''])
  })

  test('exports every variable with its value quoted', () => {
    expect(buildShellEnvPrefix({ K: 'v' })).toBe("export K='v' && ")
    expect(buildShellEnvPrefix({ A: "it's", B: '$(id)', C: '' })).toBe(
      String.raw`export A='it'\''s' B='$(id)' C='' && `,
    )
  })

  test('refuses names and values that a shell cannot take, without showing a value', () => {
    expect(refusalOf(() => buildShellEnvPrefix({ 'A;id': 'hush' }))).toEqual({
      field: 'env["A;id"]',
      message: `env["A;id"] ${badName}`,
    })
    expect(refusalOf(() => buildShellEnvPrefix({ A: 'hush\0' }))).toEqual({
      field: 'env.A',
      message: 'env.A must be text, but holds a NUL character at offset 4.',
    })
    expect(refusalOf(() => buildShellEnvPrefix(JSON.parse('{"A":12345}')))).toEqual({
      field: 'env.A',
      message: 'env.A must be a string, but is a number. Convert the value, or leave the variable out.',
    })
  })

  test('any value reaches every stage of a pipeline of a real shell unchanged', () => {
    const value = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
    const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,9}$/).filter((text) => text !== '_')
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1, maxKeys: 6 }), (env) => {
        const names = Object.keys(env)
        const print = `sh -c 'printf "%s\\0" ${names.map((key) => `"$${key}"`).join(' ')}'`
        const printed = execFileSync('sh', ['-c', `${buildShellEnvPrefix(env)}true | ${print}`])
        expect(printed.toString('utf8')).toBe(names.map((key) => `${env[key]}\0`).join(''))
      }),
      { numRuns: cases(15) },
    )
  })
})

describe('findEnvFault', () => {
  test('finds nothing wrong with a name and a string', () => {
    expect(findEnvFault('A', '')).toBeUndefined()
  })

  test.each(['__proto__', 'constructor', 'prototype'])('finds the name %s reserved', (name) => {
    expect(ENV_KEY_PATTERN.test(name)).toBe(true)
    expect(findEnvFault(name, 'v')).toBe('is reserved: choose another name for the variable.')
  })

  test('rejects values that are not strings', () => {
    expect(findEnvFault('A', 'x\ud800')).toBe(
      'must be text, but holds half of a surrogate pair, which no encoding can carry.',
    )
    expect(findEnvFault('A', undefined)).toBe(
      'must be a string, but is undefined. Convert the value, or leave the variable out.',
    )
  })
})
