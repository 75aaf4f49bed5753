import { describe, expect, test } from 'vitest'
import { isUrlPrefix, normalizeUrlPrefix } from '../../src/config/url-prefix.ts'

describe('isUrlPrefix', () => {
  test('accepts a host with an umlaut however often it is asked', () => {
    const answers = Array.from({ length: 20_000 }, () => isUrlPrefix('https://bücher.example/'))
    expect(answers.every(Boolean)).toBe(true)
  })

  test.each([
    'https://api.example.com',
    'http://127.0.0.1:8080/a/b',
    'HTTPS://Example.com/',
    'http://[::1]:80/',
    'https://example.com/?q=1',
    'https://bücher.example/',
  ])('accepts %s', (text) => {
    expect(isUrlPrefix(text)).toBe(true)
  })

  test.each([
    '',
    'example.com',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https:example.com',
    'https:///example.com',
    'https://',
    'https://user@example.com/',
    'https://user:hush@example.com/',
    'https://*.example.com/',
    ' https://example.com/',
    'https://example.com/\n',
    'https://exa\tmple.com/',
    'https:\\\\example.com\\',
    'https://example.com:99999/',
    'https://exam ple.com/',
    'https://example.com/\u202e',
  ])('refuses %j', (text) => {
    expect(isUrlPrefix(text)).toBe(false)
  })
})

describe('normalizeUrlPrefix', () => {
  test.each([
    ['HTTPS://API.Example.com/V1/', 'https://api.example.com/V1/'],
    ['https://example.com', 'https://example.com'],
    ['https://example.com:443/a', 'https://example.com/a'],
    ['http://example.com:443?A=$1', 'http://example.com:443?A=$1'],
    ['http://127.1/a/../b', 'http://127.0.0.1/a/../b'],
    ['https://%41pi.example:443/', 'https://api.example/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://API.example./', 'https://api.example./'],
    ["http://a$&b$'c/d", "http://a$&b$'c/d"],
  ])('writes %s as %s', (text, normal) => {
    expect(normalizeUrlPrefix(text)).toBe(normal)
  })
})
