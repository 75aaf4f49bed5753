import { describe, expect, it } from 'vitest'
import { masked, maskedUrl } from '../../src/session/masked.ts'

describe('masked', () => {
  it.each<readonly [string, readonly string[], string]>([
    ['nothing', ['', 'no such'], 'nothing'],
    ['abc', ['abc'], '***'],
    ['a abcd', ['abc', 'bcd'], 'a ***'],
    ['xyxyx xyx', ['xyx'], '*** ***'],
    ['short-long-', ['short', 'short-long'], '***-'],
    ['*a*', ['*'], '***a***'],
    ['abab', ['ab'], '***'],
  ])('shows %j without %j as %j', (text, secrets, shown) => {
    expect(masked(text, secrets)).toBe(shown)
  })

  it('takes no long time for many secrets, or one that is everywhere', () => {
    const text = 'a'.repeat(8192)
    const secrets = Array.from({ length: 1000 }, (_, index) => `secret ${index}`)
    const start = performance.now()
    expect(masked(text, ['a', 'aa', ...secrets])).toBe('***')
    expect(maskedUrl(text, ['a', ...secrets])).toBe('***')
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

describe('the base64 form of a secret', () => {
  const secret = 'p?>~hush é'
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const base64url = (text: string) => Buffer.from(text).toString('base64url')

  it.each(['', 'a', 'ab', 'abc'])('is masked with %j before it', (before) => {
    for (const after of ['', 'x', 'xy', 'xyz']) {
      const text = before + secret + after
      for (const encoded of [base64(text), base64url(text)]) {
        const shown = masked(`echo ${encoded}|`, [secret])
        expect(shown).toMatch(/^echo \w{0,4}\*\*\*\w{0,4}=*\|$/)
        expect(maskedUrl(`http://a.test/${encoded}`, [secret])).toBe(
          shown.replace('echo ', 'http://a.test/').slice(0, -1),
        )
      }
      expect(maskedUrl(`http://a.test/?q=${encodeURIComponent(base64(text))}`, [secret])).toMatch(
        /^http:\/\/a\.test\/\?q=\w{0,4}\*\*\*\w{0,4}(%3D)*$/,
      )
    }
  })

  it('is not sought of a secret of less than 8 bytes', () => {
    expect(masked(base64('hushhus'), ['hushhus'])).toBe(base64('hushhus'))
    expect(masked(base64('hushhush'), ['hushhush'])).toBe('***=')
  })
})

describe('maskedUrl', () => {
  it.each<readonly [string, string]>([
    ['http://a.test/hush/x', 'http://a.test/***/x'],
    ['http://a.test/x%68ush', 'http://a.test/x***'],
    ['http://hush.test/', 'http://***.test/'],
    ['http://a.test/p%20q%2Fr%2fs', 'http://a.test/***'],
    ['http://a.test/p%20q/r%2Fs/', 'http://a.test/***/'],
    ['http://a.test/%C3%A9%25', 'http://a.test/***'],
    ['http://a.test/é%', 'http://a.test/***'],
    ['http://a.test/100%zz', 'http://a.test/100%zz'],
  ])('shows %j as %j', (url, shown) => {
    expect(maskedUrl(url, ['Hush', 'p q/r/s', 'é%'])).toBe(shown)
  })
})
