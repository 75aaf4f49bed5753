import { describe, expect, test } from 'vitest'
import { validateLanguage } from '../../src/sandbox/language.ts'
import { refusalOf } from './refusal.ts'

describe('validateLanguage', () => {
  test.each(['python3', 'node', 'lua5.4', 'ts-node', 'my_lang', '.hidden'])('accepts %s', (language) => {
    expect(validateLanguage(language)).toBe(language)
  })

  test.each([
    ['', '"" (a string)'],
    ['/bin/sh', '"/bin/sh" (a string)'],
    ['sh -c', '"sh -c" (a string)'],
    ['sh;id', '"sh;id" (a string)'],
    ['sh\n', '"sh\\n" (a string)'],
    ['$(id)', '"$(id)" (a string)'],
    ['-c', '"-c" (a string)'],
    ['.', '"." (a string)'],
    ['..', '".." (a string)'],
    [undefined, 'undefined'],
    [['node'], 'an array'],
  ])('refuses %j', (language, shown) => {
    expect(refusalOf(() => validateLanguage(language))).toEqual({
      field: 'language',
      message: `language must be the name of an interpreter, such as "python3", made of letters, digits, dots, hyphens and underscores, but is ${shown}.`,
    })
  })
})
